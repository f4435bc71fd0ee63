//! `loadfactor trace keys`.

use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use loadfactor_traces::{KeyKind, KeyReader, KeySet, create};

use super::reading::{Reading, label, warn_of_missing};
use crate::cli::note::doubtful_layout;
use crate::cli::status::{BadInput, DIFFERS};
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
    let input = args.reading.input(&args.files)?;
    let label = label(&input);
    let out = args.out.as_deref().filter(|out| *out != Path::new("-"));
    if let Some(out) = out {
        refuse_to_overwrite(out, &input.files)?;
    }
    let mut reader = KeyReader::open(input, args.key)?;
    let written = match out {
        Some(out) => create(out, |output| write_keys(args, &mut reader, output))
            .with_context(|| format!("cannot write {}", out.display()))?,
        None => write_keys(args, &mut reader, stdout().lock())?,
    };
    Ok(report(args, &label, &reader, written))
}

/// Writes the names of the fields and the keys; returns how many.
fn write_keys(args: &KeysArgs, reader: &mut KeyReader, output: impl Write) -> Result<u64> {
    let mut output = BufWriter::new(output);
    let mut seen = KeySet::new();
    let mut written = 0;
    writeln!(output, "{}", args.key.columns().join(","))?;
    while let Some(key) = reader.next_key()? {
        if !args.distinct || seen.insert(key).1 {
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
    if reader.layout_is_doubtful() {
        tell!("{}", doubtful_layout(label));
    }
    let damage = reader.damage_log();
    if !damage.is_empty() {
        tell!("{label} is damaged; what is whole was used:\n{damage}");
    }
    if args.reading.objects_to(damage) { ExitCode::from(DIFFERS) } else { ExitCode::SUCCESS }
}

/// A file that is read while it is written would be lost.
fn refuse_to_overwrite(out: &Path, files: &[PathBuf]) -> Result<(), BadInput> {
    match files.iter().find(|file| is_same(out, file)) {
        None => Ok(()),
        Some(file) => Err(BadInput(format!(
            "error: --out {} is the file {} that is read; write to another one",
            out.display(),
            file.display()
        ))),
    }
}

/// Whether two paths lead to one file.
#[cfg(unix)]
fn is_same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
    place(a).is_some_and(|a| Some(a) == place(b))
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}
