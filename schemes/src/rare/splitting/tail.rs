//! The probabilities of all counts up to a rare one, from one run.

use std::collections::BTreeMap;

use super::super::{Branch, Counted, Rise};
use super::NEGLIGIBLE;
use super::run::{Ended, Gather, Run};

/// What one run of splitting says of the probabilities of large counts.
///
/// Each is estimated without bias; how well, depends on how close the count is to that of the event at which the score
/// aims.
#[derive(Debug, Clone, PartialEq)]
pub struct Tail {
    /// How probable each count is; what is beyond the event is one count.
    weights: BTreeMap<u64, f64>,
    /// Trials that it took.
    pub runs: u64,
    /// Whether no particle was left to be copied.
    pub extinct: bool,
}

impl Tail {
    /// The probability of a greater count than this one, which is at most that of the event.
    pub fn exceeds(&self, count: u64) -> f64 {
        self.weights.range(count.saturating_add(1)..).rev().map(|(_, weight)| weight).sum()
    }
}

/// Runs splitting as [`estimate`](super::estimate) does and reads the tail up to the event; `None` where `goes_on` says
/// no before it is done.
pub fn tail(
    counted: &mut dyn Counted,
    particles: u32,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Option<Tail> {
    let (beyond, target) = (counted.beyond(), counted.target());
    let mut is_cut = false;
    // A trial that is not run has no rises, and a run of such trials is over at once.
    let mut trial = |history: &[Branch], rises: &mut Vec<Rise>| {
        is_cut = is_cut || !goes_on();
        if is_cut {
            return 0;
        }
        counted.run(history, rises);
        counted.count()
    };
    let mut counts = Counts { beyond, weights: BTreeMap::new() };
    let run = Run::new(&mut trial, particles, seed);
    let Ended { runs, extinct } = run.gathered(target, &mut counts);
    (!is_cut).then_some(Tail { weights: counts.weights, runs, extinct })
}

struct Counts {
    beyond: u64,
    weights: BTreeMap<u64, f64>,
}

impl Gather<u64> for Counts {
    fn add(&mut self, weight: f64, counts: impl Iterator<Item = u64>) {
        for count in counts {
            *self.weights.entry(count.min(self.beyond.saturating_add(1))).or_insert(0.0) += weight;
        }
    }

    fn is_enough(&self, weight: f64) -> bool {
        let event = self.weights.get(&self.beyond.saturating_add(1));
        event.is_some_and(|probability| weight < NEGLIGIBLE * probability)
    }
}
