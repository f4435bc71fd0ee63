//! SINGLE under alternation in the fluid limit: the Erlang-B formula.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorems 3 and 5.

use crate::math::ratios;

/// Erlang-B: the probability that all `h` places are taken at an offered load of `r ≥ 0`.
pub fn blocking(r: f64, h: u32) -> f64 {
    (1..=h).fold(1.0, |blocked, k| r * blocked / (f64::from(k) + r * blocked))
}

/// `1 − blocking(r, h)`, to full precision when nearly everything is blocked.
pub fn acceptance(r: f64, h: u32) -> f64 {
    match h {
        0 => 0.0,
        _ => f64::from(h) / (f64::from(h) + r * blocking(r, h - 1)),
    }
}

/// Derivative of [`blocking`] with respect to `r`, for `h ≥ 1`.
///
/// The textbook form `B_h·(h/r − 1 + B_h)` becomes `(1 − B_h)(B_{h−1} − B_h)` by the recursion, which
/// also holds at `r = 0`.
pub fn blocking_slope(r: f64, h: u32) -> f64 {
    acceptance(r, h) * (blocking(r, h.saturating_sub(1)) - blocking(r, h))
}

/// Poisson(`r`) cut off at `h` and normalised, `k = 0..=h`: the occupancy of a bucket (Theorem 3(i);
/// Theorem 5(i) with `r = alpha·c·h`).
pub fn occupancy(r: f64, h: u32) -> Vec<f64> {
    let steps: Vec<f64> = (1..=h).map(|k| r / f64::from(k)).collect();
    ratios::distribution(&steps)
}

/// Overflow fraction of SINGLE at load `c` with insertion probability `alpha` (Theorem 5(ii)).
pub fn overflow(c: f64, h: u32, alpha: f64) -> f64 {
    1.0 - alpha + alpha * blocking(alpha * c * f64::from(h), h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_overflow_of_single() {
        assert_eq!(format!("{:.1}", 100.0 * overflow(1.0, 4, 1.0)), "31.1");
        assert_eq!(format!("{:.2}", 100.0 * overflow(0.3, 1, 1.0)), "23.08");
    }

    #[test]
    fn blocking_is_the_last_of_the_occupancy() {
        for (r, h) in [(0.0, 1), (0.01, 16), (1.0, 1), (4.0, 4), (500.0, 16), (1e4, 10_000)] {
            let full = occupancy(r, h)[h as usize];
            assert!((blocking(r, h) - full).abs() <= 1e-11 * full);
            assert!((blocking(r, h) + acceptance(r, h) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn slope_is_the_difference_quotient() {
        for (r, h) in [(0.5_f64, 1), (4.0, 4), (3.0, 16), (100.0, 8)] {
            let step = r * 1e-5;
            let quotient = (blocking(r + step, h) - blocking(r - step, h)) / (2.0 * step);
            assert!((blocking_slope(r, h) / quotient - 1.0).abs() < 1e-6, "r {r} h {h}");
        }
        assert_eq!(blocking_slope(0.0, 1), 1.0);
        assert_eq!(blocking_slope(0.0, 2), 0.0);
    }

    #[test]
    fn nothing_inserted_all_overflows() {
        assert_eq!(overflow(0.8, 4, 0.0), 1.0);
        assert_eq!(occupancy(0.0, 2), [1.0, 0.0, 0.0]);
    }
}
