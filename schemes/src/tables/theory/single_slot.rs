//! Buckets of size 1 and `d` uniform choices with replacement, exact for finite `n` and `m`.
//!
//! The number `k` of full buckets is a Markov chain: an insertion finds a place with probability
//! `S(k) = alpha·(1 − (k/m)^d)`, whatever the rule that picks among the free buckets. So MULTIPLE and
//! d-random overflow alike. The accesses given here are MULTIPLE's, which stops at the first free
//! bucket; d-random makes `alpha·d`.

use std::collections::VecDeque;

use super::start::Start;
use super::trials;
use crate::math::elementary::pow;

/// Expected values for a table of single slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingleSlot {
    /// Elements on the overflow list, per element in the system.
    pub overflow: f64,
    /// Buckets read per insertion when choices are read one after the other.
    pub accesses: f64,
}

/// Upper limit on `n·√min(n, m)` up to which a static fill is computed: about 50 ms.
pub const MOST_STATIC_WORK: f64 = 5e6;

/// `n` insertions into `m` empty buckets; `None` above [`MOST_STATIC_WORK`].
///
/// Takes `O(n·√m)` steps: states of a probability below 1e-20 are dropped.
pub fn static_fill(n: u64, m: u64, d: u32, alpha: f64) -> Option<SingleSlot> {
    let work = n as f64 * (n.min(m) as f64).sqrt();
    (work <= MOST_STATIC_WORK).then(|| filled(n, m, d, alpha))
}

fn filled(n: u64, m: u64, d: u32, alpha: f64) -> SingleSlot {
    let mut band = Band::new(Insertion { m: m as f64, d, alpha });
    let mut sum = SingleSlot { overflow: 0.0, accesses: 0.0 };
    for _ in 0..n {
        let means = band.step();
        sum.overflow += means.overflow;
        sum.accesses += means.accesses;
    }
    SingleSlot { overflow: sum.overflow / n as f64, accesses: sum.accesses / n as f64 }
}

/// Equilibrium of alternation with `n` elements, in `O(√n)` steps around the mode.
///
/// From `k` full buckets a round leads to `k + 1` with probability `(1 − k/n)·S(k)` and to `k − 1`
/// with `(k/n)·(1 − S(k−1))`. States less likely than the mode by a factor 1e-20 are dropped.
pub fn alternation(n: u64, m: u64, d: u32, alpha: f64) -> SingleSlot {
    let insertion = Insertion { m: m as f64, d, alpha };
    let ratio = |k: u64| {
        let departs = k as f64 / n as f64;
        let stays = 1.0 - (k - 1) as f64 / n as f64;
        stays * insertion.success(k - 1) / (departs * insertion.failure(k - 1))
    };
    average(n.min(m), ratio, |k| insertion.after_departure(k, n))
}

/// Means over the states `0..=most`, whose probabilities have falling `ratio`s to the one before.
fn average(most: u64, ratio: impl Fn(u64) -> f64, means: impl Fn(u64) -> SingleSlot) -> SingleSlot {
    let mode = last_where(most, |k| ratio(k) >= 1.0);
    let above = likely(mode..most, |k| k + 1, |k| ratio(k + 1));
    let below = likely((1..mode + 1).rev(), |k| k - 1, |k| ratio(k).recip());
    let (mut total, mut mean) = (1.0, means(mode));
    for (k, weight) in above.chain(below) {
        let here = means(k);
        total += weight;
        mean.overflow += weight * here.overflow;
        mean.accesses += weight * here.accesses;
    }
    SingleSlot { overflow: mean.overflow / total, accesses: mean.accesses / total }
}

/// Equilibrium of the open model, in `O(√m)` steps around the mode.
///
/// The full buckets are a birth-death chain: `n·S(k)` arrivals per unit of time find a place, and `k`
/// elements leave. An arrival sees it as it is on average, and so many elements are on the list as
/// have not found a place.
pub fn open(n: u64, m: u64, d: u32, alpha: f64) -> SingleSlot {
    let insertion = Insertion { m: m as f64, d, alpha };
    let ratio = |k: u64| n as f64 * insertion.success(k - 1) / k as f64;
    average(m, ratio, |k| insertion.means(k))
}

/// Upper limit on `rounds·√min(n, m)` up to which a relaxation is computed: about 0.1 s.
pub const MOST_RELAXATION_WORK: f64 = 1e7;

/// Lifetimes after which the start is forgotten to the last digit.
const FORGOTTEN: u64 = 60;

/// After `rounds` of alternation; accesses are those of the last round, 0 without one. `None` above
/// [`MOST_RELAXATION_WORK`], a static fill at the start and at most 60·`n` rounds counted.
pub fn relaxation(
    (n, m): (u64, u64),
    d: u32,
    alpha: f64,
    start: Start,
    rounds: u64,
) -> Option<SingleSlot> {
    let rounds = rounds.min(n.saturating_mul(FORGOTTEN));
    let insertions = match start {
        Start::OverflowList => 0,
        Start::Filled => n,
    };
    let work = (rounds + insertions) as f64 * (n.min(m) as f64).sqrt();
    (work <= MOST_RELAXATION_WORK).then(|| {
        let mut band = Band::new(Insertion { m: m as f64, d, alpha });
        for _ in 0..insertions {
            band.step();
        }
        let mut accesses = 0.0;
        for _ in 0..rounds {
            band.depart(n as f64);
            accesses = band.step().accesses;
        }
        SingleSlot { overflow: 1.0 - band.mean() / n as f64, accesses }
    })
}

/// The last `k` in `1..=most` up to which a falling condition holds, or 0.
fn last_where(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// The states on one side of the mode and their weights relative to it.
fn likely(
    from: impl Iterator<Item = u64>,
    next: impl Fn(u64) -> u64,
    ratio: impl Fn(u64) -> f64,
) -> impl Iterator<Item = (u64, f64)> {
    from.scan(1.0, move |weight, k| {
        *weight *= ratio(k);
        (*weight >= NEGLIGIBLE).then(|| (next(k), *weight))
    })
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
        pow(k as f64 / self.m, f64::from(self.d))
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

    fn means(&self, k: u64) -> SingleSlot {
        SingleSlot { overflow: self.failure(k), accesses: self.accesses(k) }
    }

    /// Means of an insertion that follows a departure from `k` full buckets.
    fn after_departure(&self, k: u64, n: u64) -> SingleSlot {
        let (before, after) = (self.means(k), self.means(k.saturating_sub(1)));
        let departs = k as f64 / n as f64;
        let mix = |stays: f64, departed: f64| stays * (1.0 - departs) + departed * departs;
        SingleSlot {
            overflow: mix(before.overflow, after.overflow),
            accesses: mix(before.accesses, after.accesses),
        }
    }
}

/// The part of the law of the number of full buckets that matters.
struct Band {
    insertion: Insertion,
    first: u64,
    probabilities: VecDeque<f64>,
    /// What an insertion into each of the states does.
    means: VecDeque<SingleSlot>,
}

impl Band {
    fn new(insertion: Insertion) -> Self {
        let means = VecDeque::from([insertion.means(0)]);
        Self { insertion, first: 0, probabilities: VecDeque::from([1.0]), means }
    }

    /// One insertion, and its means.
    fn step(&mut self) -> SingleSlot {
        let (mut sum, mut arriving) = (SingleSlot { overflow: 0.0, accesses: 0.0 }, 0.0);
        for (p, means) in self.probabilities.iter_mut().zip(&self.means) {
            let staying = *p * means.overflow;
            sum.overflow += staying;
            sum.accesses += *p * means.accesses;
            (*p, arriving) = (staying + arriving, *p - staying);
        }
        if arriving >= NEGLIGIBLE {
            let next = self.first + self.probabilities.len() as u64;
            self.probabilities.push_back(arriving);
            self.means.push_back(self.insertion.means(next));
        }
        self.trim();
        sum
    }

    /// One of `n` elements leaves.
    fn depart(&mut self, n: f64) {
        let mut arriving = 0.0;
        let first = self.first as f64;
        for (above, p) in self.probabilities.iter_mut().enumerate().rev() {
            let leaving = *p * ((first + above as f64) / n);
            (*p, arriving) = (*p - leaving + arriving, leaving);
        }
        if arriving >= NEGLIGIBLE {
            self.first -= 1;
            self.probabilities.push_front(arriving);
            self.means.push_front(self.insertion.means(self.first));
        }
        self.trim();
    }

    fn mean(&self) -> f64 {
        (self.first..).zip(&self.probabilities).map(|(k, p)| k as f64 * p).sum()
    }

    /// Drops unlikely states: the law is unimodal, so that they are at the ends.
    fn trim(&mut self) {
        while self.probabilities.front().is_some_and(|&p| p < NEGLIGIBLE) {
            self.probabilities.pop_front();
            self.means.pop_front();
            self.first += 1;
        }
        while self.probabilities.back().is_some_and(|&p| p < NEGLIGIBLE) {
            self.probabilities.pop_back();
            self.means.pop_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::enumeration::Tiny;
    use crate::tables::theory::{engset, erlang, occupancy};
    use proptest::prelude::*;

    #[test]
    fn agrees_with_enumeration() {
        for (n, m, d) in [(3, 2, 2), (4, 3, 1), (4, 4, 3), (2, 5, 2), (5, 1, 2), (1, 1, 1)] {
            for alpha in [0.0, 0.3, 1.0] {
                let tiny = Tiny { n, m, h: 1, d, alpha };
                let (n, m) = (n as u64, m as u64);
                for (found, exact) in [
                    (tiny.static_fill(), filled(n, m, d, alpha)),
                    (tiny.alternation(), alternation(n, m, d, alpha)),
                ] {
                    assert!((found.overflow - exact.overflow).abs() < 1e-12, "{found:?} {exact:?}");
                    assert!((found.accesses - exact.accesses).abs() < 1e-12, "{found:?} {exact:?}");
                }
            }
        }
    }

    #[test]
    fn agrees_with_enumeration_of_every_round() {
        for (n, m, d) in [(3, 2, 2), (4, 3, 1), (4, 4, 3), (2, 5, 2), (5, 1, 2)] {
            for (start, rounds) in STARTS.iter().flat_map(|&s| [0, 1, 2, 3, 7, 20].map(|r| (s, r)))
            {
                let tiny = Tiny { n, m, h: 1, d, alpha: 0.7 };
                let found = tiny.relaxation(start == Start::Filled, rounds);
                let size = (n as u64, m as u64);
                let exact = relaxation(size, d, 0.7, start, rounds as u64).unwrap();
                assert!((found.overflow - exact.overflow).abs() < 1e-12, "{found:?} {exact:?}");
                assert!((found.accesses - exact.accesses).abs() < 1e-12, "{found:?} {exact:?}");
            }
        }
    }

    const STARTS: [Start; 2] = [Start::OverflowList, Start::Filled];

    #[test]
    fn relaxation_ends_in_equilibrium() {
        for (n, m, d, alpha) in [(100, 200, 2, 1.0), (300, 100, 5, 0.8), (500, 500, 1, 1.0)] {
            let exact = alternation(n, m, d, alpha);
            for start in STARTS {
                let found = relaxation((n, m), d, alpha, start, u64::MAX).unwrap();
                assert!((found.overflow - exact.overflow).abs() < 1e-12);
                assert!((found.accesses - exact.accesses).abs() < 1e-12);
            }
        }
    }

    /// Time derivatives vanish for the stationary law of full buckets and elements on the list.
    #[test]
    fn open_model_agrees_with_iteration_of_the_pair() {
        let (n, m, d, alpha) = (3.0, 3_usize, 2_u32, 0.8);
        const LISTED: usize = 30;
        let mut law = vec![vec![0.0; LISTED]; m + 1];
        law[0][0] = 1.0;
        let step = 1.0 / (n + (m + LISTED) as f64);
        for _ in 0..4000 {
            let mut next = law.clone();
            for (k, l) in (0..=m).flat_map(|k| (0..LISTED).map(move |l| (k, l))) {
                let places = alpha * (1.0 - (k as f64 / m as f64).powi(d as i32));
                for (rate, to) in [
                    (n * places, (k + 1, l)),
                    (n * (1.0 - places), (k, (l + 1).min(LISTED - 1))),
                    (k as f64, (k.wrapping_sub(1), l)),
                    (l as f64, (k, l.wrapping_sub(1))),
                ] {
                    if rate > 0.0 {
                        next[k][l] -= rate * step * law[k][l];
                        next[to.0][to.1] += rate * step * law[k][l];
                    }
                }
            }
            law = next;
        }
        let listed = law.iter().flat_map(|row| row.iter().zip(0_u32..));
        let listed: f64 = listed.map(|(p, l)| p * f64::from(l)).sum();
        assert!((listed / n - open(3, 3, d, alpha).overflow).abs() < 1e-9);
    }

    #[test]
    fn one_choice_in_the_open_model_is_the_erlang_formula() {
        for (n, m, alpha) in [(10, 20, 1.0), (50, 20, 0.7), (1, 1, 1.0)] {
            // At m = 1 this is M/M/1/1 itself, else m servers of which each loses its own arrivals.
            let exact = open(n, m, 1, alpha);
            let limit = erlang::overflow(n as f64 / m as f64, 1, alpha);
            assert!((exact.overflow - limit).abs() < 1e-12);
        }
    }

    proptest! {
        #[test]
        fn one_choice_is_single(n in 1_u64..1000, m in 1_u64..1000, alpha in 0.0..=1.0) {
            let dynamic = alternation(n, m, 1, alpha);
            prop_assert!((dynamic.overflow - engset::overflow(n, m, 1, alpha)).abs() < 1e-11);
            let fill = filled(n, m, 1, alpha);
            prop_assert!((fill.overflow - occupancy::static_overflow(n, m, 1, alpha)).abs() < 1e-11);
            prop_assert!((fill.accesses - alpha).abs() < 1e-11);
        }

        #[test]
        fn more_choices_help_and_deletions_hurt(n in 1_u64..500, m in 2_u64..500, d in 1_u32..9, alpha in 0.0..=1.0) {
            let (fill, dynamic) = (filled(n, m, d, alpha), alternation(n, m, d, alpha));
            prop_assert!(fill.overflow <= dynamic.overflow + 1e-12);
            prop_assert!(alternation(n, m, d + 1, alpha).overflow <= dynamic.overflow + 1e-12);
            prop_assert!(filled(n, m, d + 1, alpha).overflow <= fill.overflow + 1e-12);
        }
    }
}
