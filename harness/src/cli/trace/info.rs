//! `loadfactor trace info`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use loadfactor_traces::{Detail, Info, TraceError, info_of};
use serde_json::Value;

use super::json;
use super::reading::{Reading, label};
use crate::cli::exit::{DIFFERS, FAILED, exit_code};
use crate::terminal::tell;

const EXAMPLES: &str = "\
Examples:
  loadfactor trace info uplink.pcap.gz
  loadfactor trace info 'equinix-*.pcap.gz'           an hour in files of a minute
  loadfactor trace info --flows uplink.pcap.gz
  loadfactor trace info --each monday.pcap tuesday.pcapng
  loadfactor trace info --layout elastic13 flows.dat
  tcpdump -w - | loadfactor trace info - --packets 100000

Of each distinct key a hash is held in memory; the files are not. Damage is reported, and what is whole
is counted.";

/// Count what is in captures or files of flow keys
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct InfoArgs {
    /// Captures (pcap, pcapng; plain, gzip, bzip2, zstd, xz, lz4: told by content), or files of flow
    /// keys; a folder or quoted pattern stands for its files, - for standard input. Several are one
    /// trace, in the order of their first packets
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Each file by itself
    #[arg(long)]
    each: bool,
    /// Sizes and order of the flows and distances of repeated packets too, which takes longer
    #[arg(long)]
    flows: bool,
    /// How it is told
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned lines.
    Text,
    /// A list with one object for each trace.
    Json,
}

/// A trace and what is in it.
type Found = (String, Info);

/// Runs the command.
pub(super) fn run(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let mut failures = Vec::new();
    let mut objects = Vec::new();
    for words in traces(args)? {
        match look(args, &words) {
            Ok((label, info)) => {
                if args.reading.objects_to(info.damage()) {
                    failures.push(DIFFERS);
                }
                match args.format {
                    Format::Text => show(&format!("{label}\n{info}"))?,
                    Format::Json => objects.push(json::object(&label, &info)),
                }
            }
            Err(error) => {
                tell!("error: {error}");
                failures.push(FAILED);
            }
        }
    }
    if args.format == Format::Json {
        show(&format!("{:#}\n", Value::Array(objects)))?;
    }
    Ok(exit_code(failures))
}

fn show(text: &str) -> anyhow::Result<()> {
    crate::cli::print(text.as_bytes()).context("cannot write standard output")
}

/// The words of each trace.
fn traces(args: &InfoArgs) -> Result<Vec<Vec<PathBuf>>, TraceError> {
    match args.each {
        false => Ok(vec![args.files.clone()]),
        true => {
            let files = loadfactor_traces::find_files(&args.files)?;
            Ok(files.into_iter().map(|file| vec![file]).collect())
        }
    }
}

fn look(args: &InfoArgs, words: &[PathBuf]) -> Result<Found, TraceError> {
    let input = args.reading.input(words)?;
    let detail = if args.flows { Detail::Flows } else { Detail::Counts };
    Ok((label(&input), info_of(&input, detail)?))
}
