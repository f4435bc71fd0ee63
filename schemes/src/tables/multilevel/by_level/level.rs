//! One sub-table.

use std::ops::Range;

use super::drawn::Drawn;
use super::number::Number;
use crate::hash::derive_seed;
use crate::tables::sub_tables::SubTable;

#[derive(Debug, Clone)]
pub(super) struct Level<N> {
    sub_table: SubTable,
    /// Choices of elements that arrive.
    pub(super) own: Drawn<N>,
    /// Choices of elements in their way.
    pub(super) others: Drawn<N>,
}

impl<N: Number> Level<N> {
    pub(super) fn new(&sub_table: &SubTable) -> Self {
        let drawn = Drawn::new(&sub_table);
        Self { sub_table, own: drawn.clone(), others: drawn }
    }

    /// Begins a trial, in which this is the sub-table `number`.
    pub(super) fn begin(&mut self, seed: u64, number: u64) {
        self.own.begin(derive_seed(seed, 2 * number));
        self.others.begin(derive_seed(seed, 2 * number + 1));
    }

    /// Its buckets, among those of all sub-tables.
    pub(super) fn buckets(&self) -> Range<usize> {
        let SubTable { first, buckets } = self.sub_table;
        first as usize..(first + buckets) as usize
    }
}
