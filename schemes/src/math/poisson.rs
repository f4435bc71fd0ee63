//! The Poisson law.

use super::bisect::smallest;
use super::demand::Demand;
use crate::math::elementary::{exp, ln};

/// P(N ≤ k) for k = 0, 1, …, where N is Poisson with this mean.
///
/// From logarithms, so that no mean is too large for its first terms.
pub fn cumulative(mean: f64) -> impl Iterator<Item = f64> {
    let ln_term = move |ln_before: &mut f64, k: u32| {
        *ln_before += if k == 0 { 0.0 } else { ln(mean / f64::from(k)) };
        Some(*ln_before)
    };
    let sum = |sum: &mut f64, ln_term: f64| {
        *sum += exp(ln_term);
        Some(sum.min(1.0))
    };
    (0..).scan(-mean, ln_term).scan(0.0, sum)
}

/// P(N > k), where N is Poisson with this mean.
pub fn exceeds(mean: f64, k: u32) -> f64 {
    let least = k.saturating_add(1);
    let x = f64::from(least);
    // By Chernoff's bound it is no number above 0 then, and the law up to there would be long.
    let rate = x * ln(x / mean) - x + mean;
    if x > mean && rate > 750.0 { 0.0 } else { Demand::poisson(mean, least).at_least(least) }
}

/// The smallest `k` with `P(N > k)` at most `failure`.
pub fn upper_quantile(mean: f64, failure: f64) -> u32 {
    smallest(u32::MAX, |k| exceeds(mean, k) <= failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(mean: f64, k: usize) -> f64 {
        cumulative(mean).nth(k).unwrap()
    }

    /// The values that any statistics package prints.
    #[test]
    fn known_probabilities() {
        for (mean, k, expected) in [
            (20.0, 20, 0.559_092_584_2),
            (20.0, 10, 0.010_811_718_8),
            (1.5, 0, (-1.5f64).exp()),
            (0.0, 0, 1.0),
            (0.0, 7, 1.0),
        ] {
            let found = below(mean, k);
            assert!((found - expected).abs() < 1e-9, "{mean} {k}: {found}");
        }
    }

    /// Near the mean of a large one half of the probability is below, and 1/(3·√(2π·mean)) more
    /// as the median is a third below the mean.
    #[test]
    fn a_large_mean_is_nearly_normal() {
        let mean = 10_000.0_f64;
        let expected = 0.5 + 2.0 / 3.0 / (std::f64::consts::TAU * mean).sqrt();
        assert!((below(mean, 10_000) - expected).abs() < 1e-5);
        assert!((below(mean, 11_000) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_are_all_but_impossible() {
        assert_eq!(exceeds(1.0, u32::MAX), 0.0);
        assert_eq!(exceeds(0.0, 0), 0.0);
        assert_eq!(upper_quantile(1.0, f64::NAN), u32::MAX);
        assert!(exceeds(1.0, 169) > 0.0);
    }

    /// "The Power of One Move", Section 5.8, where the last probability is printed as 3.77e-15.
    #[test]
    fn poisson_of_section_5_8() {
        assert_eq!(format!("{:.3e}", exceeds(20.0, 64)), "1.319e-15");
        assert_eq!(upper_quantile(20.0, 1.319e-15), 65);
        assert_eq!(upper_quantile(20.0, 1.32e-15), 64);
        assert_eq!(upper_quantile(1e-9, 1e-8), 0);
    }
}
