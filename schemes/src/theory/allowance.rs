//! How far a finite table may be from its fluid limit: a bound on the bias that vanishes like `1/n`.
//!
//! Two effects, taken to first order in `1/n` where they are small:
//!
//! - *Finite population.* Beside its Poisson limit, the weight of occupancy `k` in a binomial or
//!   Engset law has the factor `1 + δ_k`, `δ_k = (k·r − k(k−1)/2)/n` with `r = c·h`. A probability of
//!   a full bucket, at the moment of an arrival, thus changes by the relative amount
//!   `δ_h − E[δ_X] − h/n`, which lies between `−h(h+1)/(2n)` and `r·h/n`: at most
//!   `ε = h²·max(1, c)/n`.
//! - *Fluctuation.* The fluid limit takes `p^l` for the probability that `l` choices are full, where
//!   a finite table has `E[(N/m)^l]` with `N` the number of full buckets. Were buckets independent,
//!   `N` would be binomial, and `E[(N/m)^l] ≤ Π_{i<l} (p + i(1−p)/m)`, with equality for `l ≤ 2`; in
//!   a table the buckets share the elements, and `N` varies less.
//!
//! Together a power `p^l` is off by at most `Π_{i<l} (p(1+ε) + i(1−p)/m) − p^l`. The feedback of a
//! deviation on later insertions is left out; it is damped, as a fuller table takes fewer elements.
//! Allowances are absolute, in units of the quantity, so that they stay meaningful where a limit
//! is 0.

use super::FluidLimit;

/// A finite table whose fluid limit is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finite<'a> {
    /// Elements.
    pub n: u64,
    /// Buckets; for d-left those of one sub-table.
    pub m: u64,
    /// Choices.
    pub d: u32,
    /// Insertion probability.
    pub alpha: f64,
    /// What the table tends to.
    pub limit: &'a FluidLimit,
}

impl Finite<'_> {
    /// For the overflow fraction of SINGLE and MULTIPLE.
    pub fn overflow(&self) -> f64 {
        self.alpha * self.power(self.full(), self.population(), self.d)
    }

    /// For the accesses per insertion of MULTIPLE.
    pub fn accesses(&self) -> f64 {
        let powers = (1..self.d).map(|l| self.power(self.full(), self.population(), l));
        self.alpha * powers.sum::<f64>()
    }

    /// For the overflow fraction of d-random and d-left.
    ///
    /// The fraction `s_k` of buckets with at least `k` elements is fed by `s_{k−1}^d`, so that its
    /// relative deviation is that of this power, and so on up to `s_h^d`.
    pub fn overflow_least_loaded(&self) -> f64 {
        let mut epsilon = self.population();
        let mut deviation = 0.0;
        for tail in self.tails().filter(|&tail| tail > 0.0) {
            deviation = self.power(tail, epsilon, self.d);
            epsilon = self.population() + deviation / tail.powf(f64::from(self.d));
        }
        self.alpha * deviation
    }

    /// Fractions of buckets with at least `1, …, h` elements.
    fn tails(&self) -> impl Iterator<Item = f64> {
        let occupancy = &self.limit.occupancy;
        (1..occupancy.len()).map(|k| occupancy[k..].iter().rev().sum())
    }

    fn full(&self) -> f64 {
        self.limit.occupancy.last().copied().unwrap_or(0.0)
    }

    /// `ε`, relative.
    fn population(&self) -> f64 {
        let h = self.limit.occupancy.len() as f64 - 1.0;
        (h * h).max(h * self.n as f64 / self.m as f64) / self.n as f64
    }

    /// Deviation of `p^l` when `p` itself is off by the relative amount `epsilon`.
    fn power(&self, p: f64, epsilon: f64, l: u32) -> f64 {
        let choice = |i: u32| p * (1.0 + epsilon) + f64::from(i) * (1.0 - p) / self.m as f64;
        (0..l).map(choice).product::<f64>() - p.powf(f64::from(l))
    }
}
