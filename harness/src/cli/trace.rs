//! `loadfactor trace`: look into captures, export their keys, make synthetic ones.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::terminal::tell;
use anyhow::Context;
use clap::{Args, Subcommand};
use loadfactor_traces::{
    KeyKind, Keys, Layout, SynthError, SynthSpec, SynthSummary, Trace, create, info, read_keys,
    synth,
};

/// Look into a capture, export its keys, or make a synthetic one
#[derive(Debug, Args)]
pub(super) struct TraceArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Info(InfoArgs),
    Keys(KeysArgs),
    Synth(SynthArgs),
}

const INFO_EXAMPLES: &str = "\
Examples:
  loadfactor trace info uplink.pcap.gz other.pcapng
  loadfactor trace info --layout elastic13 flows.dat

The distinct keys are held in memory; the file is not. Damage is reported, and what is whole
is counted.";

/// Count what is in captures or files of flow keys
#[derive(Debug, Args)]
#[command(after_long_help = INFO_EXAMPLES)]
struct InfoArgs {
    /// Captures (pcap, pcapng; plain, gzip, zstd, xz, lz4: told by content), or files of flow keys
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Layout of the records, if the files are flow keys: elastic13, coco13, waving21, srcdst8,
    /// seqack16, srcdst
    #[arg(long)]
    layout: Option<Layout>,
}

const KEYS_EXAMPLES: &str = "\
Examples:
  loadfactor trace keys uplink.pcap.gz | head
  loadfactor trace keys --key tcp-header --distinct uplink.pcap --out keys.csv.gz
  loadfactor trace keys --layout coco13 --key src-dst flows.dat

The first line names the fields; then comes one key a line, in the order of the file.";

/// Export the keys of a capture or a file of flow keys as comma-separated text
#[derive(Debug, Args)]
#[command(after_long_help = KEYS_EXAMPLES)]
struct KeysArgs {
    /// A capture, or a file of flow keys
    file: PathBuf,
    /// Layout of the records, if the file is flow keys: elastic13, coco13, waving21, srcdst8,
    /// seqack16, srcdst
    #[arg(long)]
    layout: Option<Layout>,
    /// Fields of a key: five-tuple, src, dst, src-dst, tcp-header
    #[arg(long, default_value_t = KeyKind::FiveTuple)]
    key: KeyKind,
    /// Each key once, in order of first occurrence
    #[arg(long)]
    distinct: bool,
    /// File to write, compressed if it ends in .gz or .zst; standard output if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const SYNTH_EXAMPLES: &str = "\
Examples:
  loadfactor trace synth --out backbone.pcap.zst
  loadfactor trace synth --out long.pcap --packets 100000000 --active-flows 50000 --seed 7
  loadfactor trace synth --out acks.pcap --repeated-share 0.25 --tcp-share 1 --udp-share 0

The same options give the same bytes on any machine.";

/// Make a synthetic capture that looks like one of a backbone link
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
struct SynthArgs {
    /// File to write, compressed if it ends in .gz or .zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Packets to write
    #[arg(long, default_value_t = SynthSpec::default().packets)]
    packets: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = SynthSpec::default().seed)]
    seed: u64,
    /// Flows in progress at any time
    #[arg(long, default_value_t = SynthSpec::default().active_flows)]
    active_flows: u32,
    /// Shape of the Pareto distribution of flow sizes: the smaller, the heavier the tail
    #[arg(long, default_value_t = SynthSpec::default().tail)]
    tail: f64,
    /// Most packets of a flow
    #[arg(long, default_value_t = SynthSpec::default().largest_flow)]
    largest_flow: u64,
    /// Share of TCP packets that repeat an earlier (src, dst, seq, ack)
    #[arg(long, default_value_t = SynthSpec::default().repeated_share)]
    repeated_share: f64,
    /// Share of flows that are TCP
    #[arg(long, default_value_t = SynthSpec::default().tcp_share)]
    tcp_share: f64,
    /// Share of flows that are UDP; the rest is ICMP
    #[arg(long, default_value_t = SynthSpec::default().udp_share)]
    udp_share: f64,
    /// Share of flows between the hosts of the flow they replace
    #[arg(long, default_value_t = SynthSpec::default().same_hosts_share)]
    same_hosts_share: f64,
    /// Number of /16 prefixes of the addresses
    #[arg(long, default_value_t = SynthSpec::default().prefixes)]
    prefixes: u32,
    /// Number of hosts in a prefix
    #[arg(long, default_value_t = SynthSpec::default().hosts_per_prefix)]
    hosts_per_prefix: u32,
    /// Mean arrival rate
    #[arg(long, default_value_t = SynthSpec::default().packets_per_second)]
    packets_per_second: f64,
    /// Most bytes captured of a packet
    #[arg(long, default_value_t = SynthSpec::default().snaplen)]
    snaplen: u32,
}

/// Runs `loadfactor trace`.
///
/// Exit status: 0 done, even if a file is damaged (that is reported); 1 a file could not be read or
/// written; 2 a parameter of a synthetic capture is out of range.
///
/// # Errors
///
/// If the file of `keys` or `synth` cannot be read or written. `info` reports each failure and goes
/// on with the next file.
pub(super) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Info(args) => run_info(args),
        Action::Keys(args) => run_keys(args),
        Action::Synth(args) => run_synth(args),
    }
}

fn run_info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    for file in &args.files {
        match info(file, args.layout) {
            Ok(found) => {
                let written = write!(io::stdout(), "{}\n{found}", file.display());
                unless_closed(written)?;
            }
            Err(error) => {
                tell!("error: {error}");
                status = ExitCode::FAILURE;
            }
        }
    }
    Ok(status)
}

fn run_keys(args: &KeysArgs) -> anyhow::Result<ExitCode> {
    let trace = read_keys(&args.file, args.key, args.layout)?;
    let distinct = args.distinct.then(|| trace.keys.distinct());
    let keys = distinct.as_ref().unwrap_or(&trace.keys);
    match &args.out {
        Some(out) => create(out, |output| write_keys(args.key, keys, output))
            .with_context(|| format!("cannot write {}", out.display()))?,
        None => unless_closed(write_keys(args.key, keys, io::stdout().lock()))?,
    }
    report_keys(&args.file, &trace, keys.len());
    Ok(ExitCode::SUCCESS)
}

fn write_keys(kind: KeyKind, keys: &Keys, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    writeln!(output, "{}", kind.columns().join(","))?;
    for key in keys.iter() {
        writeln!(output, "{}", kind.text(key))?;
    }
    output.flush()
}

fn report_keys(file: &Path, trace: &Trace, written: usize) {
    let Trace { packets, without_key, .. } = trace;
    let file = file.display();
    tell!("{file}: {written} keys of {packets} packets, {without_key} without such a key");
    if !trace.damage.is_empty() {
        tell!("{file} is damaged; what is whole was used:\n{}", trace.damage);
    }
}

fn run_synth(args: &SynthArgs) -> anyhow::Result<ExitCode> {
    let spec = args.spec();
    match create(&args.out, |output| synth(&spec, output)) {
        Ok(summary) => report_synth(&args.out, &summary),
        Err(error @ SynthError::Parameter { .. }) => {
            tell!("error: {error}");
            return Ok(ExitCode::from(2));
        }
        Err(error) => return Err(error).with_context(|| args.out.display().to_string()),
    }
    Ok(ExitCode::SUCCESS)
}

fn report_synth(out: &Path, summary: &SynthSummary) {
    let SynthSummary { packets, flows, tcp, repeated } = summary;
    tell!(
        "{}: {packets} packets of {flows} flows; {repeated} of {tcp} TCP packets repeat an earlier \
         (src, dst, seq, ack)",
        out.display()
    );
}

impl SynthArgs {
    fn spec(&self) -> SynthSpec {
        SynthSpec {
            packets: self.packets,
            seed: self.seed,
            active_flows: self.active_flows,
            tail: self.tail,
            largest_flow: self.largest_flow,
            repeated_share: self.repeated_share,
            tcp_share: self.tcp_share,
            udp_share: self.udp_share,
            same_hosts_share: self.same_hosts_share,
            prefixes: self.prefixes,
            hosts_per_prefix: self.hosts_per_prefix,
            packets_per_second: self.packets_per_second,
            snaplen: self.snaplen,
        }
    }
}

/// A reader that has seen enough, such as `head`, is no failure.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
