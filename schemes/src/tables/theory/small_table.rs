//! Exact chains for few small buckets and any number of choices, to check limits against.

use std::collections::BTreeMap;

use super::start::Start;

/// Which of the `d` chosen buckets gets the element.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pick {
    FirstFree,
    LeastLoaded,
}

/// A table of `m` buckets of `h`, with `n` elements of `d` choices.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmallTable {
    pub(super) n: u32,
    pub(super) m: u32,
    pub(super) h: u32,
    pub(super) d: u32,
    pub(super) rule: Pick,
}

/// Buckets with exactly 0, …, h elements.
type State = Vec<u32>;
type Law = BTreeMap<State, f64>;

/// What a chain says on average.
#[derive(Debug, Clone)]
pub(super) struct Means {
    pub(super) overflow: f64,
    pub(super) occupancy: Vec<f64>,
}

impl SmallTable {
    /// Means after `n` insertions into empty buckets.
    pub(super) fn static_fill(&self) -> Means {
        self.means(&self.filled(self.n))
    }

    /// Means in equilibrium of alternation.
    pub(super) fn alternation(&self) -> Means {
        self.relaxation(Start::Filled, 30 * self.n)
    }

    /// Means after `rounds` of alternation.
    pub(super) fn relaxation(&self, start: Start, rounds: u32) -> Means {
        let before = self.filled(if start == Start::Filled { self.n } else { 0 });
        let round = |law: Law, _| self.insert(&self.delete(&law));
        self.means(&(0..rounds).fold(before, round))
    }

    fn filled(&self, elements: u32) -> Law {
        let mut empty = vec![0; self.h as usize + 1];
        empty[0] = self.m;
        (0..elements).fold(Law::from([(empty, 1.0)]), |law, _| self.insert(&law))
    }

    fn means(&self, law: &Law) -> Means {
        let m = f64::from(self.m);
        let share =
            |k: usize| law.iter().map(|(buckets, p)| p * f64::from(buckets[k])).sum::<f64>() / m;
        let occupancy: Vec<f64> = (0..=self.h as usize).map(share).collect();
        let stored: f64 = (0_u32..).zip(&occupancy).map(|(k, p)| f64::from(k) * p).sum();
        Means { overflow: 1.0 - stored * m / f64::from(self.n), occupancy }
    }

    fn insert(&self, law: &Law) -> Law {
        let mut after = Law::new();
        for (state, p) in law {
            let raised = self.raised(state);
            add(&mut after, state.clone(), p * (1.0 - raised.iter().sum::<f64>()));
            for (k, each) in raised.into_iter().enumerate() {
                add_moved(&mut after, state, (k, k + 1), p * each);
            }
        }
        after
    }

    /// Probabilities that a bucket with 0, …, h − 1 elements gets the new one.
    fn raised(&self, state: &[u32]) -> Vec<f64> {
        let m = f64::from(self.m);
        let all = |buckets: u32| (f64::from(buckets) / m).powf(f64::from(self.d));
        let at_least = |k: usize| state[k..].iter().sum::<u32>();
        let h = self.h as usize;
        let raised = |k: usize| match self.rule {
            Pick::LeastLoaded => all(at_least(k)) - all(at_least(k + 1)),
            Pick::FirstFree => {
                let free = (self.m - state[h]).max(1);
                f64::from(state[k]) * (1.0 - all(state[h])) / f64::from(free)
            }
        };
        (0..h).map(raised).collect()
    }

    fn delete(&self, law: &Law) -> Law {
        let (mut after, n) = (Law::new(), f64::from(self.n));
        for (state, p) in law {
            let mut listed = 1.0;
            for k in 1..=self.h as usize {
                let leaves = f64::from(k as u32 * state[k]) / n;
                listed -= leaves;
                add_moved(&mut after, state, (k, k - 1), p * leaves);
            }
            add(&mut after, state.clone(), p * listed);
        }
        after
    }
}

/// One bucket has another number of elements.
fn add_moved(law: &mut Law, state: &State, (from, to): (usize, usize), p: f64) {
    if state[from] > 0 {
        let mut moved = state.clone();
        moved[from] -= 1;
        moved[to] += 1;
        add(law, moved, p);
    }
}

fn add(law: &mut Law, state: State, p: f64) {
    if p > 1e-18 {
        *law.entry(state).or_default() += p;
    }
}
