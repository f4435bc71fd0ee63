//! The streams of updates: which flow comes when, and how many packets each flow has.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use super::params::{
    COUNTS, EPSILON, EXPONENT, FLOWS, GIVEN_COUNTS, INNER_PRODUCT, NEGATIVE, PACKETS, PHI, QUERIES,
};
use crate::Rng;
use crate::info::WorkloadInfo;
use crate::keys::KeySource;
use crate::math::apportion::apportion;
use crate::math::elementary::pow;
use crate::params::{ParamError, Params};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&ZIPF, &TURNSTILE, &PACKET_STREAM];

static ZIPF: WorkloadInfo = WorkloadInfo {
    name: "zipf-stream",
    summary: "Packets of flows whose shares follow Zipf's law, each an update by 1. At the end the sketch is asked for all flows that had a packet, and for `queries` absent keys. Of a trace the flows are its first distinct keys, and how often they stand there is not looked at.",
    decides: &[],
    params: &[FLOWS, PACKETS, EXPONENT, COUNTS, QUERIES, EPSILON, PHI, INNER_PRODUCT],
};

static TURNSTILE: WorkloadInfo = WorkloadInfo {
    name: "turnstile",
    summary: "As `zipf-stream`, but of some flows all updates are by −1, so that their counts are negative. Sketches that need updates by positive numbers are refused.",
    decides: &[],
    params: &[FLOWS, PACKETS, EXPONENT, COUNTS, NEGATIVE, QUERIES, EPSILON],
};

static PACKET_STREAM: WorkloadInfo = WorkloadInfo {
    name: "packet-stream",
    summary: "The first `packets` packets of a trace, each an update of its key by 1. With `arrival_order = \"shuffled\"` the same packets come in random order. At the end the sketch is asked for all flows, and for absent keys: those of packets further on, as many as there are, but at most `queries`. A trace that is too short begins again with the same keys. Keys that are made are all different.",
    decides: &[],
    params: &[PACKETS, QUERIES, EPSILON, PHI, GIVEN_COUNTS],
};

/// The parameters that say what is read of a trial, and not what happens in it.
pub(super) const READ_ONLY: &[&str] =
    &[EPSILON.name, PHI.name, INNER_PRODUCT.name, GIVEN_COUNTS.name];

/// Where the packets of a trial come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Updates {
    /// Updates in a trial.
    pub packets: u32,
    from: From,
}

#[derive(Debug, Clone, PartialEq)]
enum From {
    Zipf(Zipf),
    Trace,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Zipf {
    flows: u32,
    exponent: f64,
    is_drawn: bool,
    negative: f64,
}

impl Updates {
    /// Reads the parameters of this workload.
    ///
    /// # Errors
    /// A parameter of another type.
    pub(super) fn read(info: &WorkloadInfo, params: &Params) -> Result<Self, ParamError> {
        let packets = params.small(PACKETS.name)?;
        if info.name == PACKET_STREAM.name {
            return Ok(Self { packets, from: From::Trace });
        }
        let is_signed = info.name == TURNSTILE.name;
        let zipf = Zipf {
            flows: params.small(FLOWS.name)?,
            exponent: params.number(EXPONENT.name)?,
            is_drawn: params.word(COUNTS.name)? == "drawn",
            negative: if is_signed { params.number(NEGATIVE.name)? } else { 0.0 },
        };
        Ok(Self { packets, from: From::Zipf(zipf) })
    }

    /// Whether some updates are negative.
    pub(super) fn is_signed(&self) -> bool {
        matches!(self.from, From::Zipf(zipf) if zipf.negative > 0.0)
    }

    /// Whether packets are those of a trace.
    pub(super) fn is_of_trace(&self) -> bool {
        self.from == From::Trace
    }

    /// Flows of a trial with these keys, or more.
    pub(super) fn flows(&self, keys: &KeySource) -> u32 {
        match (&self.from, keys) {
            (From::Zipf(zipf), _) => zipf.flows,
            (From::Trace, KeySource::Trace { keys, .. }) => {
                self.packets.min(keys.distinct() as u32)
            }
            (From::Trace, KeySource::Random | KeySource::Sequential) => self.packets,
        }
    }

    /// Flows that are to be had whatever the keys are.
    pub(super) fn wanted(&self) -> u32 {
        match self.from {
            From::Zipf(zipf) => zipf.flows,
            From::Trace => 1,
        }
    }

    /// Flows of which each trial has the same; `None` where only the packets tell.
    pub(super) fn same_flows(&self) -> Option<u32> {
        self.same_counts().map(|counts| counts.iter().filter(|count| **count != 0).count() as u32)
    }

    /// The counts of the flows where parameters alone decide them.
    pub(super) fn same_counts(&self) -> Option<Vec<i64>> {
        match self.from {
            From::Zipf(zipf) if !zipf.is_drawn => Some(zipf.expected(self.packets)),
            From::Zipf(_) | From::Trace => None,
        }
    }

    /// The same with at most so many packets.
    pub(super) fn shortened(&self, packets: u32) -> Self {
        Self { packets: self.packets.min(packets), from: self.from.clone() }
    }

    /// The packets of trials with these keys.
    pub(super) fn stream(&self, keys: &KeySource) -> Stream {
        match (&self.from, keys) {
            (From::Trace, KeySource::Trace { keys, shuffled, .. }) => {
                let passes = (0..keys.packets()).cycle();
                let captured: Vec<u32> =
                    passes.map(|packet| keys.id(packet)).take(self.packets as usize).collect();
                let flows = captured.iter().max().map_or(0, |last| last + 1);
                let order = if *shuffled { Order::Shuffled } else { Order::Same };
                Stream::new(captured, vec![1; flows as usize], order)
            }
            (From::Trace, KeySource::Random | KeySource::Sequential) => {
                let all = self.packets;
                Stream::new((0..all).collect(), vec![1; all as usize], Order::Same)
            }
            (From::Zipf(zipf), _) => zipf.stream(self.packets),
        }
    }
}

impl Zipf {
    fn weights(&self) -> Vec<f64> {
        (1..=self.flows).map(|rank| pow(f64::from(rank), -self.exponent)).collect()
    }

    /// The sign of the updates of each flow: of the first i, ⌊i·negative⌋ are negative.
    fn signs(&self) -> Vec<i64> {
        let negative = |flows: u32| (f64::from(flows) * self.negative).floor();
        (0..self.flows).map(|i| if negative(i + 1) > negative(i) { -1 } else { 1 }).collect()
    }

    /// The expected counts, rounded, with signs.
    fn expected(&self, packets: u32) -> Vec<i64> {
        let counts = apportion(packets.into(), &self.weights());
        counts.into_iter().zip(self.signs()).map(|(count, sign)| i64::from(count) * sign).collect()
    }

    fn stream(&self, packets: u32) -> Stream {
        if self.is_drawn {
            let mut sum = 0.0;
            let cumulative = self
                .weights()
                .into_iter()
                .map(|own| {
                    sum += own;
                    sum
                })
                .collect();
            let unset = vec![0; packets as usize];
            return Stream::new(unset, self.signs(), Order::Drawn(cumulative));
        }
        let of_flow = |(flow, count): (u32, i64)| (0..count.abs()).map(move |_| flow);
        let sorted = (0..).zip(self.expected(packets)).flat_map(of_flow).collect();
        Stream::new(sorted, self.signs(), Order::Shuffled)
    }
}

/// What differs between the streams of trials.
#[derive(Debug, Clone)]
enum Order {
    /// Nothing.
    Same,
    /// The order of the packets.
    Shuffled,
    /// The flow of each packet, by the sums of the flows' shares.
    Drawn(Vec<f64>),
}

/// The packets of one trial after the other.
#[derive(Debug, Clone)]
pub struct Stream {
    /// The flow of each packet.
    pub flows: Vec<u32>,
    /// What each packet of a flow adds to its count, 1 or −1.
    pub signs: Vec<i64>,
    /// The count of each flow in the present trial, 0 of flows without packets.
    pub counts: Vec<i64>,
    /// The packets as trials find them before they shuffle them.
    unshuffled: Vec<u32>,
    order: Order,
}

impl Stream {
    fn new(flows: Vec<u32>, signs: Vec<i64>, order: Order) -> Self {
        let counts = vec![0; signs.len()];
        let unshuffled = if matches!(order, Order::Shuffled) { flows.clone() } else { Vec::new() };
        let mut stream = Self { flows, signs, counts, unshuffled, order };
        stream.count();
        stream
    }

    /// Makes the packets of a trial; `seed` decides what is drawn.
    pub fn begin(&mut self, seed: u64) {
        let mut rng = Rng::seed_from_u64(seed);
        match &self.order {
            Order::Same => {}
            Order::Shuffled => {
                self.flows.copy_from_slice(&self.unshuffled);
                self.flows.shuffle(&mut rng);
            }
            Order::Drawn(cumulative) => {
                let all = cumulative.last().copied().unwrap_or(0.0);
                self.flows.fill_with(|| {
                    let place = rng.random::<f64>() * all;
                    let flow = cumulative.partition_point(|sum| *sum <= place);
                    flow.min(cumulative.len() - 1) as u32
                });
                self.count();
            }
        }
    }

    fn count(&mut self) {
        self.counts.fill(0);
        for &flow in &self.flows {
            self.counts[flow as usize] += self.signs[flow as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zipf(is_drawn: bool, negative: f64) -> Updates {
        let zipf = Zipf { flows: 20, exponent: 1.3, is_drawn, negative };
        Updates { packets: 1000, from: From::Zipf(zipf) }
    }

    /// Counts do not depend on the trial, their order does, and the same seed gives the same order.
    #[test]
    fn expected_counts_are_shuffled() {
        let updates = zipf(false, 0.5);
        let mut stream = updates.stream(&KeySource::Random);
        let orders: Vec<Vec<u32>> = [1, 2, 1]
            .map(|seed| {
                stream.begin(seed);
                stream.flows.clone()
            })
            .into();
        assert!(orders[0] != orders[1] && orders[0] == orders[2]);
        assert_eq!(stream.counts, updates.same_counts().unwrap());
        assert_eq!(stream.counts.iter().map(|count| count.abs()).sum::<i64>(), 1000);
        assert!(stream.counts[0] > 0 && stream.counts[1] < 0 && stream.counts[2] > 0);
    }

    /// The first flow has its share of 100 trials' packets, within 4 standard errors.
    #[test]
    fn drawn_counts_have_the_shares_of_zipf() {
        let mut stream = zipf(true, 0.0).stream(&KeySource::Random);
        let mut sum = 0;
        for seed in 0..100 {
            stream.begin(seed);
            assert_eq!(stream.counts.iter().sum::<i64>(), 1000);
            sum += stream.counts[0];
        }
        let share = 1.0 / (1..=20).map(|rank| f64::from(rank).powf(-1.3)).sum::<f64>();
        let deviation = (1e5 * share * (1.0 - share)).sqrt();
        assert!((sum as f64 - 1e5 * share).abs() < 4.0 * deviation, "{sum} {}", 1e5 * share);
    }
}
