//! How the files of a trace are read, wherever one is named on the command line.

use clap::Args;
use loadfactor_traces::{Compression, Layout, Time};

use crate::definition::ReadingOptions;

/// The heading of these options, given to each: one given to all would go on to the options behind them.
const HEADING: &str = "Reading a trace";

/// How the files of a trace are read.
#[derive(Debug, Clone, Args)]
pub(super) struct ReadingArgs {
    /// Layout of the records, if the files are flow keys: elastic13, coco13, waving21, srcdst8,
    /// seqack16, srcdst, csv, or the fields in their order with their bytes, such as
    /// "src:4 dst:4 sport:2le dport:2le proto:1 pad:3"
    #[arg(long, help_heading = HEADING)]
    layout: Option<Layout>,
    /// Compression, in place of what the content looks like: none, gzip, bzip2, zstd, xz, lz4
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    compression: Option<Compression>,
    /// Most memory in MiB that a decoder may take, where a file of xz or zstd asks for it; 256 unless told
    /// otherwise
    #[arg(long, help_heading = HEADING, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    decoder_memory: Option<u64>,
    /// At most so many packets, of those between --from and --to
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    packets: Option<u64>,
    /// Packets of this time or later: seconds since 1970, or UTC as 2008-03-19T12:00:00Z
    #[arg(long, help_heading = HEADING, value_name = "TIME")]
    from: Option<Time>,
    /// Packets before this time
    #[arg(long, help_heading = HEADING, value_name = "TIME")]
    to: Option<Time>,
}

impl ReadingArgs {
    /// The first option that is given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--layout", self.layout.is_some()),
            ("--compression", self.compression.is_some()),
            ("--decoder-memory", self.decoder_memory.is_some()),
            ("--packets", self.packets.is_some()),
            ("--from", self.from.is_some()),
            ("--to", self.to.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// What is given of it.
    pub(super) fn options(&self) -> ReadingOptions {
        ReadingOptions {
            layout: self.layout,
            compression: self.compression,
            memory: self.decoder_memory.map(|mebibytes| mebibytes << 20),
            packets: self.packets,
            from: self.from,
            to: self.to,
        }
    }
}
