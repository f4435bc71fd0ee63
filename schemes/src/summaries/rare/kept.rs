//! Fills as they are between two sub-tables, so that what histories have in common is done once.

use std::collections::BTreeMap;

use crate::Rng;
use crate::rare::{Branch, Rise};
use crate::summaries::Census;

/// Bytes of all fills that are kept, at most.
pub(super) const MOST_BYTES: usize = 32 << 20;

/// Everything of a fill that decides what comes after the sub-tables that are filled.
#[derive(Clone)]
pub(super) struct Fill {
    /// Sub-tables that are filled.
    pub(super) filled: usize,
    /// Elements that they left over.
    pub(super) coming: u32,
    /// Events that are expected of them.
    pub(super) before: f64,
    pub(super) census: Census,
    /// The generator after all branches of these sub-tables, and its seed.
    pub(super) rng: Rng,
    pub(super) seed: u64,
}

/// A fill with the rises up to it.
pub(super) struct Risen {
    pub(super) fill: Fill,
    pub(super) rises: Vec<Rise>,
}

/// Fills by the number of filled sub-tables and the branches up to there.
pub(super) struct Kept {
    fills: Vec<BTreeMap<Vec<Branch>, Risen>>,
    first_step: fn(usize) -> u64,
    bytes: usize,
}

impl Kept {
    /// None so far, of that many sub-tables, each of which begins with this step.
    pub(super) fn new(sub_tables: usize, first_step: fn(usize) -> u64) -> Self {
        let fills = (0..sub_tables).map(|_| BTreeMap::new()).collect();
        Self { fills, first_step, bytes: 0 }
    }

    /// The branches before the sub-table that follows on so many filled ones.
    pub(super) fn branches<'h>(&self, history: &'h [Branch], filled: usize) -> &'h [Branch] {
        let first = (self.first_step)(filled);
        &history[..history.partition_point(|branch| branch.step < first)]
    }

    /// The fill of this history that is furthest, of those that are kept.
    pub(super) fn furthest(&self, history: &[Branch]) -> Option<&Risen> {
        let of = |filled: usize| self.fills[filled].get(self.branches(history, filled));
        (0..self.fills.len()).rev().find_map(of)
    }

    /// Keeps the fill of a history, of which some sub-table is not filled.
    pub(super) fn keep(&mut self, history: &[Branch], fill: Fill, rises: &[Rise]) {
        let branches = self.branches(history, fill.filled);
        let bytes = size_of::<Risen>()
            + size_of_val(branches)
            + size_of_val(rises)
            + size_of::<u32>() * (1 + usize::from(fill.census.types()));
        if self.bytes + bytes > MOST_BYTES {
            self.fills.iter_mut().for_each(BTreeMap::clear);
            self.bytes = 0;
        }
        self.bytes += bytes;
        let branches = branches.to_vec();
        self.fills[fill.filled].insert(branches, Risen { fill, rises: rises.to_vec() });
    }
}
