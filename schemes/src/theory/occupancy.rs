//! Balls thrown at random: what a static fill of SINGLE leaves behind, exact and in the limit.
//!
//! A bucket receives Bin(`n`, `alpha/m`) elements, Poisson(`alpha·c·h`) in the limit, and keeps the
//! first `h` of them.

use super::ratios;

/// Number of elements that want to go into one bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// Probabilities of `0, 1, 2, …`, as far as they matter.
    law: Vec<f64>,
}

impl Demand {
    /// Poisson with mean `r ≥ 0`, usable for bucket sizes up to `h`.
    pub fn poisson(r: f64, h: u32) -> Self {
        let steps: Vec<f64> = (1..=reach(r, h)).map(|k| r / k as f64).collect();
        Self {
            law: ratios::distribution(&steps),
        }
    }

    /// Binomial with `n` elements of probability `p`, usable for bucket sizes up to `h`.
    pub fn binomial(n: u64, p: f64, h: u32) -> Self {
        let odds = p / (1.0 - p);
        let last = reach(n as f64 * p, h).min(n);
        let steps: Vec<f64> = (1..=last)
            .map(|k| (n - k + 1) as f64 / k as f64 * odds)
            .collect();
        Self {
            law: ratios::distribution(&steps),
        }
    }

    /// Probability of fewer than `h`.
    pub fn below(&self, h: u32) -> f64 {
        self.law.iter().take(h as usize).sum()
    }

    /// Probability of `h` or more, summed from the far end: small values keep their digits.
    pub fn at_least(&self, h: u32) -> f64 {
        self.law.iter().skip(h as usize).rev().sum()
    }

    /// Expected number of elements beyond the first `h`.
    pub fn excess(&self, h: u32) -> f64 {
        let beyond = self.law.iter().skip(h as usize).zip(0_u32..);
        beyond.map(|(p, over)| p * f64::from(over)).sum()
    }

    /// Probability that a bucket of size `h` ends up with `k` elements, `k = 0..=h`.
    pub fn kept(&self, h: u32) -> Vec<f64> {
        let mut kept: Vec<f64> = self.law.iter().copied().take(h as usize).collect();
        kept.resize(h as usize, 0.0);
        kept.push(self.at_least(h));
        kept
    }
}

/// The count beyond which a law with this mean is negligible, even in relation to its value at `h`.
fn reach(mean: f64, h: u32) -> u64 {
    let centre = mean.max(f64::from(h));
    (centre + 12.0 * centre.sqrt() + 40.0) as u64
}

/// Distribution of the elements in a bucket after a static fill of SINGLE, exact, `k = 0..=h`.
pub fn static_occupancy(n: u64, m: u64, h: u32, alpha: f64) -> Vec<f64> {
    Demand::binomial(n, alpha / m as f64, h).kept(h)
}

/// Overflow fraction after a static fill of SINGLE, exact: `1 − (m/n)·E[min(Bin(n, alpha/m), h)]`.
pub fn static_overflow(n: u64, m: u64, h: u32, alpha: f64) -> f64 {
    let excess = Demand::binomial(n, alpha / m as f64, h).excess(h);
    1.0 - alpha + m as f64 / n as f64 * excess
}
