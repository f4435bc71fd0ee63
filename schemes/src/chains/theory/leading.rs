//! How the greatest load grows with the number of buckets, to the leading order: what is left out is a constant factor
//! of lower order or a constant.

use crate::math::elementary::{ln, pow};

/// One choice, n = r·m elements, r of order 1: ln m / ln(ln m / r).
///
/// Raab and Steger, "'Balls into Bins' — A Simple and Tight Analysis", RANDOM 1998, Theorem 1. `None` for so few buckets
/// that the logarithms are not positive.
pub fn one_choice(load: f64, buckets: f64) -> Option<f64> {
    let inner = ln(ln(buckets) / load);
    (inner > 0.0).then(|| ln(buckets) / inner)
}

/// The least loaded of d choices: r + ln ln m / ln d.
///
/// Azar, Broder, Karlin and Upfal, "Balanced Allocations", Theorem 1.1; with any load Berenbrink, Czumaj, Steger and
/// Vöcking, "Balanced Allocations: The Heavily Loaded Case", STOC 2000. `None` for fewer than three buckets.
pub fn d_choices(load: f64, buckets: f64, d: u32) -> Option<f64> {
    doubly(buckets).map(|order| load + order / ln(d.into()))
}

/// d-left: r + ln ln m / (d·ln φ_d).
///
/// Vöcking, "How Asymmetry Helps Load Balancing", of the algorithm Always-Go-Left; φ_d as `golden` has it. `None` for
/// fewer than three buckets.
pub fn d_left(load: f64, buckets: f64, d: u32) -> Option<f64> {
    doubly(buckets).map(|order| load + order / (f64::from(d) * ln(golden(d))))
}

/// One choice, many elements per bucket: the fullest bucket has √(2·r·ln m) more than the mean.
///
/// Raab and Steger, Theorem 1, for n far above m·(ln m)³.
pub fn heavy_gap(load: f64, buckets: f64) -> f64 {
    (2.0 * load * ln(buckets)).sqrt()
}

/// ln ln m.
fn doubly(buckets: f64) -> Option<f64> {
    let order = ln(ln(buckets));
    (order > 0.0).then_some(order)
}

/// φ_d, the growth of the generalised Fibonacci numbers, of which each is the sum of the d before it: the root of
/// x^d = 1 + x + … + x^(d−1) above 1, which is 2 − x^(−d).
fn golden(d: u32) -> f64 {
    (0..200).fold(2.0, |x, _| 2.0 - pow(x, -f64::from(d)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_numbers_are_those_of_fibonacci() {
        assert!((golden(2) - (1.0 + 5.0_f64.sqrt()) / 2.0).abs() < 1e-12);
        // Tribonacci: 1.839286755214161.
        assert!((golden(3) - 1.839_286_755_214_161).abs() < 1e-12);
    }

    #[test]
    fn few_buckets_have_no_order() {
        assert_eq!([one_choice(1.0, 2.0), d_choices(1.0, 2.0, 2), d_left(1.0, 1.0, 2)], [None; 3]);
    }
}
