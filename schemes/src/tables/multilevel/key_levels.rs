//! The structure of a multilevel table that stores keys: which key is in which slot.

use crate::hash::Choices;
use crate::tables::timed::Slots;
use crate::tables::{Geometry, Key, SubTable, SubTables};

/// Sub-tables of buckets with `H` slots for one key each, at most 8, with a byte for each bucket that says which of them
/// are taken. Buckets and slots are numbered as those of [`Levels`](super::Levels) are, and a slot that is emptied stays
/// empty until a key comes, so that keys stand in the order in which elements do there.
pub(super) struct KeyLevels<const H: usize> {
    sub_tables: Vec<SubTable>,
    /// Bit i of a bucket says whether its slot i is taken.
    taken: Vec<u8>,
    slots: Slots,
}

impl<const H: usize> KeyLevels<H> {
    /// Empty sub-tables.
    pub(super) fn new(geometry: &Geometry, sub_tables: &SubTables) -> Self {
        let &Geometry { buckets, bucket_size, .. } = geometry;
        Self {
            sub_tables: sub_tables.iter().copied().collect(),
            taken: vec![0; buckets as usize],
            slots: Slots::new(buckets, bucket_size),
        }
    }

    /// Empties them.
    pub(super) fn clear(&mut self) {
        self.taken.fill(0);
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.slots.bytes() + self.taken.len() as u64
    }

    /// The buckets of an element, from the first sub-table to the last.
    #[inline(always)]
    pub(super) fn buckets(&self, mut choices: impl Choices) -> impl Iterator<Item = u32> {
        self.sub_tables.iter().map(move |own| own.first + choices.next(own.buckets))
    }

    /// The bucket of an element in the sub-table `level`, counted from 0.
    #[inline(always)]
    pub(super) fn bucket_in(&self, level: usize, mut choices: impl Choices) -> u32 {
        choices.pass_over(level);
        let own = self.sub_tables[level];
        own.first + choices.next(own.buckets)
    }

    /// Whether the bucket has no room.
    #[inline(always)]
    pub(super) fn is_full(&self, bucket: u32) -> bool {
        self.taken[bucket as usize].trailing_ones() as usize >= H
    }

    /// Whether a slot is taken.
    #[inline(always)]
    pub(super) fn is_taken(&self, slot: u32) -> bool {
        let (bucket, bit) = Self::split(slot);
        self.taken[bucket as usize] >> bit & 1 == 1
    }

    /// The first empty slot of a bucket that is not full.
    #[inline(always)]
    pub(super) fn free_slot(&self, bucket: u32) -> u32 {
        bucket * H as u32 + self.taken[bucket as usize].trailing_ones()
    }

    /// The key in a slot that is taken.
    #[inline(always)]
    pub(super) fn key(&self, slot: u32) -> Key {
        let (bucket, own) = Self::split(slot);
        self.slots.key(bucket, own)
    }

    /// Puts a key into an empty slot.
    #[inline(always)]
    pub(super) fn put(&mut self, key: Key, slot: u32) {
        let (bucket, own) = Self::split(slot);
        self.taken[bucket as usize] |= 1 << own;
        self.slots.replace(bucket, own, key);
    }

    /// Empties a slot.
    #[inline(always)]
    pub(super) fn empty(&mut self, slot: u32) {
        let (bucket, own) = Self::split(slot);
        self.taken[bucket as usize] &= !(1 << own);
    }

    /// The slot that holds the key of these choices.
    #[inline(always)]
    pub(super) fn find(&self, key: Key, choices: impl Choices) -> Option<u32> {
        let slots = |bucket| (0..H as u32).map(move |own| bucket * H as u32 + own);
        let mut all = self.buckets(choices).flat_map(slots);
        all.find(|&slot| self.is_taken(slot) && self.key(slot) == key)
    }

    /// The bucket of a slot, and its number there.
    #[inline(always)]
    fn split(slot: u32) -> (u32, u8) {
        (slot / H as u32, (slot % H as u32) as u8)
    }
}
