//! When a scheme reaches the bound: Theorems 3 to 5.

use super::bound;
use super::one_choice::{self, Taking};
use crate::math::bisect::bisect;
use crate::math::demand::Demand;
use crate::math::elementary::pow;

/// The probability p with which a bucket of h elements must take one more, so that its loads are those of least cost
/// after Poisson many attempts: the fixed point of Theorem 3.
pub fn probability(attempts: f64, stored: f64, threshold: u32) -> f64 {
    let demand = Demand::poisson(attempts, threshold);
    let wanted = bound::law(&demand, stored).get(threshold as usize).copied().unwrap_or(0.0);
    bisect(0.0, 1.0, |p| wanted - demand.discounted(threshold, 1.0 - p))
}

/// Threshold and probability for so many attempts per bucket, of which so many elements are to stay.
fn taking(attempts: f64, stored: f64) -> Taking {
    match bound::threshold(attempts, stored) {
        Some(threshold) => (Some(threshold), probability(attempts, stored, threshold)),
        None => (None, 1.0),
    }
}

/// The least overflow fraction γ0 at which SEQUENTIAL is optimal with a accesses: the last element is tried when the
/// last access is made. `None` where d choices never make so many.
pub fn least_of_sequential(accesses: f64, load: f64, choices: u32) -> Option<f64> {
    let left = |overflow: f64| {
        let taking = taking(accesses * load, load * (1.0 - overflow));
        1.0 - time(accesses, load, choices, taking)
    };
    if left(0.0) >= -ROUNDING {
        return Some(0.0);
    }
    (left(MOST_OVERFLOW) >= 0.0).then(|| bisect(0.0, MOST_OVERFLOW, left))
}

const MOST_OVERFLOW: f64 = 0.999;
/// Of an integral over a hundred panels.
const ROUNDING: f64 = 1e-9;

/// The share of the elements that have come when SEQUENTIAL has made so many accesses per element:
/// `∫ (1−q)/(1−q^d) dA`, by Simpson's rule.
fn time(accesses: f64, load: f64, choices: u32, taking: Taking) -> f64 {
    let rate = |made: f64| 1.0 / accesses_of_next(made * load, choices, taking);
    let step = accesses / f64::from(PANELS);
    let panel = |i: u32| {
        let from = f64::from(i) * step;
        (rate(from) + 4.0 * rate(from + step / 2.0) + rate(from + step)) * step / 6.0
    };
    (0..PANELS).map(panel).sum()
}

const PANELS: u32 = 100;

/// Accesses that the next element makes under SEQUENTIAL, `(1−q^d)/(1−q)`, after so many attempts per bucket.
pub(crate) fn accesses_of_next(attempts: f64, choices: u32, taking: Taking) -> f64 {
    let law = one_choice::law(&one_choice::poisson(attempts, taking), taking);
    let q = one_choice::refusal(&law, taking);
    (0..choices).map(|i| pow(q, i.into())).sum()
}

/// The least overflow fraction γ0 at which MHT is optimal with a accesses: `γ0 = p(a)^d`, which does not depend on
/// the load. `None` where d choices never make so many accesses.
pub fn least_of_multilevel(accesses: f64, choices: u32) -> Option<f64> {
    let overflow = |guess: f64| pow(refused(accesses, guess), choices.into());
    // From 0 the iteration rises to the least fixed point; 1 always is one.
    let least = (0..MOST_ITERATIONS).fold(0.0, |guess, _| overflow(guess));
    (least < MOST_OVERFLOW).then_some(least)
}

const MOST_ITERATIONS: u32 = 10_000;

/// The share of accesses that a bucket refuses, p(a): all but (1 − γ)·n of a·n.
pub fn refused(accesses: f64, overflow: f64) -> f64 {
    (accesses - 1.0 + overflow) / accesses
}

/// Relative sizes of the sub-tables, a geometric decrease of factor p(a).
pub fn sub_tables(accesses: f64, overflow: f64, choices: u32) -> Vec<f64> {
    let factor = refused(accesses, overflow).max(SMALLEST_FACTOR);
    (0..choices).map(|j| pow(factor, j.into())).collect()
}

/// Without accesses beyond the first, later sub-tables get no bucket.
const SMALLEST_FACTOR: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balancing::theory::one_choice::mean;

    /// Theorem 3: with its p the loads of one choice are those of least cost.
    #[test]
    fn the_fixed_point_makes_the_loads_of_least_cost() {
        for (a, r, overflow) in
            [(1.0, 8.0, 0.005), (1.2, 6.4, 0.005), (1.1, 2.0, 0.2), (1.0, 0.5, 0.4)]
        {
            let stored = r * (1.0 - overflow);
            let taking = taking(a * r, stored);
            let found = one_choice::law(&one_choice::poisson(a * r, taking), taking);
            let least = bound::law(&Demand::poisson(a * r, 0), stored);
            assert!((mean(&found) - stored).abs() < 1e-10, "{a} {r} {overflow}");
            for (found, least) in found.iter().zip(&least) {
                assert!((found - least).abs() < 1e-10, "{a} {r} {overflow}: {found} {least}");
            }
        }
    }

    /// γ0 of MHT as the document's Section 9.1 rounds it, and of SEQUENTIAL in Figure 4(a).
    #[test]
    fn least_overflow_fractions_are_those_of_the_document() {
        let multilevel = least_of_multilevel(1.2, 3).unwrap();
        assert!((multilevel - 0.004_984).abs() < 1e-6, "{multilevel}");
        let sequential = least_of_sequential(1.1, 8.0, 3).unwrap();
        assert!((sequential - 0.005_874).abs() < 1e-6, "{sequential}");
    }

    #[test]
    fn what_cannot_be_reached_has_no_least_overflow() {
        assert_eq!(least_of_multilevel(2.5, 2), None);
        assert_eq!(least_of_sequential(2.5, 8.0, 2), None);
        assert_eq!(least_of_multilevel(1.0, 2), Some(0.0));
        assert_eq!(least_of_sequential(1.0, 8.0, 2), Some(0.0));
    }

    /// Theorem 4's integral against the differential equation in time, integrated from the other side.
    #[test]
    fn the_time_is_the_inverse_of_the_accesses() {
        let (load, choices) = (8.0, 3);
        let overflow = least_of_sequential(1.15, load, choices).unwrap();
        let taking = taking(1.15 * load, load * (1.0 - overflow));
        let steps = 20_000;
        let accesses = (0..steps).fold(0.0, |made, _| {
            let step = 1.0 / f64::from(steps);
            let half = made + accesses_of_next(made * load, choices, taking) * step / 2.0;
            made + accesses_of_next(half * load, choices, taking) * step
        });
        assert!((accesses - 1.15).abs() < 1e-6, "{accesses}");
    }
}
