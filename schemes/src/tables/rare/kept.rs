//! Tables as they are when their score begins, so that what comes before is made once.

use std::collections::BTreeMap;

use super::steps::{Chance, Steps};
use crate::hash::HashSpec;
use crate::tables::Table;

/// Elements of all tables that are kept, some bytes each.
const ELEMENTS: u32 = 1 << 23;

/// Tables before one and the same step of trials with different seeds, and all chance from there on.
pub(super) struct Kept<T> {
    /// The step.
    pub(super) at: u64,
    tables: BTreeMap<u64, (T, Chance)>,
    most: usize,
}

impl<T: Table> Kept<T> {
    pub(super) fn new(at: u64, elements: u32) -> Self {
        Self { at, tables: BTreeMap::new(), most: (ELEMENTS / elements.max(1)) as usize }
    }

    /// Brings the table to the step in a trial of this seed.
    pub(super) fn reach(
        &mut self,
        seed: u64,
        table: &mut T,
        steps: &Steps,
        hash: &HashSpec,
    ) -> Chance {
        if let Some((kept, chance)) = self.tables.get(&seed) {
            table.clone_from(kept);
            return chance.clone();
        }
        let mut chance = Chance::new(hash, seed);
        steps.begin(table);
        (0..self.at).for_each(|step| steps.make(step, table, &mut chance));
        if self.tables.len() >= self.most {
            self.tables.clear();
        }
        if self.most > 0 {
            self.tables.insert(seed, (table.clone(), chance.clone()));
        }
        chance
    }
}
