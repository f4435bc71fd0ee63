//! A sub-table that is filled, in all lanes.

use crate::tables::by_load::lanes::{Arithmetic, MOST_LANES};

/// Sub-tables whose elements may be asked to move to one, times places in their buckets.
const MOST_ASKED: usize = 4;

/// A sub-table.
#[derive(Clone, Copy)]
pub(super) struct Level<A: Arithmetic> {
    /// Buckets that are not empty; those with room for one are full then.
    used: A::Numbers,
    full: A::Numbers,
    /// Buckets with the mark of the conservative scheme.
    pub(super) marked: A::Numbers,
    /// By place in the buckets of the earlier sub-tables: elements there of which it is known that they find no room here.
    pub(super) asked: [A::Numbers; MOST_ASKED],
}

impl<A: Arithmetic> Level<A> {
    #[inline(always)]
    pub(super) fn empty(lanes: A) -> Self {
        let none = lanes.all(0);
        Self { used: none, full: none, marked: none, asked: [none; MOST_ASKED] }
    }

    /// Whether the bucket of this rank is full.
    #[inline(always)]
    pub(super) fn is_full(&self, lanes: A, rank: A::Numbers) -> A::Numbers {
        lanes.less(rank, self.full)
    }

    /// Puts an element into the bucket of this rank, which is not full, where `goes` says so.
    #[inline(always)]
    pub(super) fn put<const H: usize>(&mut self, lanes: A, rank: A::Numbers, goes: A::Numbers) {
        if H == 1 {
            self.full = lanes.sub(self.full, goes);
            return;
        }
        let second = lanes.and(goes, lanes.less(rank, self.used));
        self.full = lanes.sub(self.full, second);
        self.used = lanes.sub(self.used, lanes.and_not(goes, second));
    }

    /// Buckets with 0, 1, … H elements, of so many.
    #[inline(always)]
    pub(super) fn with<const H: usize>(&self, lanes: A, buckets: u32) -> Vec<[i32; MOST_LANES]> {
        let used = if H == 1 { self.full } else { self.used };
        let empty = lanes.sub(lanes.all(buckets as i32), used);
        let mut with = vec![lanes.to_array(empty)];
        if H > 1 {
            with.push(lanes.to_array(lanes.sub(used, self.full)));
        }
        with.push(lanes.to_array(self.full));
        with
    }
}
