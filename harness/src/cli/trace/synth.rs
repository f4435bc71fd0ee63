//! `loadfactor trace synth`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use loadfactor_traces::{SynthError, SynthSpec, SynthSummary, create, synth};

use crate::cli::status::BadInput;
use crate::run::Interrupt;
use crate::terminal::tell;

const SYNTH_EXAMPLES: &str = "\
Examples:
  loadfactor trace synth --out backbone.pcap.zst
  loadfactor trace synth --out long.pcap --packets 100000000 --active-flows 50000 --seed 7
  loadfactor trace synth --out acks.pcap --repeated-share 0.25 --tcp-share 1 --udp-share 0

The same options give the same bytes on any machine.";

/// Make a synthetic capture that looks like one of a backbone link
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
pub(super) struct SynthArgs {
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

/// Runs the command.
pub(super) fn run(args: &SynthArgs) -> anyhow::Result<ExitCode> {
    Interrupt::install()?;
    let spec = args.spec();
    match create(&args.out, |output| synth(&spec, output)) {
        Ok(summary) => report_synth(&args.out, &summary),
        Err(error @ SynthError::Parameter { .. }) => {
            return Err(BadInput(format!("error: {error}")).into());
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
