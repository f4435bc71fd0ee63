//! Cuckoo hashing with keys in its slots, to be timed.

use rand::SeedableRng;

use super::Cuckoo;
use super::eviction::Eviction;
use super::shelf::Shelf;
use crate::Rng;
use crate::hash::{Choices, Source};
use crate::tables::timed::{OverflowList, Slots, key, ranges};
use crate::tables::{Key, KeyTable, SubTable};

/// Buckets of keys, the stash, and a way to make room. A key that may have to move is hashed again to find its other
/// choices, as a table has no other place to know them from.
pub(super) struct CuckooKeys<E> {
    ranges: Vec<SubTable>,
    bucket_size: u8,
    slots: Slots,
    /// Slots in use of each bucket.
    counts: Vec<u8>,
    stash: OverflowList,
    eviction: E,
    chance: Rng,
    /// The choices of the key on hand.
    choices: Vec<u32>,
}

impl<E> CuckooKeys<E> {
    /// The empty table of a scheme whose stash has no bounds.
    pub(super) fn new(scheme: &Cuckoo, eviction: E) -> Self {
        let geometry = &scheme.geometry;
        Self {
            ranges: ranges(scheme),
            bucket_size: geometry.bucket_size,
            slots: Slots::new(geometry.buckets, geometry.bucket_size),
            counts: vec![0; geometry.buckets as usize],
            stash: OverflowList::new(),
            eviction,
            chance: Rng::seed_from_u64(0),
            choices: vec![0; scheme.choices as usize],
        }
    }
}

impl<E: Eviction> KeyTable for CuckooKeys<E> {
    fn clear(&mut self, seed: u64) {
        self.counts.fill(0);
        self.stash.clear();
        self.chance = Rng::seed_from_u64(seed);
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Self { ranges, bucket_size, slots, counts, stash, eviction, chance, choices } = self;
        let (width, left) = (bytes.len(), 0);
        let bucket_size = *bucket_size;
        let mut shelf = OnHand { ranges, bucket_size, slots, counts, choices, source, width, left };
        shelf.choose(bytes);
        if let Some(left_over) = eviction.place(&mut shelf, key(bytes), chance).left_over {
            stash.insert(left_over);
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&self, bytes: &[u8], source: &mut S) -> bool {
        let (key, mut choices) = (key(bytes), source.element(bytes));
        let in_bucket = self.ranges.iter().any(|range| {
            let bucket = range.first + choices.next(range.buckets);
            self.slots.contains(bucket, self.counts[bucket as usize], key)
        });
        in_bucket || self.stash.contains(key)
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let (key, mut choices) = (key(bytes), source.element(bytes));
        for range in &self.ranges {
            let bucket = range.first + choices.next(range.buckets);
            let count = &mut self.counts[bucket as usize];
            if self.slots.remove(bucket, *count, key) {
                *count -= 1;
                return;
            }
        }
        self.stash.remove(key);
    }

    fn overflow(&self) -> usize {
        self.stash.len()
    }

    fn bytes(&self) -> u64 {
        let of_buckets = self.slots.bytes() + self.counts.len() as u64;
        of_buckets + self.stash.bytes() + self.eviction.bytes()
    }
}

/// The buckets while a key is placed, with the choices of the one that is on hand.
struct OnHand<'t, S> {
    ranges: &'t [SubTable],
    bucket_size: u8,
    slots: &'t mut Slots,
    counts: &'t mut [u8],
    choices: &'t mut [u32],
    source: &'t mut S,
    /// Bytes of a key.
    width: usize,
    /// The bucket in which a key was replaced last.
    left: u32,
}

impl<S: Source> OnHand<'_, S> {
    /// Takes note of the choices of a key.
    #[inline(always)]
    fn choose(&mut self, bytes: &[u8]) {
        let mut choices = self.source.element(bytes);
        for (choice, range) in self.choices.iter_mut().zip(self.ranges) {
            *choice = range.first + choices.next(range.buckets);
        }
    }
}

impl<S: Source> Shelf for OnHand<'_, S> {
    type Element = Key;

    #[inline(always)]
    fn choices(&self) -> u32 {
        self.choices.len() as u32
    }

    #[inline(always)]
    fn bucket_size(&self) -> u8 {
        self.bucket_size
    }

    #[inline(always)]
    fn choice(&self, _key: Key, number: u32) -> u32 {
        self.choices[number as usize]
    }

    #[inline(always)]
    fn look_at(&mut self, key: Key) {
        self.choose(&key.to_ne_bytes()[..self.width]);
    }

    #[inline(always)]
    fn current_choice(&mut self, key: Key) -> u32 {
        self.look_at(key);
        let current = self.choices.iter().position(|&bucket| bucket == self.left);
        current.unwrap_or(self.choices.len()) as u32
    }

    #[inline(always)]
    fn is_full(&self, bucket: u32) -> bool {
        self.counts[bucket as usize] >= self.bucket_size
    }

    #[inline(always)]
    fn open(&mut self, bucket: u32) -> u8 {
        let slot = self.counts[bucket as usize];
        self.counts[bucket as usize] += 1;
        slot
    }

    #[inline(always)]
    fn element(&self, bucket: u32, slot: u8) -> Key {
        self.slots.key(bucket, slot)
    }

    #[inline(always)]
    fn replace(&mut self, bucket: u32, slot: u8, key: Key) -> Key {
        self.left = bucket;
        self.slots.replace(bucket, slot, key)
    }
}
