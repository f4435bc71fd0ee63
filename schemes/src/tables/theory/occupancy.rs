//! Balls thrown at random: what a static fill of SINGLE leaves behind, exact and in the limit.
//!
//! A bucket receives Bin(`n`, `alpha/m`) elements, Poisson(`alpha·c·h`) in the limit, and keeps the
//! first `h` of them.

use crate::math::demand::Demand;

/// Distribution of the elements in a bucket after a static fill of SINGLE, exact, `k = 0..=h`.
pub fn static_occupancy(n: u64, m: u64, h: u32, alpha: f64) -> Vec<f64> {
    Demand::binomial(n, alpha / m as f64, h).kept(h)
}

/// Overflow fraction after a static fill of SINGLE, exact: `1 − (m/n)·E[min(Bin(n, alpha/m), h)]`.
pub fn static_overflow(n: u64, m: u64, h: u32, alpha: f64) -> f64 {
    let excess = Demand::binomial(n, alpha / m as f64, h).excess(h);
    1.0 - alpha + m as f64 / n as f64 * excess
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::enumeration::{Tiny, assert_close};
    use proptest::prelude::*;

    #[test]
    fn agrees_with_all_hash_outcomes() {
        for (n, m, h) in [(3, 2, 1), (4, 3, 2), (6, 2, 2), (2, 3, 3), (5, 1, 2), (4, 4, 1)] {
            for alpha in [0.0, 0.3, 1.0] {
                let found = Tiny { n, m, h, d: 1, alpha }.static_fill();
                let (n, m, h) = (n as u64, m as u64, h as u32);
                assert_close(&static_occupancy(n, m, h, alpha), &found.occupancy, 1e-13);
                assert!((static_overflow(n, m, h, alpha) - found.overflow).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn appendix_b_as_many_elements_as_buckets() {
        for m in [2_u64, 3, 10, 1000] {
            let published = (1.0 - 1.0 / m as f64).powf(m as f64);
            assert!((static_overflow(m, m, 1, 1.0) - published).abs() < 1e-13);
        }
    }

    #[test]
    fn ten_million_elements_are_close_to_the_limit() {
        let exact = static_overflow(10_000_000, 10_000_000, 1, 1.0);
        assert!((exact - (-1.0_f64).exp()).abs() < 1e-7);
    }

    proptest! {
        #[test]
        fn overflow_is_a_fraction(n in 1_u64..5000, m in 1_u64..1000, h in 1_u32..20, alpha in 0.0..=1.0) {
            let here = static_overflow(n, m, h, alpha);
            prop_assert!((-1e-15..=1.0 + 1e-12).contains(&here));
            prop_assert!(static_overflow(n, m, h + 1, alpha) <= here + 1e-12);
            prop_assert!(static_overflow(n + 1, m, h, alpha) >= here - 1e-12);
        }
    }
}
