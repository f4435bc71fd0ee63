//! The random variables of the model.
//!
//! Logarithms and powers come from `libm`, not from the system, so that a seed gives the same
//! capture on every machine.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A uniform 32-bit number.
    pub(super) fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniform number below `bound`, which is at least 1 (multiply and shift: Lemire, "Fast
    /// Random Integer Generation in an Interval"; its bias of 2⁻⁶⁴ · `bound` is accepted).
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// True with a probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.0.random::<f64>() < probability
    }

    /// Uniform in [0, 1).
    pub(super) fn uniform(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// An exponential variable of a rate.
    pub(super) fn exponential(&mut self, rate: f64) -> f64 {
        -libm::log(1.0 - self.uniform()) / rate
    }

    /// An exponential pause between two arrivals, in nanoseconds.
    pub(super) fn pause(&mut self, per_second: f64) -> u64 {
        let uniform = 1.0 - self.0.random::<f64>();
        (-libm::log(uniform) / per_second * 1e9) as u64
    }

    /// A bounded Pareto variable on [1, `most` + 1), rounded down, by inversion.
    pub(super) fn size(&mut self, shape: f64, most: u64) -> u64 {
        let weight = libm::pow(most as f64 + 1.0, -shape);
        let uniform = self.0.random::<f64>();
        let size = libm::pow(1.0 - uniform * (1.0 - weight), -1.0 / shape);
        (size as u64).clamp(1, most)
    }

    /// A rank below `ranks`, counted from 0, with P(rank = k) = ln(1 + 1/(k+1)) / ln(ranks + 1):
    /// Zipf's law with exponent 1, but for rounding.
    pub(super) fn rank(&mut self, ranks: u32) -> u32 {
        let uniform = self.0.random::<f64>();
        let rank = libm::exp(uniform * libm::log(f64::from(ranks) + 1.0));
        (rank as u32).clamp(1, ranks) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u32 = 200_000;

    #[test]
    fn sizes_have_the_tail_of_their_shape() {
        let mut random = Random::new(7);
        let sizes: Vec<u64> = (0..DRAWS).map(|_| random.size(1.05, 100_000)).collect();
        assert!(sizes.iter().all(|size| (1..=100_000).contains(size)));
        for least in [2u64, 10, 100, 1000] {
            let share = sizes.iter().filter(|&&size| size >= least).count() as f64 / 2e5;
            let expected = libm::pow(least as f64, -1.05);
            let deviation = (expected / 2e5).sqrt();
            assert!((share - expected).abs() < 5.0 * deviation, "{least}: {share} {expected}");
        }
    }

    #[test]
    fn ranks_follow_zipf() {
        let mut random = Random::new(7);
        let mut counts = [0u32; 100];
        for _ in 0..DRAWS {
            counts[random.rank(100) as usize] += 1;
        }
        for k in [0usize, 1, 9, 99] {
            let expected = libm::log(1.0 + 1.0 / (k as f64 + 1.0)) / libm::log(101.0) * 2e5;
            let deviation = expected.sqrt();
            assert!((f64::from(counts[k]) - expected).abs() < 5.0 * deviation, "rank {k}");
        }
    }

    #[test]
    fn pauses_have_the_mean_of_the_rate() {
        let mut random = Random::new(7);
        let total: u64 = (0..DRAWS).map(|_| random.pause(1000.0)).sum();
        let mean = total as f64 / f64::from(DRAWS);
        assert!((mean - 1e6).abs() < 5.0 * 1e6 / 2e5f64.sqrt(), "{mean} ns");
    }
}
