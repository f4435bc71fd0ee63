//! Tables as they are when their score begins and before a branch, so that what histories have in common is done once.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::steps::{Drawn, Steps};
use crate::rare::{Branch, MadeFor, Rise};
use crate::tables::Table;

/// Elements of all tables of a kind that are kept, some bytes each.
const ELEMENTS: u32 = 1 << 21;

/// A trial before one of its steps.
pub(super) struct State<T, C> {
    pub(super) table: T,
    pub(super) drawn: Drawn<C>,
    /// The rises up to here.
    pub(super) rises: Vec<Rise>,
    /// The greatest length so far that counts.
    pub(super) longest: u32,
}

/// Trials before one and the same step, by their seeds, and before a branch, by its step and the seed that was followed up
/// to there: no other branch has that seed.
pub(super) struct Kept<T, C> {
    /// The step.
    pub(super) at: u64,
    begun: BTreeMap<u64, (T, Drawn<C>)>,
    branched: BTreeMap<(u64, u64), State<T, C>>,
    most: usize,
}

impl<T: Table, C: Chance> Kept<T, C> {
    pub(super) fn new(at: u64, elements: u32) -> Self {
        let most = (ELEMENTS / elements.max(1)) as usize;
        Self { at, begun: BTreeMap::new(), branched: BTreeMap::new(), most }
    }

    /// Brings the table to the step in a trial of this seed.
    pub(super) fn reach(
        &mut self,
        seed: u64,
        table: &mut T,
        steps: &Steps,
        of: &MadeFor,
    ) -> Drawn<C> {
        if let Some((kept, drawn)) = self.begun.get(&seed)
            && let Some(drawn) = drawn.copy()
        {
            table.clone_from(kept);
            return drawn;
        }
        let mut drawn = Drawn::new(of, seed);
        steps.begin(table);
        (0..self.at).for_each(|step| steps.make(step, table, &mut drawn));
        if self.begun.len() >= self.most {
            self.begun.clear();
        }
        if self.most > 0
            && let Some(copy) = drawn.copy()
        {
            self.begun.insert(seed, (table.clone(), copy));
        }
        drawn
    }

    /// The last branch of the history of which the state before it is kept, by its place.
    pub(super) fn furthest(&self, history: &[Branch]) -> Option<(usize, &State<T, C>)> {
        (1..history.len()).rev().find_map(|i| Some((i, self.branched.get(&key(history, i))?)))
    }

    /// Keeps the state before the last branch of a history.
    pub(super) fn keep(&mut self, history: &[Branch], state: impl FnOnce() -> Option<State<T, C>>) {
        let last = history.len() - 1;
        if last == 0 || self.most == 0 {
            return;
        }
        if self.branched.len() >= self.most {
            self.branched.clear();
        }
        if let Some(state) = state() {
            self.branched.insert(key(history, last), state);
        }
    }
}

/// What the state before a branch, not the first one, is kept by.
fn key(history: &[Branch], branch: usize) -> (u64, u64) {
    (history[branch].step, history[branch - 1].seed)
}
