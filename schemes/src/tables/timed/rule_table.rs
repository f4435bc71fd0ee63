//! The table of every rule that only counts, with keys.

use rand::SeedableRng;

use super::table::KeyTable;
use super::{Key, OverflowList, Slots, key};
use crate::Rng;
use crate::hash::{Choices, Source};
use crate::tables::{Buckets, Geometry, Insertion, Reads, Rule, SubTable};

/// The number of every element: counters that know one element remember where the last one went.
const LAST: u32 = 0;

/// Keys where the rule `R` puts them, given the counters of buckets.
pub struct RuleTable<R> {
    rule: R,
    ranges: Vec<SubTable>,
    counters: Buckets,
    slots: Slots,
    list: OverflowList,
    chance: Rng,
}

/// Where a key was deleted.
pub(super) struct Taken {
    pub(super) bucket: u32,
    /// Whether the bucket had no room until then.
    pub(super) was_full: bool,
}

impl<R: Rule> RuleTable<R> {
    /// An empty table. Choice j of an element is in `ranges[j]`, as the rule has it.
    pub fn new(geometry: &Geometry, ranges: Vec<SubTable>, rule: R) -> Self {
        let &Geometry { buckets, bucket_size, .. } = geometry;
        Self {
            rule,
            ranges,
            counters: Buckets::new(&Geometry { elements: 1, ..*geometry }, true),
            slots: Slots::new(buckets, bucket_size),
            list: OverflowList::new(),
            chance: Rng::seed_from_u64(0),
        }
    }

    /// Counts an arriving element; what that did.
    #[inline(always)]
    pub(super) fn count(&mut self, choices: impl Choices, reads: &mut impl Reads) -> Insertion {
        self.rule.insert::<false>(&mut self.counters, LAST, choices, &mut self.chance, reads)
    }

    /// Writes the key of the element that was counted last into its slot; `false` where it is to go on the overflow
    /// list.
    #[inline(always)]
    pub(super) fn write(&mut self, key: Key) -> bool {
        let Some(bucket) = self.counters.bucket_of(LAST) else { return false };
        self.slots.replace(bucket, self.counters.load(bucket) - 1, key);
        true
    }

    /// Whether the key is in one of its buckets.
    #[inline(always)]
    pub(super) fn holds(&self, key: Key, mut choices: impl Choices) -> bool {
        self.ranges.iter().any(|range| {
            let bucket = range.first + choices.next(range.buckets);
            self.slots.contains(bucket, self.counters.load(bucket), key)
        })
    }

    /// Takes the key out of the first of its buckets that holds it.
    #[inline(always)]
    pub(super) fn take(&mut self, key: Key, mut choices: impl Choices) -> Option<Taken> {
        for range in &self.ranges {
            let bucket = range.first + choices.next(range.buckets);
            if self.slots.remove(bucket, self.counters.load(bucket), key) {
                let was_full = self.counters.is_full(bucket);
                self.counters.take(bucket);
                return Some(Taken { bucket, was_full });
            }
        }
        None
    }

    /// Whether the bucket has no room.
    #[inline(always)]
    pub(super) fn is_full(&self, bucket: u32) -> bool {
        self.counters.is_full(bucket)
    }

    /// Writes a key of the overflow list into the bucket, which has room.
    #[inline(always)]
    pub(super) fn move_back(&mut self, key: Key, bucket: u32) {
        self.counters.move_back(LAST, bucket);
        self.write(key);
    }

    /// A key was deleted from the overflow list.
    #[inline(always)]
    pub(super) fn unlist(&mut self) {
        self.counters.unlist();
    }

    /// Bytes of the buckets.
    pub(super) fn bytes_of_buckets(&self) -> u64 {
        self.slots.bytes() + self.counters.bytes()
    }

    /// Keys that the counters have on the overflow list.
    pub(super) fn listed(&self) -> usize {
        self.counters.overflow() as usize
    }
}

impl<R: Rule> KeyTable for RuleTable<R> {
    fn clear(&mut self, seed: u64) {
        self.counters.clear();
        self.list.clear();
        self.chance = Rng::seed_from_u64(seed);
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let key = key(bytes);
        self.count(source.element(bytes), &mut ());
        if !self.write(key) {
            self.list.insert(key);
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&self, bytes: &[u8], source: &mut S) -> bool {
        let key = key(bytes);
        self.holds(key, source.element(bytes)) || self.list.contains(key)
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let key = key(bytes);
        if self.take(key, source.element(bytes)).is_none() && self.list.remove(key) {
            self.unlist();
        }
    }

    fn overflow(&self) -> usize {
        self.listed()
    }

    fn bytes(&self) -> u64 {
        self.bytes_of_buckets() + self.list.bytes()
    }
}
