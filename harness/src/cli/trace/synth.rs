//! `loadfactor trace synth`.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use loadfactor_traces::{
    LinkSpec, Preset, SynthError, SynthSpec, SynthSummary, create, synth, synth_link,
};

use crate::cli::exit::BadInput;
use crate::run::Interrupt;
use crate::terminal::tell;

const SYNTH_EXAMPLES: &str = "\
Examples:
  loadfactor trace synth --preset caida --out backbone.pcap.zst
  loadfactor trace synth --preset auckland --packets 1000000 --ipv6-share 0.1 --out uplink.pcap
  loadfactor trace synth --out long.pcap --packets 100000000 --active-flows 50000 --seed 7
  loadfactor trace synth --out acks.pcap --repeated-share 0.25 --tcp-share 1 --udp-share 0

The same options give the same bytes on any machine. With a preset, they are statistics of the capture, as
`trace info --flows` measures them; docs/SYNTHETIC.md has them all. What cannot be reached is an error.";

/// Make a synthetic capture: an even mixture of flows, or one like that of a link
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
pub(super) struct SynthArgs {
    /// File to write, compressed if it ends in .gz or .zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The link that it is like: caida, wand, auckland; an even mixture of flows if absent
    #[arg(long, value_name = "NAME")]
    preset: Option<Preset>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = SynthSpec::default().seed)]
    seed: u64,
    #[command(flatten)]
    shared: SharedArgs,
    #[command(flatten)]
    mixture: MixtureArgs,
    #[command(flatten)]
    link: LinkArgs,
}

/// Parameters of both models.
#[derive(Debug, Args)]
struct SharedArgs {
    #[arg(long, value_name = "N", help = or_preset("Packets to write", SynthSpec::default().packets))]
    packets: Option<u64>,
    #[arg(long, value_name = "SHARE", help = or_preset(
        "Share of TCP packets that repeat an earlier (src, dst, seq, ack)", SynthSpec::default().repeated_share
    ))]
    repeated_share: Option<f64>,
    #[arg(long, value_name = "SHARE", help = or_preset(
        "Share of flows that are TCP", SynthSpec::default().tcp_share
    ))]
    tcp_share: Option<f64>,
    #[arg(long, value_name = "SHARE", help = or_preset(
        "Share of flows that are UDP; the rest is ICMP", SynthSpec::default().udp_share
    ))]
    udp_share: Option<f64>,
    #[arg(long, value_name = "SHARE", help = or_preset(
        "Share of flows between the hosts of an earlier one", SynthSpec::default().same_hosts_share
    ))]
    same_hosts_share: Option<f64>,
    #[arg(long, value_name = "N", help = or_preset(
        "Number of /16 prefixes of the addresses", SynthSpec::default().prefixes
    ))]
    prefixes: Option<u32>,
    #[arg(long, value_name = "N", help = or_preset(
        "Number of hosts in a prefix", SynthSpec::default().hosts_per_prefix
    ))]
    hosts_per_prefix: Option<u32>,
    #[arg(long, value_name = "RATE", help = or_preset(
        "Mean arrival rate", SynthSpec::default().packets_per_second
    ))]
    packets_per_second: Option<f64>,
    #[arg(long, value_name = "BYTES", help = or_preset(
        "Most bytes captured of a packet", SynthSpec::default().snaplen
    ))]
    snaplen: Option<u32>,
}

fn or_preset(what: &str, default: impl Display) -> String {
    format!("{what} [default: {default}, or that of the preset]")
}

/// Parameters of the even mixture.
#[derive(Debug, Args)]
#[command(next_help_heading = "Without --preset")]
struct MixtureArgs {
    /// Flows in progress at any time
    #[arg(long, value_name = "N", conflicts_with = "preset",
          default_value_t = SynthSpec::default().active_flows)]
    active_flows: u32,
    /// Shape of the Pareto distribution of flow sizes: the smaller, the heavier the tail
    #[arg(long, value_name = "SHAPE", conflicts_with = "preset",
          default_value_t = SynthSpec::default().tail)]
    tail: f64,
    /// Most packets of a flow
    #[arg(long, value_name = "N", conflicts_with = "preset",
          default_value_t = SynthSpec::default().largest_flow)]
    largest_flow: u64,
}

/// Parameters of a link in place of those of the preset.
#[derive(Debug, Args)]
#[command(next_help_heading = "In place of what the preset says")]
struct LinkArgs {
    /// Share of the packets that the largest flow has
    #[arg(long, value_name = "SHARE", requires = "preset")]
    largest_share: Option<f64>,
    /// Share of the packets that the ten largest flows have
    #[arg(long, value_name = "SHARE", requires = "preset")]
    ten_largest_share: Option<f64>,
    /// Packets per flow
    #[arg(long, value_name = "NUMBER", requires = "preset")]
    packets_per_flow: Option<f64>,
    /// Share of flows that have one packet
    #[arg(long, value_name = "SHARE", requires = "preset")]
    single_packet_share: Option<f64>,
    /// Share of packets that follow one of their own flow
    #[arg(long, value_name = "SHARE", requires = "preset")]
    following_share: Option<f64>,
    /// Shape of the Pareto distribution of the flows' rates: the smaller, the more they differ
    #[arg(long, value_name = "SHAPE", requires = "preset")]
    rate_tail: Option<f64>,
    /// Median distance of a repeated packet from the one that it repeats, in TCP packets
    #[arg(long, value_name = "PACKETS", requires = "preset")]
    repeat_distance: Option<f64>,
    /// Share of flows whose other direction is in the capture too
    #[arg(long, value_name = "SHARE", requires = "preset")]
    both_directions_share: Option<f64>,
    /// Share of packets that are IPv6
    #[arg(long, value_name = "SHARE", requires = "preset")]
    ipv6_share: Option<f64>,
}

/// Runs the command.
pub(super) fn run(args: &SynthArgs) -> anyhow::Result<ExitCode> {
    Interrupt::install()?;
    match create(&args.out, |output| args.write(output)) {
        Ok(summary) => report_synth(&args.out, &summary),
        Err(error @ (SynthError::Parameter { .. } | SynthError::Unreachable { .. })) => {
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
    fn write(&self, output: impl Write) -> Result<SynthSummary, SynthError> {
        match self.preset {
            Some(preset) => synth_link(&self.link(preset.spec()), output),
            None => synth(&self.mixture(SynthSpec::default()), output),
        }
    }

    fn mixture(&self, default: SynthSpec) -> SynthSpec {
        let SynthArgs { shared, mixture, .. } = self;
        SynthSpec {
            packets: shared.packets.unwrap_or(default.packets),
            seed: self.seed,
            active_flows: mixture.active_flows,
            tail: mixture.tail,
            largest_flow: mixture.largest_flow,
            repeated_share: shared.repeated_share.unwrap_or(default.repeated_share),
            tcp_share: shared.tcp_share.unwrap_or(default.tcp_share),
            udp_share: shared.udp_share.unwrap_or(default.udp_share),
            same_hosts_share: shared.same_hosts_share.unwrap_or(default.same_hosts_share),
            prefixes: shared.prefixes.unwrap_or(default.prefixes),
            hosts_per_prefix: shared.hosts_per_prefix.unwrap_or(default.hosts_per_prefix),
            packets_per_second: shared.packets_per_second.unwrap_or(default.packets_per_second),
            snaplen: shared.snaplen.unwrap_or(default.snaplen),
        }
    }

    fn link(&self, preset: LinkSpec) -> LinkSpec {
        let SynthArgs { shared, link, .. } = self;
        LinkSpec {
            packets: shared.packets.unwrap_or(preset.packets),
            seed: self.seed,
            largest_share: link.largest_share.unwrap_or(preset.largest_share),
            ten_largest_share: link.ten_largest_share.unwrap_or(preset.ten_largest_share),
            packets_per_flow: link.packets_per_flow.unwrap_or(preset.packets_per_flow),
            single_packet_share: link.single_packet_share.unwrap_or(preset.single_packet_share),
            following_share: link.following_share.unwrap_or(preset.following_share),
            rate_tail: link.rate_tail.unwrap_or(preset.rate_tail),
            repeated_share: shared.repeated_share.unwrap_or(preset.repeated_share),
            repeat_distance: link.repeat_distance.unwrap_or(preset.repeat_distance),
            same_hosts_share: shared.same_hosts_share.unwrap_or(preset.same_hosts_share),
            both_directions_share: link
                .both_directions_share
                .unwrap_or(preset.both_directions_share),
            tcp_share: shared.tcp_share.unwrap_or(preset.tcp_share),
            udp_share: shared.udp_share.unwrap_or(preset.udp_share),
            ipv6_share: link.ipv6_share.unwrap_or(preset.ipv6_share),
            prefixes: shared.prefixes.unwrap_or(preset.prefixes),
            hosts_per_prefix: shared.hosts_per_prefix.unwrap_or(preset.hosts_per_prefix),
            packets_per_second: shared.packets_per_second.unwrap_or(preset.packets_per_second),
            snaplen: shared.snaplen.unwrap_or(preset.snaplen),
        }
    }
}
