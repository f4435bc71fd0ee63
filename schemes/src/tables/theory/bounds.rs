//! Lower bounds on the overflow fraction for a given number of bucket accesses per insertion.
//!
//! Sources: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 6 (under
//! alternation), and "Optimal Fast Hashing" as quoted there in Theorem 10 (static fill). Both hold in
//! the fluid limit, for schemes that never move an element back from the overflow list, with `a` the
//! mean number of accesses per insertion. They are clamped at 0, where they say nothing.

use super::erlang;
use crate::math::bisect::bisect;
use crate::math::demand::Demand;

/// Smallest overflow fraction under alternation with `a` accesses per insertion (Equation (6)).
pub fn dynamic(a: f64, c: f64, h: u32) -> f64 {
    let blocked = erlang::blocking(a * c * f64::from(h), h);
    (1.0 - a + a * blocked).max(0.0)
}

/// Derivative with respect to `a` of [`dynamic`] before clamping; at most 0.
pub fn dynamic_slope(a: f64, c: f64, h: u32) -> f64 {
    let r = a * c * f64::from(h);
    r * erlang::blocking_slope(r, h) - erlang::acceptance(r, h)
}

/// Smallest overflow fraction of a static fill with `a` accesses per insertion:
/// `1 − 1/c + (e^(−ach)/(ch))·Σ_{k≤h} (h−k)(ach)^k/k!`.
///
/// Computed as `1 − a + E[(X − h)^+]/(ch)` with `X` Poisson(`ach`), which loses no digits for
/// `a ≤ 1`.
pub fn fill(a: f64, c: f64, h: u32) -> f64 {
    let mean = c * f64::from(h);
    (1.0 - a + Demand::poisson(a * mean, h).excess(h) / mean).max(0.0)
}

/// Derivative with respect to `a` of [`fill`] before clamping: `−P(Poisson(ach) < h)`.
pub fn fill_slope(a: f64, c: f64, h: u32) -> f64 {
    -Demand::poisson(a * c * f64::from(h), h).below(h)
}

/// Fewest accesses per insertion at which [`dynamic`] allows an overflow fraction of `wanted`.
///
/// Infinite when no number of accesses does: `wanted ≤ 1 − 1/c`.
pub fn dynamic_accesses(wanted: f64, c: f64, h: u32) -> f64 {
    inverse(wanted, c, |a| dynamic(a, c, h))
}

/// Fewest accesses per insertion at which [`fill`] allows an overflow fraction of `wanted`.
///
/// Infinite when no number of accesses does: `wanted ≤ 1 − 1/c`.
pub fn fill_accesses(wanted: f64, c: f64, h: u32) -> f64 {
    inverse(wanted, c, |a| fill(a, c, h))
}

/// Solves a decreasing bound, which starts at 1 and tends to `max(0, 1 − 1/c)`, for its argument.
fn inverse(wanted: f64, c: f64, bound: impl Fn(f64) -> f64) -> f64 {
    if wanted <= 1.0 - 1.0 / c {
        return f64::INFINITY;
    }
    let mut high = 1.0;
    while bound(high) > wanted && high < MOST_ACCESSES {
        high *= 2.0;
    }
    bisect(0.0, high, |a| wanted - bound(a))
}

/// Beyond this the limit of the bounds is reached within floating-point precision.
const MOST_ACCESSES: f64 = 1e6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::erlang;
    use proptest::prelude::*;

    #[test]
    fn example_1_of_the_paper() {
        assert!((dynamic(1.0, 1.0, 1) - 0.5).abs() < 1e-15);
        assert!((dynamic(2.5, 0.4, 1) - (1.0_f64 - 2.5 / 2.0).max(0.0)).abs() < 1e-15);
        assert!((dynamic_accesses(0.01, 1.0, 1) - 99.0).abs() < 1e-9);
    }

    #[test]
    fn static_bound_at_bucket_size_1() {
        for a in [0.1_f64, 1.0, 3.0] {
            assert!((fill(a, 1.0, 1) - (-a).exp()).abs() < 1e-15);
        }
        let c = 0.6_f64;
        assert!((fill(1.0, c, 1) - (1.0 - (1.0 - (-c).exp()) / c)).abs() < 1e-15);
    }

    #[test]
    fn static_bound_as_printed() {
        let (a, c, h) = (1.1_f64, 0.9_f64, 3_u32);
        let r = a * c * 3.0;
        let sum = 3.0 + 2.0 * r + r * r / 2.0;
        let printed = 1.0 - 1.0 / c + (-r).exp() / (c * 3.0) * sum;
        assert!((fill(a, c, h) - printed).abs() < 1e-14);
    }

    #[test]
    fn out_of_reach() {
        assert_eq!(dynamic_accesses(0.5, 2.0, 1), f64::INFINITY);
        assert_eq!(fill_accesses(0.2, 1.3, 4), f64::INFINITY);
        assert_eq!(fill_accesses(1.0, 0.5, 4), 0.0);
    }

    proptest! {
        #[test]
        fn slopes_are_difference_quotients(a in 0.01..5.0, c in 0.05..2.0, h in 1_u32..12) {
            let step = 1e-5;
            let (low, high) = (dynamic(a - step, c, h), dynamic(a + step, c, h));
            if high > 0.0 {
                prop_assert!((dynamic_slope(a, c, h) - (high - low) / (2.0 * step)).abs() < 1e-6);
            }
            let (low, high) = (fill(a - step, c, h), fill(a + step, c, h));
            if high > 0.0 {
                prop_assert!((fill_slope(a, c, h) - (high - low) / (2.0 * step)).abs() < 1e-6);
            }
        }

        #[test]
        fn deletions_cost(a in 0.0..5.0, c in 0.05..2.0, h in 1_u32..12) {
            prop_assert!(fill(a, c, h) <= dynamic(a, c, h) + 1e-14);
            prop_assert!(dynamic(a, c, h + 1) <= dynamic(a, c, h) + 1e-14);
        }

        #[test]
        fn inverses(a in 0.01..5.0, c in 0.3..2.0, h in 1_u32..6) {
            prop_assume!(dynamic_slope(a, c, h) < -1e-3 && fill_slope(a, c, h) < -1e-3);
            prop_assume!(dynamic(a, c, h) > 0.0 && fill(a, c, h) > 0.0);
            prop_assert!((dynamic_accesses(dynamic(a, c, h), c, h) - a).abs() < 1e-10);
            prop_assert!((fill_accesses(fill(a, c, h), c, h) - a).abs() < 1e-10);
        }
    }

    #[test]
    fn single_reaches_the_bound() {
        for alpha in [0.2, 0.7, 1.0] {
            assert!((dynamic(alpha, 0.8, 4) - erlang::overflow(0.8, 4, alpha)).abs() < 1e-15);
        }
    }
}
