//! How fast a flow sends its trains.

use crate::synth::random::Random;

/// Highest rate of a flow: as many trains as all other small flows together.
pub(super) const HIGHEST: f64 = 1.0;
/// Quantiles that stand for the distribution in means.
const QUANTILES: u32 = 256;

/// A bounded Pareto variable on [`least`, [`HIGHEST`]], in trains per train of all small flows together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rates {
    least: f64,
    shape: f64,
}

impl Rates {
    pub(super) fn new(least: f64, shape: f64) -> Self {
        Rates { least, shape }
    }

    /// The rate of a flow that begins.
    pub(super) fn draw(&self, random: &mut Random) -> f64 {
        self.quantile(random.uniform())
    }

    /// The rate of a flow that is met in progress: the slower, the longer it is there.
    pub(super) fn draw_in_progress(&self, random: &mut Random) -> f64 {
        Rates { shape: self.shape + 1.0, ..*self }.quantile(random.uniform())
    }

    fn quantile(&self, probability: f64) -> f64 {
        let cut = libm::pow(self.least / HIGHEST, self.shape);
        self.least * libm::pow(1.0 - probability * (1.0 - cut), -1.0 / self.shape)
    }

    /// Mean of a function of the rate.
    pub(super) fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let middle = |quantile: u32| (f64::from(quantile) + 0.5) / f64::from(QUANTILES);
        let sum: f64 = (0..QUANTILES).map(|quantile| of(self.quantile(middle(quantile)))).sum();
        sum / f64::from(QUANTILES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_in_progress_are_weighted_by_their_duration() {
        let rates = Rates::new(0.001, 0.8);
        let mut random = Random::new(5);
        let draws: Vec<f64> = (0..200_000).map(|_| rates.draw_in_progress(&mut random)).collect();
        assert!(draws.iter().all(|rate| (0.001..=HIGHEST).contains(rate)));
        let mean = draws.iter().sum::<f64>() / 200_000.0;
        let expected = 1.0 / rates.mean(|rate| 1.0 / rate);
        assert!((mean - expected).abs() < 0.02 * expected, "{mean} {expected}");
    }
}
