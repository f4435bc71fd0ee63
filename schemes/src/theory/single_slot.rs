//! Buckets of size 1 and `d` uniform choices with replacement, exact for finite `n` and `m`.
//!
//! The number `k` of full buckets is a Markov chain: an insertion finds a place with probability
//! `S(k) = alpha·(1 − (k/m)^d)`, whatever the rule that picks among the free buckets. So MULTIPLE and
//! d-random overflow alike. The accesses given here are MULTIPLE's, which stops at the first free
//! bucket; d-random makes `alpha·d`.

use super::{ratios, trials};

/// Expected values for a table of single slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingleSlot {
    /// Elements on the overflow list, per element in the system.
    pub overflow: f64,
    /// Buckets read per insertion when choices are read one after the other.
    pub accesses: f64,
}

/// `n` insertions into `m` empty buckets.
///
/// Takes `O(n·√m)` steps: states of a probability below 1e-20 are dropped.
pub fn static_fill(n: u64, m: u64, d: u32, alpha: f64) -> SingleSlot {
    let insertion = Insertion { m: m as f64, d, alpha };
    let mut law = Band { first: 0, probabilities: vec![1.0] };
    let mut sum = SingleSlot { overflow: 0.0, accesses: 0.0 };
    for _ in 0..n {
        for (k, p) in law.states() {
            sum.overflow += p * insertion.failure(k);
            sum.accesses += p * insertion.accesses(k);
        }
        law.step(|k| insertion.failure(k));
    }
    SingleSlot { overflow: sum.overflow / n as f64, accesses: sum.accesses / n as f64 }
}

/// Equilibrium of alternation with `n` elements.
///
/// From `k` full buckets a round leads to `k + 1` with probability `(1 − k/n)·S(k)` and to `k − 1`
/// with `(k/n)·(1 − S(k−1))`.
pub fn alternation(n: u64, m: u64, d: u32, alpha: f64) -> SingleSlot {
    let insertion = Insertion { m: m as f64, d, alpha };
    let stays = |k: u64| 1.0 - k as f64 / n as f64;
    let ratio = |k: u64| {
        let up = stays(k - 1) * insertion.success(k - 1);
        up / (k as f64 / n as f64 * insertion.failure(k - 1))
    };
    let steps: Vec<f64> = (1..=n.min(m)).map(ratio).collect();
    let mut mean = SingleSlot { overflow: 0.0, accesses: 0.0 };
    for (k, p) in (0..).zip(ratios::distribution(&steps)) {
        for (k, p) in [(k, p * stays(k)), (k.saturating_sub(1), p * (1.0 - stays(k)))] {
            mean.overflow += p * insertion.failure(k);
            mean.accesses += p * insertion.accesses(k);
        }
    }
    mean
}

/// Probability below which the ends of a distribution are cut off.
const NEGLIGIBLE: f64 = 1e-20;

struct Insertion {
    m: f64,
    d: u32,
    alpha: f64,
}

impl Insertion {
    fn all_full(&self, k: u64) -> f64 {
        (k as f64 / self.m).powf(f64::from(self.d))
    }

    fn success(&self, k: u64) -> f64 {
        self.alpha * (1.0 - self.all_full(k))
    }

    fn failure(&self, k: u64) -> f64 {
        1.0 - self.alpha + self.alpha * self.all_full(k)
    }

    fn accesses(&self, k: u64) -> f64 {
        let free = (self.m - k as f64) / self.m;
        self.alpha * trials(k as f64 / self.m, free, self.d)
    }
}

/// The part of a distribution on the integers that matters.
struct Band {
    first: u64,
    probabilities: Vec<f64>,
}

impl Band {
    fn states(&self) -> impl Iterator<Item = (u64, f64)> {
        (self.first..).zip(self.probabilities.iter().copied())
    }

    /// One step of a chain that stays in `k` with probability `stay(k)` and else goes to `k + 1`.
    fn step(&mut self, stay: impl Fn(u64) -> f64) {
        let mut arriving = 0.0;
        for (k, p) in (self.first..).zip(self.probabilities.iter_mut()) {
            let staying = *p * stay(k);
            (*p, arriving) = (staying + arriving, *p - staying);
        }
        self.probabilities.push(arriving);
        self.trim();
    }

    fn trim(&mut self) {
        while self.probabilities.last().is_some_and(|&p| p < NEGLIGIBLE) {
            self.probabilities.pop();
        }
        let low = self.probabilities.iter().take_while(|&&p| p < NEGLIGIBLE).count();
        self.probabilities.drain(..low);
        self.first += low as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::enumeration::Tiny;
    use crate::theory::{engset, occupancy};
    use proptest::prelude::*;

    #[test]
    fn agrees_with_enumeration() {
        for (n, m, d) in [(3, 2, 2), (4, 3, 1), (4, 4, 3), (2, 5, 2), (5, 1, 2), (1, 1, 1)] {
            for alpha in [0.0, 0.3, 1.0] {
                let tiny = Tiny { n, m, h: 1, d, alpha };
                let (n, m) = (n as u64, m as u64);
                for (found, exact) in [
                    (tiny.static_fill(), static_fill(n, m, d, alpha)),
                    (tiny.alternation(), alternation(n, m, d, alpha)),
                ] {
                    assert!((found.overflow - exact.overflow).abs() < 1e-12, "{found:?} {exact:?}");
                    assert!((found.accesses - exact.accesses).abs() < 1e-12, "{found:?} {exact:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn one_choice_is_single(n in 1_u64..1000, m in 1_u64..1000, alpha in 0.0..=1.0) {
            let dynamic = alternation(n, m, 1, alpha);
            prop_assert!((dynamic.overflow - engset::overflow(n, m, 1, alpha)).abs() < 1e-11);
            let fill = static_fill(n, m, 1, alpha);
            prop_assert!((fill.overflow - occupancy::static_overflow(n, m, 1, alpha)).abs() < 1e-11);
            prop_assert!((fill.accesses - alpha).abs() < 1e-11);
        }

        #[test]
        fn more_choices_help_and_deletions_hurt(n in 1_u64..500, m in 2_u64..500, d in 1_u32..9, alpha in 0.0..=1.0) {
            let (fill, dynamic) = (static_fill(n, m, d, alpha), alternation(n, m, d, alpha));
            prop_assert!(fill.overflow <= dynamic.overflow + 1e-12);
            prop_assert!(alternation(n, m, d + 1, alpha).overflow <= dynamic.overflow + 1e-12);
            prop_assert!(static_fill(n, m, d + 1, alpha).overflow <= fill.overflow + 1e-12);
        }
    }
}
