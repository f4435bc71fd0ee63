//! MULTIPLE in the fluid limit: up to `d` choices, one after the other, the first free place wins.
//!
//! Sources: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 9, for
//! alternation. For the static fill: buckets are accessed evenly, so that a bucket accessed `u` times
//! on average holds min(Poisson(`u`), `h`) elements; with `p` the probability of a full bucket an
//! insertion makes `G = alpha·(1 − p^d)/(1 − p)` accesses, hence `du/dt = G` over `t` in `[0, c·h]`
//! insertions per bucket.

use nalgebra::{DMatrix, DVector};

use super::finite_size::FluidRule;
use super::{FluidLimit, erlang, power_slopes, trials};
use crate::math::bisect::bisect;
use crate::math::demand::Demand;
use crate::math::elementary::pow;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Equilibrium under alternation at load `c` (Theorem 9).
///
/// At `alpha = 1` the accesses are those up to which MULTIPLE is optimal, `a_co` of Theorem 9(iii).
///
/// The accesses `a` solve `a = alpha·(1 − pi_h(a)^d)/(1 − pi_h(a))`, where `pi_h(a)` is the Erlang-B
/// probability at `a·c·h`. The solution is unique: written as `a·(1 − pi_h) = alpha·(1 − pi_h^d)`, the
/// left side grows and the right side falls with `a`.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> FluidLimit {
    let per_bucket = c * f64::from(h);
    let needed = |a: f64| {
        let r = a * per_bucket;
        alpha * trials(erlang::blocking(r, h), erlang::acceptance(r, h), d)
    };
    let accesses = bisect(alpha, alpha * f64::from(d), |a| a - needed(a));
    let full = erlang::blocking(accesses * per_bucket, h);
    FluidLimit {
        overflow: 1.0 - alpha + alpha * pow(full, f64::from(d)),
        accesses,
        occupancy: erlang::occupancy(accesses * per_bucket, h),
    }
}

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`TheoryError`] when the equation cannot be integrated.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<FluidLimit, TheoryError> {
    let per_bucket = c * f64::from(h);
    let end = ode::integrate(vec![0.0, 0.0], per_bucket, ode::Precision::Fine, |state, rate| {
        let demand = Demand::poisson(state[0], h);
        let full = demand.at_least(h);
        rate[0] = alpha * trials(full, demand.below(h), d);
        rate[1] = alpha * pow(full, f64::from(d));
    })?;
    Ok(FluidLimit {
        overflow: 1.0 - alpha + end[1] / per_bucket,
        accesses: end[0] / per_bucket,
        occupancy: Demand::poisson(end[0], h).kept(h),
    })
}

/// Writes the derivatives per insertion and bucket; the last one is the overflow.
pub(super) fn arrivals(tails: &[f64], alpha: f64, d: u32, rate: &mut [f64]) {
    let full = full(tails);
    let accesses = alpha * trials(full, 1.0 - full, d);
    let overflow = alpha * pow(full, f64::from(d));
    let below = std::iter::once(1.0).chain(tails.iter().copied());
    let levels = below.zip(tails).map(|(below, tail)| accesses * (below - tail));
    for (place, value) in rate.iter_mut().zip(levels.chain([overflow])) {
        *place = value;
    }
}

/// The first non-full of `d` choices: an insertion goes past the buckets with at least `k` elements
/// with probability `W_k = 1 − g·(1 − s_k)`, where `g = 1 + s_h + … + s_h^(d−1)`; `W_h = s_h^d`.
#[derive(Debug, Clone, Copy)]
pub struct FirstFree {
    /// Choices.
    pub d: u32,
}

/// `1 + p + … + p^(d−1)` and its first two derivatives.
pub(super) fn tries(p: f64, d: u32) -> [f64; 3] {
    (0..d).fold([0.0; 3], |[tries, slope, bend], _| {
        [tries * p + 1.0, slope * p + tries, bend * p + 2.0 * slope]
    })
}

impl FluidRule for FirstFree {
    type Limit = FluidLimit;

    fn choices(&self) -> u32 {
        self.d
    }

    fn sub_tables(&self) -> usize {
        1
    }

    fn passed(&self, tails: &[f64]) -> DVector<f64> {
        let last = tails.len() - 1;
        let [g, ..] = tries(tails[last], self.d);
        let mut passed = DVector::from_fn(tails.len(), |k, _| 1.0 - g * (1.0 - tails[k]));
        passed[last] = pow(tails[last], f64::from(self.d));
        passed
    }

    fn slopes(&self, tails: &[f64]) -> DMatrix<f64> {
        let last = tails.len() - 1;
        let [g, slope, _] = tries(tails[last], self.d);
        let mut slopes = DMatrix::from_diagonal_element(tails.len(), tails.len(), g);
        for (k, tail) in tails.iter().enumerate() {
            slopes[(k, last)] -= slope * (1.0 - tail);
        }
        slopes[(last, last)] = power_slopes(tails[last], self.d)[0];
        slopes
    }

    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64> {
        let last = tails.len() - 1;
        let [_, slope, bend] = tries(tails[last], self.d);
        let variance = covariance[(last, last)];
        let mut curvature = DVector::from_fn(tails.len(), |k, _| {
            slope * covariance[(k, last)] - bend / 2.0 * (1.0 - tails[k]) * variance
        });
        curvature[last] = power_slopes(tails[last], self.d)[1] / 2.0 * variance;
        curvature
    }

    fn reads(&self, tails: &[f64]) -> f64 {
        tries(full(tails), self.d)[0]
    }

    fn reads_slopes(&self, tails: &[f64]) -> DVector<f64> {
        let mut slopes = DVector::zeros(tails.len());
        slopes[tails.len() - 1] = tries(full(tails), self.d)[1];
        slopes
    }

    fn reads_curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> f64 {
        let last = tails.len() - 1;
        tries(tails[last], self.d)[2] / 2.0 * covariance[(last, last)]
    }
}

/// The last tail, the fraction of full buckets.
fn full(tails: &[f64]) -> f64 {
    tails.last().copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::{bounds, single_slot};
    use proptest::prelude::*;

    #[test]
    fn published_crossover_points() {
        for (c, h, d, accesses, percent) in [
            (1.0, 4, 4, "2.195", "13.5"),
            (1.0, 1, 2, "1.618", "38.2"),
            (0.1, 1, 2, "1.099", "0.98"),
        ] {
            let limit = alternation(c, h, d, 1.0);
            assert_eq!(format!("{:.3}", limit.accesses), accesses);
            let digits = percent.len() - percent.find('.').unwrap() - 1;
            assert_eq!(format!("{:.digits$}", 100.0 * limit.overflow), percent);
        }
    }

    #[test]
    fn example_2_in_closed_form() {
        for c in [0.1_f64, 0.5, 1.0, 1.7] {
            let closed = (2.0 * c - 1.0 + (1.0 + 4.0 * c * c).sqrt()) / (2.0 * c);
            assert!((alternation(c, 1, 2, 1.0).accesses - closed).abs() < 1e-13);
        }
    }

    #[test]
    fn static_fill_of_single_slots_in_closed_form() {
        // For d = 2 the fraction of full buckets is tanh(alpha·c).
        for (c, alpha) in [(0.01_f64, 1.0), (0.3, 0.4), (1.0, 1.0), (2.0, 0.9)] {
            let limit = static_fill(c, 1, 2, alpha).unwrap();
            assert!((limit.occupancy[1] - (alpha * c).tanh()).abs() < 1e-10);
        }
    }

    #[test]
    fn static_overflow_is_the_static_bound() {
        for (c, h, d) in [(0.01, 1, 500), (0.8, 4, 2), (1.0, 4, 4), (1.5, 16, 16), (3.0, 4, 500)] {
            let limit = static_fill(c, h, d, 1.0).unwrap();
            assert!((limit.overflow - bounds::fill(limit.accesses, c, h)).abs() < 1e-10);
        }
    }

    #[test]
    fn without_insertions_everything_overflows() {
        for limit in [alternation(0.5, 2, 3, 0.0), static_fill(0.5, 2, 3, 0.0).unwrap()] {
            assert_eq!((limit.overflow, limit.accesses), (1.0, 0.0));
            assert_eq!(limit.occupancy, [1.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn large_tables_come_close() {
        let (exact, limit) =
            (single_slot::alternation(900_000, 1_000_000, 4, 0.8), alternation(0.9, 1, 4, 0.8));
        assert!((exact.overflow - limit.overflow).abs() < 1e-6);
        assert!((exact.accesses - limit.accesses).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn solves_the_fixed_point(c in 0.01..3.0, h in 1_u32..17, d in 1_u32..500, alpha in 0.01..=1.0) {
            let limit = alternation(c, h, d, alpha);
            let full = limit.occupancy[h as usize];
            let needed: f64 = alpha * (0..d).map(|l| full.powf(f64::from(l))).sum::<f64>();
            prop_assert!((limit.accesses / needed - 1.0).abs() < 1e-11);
            let bound = bounds::dynamic(limit.accesses, c, h);
            prop_assert!((limit.overflow - bound).abs() < 1e-11 * limit.accesses.max(1.0));
        }

        #[test]
        fn more_choices_help(c in 0.05..1.5, h in 1_u32..9, d in 1_u32..12, alpha in 0.0..=1.0) {
            let limit = alternation(c, h, d, alpha);
            prop_assert!(alternation(c, h, d + 1, alpha).overflow <= limit.overflow + 1e-14);
            let fill = |d| static_fill(c, h, d, alpha).unwrap().overflow;
            prop_assert!(fill(d + 1) <= fill(d) + 1e-10);
        }
    }
}
