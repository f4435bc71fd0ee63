//! Cuckoo tables that store keys, to be timed. Each key goes where that of a trial with the same seed goes, up to the
//! first one that fits neither in its buckets nor in the stash.

mod buckets;
#[cfg(test)]
mod tests;

use rand::SeedableRng;

use self::buckets::{KeyBuckets, OnHand};
use super::eviction::Eviction;
use super::params::{Limits, Shape};
use crate::Rng;
use crate::hash::Source;
use crate::metric::Metric;
use crate::tables::metrics::{FAILURE_FRACTION, OVERFLOW_ELEMENTS};
use crate::timed::{ByChoices, Key, OverflowList, key};

/// Buckets of keys, a stash, and a way to make room.
///
/// A program would build the table anew where the stash is full. This one goes on without the key that is left over.
pub(super) struct CuckooKeys {
    buckets: KeyBuckets,
    eviction: Eviction,
    stash: OverflowList,
    /// s; `None` where the stash takes every key.
    stash_size: Option<u32>,
    /// Keys that are stored nowhere.
    lost: u64,
    chance: Rng,
}

impl CuckooKeys {
    /// An empty table.
    pub(super) fn new(shape: &Shape, limits: &Limits) -> Self {
        Self {
            buckets: KeyBuckets::new(shape),
            eviction: Eviction::new(shape, limits),
            stash: OverflowList::new(),
            stash_size: limits.stash,
            lost: 0,
            chance: Rng::seed_from_u64(0),
        }
    }

    /// Bytes of such a table with so many keys in its stash, about: a search has four bytes for each bucket.
    pub(super) fn bytes_of(shape: &Shape, stashed: u64) -> u64 {
        let geometry = &shape.geometry;
        let (m, h) = (u64::from(geometry.buckets), u64::from(geometry.bucket_size));
        let of_bucket = h * size_of::<Key>() as u64 + 1 + size_of::<u32>() as u64;
        m * of_bucket + (stashed + SPARE) * OverflowList::BYTES_PER_ELEMENT
    }

    /// Puts a key that no bucket took into the stash, if it has room.
    #[cold]
    fn stash(&mut self, key: Key) {
        match self.stash_size {
            Some(size) if self.stash.len() >= size as usize => self.lost += 1,
            _ => self.stash.insert(key),
        }
    }
}

/// Keys for which a stash may have room that holds none of them.
const SPARE: u64 = 64;

impl ByChoices for CuckooKeys {
    fn clear(&mut self, seed: u64) {
        self.buckets.clear();
        self.stash.clear();
        self.lost = 0;
        self.chance = Rng::seed_from_u64(seed);
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Self { buckets, eviction, chance, .. } = self;
        let mut on_hand = OnHand { buckets, source, width: bytes.len() };
        if let Some(left_over) = eviction.insert(&mut on_hand, key(bytes), chance).left_over {
            self.stash(left_over);
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        let key = key(bytes);
        self.buckets.contain(key, bytes, source) || self.stash.contains(key)
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let key = key(bytes);
        if !self.buckets.remove(key, bytes, source) && !self.stash.remove(key) {
            self.lost = self.lost.saturating_sub(1);
        }
    }

    fn bytes(&self) -> u64 {
        self.buckets.bytes() + self.stash.bytes() + self.eviction.bytes()
    }

    fn measured<S: Source>(&mut self, _elements: u64, _source: &mut S) -> Option<(Metric, f64)> {
        Some(match self.stash_size {
            Some(_) => (FAILURE_FRACTION, f64::from(u8::from(self.lost > 0))),
            None => (OVERFLOW_ELEMENTS, self.stash.len() as f64),
        })
    }
}
