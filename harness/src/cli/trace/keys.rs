//! `loadfactor trace keys`.

use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use loadfactor_traces::{KeyKind, KeyReader, KeySet, TraceError, create};

use super::guard::{Place, refuse_to_overwrite};
use super::reading::{Reading, label, warn_of_missing};
use crate::cli::exit::DIFFERS;
use crate::cli::note::{doubtful_layout, warn_of_untimed};
use crate::run::Interrupt;
use crate::terminal::tell;

const EXAMPLES: &str = "\
Examples:
  loadfactor trace keys uplink.pcap.gz | head
  loadfactor trace keys --key tcp-header --distinct uplink.pcap --out keys.csv.gz
  loadfactor trace keys --from 2008-03-19T12:00:00Z --packets 1000000 'equinix-*.pcap.gz'
  loadfactor trace keys --layout coco13 --key src-dst flows.dat

The first line names the fields; then comes one key a line, in the order of the packets. Memory does
not grow with them, except with --distinct.";

/// Export the keys of a trace as comma-separated text
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct KeysArgs {
    /// Captures, or files of flow keys; a folder or quoted pattern stands for its files, - for
    /// standard input. Several are one trace, in the order of their first packets
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fields of a key: five-tuple, src, dst, src-dst, tcp-header
    #[arg(long, default_value_t = KeyKind::FiveTuple)]
    key: KeyKind,
    /// Each key once, in order of first occurrence
    #[arg(long)]
    distinct: bool,
    /// File to write, compressed if it ends in .gz or .zst; standard output if absent or -
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// Runs the command.
pub(super) fn run(args: &KeysArgs) -> Result<ExitCode> {
    Interrupt::install()?;
    let input = args.reading.input(&args.files)?;
    let label = label(&input);
    let place = match args.out.as_deref() {
        Some(out) if out != Path::new("-") => Place::File(out),
        _ => Place::StandardOutput,
    };
    refuse_to_overwrite(place, &input.files)?;
    let mut reader = KeyReader::open(input, args.key)?;
    let written = match place {
        Place::File(out) => create(out, |output| write_keys(args, &mut reader, output)),
        Place::StandardOutput => write_keys(args, &mut reader, stdout().lock()),
    };
    let written = match (written, place) {
        (Err(Failure::Write(error)), Place::File(out)) => {
            return Err(error).with_context(|| format!("cannot write {}", out.display()));
        }
        (Err(Failure::Write(error)), Place::StandardOutput) => {
            return Err(error).context("cannot write standard output");
        }
        (Err(Failure::Read(error)), _) => return Err(error.into()),
        (Ok(written), _) => written,
    };
    Ok(report(args, &label, &reader, written))
}

/// Which end of the way from trace to text failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Read(#[from] TraceError),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes the names of the fields and the keys; returns how many.
fn write_keys(args: &KeysArgs, reader: &mut KeyReader, output: impl Write) -> Result<u64, Failure> {
    let mut output = BufWriter::new(output);
    let mut seen = KeySet::new();
    let mut written = 0;
    writeln!(output, "{}", args.key.columns().join(","))?;
    while let Some(key) = reader.next_key()? {
        if !args.distinct || seen.insert(key).map_err(TraceError::from)?.1 {
            writeln!(output, "{}", args.key.text(key))?;
            written += 1;
        }
    }
    output.flush()?;
    Ok(written)
}

fn report(args: &KeysArgs, label: &str, reader: &KeyReader, written: u64) -> ExitCode {
    let (packets, without_key) = (reader.packets(), reader.without_key());
    tell!("{label}: {written} keys of {packets} packets, {without_key} without such a key");
    warn_of_missing(label, packets, without_key, reader.unread());
    warn_of_untimed(label, reader.untimed());
    if reader.layout_is_doubtful() {
        tell!("{}", doubtful_layout(label));
    }
    let damage = reader.damage_log();
    if !damage.is_empty() {
        tell!("{label} is damaged; what is whole was used:\n{damage}");
    }
    if args.reading.objects_to(damage) { ExitCode::from(DIFFERS) } else { ExitCode::SUCCESS }
}
