//! Probabilities of long overflow lists from simulations in which long lists are likely.
//!
//! Importance sampling: the counts of [`outcomes`](super::outcomes) are an exact Markov chain for any
//! `n`, and each of its steps is drawn with the probabilities `p_j·e^(p·j)/Σ p_j·e^(p·j)` instead of
//! `p_j`. The inverse ratios of the probabilities, multiplied, are the weight of a run, so that the
//! estimate has no bias whatever the momentum `p` is. It is [steered](super::steering) to the least
//! length that counts.

use nalgebra::DVector;
use rand::{RngExt, SeedableRng};

use super::InsertionRule;
use super::hamiltonian::Hamiltonian;
use super::outcomes::Outcomes;
use super::steering::Steering;
use super::tail::{overflow_law, sizes};
use crate::Rng;
use crate::math::elementary::{exp, ln};
use crate::tables::theory::TheoryError;

/// An estimated probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub probability: f64,
    /// Its standard error, estimated as well.
    pub standard_error: f64,
}

/// Times at which the momentum is brought up to date.
const UPDATES: u32 = 256;

/// The probability that more than `k` of `n` elements are on the overflow list after a static fill,
/// estimated from at least two `runs`, which take `n` steps each.
///
/// Where `k` is below the mean, the simulation is a plain one. Where long lists come about in several
/// ways, as with a small last sub-table that may fill up, a few runs have most of the weight, and both
/// the estimate and its standard error tend to be too small.
///
/// # Errors
/// [`TheoryError`] as with [`overflow_law`].
pub fn rare_event(
    rule: InsertionRule,
    n: u32,
    buckets: &[u32],
    k: u32,
    runs: u32,
    seed: u64,
) -> Result<Estimate, TheoryError> {
    let law = overflow_law(rule, n, buckets)?;
    let outcomes = Outcomes::new(rule, buckets.len())?;
    let hamiltonian = Hamiltonian::new(&outcomes, &sizes(n, buckets));
    let steering = Steering::new(&hamiltonian, &law, n, k)?;
    let simulation = Simulation { hamiltonian: &hamiltonian, steering, n, k };
    let mut rng = Rng::seed_from_u64(seed);
    let weights: Vec<f64> = (0..runs).map(|_| simulation.run(&mut rng)).collect();
    let plain = simulation.steering.idle();
    Ok(if plain { Estimate::from_plain(&weights) } else { Estimate::from_weights(&weights) })
}

impl Estimate {
    fn from_weights(weights: &[f64]) -> Self {
        let runs = weights.len() as f64;
        let mean = weights.iter().sum::<f64>() / runs;
        let squares: f64 = weights.iter().map(|weight| (weight - mean).powi(2)).sum();
        Self { probability: mean, standard_error: (squares / (runs * (runs - 1.0))).sqrt() }
    }

    /// Of weights that are 0 or 1. The standard error is that with two more of each, which is positive
    /// even if they are all the same (Agresti and Coull, "Approximate is Better than \"Exact\" for
    /// Interval Estimation of Binomial Proportions", 1998).
    fn from_plain(weights: &[f64]) -> Self {
        let (runs, hits) = (weights.len() as f64, weights.iter().sum::<f64>());
        let likely = (hits + 2.0) / (runs + 4.0);
        let standard_error = (likely * (1.0 - likely) / (runs + 4.0)).sqrt();
        Self { probability: hits / runs, standard_error }
    }
}

struct Simulation<'a> {
    hamiltonian: &'a Hamiltonian<'a>,
    steering: Steering,
    n: u32,
    k: u32,
}

impl Simulation<'_> {
    /// The weight of a run, 0 if the list does not get long enough.
    fn run(&self, rng: &mut Rng) -> f64 {
        let Outcomes { graph, .. } = self.hamiltonian.outcomes;
        let states = self.hamiltonian.outcomes.sets.states();
        let n = f64::from(self.n);
        let (mut counts, mut means) = (vec![0_u32; states], DVector::zeros(states));
        let mut momentum = DVector::zeros(0);
        let (mut weights, mut ends) = (Vec::new(), vec![0.0; graph.nodes()]);
        let mut log_ratio = 0.0;
        for step in 0..self.n {
            if step % self.n.div_ceil(UPDATES) == 0 {
                let counted = means.rows(0, states - 1).clone_owned();
                momentum = self.steering.momentum(f64::from(step) / n, &counted);
                weights = self.hamiltonian.weights(means.as_slice(), momentum.as_slice());
            }
            self.hamiltonian.write_shares(means.as_slice(), &mut weights);
            graph.write_ends(&weights, &mut ends);
            let total = ends.last().copied().unwrap_or(1.0);
            log_ratio += ln(total);
            graph.walk(&weights, &ends, rng.random::<f64>() * total, |factor| {
                if factor < states {
                    counts[factor] += 1;
                    means[factor] = f64::from(counts[factor]) / n;
                    log_ratio -= momentum.get(factor).unwrap_or(&0.0);
                }
            });
        }
        let long = counts[self.hamiltonian.outcomes.sets.overflow()] > self.k;
        if long { exp(log_ratio) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::standard_law;
    use super::*;

    /// Within four standard errors, of which one is at most a tenth of the probability.
    #[track_caller]
    fn agrees(found: Estimate, probability: f64) {
        let deviation = (found.probability - probability) / found.standard_error;
        assert!(deviation.abs() < 4.0, "{found:?} {probability}");
        assert!(found.standard_error < 0.1 * probability, "{found:?} {probability}");
    }

    #[test]
    fn agrees_with_the_law_of_the_standard_scheme() {
        let (n, buckets) = (10_000, [7867, 5149, 3152, 1782]);
        let rule = InsertionRule::Standard { bucket_size: 1 };
        let law = standard_law(n, &buckets).unwrap().overflow;
        for (k, seed) in [(10, 1), (45, 2), (59, 3)] {
            agrees(rare_event(rule, n, &buckets, k, 400, seed).unwrap(), law.exceeds(k));
        }
    }

    /// Lists that are hardly ever shorter, and an estimate of 1 has a standard error as well.
    #[test]
    fn below_the_mean_the_simulation_is_plain() {
        let (n, buckets) = (1000, [600, 400]);
        let rule = InsertionRule::Standard { bucket_size: 1 };
        let law = standard_law(n, &buckets).unwrap().overflow;
        let mean = law.mean() as u32;
        for (k, seed) in [(mean - 10, 6), (0, 7)] {
            agrees(rare_event(rule, n, &buckets, k, 400, seed).unwrap(), law.exceeds(k));
        }
    }

    #[test]
    fn agrees_with_the_saddlepoints_of_other_rules() {
        for (rule, buckets) in [
            (InsertionRule::Conservative, [600, 500, 300]),
            (InsertionRule::SecondChance, [550, 500, 200]),
            (InsertionRule::ExtremeSecondChance, [450, 450, 250]),
            (InsertionRule::SecondChanceOfTwo, [250, 200, 80]),
        ] {
            let law = overflow_law(rule, 1000, &buckets).unwrap();
            for failure in [1e-3, 1e-9] {
                let k = law.cam_size(failure);
                agrees(rare_event(rule, 1000, &buckets, k, 400, 5).unwrap(), law.exceeds(k));
            }
        }
    }
}
