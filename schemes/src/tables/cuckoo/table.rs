//! The structure of cuckoo hashing with a stash.

use super::super::{Deletion, Insertion, SubTableUse, Table};
use super::Cuckoo;
use super::eviction::Eviction;
use super::slots::Slots;
use super::stash::Stash;
use crate::Rng;
use crate::hash::Choices;

/// Buckets, the stash, and a way to make room.
#[derive(Debug, Clone)]
pub(super) struct CuckooTable<E> {
    slots: Slots,
    stash: Stash,
    bounded: bool,
    eviction: E,
}

impl<E: Eviction> CuckooTable<E> {
    pub(super) fn new(scheme: &Cuckoo, eviction: E) -> Self {
        let size = scheme.stash_size;
        Self {
            slots: Slots::new(scheme),
            stash: Stash::new(scheme.geometry.elements, size.unwrap_or(u32::MAX)),
            bounded: size.is_some(),
            eviction,
        }
    }
}

impl<E: Eviction> Table for CuckooTable<E> {
    const MOVES: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.slots.reserve(elements);
        self.stash.reserve(elements);
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.stash.clear();
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn can_lose(&self) -> bool {
        self.bounded
    }

    #[inline]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        self.slots.choose(element, choices);
        let placement = self.eviction.place(&mut self.slots, element, rng);
        let mut lost = false;
        if let Some(left_over) = placement.left_over {
            self.slots.leave_out(left_over);
            lost = self.stash.insert(left_over);
        }
        Insertion {
            accesses: placement.accesses,
            stored: placement.left_over.is_none(),
            moves: placement.moves,
            lost,
            ..Insertion::default()
        }
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.slots.leave_out(element);
        self.stash.insert(element);
    }

    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        if !self.slots.remove(element) {
            self.stash.remove(element);
        }
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.stash.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.slots.occupancy()
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.slots.sub_tables()
    }
}
