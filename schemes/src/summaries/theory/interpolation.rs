//! The summary searched by interpolation, Section 4.6: a string of b random bits for each element, sorted.

use crate::math::elementary::{exp_m1, exp2, ln, ln_1p};

/// The probability that any two elements have equal strings: `1 − Π_{i<n} (1 − i/2^b)`, exactly.
///
/// ```
/// use loadfactor_schemes::summaries::theory::interpolation::failure;
///
/// assert_eq!(failure(3, 1), 1.0);
/// assert!((failure(2, 61) / 2.0_f64.powi(-61) - 1.0).abs() < 1e-15);
/// ```
pub fn failure(elements: u32, bits: u32) -> f64 {
    let strings = exp2(bits.into());
    if f64::from(elements) > strings {
        return 1.0;
    }
    // From the greatest down, so that equal signs alone are added and the sum is rounded once per term.
    let ln_distinct: f64 = (1..elements).rev().map(|i| ln_1p(-f64::from(i) / strings)).sum();
    -exp_m1(ln_distinct)
}

/// The expected number of probes of a search, to leading order: `log2 log2 n` (Perl, Itai and Avni,
/// "Interpolation search — a log log N search", 1978). At least 1.
pub fn leading_probes(elements: u32) -> f64 {
    let log2 = |x: f64| ln(x) / std::f64::consts::LN_2;
    log2(log2(f64::from(elements.max(4))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The birthdays of 23 people.
    #[test]
    fn products_by_hand() {
        assert_eq!(failure(1, 3), 0.0);
        assert!((failure(4, 2) - (1.0 - 6.0 / 64.0)).abs() < 1e-15);
        let distinct: f64 = (0..23).map(|i| 1.0 - f64::from(i) / 512.0).product();
        assert!((failure(23, 9) - (1.0 - distinct)).abs() < 1e-14);
    }

    /// Section 4.6: "less than", rounded up.
    #[test]
    fn published_values() {
        for (value, at_most) in [(failure(100_000, 61), 2.17e-9), (failure(10_000, 55), 1.39e-9)] {
            assert!(value <= at_most && value > 0.995 * at_most, "{value} {at_most}");
        }
    }

    /// n(n − 1)/2^(b+1), from below by a relative half of it.
    #[test]
    fn rare_failures_keep_their_digits() {
        let pairs = 100_000.0 * 99_999.0 / 2.0_f64.powi(62);
        assert!((failure(100_000, 61) / (pairs - pairs * pairs / 2.0) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn probes_grow_with_the_logarithm_of_the_logarithm() {
        assert_eq!([4, 16, 256, 65_536].map(leading_probes), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(leading_probes(0), 1.0);
    }
}
