//! Synthetic captures that look like those of a backbone link.
//!
//! Captures of a backbone cannot be passed on, and public ones are short. A synthetic capture
//! stands in for them: it is as long as wanted, and whoever has the same [`SynthSpec`] has the same
//! bytes, on any machine.
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
//!   keep-alives do. The share is met exactly, up to the first packets of the capture, as long
//!   as enough packets are not the first of their flow.
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

mod flow;
mod frame;
mod random;
mod spec;

use std::io::Write;

use flow::{Flow, Step};
use frame::FrameWriter;
use random::Random;

pub use spec::{SynthError, SynthSpec};

/// Time of the first packet, in nanoseconds since 1970: the start of a CAIDA trace of 2008-03-19.
const START: u64 = 1_205_924_400_000_000_000;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SynthSummary {
    /// Packets.
    pub packets: u64,
    /// Flows that were started: the distinct five-tuples, but for rare coincidences.
    pub flows: u64,
    /// TCP packets.
    pub tcp: u64,
    /// TCP packets that repeat an earlier (source, destination, sequence, acknowledgement).
    pub repeated: u64,
}

/// Writes a synthetic capture.
///
/// `output` need not be buffered.
///
/// # Errors
///
/// If the specification is out of range, or writing fails.
pub fn synth(spec: &SynthSpec, output: impl Write) -> Result<SynthSummary, SynthError> {
    spec.check()?;
    let mut random = Random::new(spec.seed);
    let mut frames = FrameWriter::start(output, spec.snaplen)?;
    let mut summary = SynthSummary::default();
    let mut flows: Vec<Flow> = Vec::new();
    let mut time = START;
    while summary.packets < spec.packets {
        time += random.pause(spec.packets_per_second);
        let place = random.below(spec.active_flows as u64) as usize;
        let flow = active(&mut flows, place, spec, &mut random, &mut summary);
        let step = next_step(flow, &mut summary, spec, &mut random);
        flow.advance(step, &mut random);
        frames.write(flow, time)?;
        summary.packets += 1;
    }
    frames.finish()?;
    Ok(summary)
}

/// The flow at a place, or a new one if the place is free or its flow has ended.
fn active<'f>(
    flows: &'f mut Vec<Flow>,
    place: usize,
    spec: &SynthSpec,
    random: &mut Random,
    summary: &mut SynthSummary,
) -> &'f mut Flow {
    let place = place.min(flows.len());
    if place == flows.len() {
        flows.push(Flow::start(spec, random));
        summary.flows += 1;
    } else if flows[place].has_ended() {
        flows[place] = flows[place].successor(spec, random);
        summary.flows += 1;
    }
    &mut flows[place]
}

/// Whether the flow's next packet repeats the one before.
///
/// While the share of repeats lags behind, packets repeat with a probability above the share; which
/// flows they belong to is left to chance.
fn next_step(
    flow: &Flow,
    summary: &mut SynthSummary,
    spec: &SynthSpec,
    random: &mut Random,
) -> Step {
    if !flow.is_tcp() {
        return Step::On;
    }
    summary.tcp += 1;
    let lags = (summary.repeated as f64) < spec.repeated_share * summary.tcp as f64;
    let probability = (1.0 + spec.repeated_share) / 2.0;
    if flow.has_begun() && lags && random.chance(probability) {
        summary.repeated += 1;
        return Step::Repeat;
    }
    Step::On
}
