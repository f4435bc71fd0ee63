//! Lower bounds on the overflow fraction for a given number of bucket accesses per insertion.
//!
//! Sources: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 6 (under
//! alternation), and "Optimal Fast Hashing" as quoted there in Theorem 10 (static fill). Both hold in
//! the fluid limit, for schemes that never move an element back from the overflow list, with `a` the
//! mean number of accesses per insertion. They are clamped at 0, where they say nothing.

use super::bisect;
use super::erlang;
use super::occupancy::Demand;

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
