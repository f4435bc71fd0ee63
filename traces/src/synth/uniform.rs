//! Packets of many flows, evenly mixed.
//!
//! # Model
//!
//! * *Arrivals*: packets arrive as a Poisson process of [`packets_per_second`].
//! * *Interleaving*: [`active_flows`] flows are in progress at any time. Each packet belongs to one
//!   of them, chosen uniformly; a flow that has sent its last packet is replaced by a new one.
//! * *Sizes*: a flow's number of packets is a bounded Pareto variable with shape [`tail`] on
//!   [1, [`largest_flow`] + 1), rounded down: most flows have one or two packets, and a few carry
//!   most of the traffic.
//! * *Addresses*: a /16 prefix and a host in it, each chosen by a rank with P(rank = k) close to
//!   1/k among [`prefixes`] and [`hosts_per_prefix`] (Zipf's law with exponent 1). Flows are
//!   directional; the other direction of a connection is not on the link.
//!   A flow that replaces another runs with probability [`same_hosts_share`] between the same two
//!   hosts, as clients open one connection after the other.
//! * *Protocols*: shares [`tcp_share`] and [`udp_share`] of the flows, the rest ICMP echo requests.
//!   Destination ports are mostly the well-known ones, source ports ephemeral.
//! * *TCP*: a flow starts with a SYN and ends with a FIN. Two flows in three send data, so that the
//!   sequence number advances with each segment; one in three acknowledges the data of the other
//!   direction, so that the acknowledgement number advances.
//! * *Repeats*: a share [`repeated_share`] of the TCP packets repeats sequence and acknowledgement
//!   number of the packet before in its flow, as duplicate acknowledgements, retransmissions and
//!   keep-alives do. The share is met exactly, up to the first packets of the capture; it is an error
//!   where too many packets are the first of their flow.
//!
//! The capture is a little-endian pcap with link type RAW IP and microseconds, of IPv4 packets with
//! a correct header checksum, cut at [`snaplen`] bytes. Payload is zero, and so are transport
//! checksums. Memory is that of the active flows.
//!
//! [`packets_per_second`]: SynthSpec::packets_per_second
//! [`active_flows`]: SynthSpec::active_flows
//! [`tail`]: SynthSpec::tail
//! [`largest_flow`]: SynthSpec::largest_flow
//! [`same_hosts_share`]: SynthSpec::same_hosts_share
//! [`prefixes`]: SynthSpec::prefixes
//! [`hosts_per_prefix`]: SynthSpec::hosts_per_prefix
//! [`tcp_share`]: SynthSpec::tcp_share
//! [`udp_share`]: SynthSpec::udp_share
//! [`repeated_share`]: SynthSpec::repeated_share
//! [`snaplen`]: SynthSpec::snaplen

use std::io::Write;

use super::error::SynthError;
use super::flow::Flow;
use super::frame::FrameWriter;
use super::mix::Mix;
use super::random::Random;
use super::repeats::next_step;
use super::spec::SynthSpec;
use super::summary::{START, SynthSummary};

/// Writes a synthetic capture.
///
/// `output` need not be buffered.
///
/// # Errors
///
/// If the specification is out of range, its share of repeats cannot be reached, which is known once the capture is
/// written, or writing fails.
pub fn synth(spec: &SynthSpec, output: impl Write) -> Result<SynthSummary, SynthError> {
    spec.check()?;
    let mix = spec.mix();
    let mut random = Random::new(spec.seed);
    let mut frames = FrameWriter::start(output, spec.snaplen)?;
    let mut summary = SynthSummary::default();
    let mut flows: Vec<Flow> = Vec::new();
    let mut time = START;
    while summary.packets < spec.packets {
        time += random.pause(spec.packets_per_second);
        let place = random.below(spec.active_flows as u64) as usize;
        let flow = active(&mut flows, place, (spec, &mix), &mut random, &mut summary);
        let step = next_step(flow, &mut summary, spec.repeated_share, &mut random);
        flow.advance(step, &mut random);
        frames.write(flow, time)?;
        summary.packets += 1;
    }
    frames.finish()?;
    check_repeats(spec, &summary)?;
    Ok(summary)
}

/// Refuses a share of repeats that was not met although every packet that can repeat another one was asked to. It
/// lags by at most the first packets of the flows in progress, and by a two-hundredth.
fn check_repeats(spec: &SynthSpec, summary: &SynthSummary) -> Result<(), SynthError> {
    let tcp = summary.tcp as f64;
    let lag = spec.repeated_share * tcp - summary.repeated as f64;
    if lag <= f64::from(spec.active_flows) + 0.005 * tcp {
        return Ok(());
    }
    let reached = summary.repeated as f64 / tcp;
    let reach = format!(
        "{reached:.3} of the TCP packets repeat one, as the first of a flow cannot; \
         larger flows (`tail`, `largest_flow`) have fewer of these"
    );
    let asked = spec.repeated_share;
    Err(SynthError::Unreachable { parameter: "repeated_share", asked, reach })
}

/// The flow at a place, or a new one if the place is free or its flow has ended.
fn active<'f>(
    flows: &'f mut Vec<Flow>,
    place: usize,
    (spec, mix): (&SynthSpec, &Mix),
    random: &mut Random,
    summary: &mut SynthSummary,
) -> &'f mut Flow {
    let place = place.min(flows.len());
    if place == flows.len() {
        flows.push(started(None, spec, mix, random));
        summary.flows += 1;
    } else if flows[place].has_ended() {
        flows[place] = started(Some(&flows[place]), spec, mix, random);
        summary.flows += 1;
    }
    &mut flows[place]
}

/// A flow that has not sent anything yet, perhaps between the hosts of the one whose place it takes.
fn started(before: Option<&Flow>, spec: &SynthSpec, mix: &Mix, random: &mut Random) -> Flow {
    let hosts = match before {
        Some(flow) if random.chance(spec.same_hosts_share) => flow.hosts(),
        _ => mix.hosts(random),
    };
    let flow = Flow::between(hosts, mix.kind(random), random);
    let size = random.size(spec.tail, spec.largest_flow);
    flow.of_size(size)
}
