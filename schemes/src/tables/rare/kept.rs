//! Tables as they are when their score begins and before a branch, so that what histories have in common is done once.

use super::chance::Chance;
use super::steps::{Drawn, Steps};
use crate::rare::{self, ByKey, MadeFor};
use crate::tables::Table;

/// Bytes of all tables of a kind that are kept, at most.
const BYTES: u64 = 32 << 20;

/// Bytes of all tables that are kept: those where the score begins, and those before a branch.
pub(in crate::tables) const MOST_BYTES: u64 = 2 * BYTES;

/// A trial before one of its steps.
pub(super) struct State<T, C> {
    pub(super) table: T,
    pub(super) drawn: Drawn<C>,
    /// The greatest length so far that counts.
    pub(super) longest: u32,
}

/// Trials before one and the same step, by their seeds, and before a branch.
pub(super) struct Kept<T, C> {
    /// The step; `None` where nothing is gained by it, as all trials are different from the first step on.
    pub(super) at: Option<u64>,
    begun: ByKey<u64, (T, Drawn<C>)>,
    pub(super) branched: rare::Kept<State<T, C>>,
    most: usize,
}

impl<T: Table, C: Chance> Kept<T, C> {
    /// None so far, of tables of so many bytes.
    pub(super) fn new(at: Option<u64>, bytes: u64) -> Self {
        let most = (BYTES / bytes.max(1)) as usize;
        Self { at, begun: ByKey::new(), branched: rare::Kept::new(most), most }
    }

    /// Brings the table to the step `at` in a trial of this seed.
    pub(super) fn reach(
        &mut self,
        at: u64,
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
        (0..at).for_each(|step| steps.make(step, table, &mut drawn));
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
}
