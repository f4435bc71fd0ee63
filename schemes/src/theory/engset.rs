//! SINGLE under alternation, exact for finite `n` and `m`: the Engset distribution.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 1, extended to
//! an insertion probability. A bucket with `k` elements loses one with probability
//! `(k/n)(1 − alpha/m)` and gains one with `(alpha/m)(1 − k/n)`, so that
//! `pi[k] / pi[k−1] = ((n−k+1)/k) · alpha/(m−alpha)`: the paper's `1/(m−1)` becomes
//! `alpha/(m−alpha)`.

use super::ratios;

/// Probability that a bucket holds `k` elements, `k = 0..=h` (Theorem 1, Equation (1)).
///
/// With one bucket and `alpha = 1` it is a point mass at `min(n, h)`: whatever is deleted there comes
/// back there.
pub fn occupancy(n: u64, m: u64, h: u32, alpha: f64) -> Vec<f64> {
    let odds = alpha / (m as f64 - alpha);
    let ratio = |k: u64| {
        if k > n {
            0.0
        } else {
            (n - k + 1) as f64 / k as f64 * odds
        }
    };
    let steps: Vec<f64> = (1..=u64::from(h)).map(ratio).collect();
    ratios::distribution(&steps)
}

/// Overflow fraction (Theorem 1, Equation (2)): `1 − alpha + alpha·pi[h]·(1 − h/n)`.
///
/// It is the fraction of arrivals that overflow, and equally the expected length of the overflow
/// list divided by `n`.
pub fn overflow(n: u64, m: u64, h: u32, alpha: f64) -> f64 {
    let full = occupancy(n, m, h, alpha).last().copied().unwrap_or(0.0);
    let still_full = (1.0 - f64::from(h) / n as f64).max(0.0);
    1.0 - alpha + alpha * full * still_full
}
