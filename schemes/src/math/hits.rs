//! Whether choices fall into occupied bins alone, after any number of balls.

use nalgebra::Complex;

use super::bins;
use super::complex;
use super::depoissonised::depoissonised;

/// Steps that sums over positive terms may take; beyond, the integral is cheaper.
const MOST_STEPS: f64 = 2e4;

/// So many choices among so many bins.
///
/// The k-th moment of the fraction of occupied bins, too: each of k choices hits one with that probability.
pub(crate) struct Hits {
    choices: u32,
    bins: f64,
    /// Probabilities that the choices are 0, 1, … different bins.
    different: Vec<f64>,
}

impl Hits {
    pub(crate) fn new(choices: u32, bins: u32) -> Self {
        let bins = f64::from(bins);
        Self { choices, bins, different: bins::occupied(choices, bins) }
    }

    /// The probability that no choice falls into an empty bin, exactly, after so many balls.
    pub(crate) fn all_hit(&self, balls: u64) -> f64 {
        let thrown = balls as f64;
        if bins::work(self.choices, thrown, self.bins) <= MOST_STEPS {
            let hit = |(j, p): (usize, &f64)| match *p {
                0.0 => 0.0,
                p => p * bins::covered(j, thrown, self.bins),
            };
            return self.different.iter().enumerate().map(hit).sum();
        }
        depoissonised(balls, |mean| self.poissonised(mean)).min(1.0)
    }

    /// With a Poisson number of balls each bin is occupied with the probability `1 − e^(−mean/bins)`, whatever the
    /// others are.
    fn poissonised(&self, mean: Complex<f64>) -> Complex<f64> {
        let occupied = -complex::exp_m1(-mean / self.bins);
        self.different.iter().rev().fold(Complex::default(), |sum, p| sum * occupied + p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral against sums over positive terms, from next to nothing to nearly 1.
    #[test]
    fn both_ways_agree() {
        for (choices, bins) in [(1, 7), (7, 300), (49, 100), (49, 5_500), (98, 500), (147, 100)] {
            let hits = Hits::new(choices, bins);
            for balls in [1, 2, 10, 40, 200].map(|times| u64::from(choices) * times) {
                let summed = bins::all_hit(choices, balls as f64, bins.into());
                let found = depoissonised(balls, |mean| hits.poissonised(mean));
                assert!(
                    (found / summed - 1.0).abs() < 1e-10,
                    "{choices} {bins} {balls}: {found} {summed}"
                );
            }
        }
    }

    /// (1 − (1 − 1/m)^n) for one choice, where sums would be long.
    #[test]
    fn one_choice_hits_a_filled_bin() {
        let found = depoissonised(735_000, |mean| Hits::new(1, 875_000).poissonised(mean));
        let expected = bins::filled(735_000.0, 875_000.0);
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
}
