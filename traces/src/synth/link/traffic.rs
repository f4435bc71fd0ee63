//! What a link's statistics say of its flows, and what trains and rates make of them.

use super::large::{LARGE, shares};
use super::rates::Rates;
use super::reach::outside;
use super::sizes::Sizes;
use super::solve::rising_to;
use super::spec::{LinkSpec, Protocol};
use crate::synth::error::SynthError;

/// Share of the flows that may be in progress at once: the beginning and the end of a capture cut these.
pub(super) const IN_PROGRESS: f64 = 0.2;
/// Flows that a capture has at least, so that the ten largest are few among them.
const FLOWS: f64 = 20.0;
/// Packets that the tenth flow has at least, so that small flows may differ in size.
const TENTH: f64 = 3.0;

/// The flows of a link: the ten largest, and the *small* ones, which are all others.
///
/// A *train* is a run of packets of one flow that follow each other directly. Whose train is next is drawn anew
/// behind each, so that most quantities are counted in trains. What depends on trains takes the probability that a
/// train goes on after a packet, if its flow does.
pub(super) struct Traffic {
    /// Flows in the capture.
    pub(super) flows: f64,
    /// Packets of a small flow.
    pub(super) sizes: Sizes,
    /// Shares of the packets that the large flows have.
    shares: [f64; LARGE],
    /// Share of the packets that the small flows have.
    small: f64,
    /// Mean packets of a small flow.
    mean: f64,
    /// Share of the large flows that are TCP, all or none.
    large_tcp: f64,
    /// Share of the small flows that are TCP.
    small_tcp: f64,
}

impl Traffic {
    /// The traffic of a link on which so many small flows are in progress when the capture begins. These are among
    /// its flows but were begun before it, and as many are cut by its end.
    pub(super) fn of(spec: &LinkSpec, in_progress: f64) -> Result<Self, SynthError> {
        let shares = large_shares(spec)?;
        check_length(spec, shares[LARGE - 1])?;
        let (flows, small) = (flows(spec), 1.0 - spec.ten_largest_share);
        let (mean, single) = (mean(spec, in_progress), single_packets(spec, in_progress)?);
        let most = most(spec, &shares);
        let sizes = Sizes::with_mean(mean, single, most);
        let sizes = sizes.ok_or_else(|| beyond_sizes(spec, most))?;
        let (large_tcp, small_tcp) = tcp_shares(spec);
        Ok(Traffic { flows, sizes, shares, small, mean, large_tcp, small_tcp })
    }

    /// Share of a small flow's packets behind which it goes on.
    fn goes_on(&self) -> f64 {
        1.0 - 1.0 / self.mean
    }

    /// Trains of a small flow, which may break behind each of its packets but the last.
    pub(super) fn trains_per_flow(&self, train: f64) -> f64 {
        1.0 + (self.mean - 1.0) * (1.0 - train)
    }

    /// Trains per packet: of the large flows all together, and of the small ones.
    fn trains_per_packet(&self, train: f64) -> (f64, f64) {
        let small = self.small * self.trains_per_flow(train) / self.mean;
        ((1.0 - self.small) * (1.0 - train), small)
    }

    /// The probability that a train is of a small flow.
    fn small_trains(&self, train: f64) -> f64 {
        let (large, small) = self.trains_per_packet(train);
        small / (large + small)
    }

    /// The probability that a train is of a large flow with this share of the packets.
    fn large_trains(&self, share: f64, train: f64) -> f64 {
        let (large, small) = self.trains_per_packet(train);
        share * (1.0 - train) / (large + small)
    }

    /// For each large flow, the probability that a train is of it or of a larger one.
    pub(super) fn up_to(&self, train: f64) -> [f64; LARGE] {
        let mut sum = 0.0;
        self.shares.map(|share| {
            sum += self.large_trains(share, train);
            sum
        })
    }

    /// Small flows in progress on average: as many as begin in the time that one lasts (Little's law).
    pub(super) fn in_progress(&self, train: f64, rates: Rates) -> f64 {
        let pauses = 1.0 - 1.0 / self.trains_per_flow(train);
        rates.mean(|rate| 1.0 / rate) * pauses
    }

    /// The share of packets that follow one of their own flow: in a train, or by chance in the next one, which is
    /// left out of small flows as long as their rates are not known.
    pub(super) fn following(&self, train: f64, rates: Option<Rates>) -> f64 {
        let again = |by_chance: f64| train + (1.0 - train) * by_chance;
        let large = |&share: &f64| share * again(self.large_trains(share, train));
        let returns = rates.map_or(0.0, |rates| rates.mean(taken));
        self.shares.iter().map(large).sum::<f64>()
            + self.small * self.goes_on() * again(self.small_trains(train) * returns)
    }

    /// The probability that a TCP packet is at most so many TCP packets behind the one before in its flow.
    ///
    /// A flow takes each of the trains behind its own with some probability, and each that it does not take is some
    /// packets of TCP.
    pub(super) fn returned(&self, distance: f64, train: f64, rates: Rates) -> f64 {
        let (large, small) = self.trains_per_packet(train);
        let tcp_per_train = self.tcp_packets() / (large + small);
        let within = |taken: f64| {
            let stays_away = 1.0 / (1.0 + taken / ((1.0 - taken) * tcp_per_train));
            1.0 - libm::pow(stays_away, distance)
        };
        let of_small = self.small_trains(train);
        let small = rates.mean(|rate| within(of_small * taken(rate)));
        let small_weight = self.small * self.small_tcp * self.goes_on();
        let large = |&share: &f64| share * within(self.large_trains(share, train));
        let large = self.large_tcp * self.shares.iter().map(large).sum::<f64>();
        let large_weight = self.large_tcp * (1.0 - self.small);
        let behind_a_train = (large + small_weight * small) / (large_weight + small_weight);
        train + (1.0 - train) * behind_a_train
    }

    /// The median distance of a TCP packet from the one before in its flow.
    pub(super) fn median_distance(&self, train: f64, rates: Rates) -> f64 {
        let of = |log: f64| self.returned(libm::exp(log), train, rates);
        libm::exp(rising_to(0.5, 0.0, libm::log(1e12), of))
    }

    /// TCP packets per packet.
    fn tcp_packets(&self) -> f64 {
        (1.0 - self.small) * self.large_tcp + self.small * self.small_tcp
    }

    /// The share of TCP packets that are not the first of their flow.
    pub(super) fn not_first(&self) -> f64 {
        1.0 - self.small * self.small_tcp / self.mean / self.tcp_packets()
    }
}

/// The probability that a small flow of this rate has the next train of one: all others together have the rate 1.
fn taken(rate: f64) -> f64 {
    rate / (1.0 + rate)
}

/// Refuses a capture too short for its flows; `tenth` is the share of the tenth largest.
fn check_length(spec: &LinkSpec, tenth: f64) -> Result<(), SynthError> {
    let least = libm::ceil((FLOWS * spec.packets_per_flow).max(TENTH / tenth));
    if spec.packets as f64 >= least {
        return Ok(());
    }
    let reach = format!(
        "{least} are needed for {FLOWS} flows of {} packets and {TENTH} packets of the tenth largest",
        spec.packets_per_flow
    );
    Err(SynthError::Unreachable { parameter: "packets", asked: spec.packets as f64, reach })
}

/// Shares of the packets that the ten largest flows have.
fn large_shares(spec: &LinkSpec) -> Result<[f64; LARGE], SynthError> {
    let LinkSpec { largest_share: largest, ten_largest_share: ten, .. } = *spec;
    let most = (LARGE as f64 * largest).min(0.99);
    match (largest..=most).contains(&ten) {
        true => Ok(shares(largest, ten)),
        false => Err(outside("ten_largest_share", ten, largest, most)),
    }
}

/// Flows in the capture.
fn flows(spec: &LinkSpec) -> f64 {
    spec.packets as f64 / spec.packets_per_flow
}

/// Small flows that begin in the capture.
fn begun(spec: &LinkSpec, in_progress: f64) -> f64 {
    flows(spec) - LARGE as f64 - in_progress
}

/// Mean packets of a small flow.
fn mean(spec: &LinkSpec, in_progress: f64) -> f64 {
    (1.0 - spec.ten_largest_share) * spec.packets as f64 / begun(spec, in_progress)
}

/// Most packets of a small flow: those of the tenth large one.
fn most(spec: &LinkSpec, shares: &[f64; LARGE]) -> u64 {
    (shares[LARGE - 1] * spec.packets as f64) as u64
}

/// Share of the flows that are seen with one packet if a small flow has one with some probability.
///
/// That is those of that size and, at each end of the capture, the flows in progress that have one packet on its
/// side: of flows with m packets on average, 1/(m − 1) of those in progress if none has the size 1.
fn seen_single(spec: &LinkSpec, in_progress: f64, single: f64) -> f64 {
    let cut = in_progress / (mean(spec, in_progress) - 1.0);
    (single * begun(spec, in_progress) + 2.0 * cut * (1.0 - single)) / flows(spec)
}

/// The probability that a small flow has one packet.
fn single_packets(spec: &LinkSpec, in_progress: f64) -> Result<f64, SynthError> {
    let asked = spec.single_packet_share;
    let [least, greatest] = [0.0, 1.0].map(|single| seen_single(spec, in_progress, single));
    match (least..=greatest).contains(&asked) {
        true => Ok((asked - least) / (greatest - least)),
        false => Err(outside("single_packet_share", asked, least, greatest)),
    }
}

/// Refuses flows whose small ones have more or fewer packets on average than their sizes allow. What can be is said of
/// the worse case: that no flow is in progress for the least number of packets, and that many are for the greatest.
fn beyond_sizes(spec: &LinkSpec, most: u64) -> SynthError {
    let greatest = spec.packets as f64 / FLOWS;
    let bound = |excess: &dyn Fn(&LinkSpec) -> f64| {
        let with = |packets_per_flow| LinkSpec { packets_per_flow, ..spec.clone() };
        rising_to(1.0, 1.0, greatest, |packets_per_flow| excess(&with(packets_per_flow)))
    };
    let means = |spec: &LinkSpec, in_progress: f64| {
        Sizes::means(single_packets(spec, in_progress).unwrap_or(1.0), most)
    };
    let least = bound(&|spec| mean(spec, 0.0) / means(spec, 0.0).0);
    let greatest = bound(&|spec| {
        let in_progress = IN_PROGRESS * flows(spec);
        mean(spec, in_progress) / means(spec, in_progress).1
    });
    outside("packets_per_flow", spec.packets_per_flow, least, greatest)
}

/// Shares of TCP among the large and the small flows: the large are of the most frequent protocol. Where there is no
/// TCP, all flows stand for it, as nothing is asked of packets that there are not.
fn tcp_shares(spec: &LinkSpec) -> (f64, f64) {
    match (spec.tcp_share, spec.most_frequent()) {
        (0.0, _) => (1.0, 1.0),
        (share, Protocol::Tcp) => (1.0, share),
        (share, Protocol::Udp | Protocol::Icmp) => (0.0, share),
    }
}
