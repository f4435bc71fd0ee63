//! The Poisson law.

/// P(N ≤ k) for k = 0, 1, …, where N is Poisson with this mean.
///
/// From logarithms, so that no mean is too large for its first terms.
pub fn cumulative(mean: f64) -> impl Iterator<Item = f64> {
    let ln_term = move |ln_before: &mut f64, k: u32| {
        *ln_before += if k == 0 { 0.0 } else { (mean / f64::from(k)).ln() };
        Some(*ln_before)
    };
    let sum = |sum: &mut f64, ln_term: f64| {
        *sum += ln_term.exp();
        Some(sum.min(1.0))
    };
    (0..).scan(-mean, ln_term).scan(0.0, sum)
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
}
