//! Packets of a link: a few large flows, trains, rates that differ widely.
//!
//! # Model
//!
//! * *Large flows*: ten flows last throughout the capture. The largest has a share [`largest_share`] of the packets,
//!   all ten [`ten_largest_share`]; between them the shares are a power law of the rank, at most as steep as Zipf's
//!   law.
//! * *Arrivals*: all other flows, the small ones, arrive as a Poisson process; the capture begins with as many in
//!   progress as a link has that has been up for long.
//! * *Sizes*: a small flow has one packet, or a bounded Pareto number of at least two, and not more than the tenth
//!   of the large ones. [`packets_per_flow`] and [`single_packet_share`] are those of all flows.
//! * *Trains*: a flow sends its packets in trains, whose packets follow each other directly and whose number has a
//!   geometric distribution. Their mean is such that [`following_share`] of the packets follow one of their own
//!   flow, in a train or by chance.
//! * *Rates*: a flow waits an exponential time from train to train. The rate is its own, a bounded Pareto variable
//!   with shape [`rate_tail`], independent of its size. The scale of the rates is such that half of the packets that
//!   may repeat are at most [`repeat_distance`] behind the one before in their flow.
//! * *Hosts*: addresses as in [`synth`](crate::synth). A small flow runs with probability [`same_hosts_share`]
//!   between the hosts of one of the 64 before it. With some of them comes the other direction of the connection,
//!   with a size and a rate of its own, so that [`both_directions_share`] of the flows have one.
//! * *Protocols* as in [`synth`](crate::synth); the large flows are of the most frequent one and, like it, of the more
//!   frequent version of IP. [`ipv6_share`] of the packets are IPv6.
//! * *Repeats*: as in [`synth`](crate::synth).
//!
//! The distributions are found from the statistics by calculation, not by trial, so that the capture is written at
//! once. Memory is that of the flows in progress.
//!
//! [`largest_share`]: LinkSpec::largest_share
//! [`ten_largest_share`]: LinkSpec::ten_largest_share
//! [`packets_per_flow`]: LinkSpec::packets_per_flow
//! [`single_packet_share`]: LinkSpec::single_packet_share
//! [`following_share`]: LinkSpec::following_share
//! [`rate_tail`]: LinkSpec::rate_tail
//! [`repeat_distance`]: LinkSpec::repeat_distance
//! [`same_hosts_share`]: LinkSpec::same_hosts_share
//! [`both_directions_share`]: LinkSpec::both_directions_share
//! [`ipv6_share`]: LinkSpec::ipv6_share

mod large;
mod preset;
mod rates;
mod reach;
mod shape;
mod sizes;
mod small;
mod solve;
mod spec;
mod traffic;

use std::io::Write;

use super::error::SynthError;
use super::flow::Flow;
use super::frame::FrameWriter;
use super::mix::{Kind, Mix};
use super::random::Random;
use super::repeats::next_step;
use super::summary::{START, SynthSummary};
use large::LARGE;
use shape::Shape;
use small::SmallFlows;
use spec::Protocol;

pub use preset::{Preset, Targets};
pub use spec::LinkSpec;

impl LinkSpec {
    /// Whether a capture can be like that.
    ///
    /// # Errors
    ///
    /// If a parameter is out of range, or cannot be reached together with the others.
    pub fn check(&self) -> Result<(), SynthError> {
        Shape::of(self).map(|_| ())
    }
}

/// Writes a synthetic capture of a link; docs/SYNTHETIC.md has the model.
///
/// `output` need not be buffered.
///
/// # Errors
///
/// If the specification is out of range, its parameters cannot be reached together, or writing fails.
pub fn synth_link(spec: &LinkSpec, output: impl Write) -> Result<SynthSummary, SynthError> {
    synth_link_beginning(spec, spec.packets, output)
}

/// Writes the first packets of a synthetic capture of a link, which may be as long as ever.
///
/// # Errors
///
/// As [`synth_link`].
pub fn synth_link_beginning(
    spec: &LinkSpec,
    packets: u64,
    output: impl Write,
) -> Result<SynthSummary, SynthError> {
    let shape = Shape::of(spec)?;
    let mut random = Random::new(spec.seed);
    let mut frames = FrameWriter::start(output, spec.snaplen)?;
    let mut summary = SynthSummary::default();
    let mut flows = Flows::start(spec, &shape, &mut random);
    let mut time = START;
    while summary.packets < packets.min(spec.packets) {
        time += random.pause(spec.packets_per_second);
        let flow = flows.next(&mut random);
        let step = next_step(flow, &mut summary, spec.repeated_share, &mut random);
        flow.advance(step, &mut random);
        frames.write(flow, time)?;
        summary.packets += 1;
    }
    summary.flows = flows.started();
    frames.finish()?;
    Ok(summary)
}

/// Whose train it is.
#[derive(Clone, Copy)]
enum Sender {
    /// A large flow, by its rank from 0.
    Large(usize),
    /// A small flow, by its place.
    Small(usize),
}

/// All flows in progress.
struct Flows<'s> {
    shape: &'s Shape,
    large: Vec<Flow>,
    small: SmallFlows<'s>,
    sender: Option<Sender>,
}

impl<'s> Flows<'s> {
    fn start(spec: &'s LinkSpec, shape: &'s Shape, random: &mut Random) -> Self {
        let LinkSpec { tcp_share, udp_share, prefixes, hosts_per_prefix, .. } = *spec;
        let mix = Mix { tcp_share, udp_share, prefixes, hosts_per_prefix };
        let large = (0..LARGE).map(|_| large_flow(spec, shape, &mix, random)).collect();
        let small = SmallFlows::start(spec, shape, mix, random);
        Flows { shape, large, small, sender: None }
    }

    /// Flows that have begun.
    fn started(&self) -> u64 {
        self.large.len() as u64 + self.small.started()
    }

    /// The flow that sends the next packet.
    fn next(&mut self, random: &mut Random) -> &mut Flow {
        let before = self.sender;
        let sender = match before {
            Some(sender) if self.train_goes_on(sender, random) => sender,
            ended => {
                if let Some(Sender::Small(place)) = ended {
                    self.small.end_train(place, random);
                }
                self.next_train(random)
            }
        };
        self.sender = Some(sender);
        self.flow(sender)
    }

    fn train_goes_on(&mut self, sender: Sender, random: &mut Random) -> bool {
        let train = self.shape.train;
        !self.flow(sender).has_ended() && random.chance(train)
    }

    fn next_train(&mut self, random: &mut Random) -> Sender {
        let drawn = random.uniform();
        match self.shape.up_to.iter().position(|&up_to| drawn < up_to) {
            Some(rank) => Sender::Large(rank),
            None => Sender::Small(self.small.next(random)),
        }
    }

    fn flow(&mut self, sender: Sender) -> &mut Flow {
        match sender {
            Sender::Large(rank) => &mut self.large[rank],
            Sender::Small(place) => self.small.flow_at(place),
        }
    }
}

/// A flow that was there before the capture and does not end in it.
fn large_flow(spec: &LinkSpec, shape: &Shape, mix: &Mix, random: &mut Random) -> Flow {
    let kind = match spec.most_frequent() {
        Protocol::Tcp => Kind::TcpData,
        Protocol::Udp => Kind::Udp,
        Protocol::Icmp => Kind::Icmp,
    };
    let flow = Flow::between(mix.hosts(random), kind, random).of_size(u64::MAX);
    flow.in_progress(1, random).in_version(shape.large_are_ipv6)
}
