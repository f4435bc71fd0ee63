//! A sub-table of which only numbers are kept.
//!
//! Buckets that hold equally many elements, of which equally many have been asked to move, are alike: with two
//! of them swapped, nothing that is measured has another law. So they can be thought of as swapped at any
//! time, in such a way that those with more come first. Buckets have ranks in this order, counted from 0, and
//! the rank of a uniform choice says all of the bucket that matters: below [`Buckets::full`] it is full, and so
//! on. That an element comes to a bucket is then no more than that a number grows.

use super::{BLOCK, MOST_SUB_TABLES, SubTableUse};
use crate::Rng;
use crate::uniform::{Uniform, with_own};

/// How full the buckets of a sub-table are, which have room for one or two elements each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Buckets {
    /// Those that are not empty.
    used: u32,
    pub(super) full: u32,
}

/// One sub-table.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) uniform: Uniform,
    /// How many buckets there are.
    pub(super) size: u32,
    pub(super) buckets: Buckets,
    /// Full buckets with the mark of the conservative scheme.
    pub(super) marked: u32,
    /// By earlier sub-table and place in its buckets: how many elements there were asked to move here.
    pub(super) asked: [[u32; 2]; MOST_SUB_TABLES - 1],
}

/// The ranks, all of full buckets, that elements chose in a sub-table and then went on, in order of arrival.
pub(super) type Row = [u32; BLOCK];

impl Level {
    /// Empty buckets.
    pub(super) fn new(size: u32) -> Self {
        let uniform = Uniform::new(size);
        Self { uniform, size, buckets: Buckets::default(), marked: 0, asked: Default::default() }
    }

    pub(super) fn clear(&mut self) {
        self.buckets = Buckets::default();
        self.marked = 0;
        self.asked = Default::default();
    }

    /// Takes the next elements to the first sub-table; keeps the choices of those whose bucket of H was full,
    /// and returns how many they are.
    pub(super) fn open<const H: usize>(
        &mut self,
        elements: usize,
        row: &mut [u32],
        rng: &mut Rng,
    ) -> usize {
        let row = &mut row[..elements];
        let mut buckets = self.buckets;
        let mut passed = 0;
        with_own(rng, |rng| {
            self.uniform.each(elements, rng, |rank| {
                row[passed] = rank;
                passed += usize::from(rank < buckets.full);
                buckets.put::<H>(rank);
            });
        });
        self.buckets = buckets;
        passed
    }

    /// How many buckets of h hold exactly k elements, for k = 0..=h.
    pub(super) fn occupancy(&self, h: u8) -> Vec<u64> {
        let Buckets { used, full } = self.buckets;
        match h {
            1 => [self.size - full, full].map(u64::from).to_vec(),
            _ => [self.size - used, used - full, full].map(u64::from).to_vec(),
        }
    }

    /// How full the buckets of h are.
    pub(super) fn in_use(&self, h: u8) -> SubTableUse {
        let Buckets { used, full } = self.buckets;
        let elements = u64::from(full) + if h == 1 { 0 } else { u64::from(used) };
        SubTableUse { elements, places: u64::from(self.size) * u64::from(h) }
    }
}

impl Buckets {
    /// So many full ones, and no others that are used.
    pub(super) fn all_full(full: u32) -> Self {
        Self { used: full, full }
    }

    /// Puts an element into the bucket of that rank unless it is full.
    #[inline(always)]
    pub(super) fn put<const H: usize>(&mut self, rank: u32) {
        let free = u32::from(rank >= self.full);
        if H == 1 {
            self.full += free;
        } else {
            let empty = u32::from(rank >= self.used);
            self.used += empty;
            self.full += free - empty;
        }
    }
}
