//! Streams whose flows have shares that follow Zipf's law.

use super::stream::{Order, Stream};
use crate::math::apportion::apportion;
use crate::math::elementary::pow;

/// Flows by their rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zipf {
    /// Number of flows.
    pub flows: u32,
    /// s.
    pub exponent: f64,
    /// Whether the flow of each packet is drawn.
    pub is_drawn: bool,
    /// Share of the flows with negative updates.
    pub negative: f64,
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
    pub fn expected(&self, packets: u32) -> Vec<i64> {
        let counts = apportion(packets.into(), &self.weights());
        counts.into_iter().zip(self.signs()).map(|(count, sign)| i64::from(count) * sign).collect()
    }

    /// The packets of trials.
    pub fn stream(&self, packets: u32) -> Stream {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn zipf(is_drawn: bool, negative: f64) -> Zipf {
        Zipf { flows: 20, exponent: 1.3, is_drawn, negative }
    }

    /// Counts do not depend on the trial, their order does, and the same seed gives the same order.
    #[test]
    fn expected_counts_are_shuffled() {
        let zipf = zipf(false, 0.5);
        let mut stream = zipf.stream(1000);
        let orders: Vec<Vec<u32>> = [1, 2, 1]
            .map(|seed| {
                stream.begin(0, seed);
                stream.flows.clone()
            })
            .into();
        assert!(orders[0] != orders[1] && orders[0] == orders[2]);
        assert_eq!(stream.counts, zipf.expected(1000));
        assert_eq!(stream.norm(), 1000.0);
        assert!(stream.counts[0] > 0 && stream.counts[1] < 0 && stream.counts[2] > 0);
    }

    /// The first flow has its share of 100 trials' packets, within 4 standard errors.
    #[test]
    fn drawn_counts_have_the_shares_of_zipf() {
        let mut stream = zipf(true, 0.0).stream(1000);
        let mut sum = 0;
        for seed in 0..100 {
            stream.begin(seed, seed);
            assert_eq!(stream.norm(), 1000.0);
            sum += stream.counts[0];
        }
        let share = 1.0 / (1..=20).map(|rank| f64::from(rank).powf(-1.3)).sum::<f64>();
        let deviation = (1e5 * share * (1.0 - share)).sqrt();
        assert!((sum as f64 - 1e5 * share).abs() < 4.0 * deviation, "{sum} {}", 1e5 * share);
    }
}
