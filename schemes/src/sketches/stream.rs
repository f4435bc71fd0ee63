//! The packets of one trial after the other.

use std::iter;
use std::ops::Range;

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use super::windows::Division;
use crate::Rng;

/// What differs between the streams of trials, beside their windows.
#[derive(Debug, Clone)]
pub enum Order {
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
    /// The count of each flow in the present trial, 0 of flows without packets.
    pub counts: Vec<i64>,
    /// The length of each packet; none where each counts as 1.
    lengths: Vec<u32>,
    /// The sign of the updates of each flow, 1 or −1.
    signs: Vec<i64>,
    /// The packets as trials find them before they shuffle them; none where every trial has the same in the same order.
    source: Source,
    order: Order,
}

/// Packets in windows, each of which is that of a trial.
#[derive(Debug, Clone, Default)]
struct Source {
    flows: Vec<u32>,
    lengths: Vec<u32>,
    /// Where each window ends.
    ends: Vec<usize>,
}

impl Stream {
    /// Packets of these flows, each counted once.
    pub fn new(flows: Vec<u32>, signs: Vec<i64>, order: Order) -> Self {
        let (lengths, ends) = (Vec::new(), vec![flows.len()]);
        Self::with_source(Source { flows, lengths, ends }, signs, order)
    }

    /// The packets of a trace, divided into windows: the flow of each packet and, where bytes are counted, its length.
    /// They are in the order of the capture, or else shuffled within their window.
    pub fn of_trace(
        division: Division,
        flow: &dyn Fn(usize) -> u32,
        length: Option<&dyn Fn(usize) -> u32>,
        is_shuffled: bool,
    ) -> Self {
        let Division { packets, ends } = division;
        let each = |value: &dyn Fn(usize) -> u32| -> Vec<u32> {
            packets.iter().map(|&packet| value(packet as usize)).collect()
        };
        let (flows, lengths) = (each(flow), length.map_or_else(Vec::new, each));
        let distinct = flows.iter().max().map_or(0, |last| last + 1);
        let order = if is_shuffled { Order::Shuffled } else { Order::Same };
        let source = Source { flows, lengths, ends };
        Self::with_source(source, vec![1; distinct as usize], order)
    }

    fn with_source(source: Source, signs: Vec<i64>, order: Order) -> Self {
        let Source { flows, lengths, .. } = source.window(0);
        let source = match (&order, source.ends.len()) {
            (Order::Same | Order::Drawn(_), 1) => Source::default(),
            _ => source,
        };
        let counts = vec![0; signs.len()];
        let mut stream = Self { flows, counts, lengths, signs, source, order };
        stream.count();
        stream
    }

    /// Makes the packets of the trial with this number; `seed` decides what is drawn.
    pub fn begin(&mut self, number: u64, seed: u64) {
        if !self.source.ends.is_empty() {
            let windows = self.source.ends.len() as u64;
            self.source.put((number % windows) as usize, &mut self.flows, &mut self.lengths);
            if windows > 1 {
                self.count();
            }
        }
        let mut rng = Rng::seed_from_u64(seed);
        match &self.order {
            Order::Same => {}
            Order::Shuffled => {
                // Both are shuffled alike, so that each packet keeps its length.
                self.lengths.shuffle(&mut rng.clone());
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

    /// The flow of each packet, and what the packet adds to its count.
    #[inline]
    pub fn updates(&self) -> impl Iterator<Item = (u32, i64)> {
        self.flows.iter().enumerate().map(|(packet, &flow)| {
            let length = self.lengths.get(packet).map_or(1, |length| i64::from(*length));
            (flow, self.signs[flow as usize] * length)
        })
    }

    /// ‖a‖₁ of the present trial.
    pub fn norm(&self) -> f64 {
        self.counts.iter().map(|count| count.unsigned_abs()).sum::<u64>() as f64
    }

    /// ‖a‖₁ of the window where it is greatest, of packets in several windows.
    pub fn largest_norm(&self) -> u64 {
        let Source { flows, lengths, ends } = &self.source;
        let norm = |range: Range<usize>| match lengths.is_empty() {
            true => flows[range].len() as u64,
            false => lengths[range].iter().map(|&length| u64::from(length)).sum(),
        };
        let begins = iter::once(0).chain(ends.iter().copied());
        begins.zip(ends).map(|(begin, &end)| norm(begin..end)).max().unwrap_or(0)
    }

    /// Whether trials have the packets of several windows.
    pub fn has_windows(&self) -> bool {
        self.source.ends.len() > 1
    }

    /// Notes for each flow whether the present trial has a packet of it.
    pub fn find_flows(&self, is_met: &mut Vec<bool>) {
        is_met.clear();
        is_met.resize(self.counts.len(), false);
        self.flows.iter().for_each(|&flow| is_met[flow as usize] = true);
    }

    fn count(&mut self) {
        let mut counts = std::mem::take(&mut self.counts);
        counts.fill(0);
        self.updates().for_each(|(flow, weight)| counts[flow as usize] += weight);
        self.counts = counts;
    }
}

impl Source {
    fn window(&self, window: usize) -> Self {
        let (mut flows, mut lengths) = (Vec::new(), Vec::new());
        self.put(window, &mut flows, &mut lengths);
        Self { ends: vec![flows.len()], flows, lengths }
    }

    /// Puts the packets of a window in place of those that are there.
    fn put(&self, window: usize, flows: &mut Vec<u32>, lengths: &mut Vec<u32>) {
        let end = |window: usize| self.ends.get(window).copied().unwrap_or(0);
        let range = if window == 0 { 0 } else { end(window - 1) }..end(window);
        flows.clear();
        flows.extend_from_slice(&self.flows[range.clone()]);
        if !self.lengths.is_empty() {
            lengths.clear();
            lengths.extend_from_slice(&self.lengths[range]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(is_shuffled: bool) -> Stream {
        let division = Division { packets: vec![0, 1, 3, 2, 4], ends: vec![3, 5] };
        let flow = |packet| [0, 1, 0, 1, 2][packet];
        Stream::of_trace(division, &flow, Some(&|packet| 10 * (packet as u32 + 1)), is_shuffled)
    }

    /// Trial 2 has the first of two windows again.
    #[test]
    fn a_trial_has_the_packets_of_its_window() {
        let mut stream = stream(false);
        for (trial, updates, counts) in [
            (1, &[(0, 30), (2, 50)][..], [30, 0, 50]),
            (2, &[(0, 10), (1, 20), (1, 40)], [10, 60, 0]),
        ] {
            stream.begin(trial, 7);
            assert_eq!(stream.updates().collect::<Vec<_>>(), updates);
            assert_eq!(
                (&stream.counts[..], stream.norm()),
                (&counts[..], counts.iter().sum::<i64>() as f64)
            );
        }
    }

    #[test]
    fn the_largest_window_is_found() {
        assert_eq!(stream(false).largest_norm(), 80);
        let division = Division { packets: (0..7).collect(), ends: vec![2, 7] };
        assert_eq!(
            Stream::of_trace(division, &|packet| packet as u32, None, true).largest_norm(),
            5
        );
    }

    /// Also those whose packets add nothing to their counts.
    #[test]
    fn flows_of_a_window_are_found() {
        let division = Division { packets: (0..5).collect(), ends: vec![3, 5] };
        let flow = |packet| [0, 1, 0, 2, 1][packet];
        let mut stream =
            Stream::of_trace(division, &flow, Some(&|packet| packet as u32 % 4), false);
        let mut is_met = vec![true; 7];
        for (trial, expected) in [(0, [true, true, false]), (1, [false, true, true])] {
            stream.begin(trial, 7);
            stream.find_flows(&mut is_met);
            assert_eq!(is_met, expected);
        }
        assert_eq!(stream.counts[1], 0);
    }

    /// A packet keeps its length wherever it comes.
    #[test]
    fn packets_are_shuffled_with_their_lengths() {
        let mut stream = stream(true);
        let mut orders = Vec::new();
        for seed in 0..20 {
            stream.begin(0, seed);
            let mut updates: Vec<_> = stream.updates().collect();
            orders.push(updates.clone());
            updates.sort_unstable();
            assert_eq!(updates, [(0, 10), (1, 20), (1, 40)]);
        }
        orders.sort_unstable();
        orders.dedup();
        assert!(orders.len() > 3, "{orders:?}");
    }
}
