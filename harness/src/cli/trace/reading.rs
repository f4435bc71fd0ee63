//! Which files are read, and how.

use std::path::PathBuf;

use clap::Args;
use loadfactor_traces::{
    Compression, DamageLog, Decoding, Input, Layout, Span, Time, TraceError, UnreadCounts,
};

use crate::terminal::tell;

/// How the files of a trace are read.
#[derive(Debug, Args)]
pub(super) struct Reading {
    /// Layout of the records, if the files are flow keys: elastic13, coco13, waving21, srcdst8,
    /// seqack16, srcdst, csv, or the fields in their order with their bytes, such as
    /// "src:4 dst:4 sport:2le dport:2le proto:1 pad:3"
    #[arg(long)]
    layout: Option<Layout>,
    /// Compression, in place of what the content looks like: none, gzip, bzip2, zstd, xz, lz4
    #[arg(long, value_name = "NAME")]
    compression: Option<Compression>,
    /// Most memory in MiB that a decoder may take, where a file of xz or zstd asks for it
    #[arg(long, value_name = "MIB", default_value_t = Decoding::default().memory >> 20,
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    decoder_memory: u64,
    /// At most so many packets, of those between --from and --to
    #[arg(long, value_name = "N")]
    packets: Option<u64>,
    /// Packets of this time or later: seconds since 1970, or UTC as 2008-03-19T12:00:00Z
    #[arg(long, value_name = "TIME")]
    from: Option<Time>,
    /// Packets before this time
    #[arg(long, value_name = "TIME")]
    to: Option<Time>,
    /// Exit with status 3 if a file is damaged
    #[arg(long)]
    strict: bool,
}

impl Reading {
    /// The trace that the words stand for.
    pub(super) fn input(&self, words: &[PathBuf]) -> Result<Input, TraceError> {
        let memory = self.decoder_memory << 20;
        let input = Input {
            files: Vec::new(),
            layout: self.layout,
            decoding: Decoding { compression: self.compression, memory },
            span: Span { packets: self.packets, from: self.from, to: self.to },
        };
        input.of_words(words)
    }

    /// Whether the damage is to be an exit status.
    pub(super) fn objects_to(&self, damage: &DamageLog) -> bool {
        self.strict && !damage.is_empty()
    }
}

/// The files as one name.
pub(super) fn label(input: &Input) -> String {
    match &input.files[..] {
        [first, .., last] => {
            format!("{} files, {} to {}", input.files.len(), first.display(), last.display())
        }
        [only] => only.display().to_string(),
        [] => String::new(),
    }
}

/// Warns of a trace most of whose packets have no key.
pub(super) fn warn_of_missing(label: &str, packets: u64, without_key: u64, unread: &UnreadCounts) {
    if without_key <= packets / 2 {
        return;
    }
    let unread = unread.by_number();
    let kinds = unread.iter().take(3).map(|(kind, packets)| format!("{packets} are {kind}"));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
    tell!(
        "warning: {label}: {without_key} of {packets} packets have no such key{kinds}; \
         `loadfactor trace info` counts what is there"
    );
}
