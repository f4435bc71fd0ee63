//! Balls thrown at random: how many fall into one bin, to full relative precision in the tail.

use super::ratios;
use crate::math::elementary::{exp, pow};

/// The number of elements that want to go into one bucket, Poisson or binomial.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The smallest count that matters.
    first: u64,
    /// Probabilities of `first, first + 1, …`, as far as they matter.
    law: Vec<f64>,
}

impl Demand {
    /// Poisson with mean `r ≥ 0`, usable for bucket sizes up to `h`.
    pub fn poisson(r: f64, h: u32) -> Self {
        let (first, last) = reach(r, h);
        let steps: Vec<f64> = (first + 1..=last).map(|k| r / k as f64).collect();
        Self { first, law: ratios::distribution(&steps) }
    }

    /// Binomial with `n` elements of probability `p`, usable for bucket sizes up to `h`.
    pub fn binomial(n: u64, p: f64, h: u32) -> Self {
        let odds = p / (1.0 - p);
        let (first, last) = reach(n as f64 * p, h);
        let steps: Vec<f64> =
            (first + 1..=last.min(n)).map(|k| (n - k + 1) as f64 / k as f64 * odds).collect();
        Self { first, law: ratios::distribution(&steps) }
    }

    /// This number, for certain.
    pub fn certain(number: u64) -> Self {
        Self { first: number, law: vec![1.0] }
    }

    /// The greatest count that matters.
    pub fn most(&self) -> u32 {
        u32::try_from(self.first + self.law.len() as u64 - 1).unwrap_or(u32::MAX)
    }

    /// Probabilities of 0, 1, … up to the greatest count that matters.
    pub fn all(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.first as usize];
        all.extend(&self.law);
        all
    }

    /// `Σ_{k≥h} P(k)·factor^(k−h)`: the probability that nothing happens in the draws from the h-th on, of which
    /// each leaves it so with probability `factor`.
    pub(crate) fn discounted(&self, h: u32, factor: f64) -> f64 {
        let from_h = self.counts().skip_while(|&(k, _)| k < h.into());
        let (_, sum) = from_h.fold((None, 0.0), |(weight, sum), (k, p)| {
            let weight: f64 = match weight {
                None => pow(factor, (k - u64::from(h)) as f64),
                Some(weight) => weight * factor,
            };
            (Some(weight), sum + p * weight)
        });
        sum
    }

    /// Each count that matters, with its probability.
    pub(crate) fn counts(&self) -> impl DoubleEndedIterator<Item = (u64, f64)> {
        self.law.iter().enumerate().map(|(i, &p)| (self.first + i as u64, p))
    }

    /// The mean of a function of the number.
    pub(crate) fn mean_of(&self, function: impl Fn(u64) -> f64) -> f64 {
        self.counts().map(|(k, p)| p * function(k)).sum()
    }

    /// Probability of fewer than `h`.
    pub fn below(&self, h: u32) -> f64 {
        self.counts().take_while(|&(k, _)| k < h.into()).map(|(_, p)| p).sum()
    }

    /// Probability of `h` or more, summed from the far end: small values keep their digits.
    pub fn at_least(&self, h: u32) -> f64 {
        self.counts().rev().take_while(|&(k, _)| k >= h.into()).map(|(_, p)| p).sum()
    }

    /// Expected number of elements beyond the first `h`.
    pub fn excess(&self, h: u32) -> f64 {
        let beyond = self.counts().rev().take_while(|&(k, _)| k > h.into());
        beyond.map(|(k, p)| p * (k - u64::from(h)) as f64).sum()
    }

    /// Probability that a bucket of size `h` ends up with `k` elements, `k = 0..=h`.
    pub fn kept(&self, h: u32) -> Vec<f64> {
        let mut kept = vec![0.0; h as usize];
        for (k, p) in self.counts().take_while(|&(k, _)| k < h.into()) {
            kept[k as usize] = p;
        }
        kept.push(self.at_least(h));
        kept
    }
}

/// Probability that a Poisson number of mean `r ≥ 0` is at least `h`: [`Demand::at_least`], cheap for small
/// `h`.
pub(crate) fn poisson_at_least(r: f64, h: u32) -> f64 {
    if h > LARGEST_SUMMED && r > 40.0 * f64::from(h) {
        return 1.0;
    }
    if h > LARGEST_SUMMED {
        return Demand::poisson(r, h).at_least(h);
    }
    let (mut p, mut below) = (exp(-r), 0.0);
    for k in 1..=h {
        below += p;
        p *= r / f64::from(k);
    }
    if r < f64::from(h) { p * tail_over_first(r, h) } else { 1.0 - below }
}

/// A law is summed from 0 on as long as this does not underflow where it matters.
const LARGEST_SUMMED: u32 = 64;

/// `Σ_{k≥h} r^(k−h)·h!/k!`, for `r < h`.
fn tail_over_first(r: f64, h: u32) -> f64 {
    let (mut sum, mut term, mut k) = (0.0, 1.0, f64::from(h));
    while term > f64::EPSILON * sum / 4.0 {
        sum += term;
        k += 1.0;
        term *= r / k;
    }
    sum
}

/// The counts outside of which a law with this mean is negligible: below, in relation to 1; above,
/// even in relation to its value at `h`.
fn reach(mean: f64, h: u32) -> (u64, u64) {
    let centre = mean.max(f64::from(h));
    let low = mean - 12.0 * mean.sqrt() - 40.0;
    (low.max(0.0) as u64, (centre + 12.0 * centre.sqrt() + 40.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn poisson_tails_keep_their_digits() {
        assert_eq!(format!("{:.3e}", Demand::poisson(20.0, 65).at_least(65)), "1.319e-15");
        assert_eq!(format!("{:.3e}", Demand::poisson(20.0, 65).at_least(64)), "4.316e-15");
    }

    #[test]
    fn large_means_stay_cheap() {
        let demand = Demand::poisson(1e9, 4);
        assert!(demand.law.len() < 1_000_000);
        assert_eq!((demand.below(4), demand.kept(4)), (0.0, vec![0.0, 0.0, 0.0, 0.0, 1.0]));
        assert!((demand.excess(4) / (1e9 - 4.0) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn demand_splits_into_kept_and_excess(mean in 0.0..900.0, h in 1_u32..60) {
            let demand = Demand::poisson(mean, h);
            let kept = demand.kept(h);
            let stored: f64 = kept.iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
            prop_assert!((stored + demand.excess(h) - mean).abs() < 1e-10);
            prop_assert!((demand.below(h) + demand.at_least(h) - 1.0).abs() < 1e-13);
        }

        #[test]
        fn cheap_poisson_tails_are_those_of_the_law(r in 0.0..200.0, h in 0_u32..90) {
            let law = Demand::poisson(r, h).at_least(h);
            prop_assert!((poisson_at_least(r, h) - law).abs() <= 1e-12 * law);
        }
    }
}
