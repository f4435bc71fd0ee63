//! How much finite multilevel tables scatter around the fluid limit.
//!
//! With the counts of [`outcomes`](super::outcomes) written as `n·u(t) + √n·X(t)` after `t·n`
//! insertions, `u` is the fluid limit and `X` a Gaussian process (the functional central limit
//! theorem for density-dependent chains; Kurtz, whose law of large numbers Section 5.3 cites). An
//! insertion adds `j` with probability `p_j(u)`, so that
//!
//! `du/dt = F(u) = Σ p_j·j` and `dΣ/dt = AΣ + ΣAᵀ + Σ p_j·jjᵀ − FFᵀ`
//!
//! for the covariance `Σ` of `X`, where `A` is the Jacobian of `F`. The term `FFᵀ` is there because the
//! number of insertions is fixed.

use nalgebra::DMatrix;

use super::InsertionRule;
use super::hamiltonian::Hamiltonian;
use super::outcomes::Outcomes;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Mean and variance of a count, divided by `n`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean per element, the fluid limit.
    pub mean: f64,
    /// The variance per element: `n` times this is the variance of the count.
    pub variance: f64,
}

impl Spread {
    /// Variance over mean, which is 1 for a Poisson law.
    pub fn dispersion(&self) -> f64 {
        self.variance / self.mean
    }
}

/// A multilevel table of many elements after a static fill.
#[derive(Debug, Clone, PartialEq)]
pub struct Fluctuations {
    /// Elements on the overflow list.
    pub overflow: Spread,
    /// Elements moved in all insertions.
    pub moves: Spread,
    /// Elements in each sub-table.
    pub sub_tables: Vec<Spread>,
}

/// Upper limit on the numbers that describe a table: 32 sub-tables under Cons and SC, 16 under SC2, 10
/// under SCExt.
pub const MOST_SETS: usize = 64;

/// Upper limit on the different outcomes of an insertion, which grow like `2^d` under SC, `3^d` under
/// SC2 and `d!` under SCExt: up to 11, 8 and 6 sub-tables.
pub const MOST_OUTCOMES: usize = 20_000;

impl InsertionRule {
    /// The fluctuations after a static fill of sub-tables with `sizes` buckets per element: at least
    /// one, each more than 0.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated: among others, when there are more
    /// than [`MOST_SETS`] or [`MOST_OUTCOMES`].
    pub fn fluctuations(self, sizes: &[f64]) -> Result<Fluctuations, TheoryError> {
        let outcomes = Outcomes::new(self, sizes.len())?;
        let hamiltonian = Hamiltonian::new(&outcomes, sizes);
        let states = outcomes.sets.len() + 2;
        let start = vec![0.0; states * (states + 1)];
        let end = ode::integrate(start, 1.0, ode::Precision::Fine, |state, rate| {
            derivative(&hamiltonian, state, rate);
        })?;
        let (mean, covariance) = end.split_at(states);
        let covariance = DMatrix::from_column_slice(states, states, covariance);
        let spread = |counts: std::ops::Range<usize>| Spread {
            mean: mean[counts.clone()].iter().sum(),
            variance: covariance.view_range(counts.clone(), counts).sum(),
        };
        let single = |state| spread(state..state + 1);
        Ok(Fluctuations {
            overflow: single(outcomes.sets.overflow()),
            moves: single(outcomes.sets.moves()),
            sub_tables: (0..sizes.len()).map(|i| spread(outcomes.sets.elements(i))).collect(),
        })
    }
}

/// Writes the derivatives of the mean and, column by column, of the covariance.
fn derivative(hamiltonian: &Hamiltonian, state: &[f64], rate: &mut [f64]) {
    let sets = hamiltonian.outcomes.sets.len();
    let (mean, covariance) = state.split_at(sets + 2);
    let covariance = DMatrix::from_column_slice(sets + 2, sets + 2, covariance);
    let step = hamiltonian.expand(mean, &vec![0.0; sets + 2]);
    let spread = step.mixed * covariance.rows(0, sets);
    let change = step.noise + &spread + spread.transpose();
    let (mean_rate, covariance_rate) = rate.split_at_mut(sets + 2);
    mean_rate.copy_from_slice(step.drift.as_slice());
    covariance_rate.copy_from_slice(change.as_slice());
}

#[cfg(test)]
mod tests {
    use super::super::standard_law;
    use super::*;

    const STANDARD: InsertionRule = InsertionRule::Standard { bucket_size: 1 };

    /// The empty ones of `m` bins into which `n` balls are thrown have the variance
    /// `m·e^(−n/m)·(1 − (1 + n/m)·e^(−n/m))` in the limit.
    #[test]
    fn one_sub_table_is_an_occupancy_problem() {
        for size in [0.3_f64, 1.0, 4.0] {
            let empty = (-1.0 / size).exp();
            let variance = size * empty * (1.0 - (1.0 + 1.0 / size) * empty);
            let found = STANDARD.fluctuations(&[size]).unwrap();
            for spread in [found.overflow, found.sub_tables[0]] {
                assert!((spread.variance / variance - 1.0).abs() < 1e-9, "{size} {found:?}");
            }
        }
    }

    #[test]
    fn the_mean_is_the_fluid_limit() {
        for (rule, sizes) in [
            (InsertionRule::Conservative, [0.5, 0.4, 0.2]),
            (InsertionRule::SecondChance, [0.5, 0.4, 0.2]),
            (InsertionRule::ExtremeSecondChance, [0.5, 0.4, 0.2]),
            (InsertionRule::SecondChanceOfTwo, [0.3, 0.2, 0.1]),
            (InsertionRule::Standard { bucket_size: 3 }, [0.1, 0.1, 0.1]),
        ] {
            let (found, limit) =
                (rule.fluctuations(&sizes).unwrap(), rule.static_fill(&sizes).unwrap());
            assert!((found.overflow.mean / limit.overflow - 1.0).abs() < 1e-8, "{rule:?}");
            assert!((found.moves.mean - limit.moves).abs() < 1e-9, "{rule:?}");
            let stored: f64 = found.sub_tables.iter().map(|spread| spread.mean).sum();
            assert!((stored + found.overflow.mean - 1.0).abs() < 1e-9, "{rule:?}");
        }
    }

    /// Deviations of the order `1/n`: five times those that are found.
    #[test]
    fn finite_tables_approach_the_limit() {
        let buckets = [7867, 5149, 3152, 1782];
        let limit = STANDARD.fluctuations(&buckets.map(|m| f64::from(m) / 1e4)).unwrap();
        let law = standard_law(10_000, &buckets).unwrap();
        let exact = std::iter::once(&law.overflow).chain(&law.sub_tables);
        for (exact, limit) in exact.zip(std::iter::once(&limit.overflow).chain(&limit.sub_tables)) {
            assert!((exact.variance() / 1e4 / limit.variance - 1.0).abs() < 0.008, "{limit:?}");
        }
    }

    #[test]
    fn what_is_too_large_is_an_error() {
        for (rule, d) in [
            (InsertionRule::Standard { bucket_size: 255 }, 2),
            (InsertionRule::ExtremeSecondChance, 8),
            (InsertionRule::SecondChance, 16),
            (InsertionRule::Conservative, 1000),
        ] {
            let found = rule.fluctuations(&vec![0.5; d]);
            let large = matches!(
                found,
                Err(TheoryError::TooLarge { .. } | TheoryError::TooManyOutcomes { .. })
            );
            assert!(large, "{rule:?} {found:?}");
        }
    }
}
