//! Tables as they are when their score begins, so that what comes before is made once.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::steps::{Drawn, Steps};
use crate::rare::MadeFor;
use crate::tables::Table;

/// Elements of all tables that are kept, some bytes each.
const ELEMENTS: u32 = 1 << 23;

/// Tables before one and the same step of trials with different seeds, and all chance from there on.
pub(super) struct Kept<T, C> {
    /// The step.
    pub(super) at: u64,
    tables: BTreeMap<u64, (T, Drawn<C>)>,
    most: usize,
}

impl<T: Table, C: Chance> Kept<T, C> {
    pub(super) fn new(at: u64, elements: u32) -> Self {
        Self { at, tables: BTreeMap::new(), most: (ELEMENTS / elements.max(1)) as usize }
    }

    /// Brings the table to the step in a trial of this seed.
    pub(super) fn reach(
        &mut self,
        seed: u64,
        table: &mut T,
        steps: &Steps,
        of: &MadeFor,
    ) -> Drawn<C> {
        if let Some((kept, drawn)) = self.tables.get(&seed)
            && let Some(drawn) = drawn.copy()
        {
            table.clone_from(kept);
            return drawn;
        }
        let mut drawn = Drawn::new(of, seed);
        steps.begin(table);
        (0..self.at).for_each(|step| steps.make(step, table, &mut drawn));
        if self.tables.len() >= self.most {
            self.tables.clear();
        }
        if self.most > 0
            && let Some(copy) = drawn.copy()
        {
            self.tables.insert(seed, (table.clone(), copy));
        }
        drawn
    }
}
