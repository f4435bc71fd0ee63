//! How many packets a flow has.

use super::solve::rising_to;
use crate::synth::random::Random;

/// Shapes that are tried: from nearly log-uniform sizes to hardly any above the least.
const SHAPES: (f64, f64) = (0.01, 50.0);
/// Least number of packets of a flow that has more than one.
const LEAST: f64 = 2.0;
/// Terms of a sum that are added one by one; the rest is an integral.
const TERMS: u64 = 1000;

/// One packet with a probability, else a bounded Pareto variable on [2, `most` + 1), rounded down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sizes {
    /// Probability of a single packet.
    single: f64,
    /// Shape of the Pareto distribution.
    shape: f64,
    /// Most packets.
    most: u64,
}

impl Sizes {
    /// The sizes with this mean, if there are any.
    pub(super) fn with_mean(mean: f64, single: f64, most: u64) -> Option<Self> {
        let sizes = |shape| Sizes { single, shape, most };
        let (least, greatest) = Self::means(single, most);
        (least..=greatest)
            .contains(&mean)
            .then(|| sizes(rising_to(-mean, SHAPES.0, SHAPES.1, |shape| -sizes(shape).mean())))
    }

    /// The least and the greatest mean.
    pub(super) fn means(single: f64, most: u64) -> (f64, f64) {
        let mean = |shape| Sizes { single, shape, most }.mean();
        (mean(SHAPES.1), mean(SHAPES.0))
    }

    fn mean(&self) -> f64 {
        self.single + (1.0 - self.single) * self.mean_of_many()
    }

    /// Mean of the flows of more than one packet: P(size ≥ k) over all k. From [`TERMS`] on, the sum is taken for
    /// the integral over the middles of its steps.
    fn mean_of_many(&self) -> f64 {
        let head = self.most.min(TERMS);
        let sum: f64 = (3..=head).map(|size| self.reaches(size as f64)).sum();
        LEAST + sum + self.integral(head as f64 + 0.5, self.most as f64 + 0.5)
    }

    /// The least value of the Pareto variable's survival function before it is cut off.
    fn floor(&self) -> f64 {
        libm::pow((self.most as f64 + 1.0) / LEAST, -self.shape)
    }

    /// P(size ≥ `size`) of a flow of more than one packet.
    fn reaches(&self, size: f64) -> f64 {
        (libm::pow(size / LEAST, -self.shape) - self.floor()) / (1.0 - self.floor())
    }

    /// Integral of [`reaches`](Self::reaches).
    fn integral(&self, from: f64, to: f64) -> f64 {
        if to <= from {
            return 0.0;
        }
        let power = 1.0 - self.shape;
        let of_power = power_integral(from / LEAST, to / LEAST, power) * LEAST;
        (of_power - (to - from) * self.floor()) / (1.0 - self.floor())
    }

    /// The size of a flow that begins.
    pub(super) fn draw(&self, random: &mut Random) -> u64 {
        if random.chance(self.single) {
            return 1;
        }
        let survival = 1.0 - random.uniform() * (1.0 - self.floor());
        self.whole(LEAST * libm::pow(survival, -1.0 / self.shape))
    }

    /// The size of a flow that is met between two of its packets: the more packets, the more likely by as much as
    /// it has pauses between them. Drawn in proportion to the size by inversion, and accepted by its pauses.
    pub(super) fn draw_in_progress(&self, random: &mut Random) -> u64 {
        let power = 1.0 - self.shape;
        let whole = power_integral(1.0, (self.most as f64 + 1.0) / LEAST, power);
        loop {
            let size = LEAST * inverse_power_integral(random.uniform() * whole, power);
            let packets = self.whole(size);
            if random.chance((packets - 1) as f64 / size) {
                return packets;
            }
        }
    }

    fn whole(&self, size: f64) -> u64 {
        (size as u64).clamp(2, self.most)
    }
}

/// Integral of x^(power − 1), by which it is 1/x where the power is 0.
fn power_integral(from: f64, to: f64, power: f64) -> f64 {
    match power.abs() < 1e-9 {
        true => libm::log(to / from),
        false => (libm::pow(to, power) - libm::pow(from, power)) / power,
    }
}

/// Where the integral of x^(power − 1) from 1 has a value.
fn inverse_power_integral(value: f64, power: f64) -> f64 {
    match power.abs() < 1e-9 {
        true => libm::exp(value),
        false => libm::pow(1.0 + value * power, 1.0 / power),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u64 = 400_000;

    fn mean_of(draw: impl FnMut() -> u64) -> f64 {
        let mut draw = draw;
        (0..DRAWS).map(|_| draw() as f64).sum::<f64>() / DRAWS as f64
    }

    #[test]
    fn sizes_have_the_mean_that_was_asked_for() {
        let mut random = Random::new(3);
        for (mean, single, most) in [(5.0, 0.5, 200), (12.0, 0.2, 400), (4.0, 0.6, 100_000)] {
            let sizes = Sizes::with_mean(mean, single, most).unwrap();
            assert!((sizes.mean() - mean).abs() < 1e-9);
            let drawn = mean_of(|| sizes.draw(&mut random));
            assert!((drawn - mean).abs() < 0.1 * mean, "{drawn} for {mean}");
        }
    }

    #[test]
    fn the_integral_is_the_sum() {
        let sizes = Sizes { single: 0.0, shape: 0.9, most: 50_000 };
        let sum: f64 = (3..=50_000).map(|size| sizes.reaches(f64::from(size))).sum();
        assert!((sizes.mean_of_many() - LEAST - sum).abs() < 1e-6 * sum);
    }

    #[test]
    fn flows_in_progress_are_as_likely_as_they_have_pauses() {
        let sizes = Sizes::with_mean(4.0, 0.5, 50).unwrap();
        let mut random = Random::new(3);
        let (mut weight, mut weighted) = (0.0, 0.0);
        for _ in 0..DRAWS {
            let size = sizes.draw(&mut random) as f64;
            weight += size - 1.0;
            weighted += (size - 1.0) * size;
        }
        let drawn = mean_of(|| sizes.draw_in_progress(&mut random));
        assert!((drawn - weighted / weight).abs() < 0.02 * drawn, "{drawn}");
    }

    #[test]
    fn there_are_sizes_between_the_least_and_the_greatest_mean() {
        let (least, greatest) = Sizes::means(0.5, 50);
        assert!(least < 1.6 && (7.0..9.0).contains(&greatest), "{least} {greatest}");
        assert!(Sizes::with_mean(0.5 * (least + greatest), 0.5, 50).is_some());
        assert!(Sizes::with_mean(greatest + 0.1, 0.5, 50).is_none());
    }
}
