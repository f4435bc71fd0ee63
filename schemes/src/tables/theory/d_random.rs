//! d-random in the fluid limit: all `d` choices are read, the least loaded bucket gets the element.
//!
//! With `s_k` the fraction of buckets that hold at least `k` elements, a static fill follows
//! `ds_k/dt = alpha·(s_{k−1}^d − s_k^d)`, `k = 1..=h`, for `t` in `[0, c·h]`. Under alternation the
//! equilibrium satisfies `alpha·c·h·(s_{k−1}^d − s_k^d) = k·(s_k − s_{k+1})`, where `s_0 = 1` and
//! `s_{h+1} = 0`. An insertion overflows with probability `1 − alpha + alpha·s_h^d`.

use nalgebra::{DMatrix, DVector};

use super::finite_size::FluidRule;
use super::{FluidLimit, exact_from_tails, power_slopes};
use crate::math::bisect::bisect;
use crate::math::elementary::{exp, ln, ln_1p, pow};
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<FluidLimit, TheoryError> {
    let per_bucket = c * f64::from(h);
    let start = vec![0.0; h as usize + 1];
    let rate = |tails: &[f64], rate: &mut [f64]| arrivals(tails, alpha, d, rate);
    let mut end = ode::integrate(start.clone(), per_bucket, ode::Precision::Fine, rate)?;
    if alpha == 1.0 && end[h as usize] < UNRESOLVED {
        end = ode::integrate_within(start, per_bucket, RELATIVE, rate).unwrap_or(end);
    }
    let overflowed = end.pop().unwrap_or(f64::NAN);
    Ok(limit(&end, d, alpha, 1.0 - alpha + overflowed / per_bucket))
}

/// Overflowed elements per bucket of which the usual absolute tolerance leaves fewer than seven digits.
const UNRESOLVED: f64 = 1e-14;

/// Tolerances that are relative alone for whatever can be asked for.
const RELATIVE: (f64, f64) = (1e-11, 1e-60);

/// Writes the derivatives per insertion and bucket; the last one is the overflow.
pub(super) fn arrivals(tails: &[f64], alpha: f64, d: u32, rate: &mut [f64]) {
    let mut arriving = alpha;
    let (overflow, levels) = match rate.split_last_mut() {
        Some(parts) => parts,
        None => return,
    };
    for (tail, level) in tails.iter().zip(levels) {
        let passed_on = alpha * pow(*tail, f64::from(d));
        *level = arriving - passed_on;
        arriving = passed_on;
    }
    *overflow = arriving;
}

/// Equilibrium under alternation at load `c`.
///
/// Given `s_h`, the equations yield `s_{h−1}, …, s_0` one after the other, and `s_h` is found by
/// bisection on `s_0 = 1`. As `s_h` may be as small as `exp(−d^h)`, everything is done in logarithms.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> FluidLimit {
    if alpha == 0.0 {
        return limit(&vec![0.0; h as usize], d, alpha, 1.0);
    }
    let ln_rate = ln(alpha * c * f64::from(h));
    let depth = bisect(SHALLOWEST, DEEPEST, |depth| -ln_tails(-exp(depth), ln_rate, h, d)[0]);
    let ln_tails = ln_tails(-exp(depth), ln_rate, h, d);
    let tails: Vec<f64> = ln_tails.iter().skip(1).map(|tail| exp(*tail).min(1.0)).collect();
    let all_full = tails.last().map_or(1.0, |full| pow(*full, f64::from(d)));
    limit(&tails, d, alpha, 1.0 - alpha + alpha * all_full)
}

/// Range searched for `ln(−ln s_h)`: `s_h` from `1 − 1e-26` down to `exp(−1e300)`.
const SHALLOWEST: f64 = -60.0;
const DEEPEST: f64 = 690.0;

/// `ln s_0, …, ln s_h` from `ln s_h` and the logarithm of the arrival rate per bucket.
fn ln_tails(ln_full: f64, ln_rate: f64, h: u32, d: u32) -> Vec<f64> {
    let d = f64::from(d);
    let mut tails = vec![ln_full];
    let (mut tail, mut next) = (ln_full, f64::NEG_INFINITY);
    for k in (1..=h).rev() {
        let departures = ln(f64::from(k)) - ln_rate + tail + ln_1p(-exp(next - tail));
        (tail, next) = (ln_add(d * tail, departures) / d, tail);
        tails.push(tail);
    }
    tails.reverse();
    tails
}

/// `ln(e^x + e^y)`.
fn ln_add(x: f64, y: f64) -> f64 {
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    large + ln_1p(exp(small - large))
}

pub(super) fn limit(tails: &[f64], d: u32, alpha: f64, overflow: f64) -> FluidLimit {
    FluidLimit { overflow, accesses: alpha * f64::from(d), occupancy: exact_from_tails(tails) }
}

/// The least loaded of `d` choices: an insertion goes past the buckets with at least `k` elements with
/// probability `s_k^d`.
#[derive(Debug, Clone, Copy)]
pub struct LeastLoaded {
    /// Choices.
    pub d: u32,
}

impl FluidRule for LeastLoaded {
    type Limit = FluidLimit;
    const READS_ALL: bool = true;

    fn choices(&self) -> u32 {
        self.d
    }

    fn sub_tables(&self) -> usize {
        1
    }

    fn passed(&self, tails: &[f64]) -> DVector<f64> {
        DVector::from_fn(tails.len(), |k, _| pow(tails[k], f64::from(self.d)))
    }

    fn slopes(&self, tails: &[f64]) -> DMatrix<f64> {
        let diagonal = DVector::from_fn(tails.len(), |k, _| power_slopes(tails[k], self.d)[0]);
        DMatrix::from_diagonal(&diagonal)
    }

    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64> {
        DVector::from_fn(tails.len(), |k, _| {
            power_slopes(tails[k], self.d)[1] / 2.0 * covariance[(k, k)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::{bounds, erlang, multiple, single_slot};
    use proptest::prelude::*;

    #[test]
    fn one_choice_is_single() {
        for (c, h, alpha) in [(0.1, 1, 1.0), (1.0, 4, 0.6), (2.0, 16, 1.0)] {
            let limit = alternation(c, h, 1, alpha);
            assert!((limit.overflow - erlang::overflow(c, h, alpha)).abs() < 1e-12);
            let fill = static_fill(c, h, 1, alpha).unwrap();
            assert!((fill.overflow - bounds::fill(alpha, c, h)).abs() < 1e-10);
        }
    }

    #[test]
    fn single_slots_are_like_multiple() {
        for (c, d) in [(0.1, 2), (0.5, 3), (1.0, 8)] {
            let (least, first) = (alternation(c, 1, d, 0.9), multiple::alternation(c, 1, d, 0.9));
            assert!((least.overflow - first.overflow).abs() < 1e-12);
            let fill = static_fill(c, 1, d, 0.9).unwrap();
            let other = multiple::static_fill(c, 1, d, 0.9).unwrap();
            assert!((fill.overflow - other.overflow).abs() < 1e-11);
        }
    }

    #[test]
    fn large_tables_of_single_slots_come_close() {
        let exact = single_slot::static_fill(25_000, 25_000, 2, 1.0).unwrap();
        assert!((exact.overflow - (1.0 - 1.0_f64.tanh())).abs() < 4e-5);
    }

    #[test]
    fn small_overflow_keeps_its_digits() {
        // s_1 = t − O(t^3), s_2 = t^3/3 − …: the overflow mass starts as t^7/63.
        let c = 0.005;
        let leading = (2.0_f64 * c).powi(6) / 63.0;
        let limit = static_fill(c, 2, 2, 1.0).unwrap();
        assert!((limit.overflow / leading - 1.0).abs() < 1e-3, "{}", limit.overflow);
    }

    /// A static fill integrated with an absolute tolerance that is far below the overflow.
    fn finer(c: f64, h: u32, d: u32) -> f64 {
        let per_bucket = c * f64::from(h);
        let start = vec![0.0; h as usize + 1];
        let end = ode::integrate_within(start, per_bucket, (1e-12, 1e-60), |tails, rate| {
            arrivals(tails, 1.0, d, rate);
        });
        end.unwrap()[h as usize] / per_bucket
    }

    /// Tables are sized down to an overflow of 1e-24.
    #[test]
    fn tiny_overflow_of_static_fills_keeps_its_digits() {
        for (h, d) in [(1, 2), (2, 2), (3, 2), (4, 2), (2, 4), (8, 2)] {
            for c in [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7] {
                let (fine, finer) = (static_fill(c, h, d, 1.0).unwrap().overflow, finer(c, h, d));
                let is_asked_for = finer >= 1e-24;
                assert!(
                    !is_asked_for || (fine / finer - 1.0).abs() < 1e-6,
                    "{h} {d} {c}: {fine} {finer}"
                );
            }
        }
    }

    #[test]
    fn without_insertions_everything_overflows() {
        for limit in [alternation(0.5, 2, 3, 0.0), static_fill(0.5, 2, 3, 0.0).unwrap()] {
            assert_eq!(limit.overflow, 1.0);
            assert_eq!(limit.occupancy, [1.0, 0.0, 0.0]);
        }
    }

    proptest! {
        #[test]
        fn equilibrium_balances(c in 0.05..3.0, h in 1_u32..17, d in 1_u32..17, alpha in 0.01..=1.0) {
            let limit = alternation(c, h, d, alpha);
            let load = c * f64::from(h);
            let mut tail = 1.0;
            for (k, share) in (1_u32..).zip(&limit.occupancy[..h as usize]) {
                let next = tail - share;
                let arriving = alpha * load * (tail.powf(f64::from(d)) - next.powf(f64::from(d)));
                let leaving = f64::from(k) * limit.occupancy[k as usize];
                prop_assert!((arriving - leaving).abs() < 1e-9 * load * f64::from(d));
                tail = next;
            }
            prop_assert!((limit.occupancy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }

        #[test]
        fn stored_elements_are_conserved(c in 0.05..2.0, h in 1_u32..9, d in 1_u32..9, alpha in 0.01..=1.0) {
            for limit in [alternation(c, h, d, alpha), static_fill(c, h, d, alpha).unwrap()] {
                let stored: f64 = limit.occupancy.iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
                prop_assert!((stored - c * f64::from(h) * (1.0 - limit.overflow)).abs() < 1e-9);
            }
        }

        #[test]
        fn reading_all_choices_beats_stopping_early(c in 0.05..2.0, h in 1_u32..9, d in 1_u32..9) {
            prop_assert!(alternation(c, h, d, 1.0).overflow <= multiple::alternation(c, h, d, 1.0).overflow + 1e-12);
        }
    }
}
