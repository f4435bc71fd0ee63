//! Buckets with keys in place.

use std::ops::ControlFlow;

use crate::cuckoo_tables::params::Shape;
use crate::cuckoo_tables::shelf::Shelf;
use crate::hash::{Choices as _, Source};
use crate::timed::{Key, Slots};

/// m buckets of h slots for one key each, and a byte for each bucket that says how many of them are in use.
#[derive(Debug, Clone)]
pub(super) struct KeyBuckets {
    slots: Slots,
    counts: Vec<u8>,
    bucket_size: u8,
    /// Buckets that each choice ranges over.
    range: u32,
    /// Buckets from the first one of a choice's range to that of the next choice's.
    stride: u32,
    /// d.
    choices: u32,
}

impl KeyBuckets {
    /// Empty buckets.
    pub(super) fn new(shape: &Shape) -> Self {
        let (geometry, range) = (&shape.geometry, shape.range());
        Self {
            slots: Slots::new(geometry.buckets, geometry.bucket_size),
            counts: vec![0; geometry.buckets as usize],
            bucket_size: geometry.bucket_size,
            range,
            stride: if shape.sub_tables { range } else { 0 },
            choices: shape.choices,
        }
    }

    /// Empties them.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.slots.bytes() + self.counts.len() as u64
    }

    /// The choices of a key, each made when it is asked for.
    #[inline(always)]
    fn choices<'k, S: Source>(
        &self,
        bytes: &'k [u8],
        source: &'k mut S,
    ) -> impl Iterator<Item = u32> + use<'k, S> {
        let (mut made, &Self { range, stride, choices, .. }) = (source.element(bytes), self);
        (0..choices).map(move |number| number * stride + made.next(range))
    }

    /// Whether the key is in one of its buckets.
    #[inline(always)]
    pub(super) fn contain<S: Source>(&self, key: Key, bytes: &[u8], source: &mut S) -> bool {
        let mut choices = self.choices(bytes, source);
        choices.any(|bucket| self.slots.contains(bucket, self.counts[bucket as usize], key))
    }

    /// Takes the key out of the first of its buckets that holds it, if one does; the last one there fills the gap.
    #[inline(always)]
    pub(super) fn remove<S: Source>(&mut self, key: Key, bytes: &[u8], source: &mut S) -> bool {
        for bucket in self.choices(bytes, source) {
            let count = &mut self.counts[bucket as usize];
            if self.slots.remove(bucket, *count, key) {
                *count -= 1;
                return true;
            }
        }
        false
    }

    /// The keys of a bucket in their slots.
    #[cfg(test)]
    pub(super) fn keys(&self, bucket: u32) -> Vec<Key> {
        (0..self.counts[bucket as usize]).map(|slot| self.slots.key(bucket, slot)).collect()
    }
}

/// Buckets while room is made for a key. One that may have to move is hashed again to find its choices, as a table has no
/// other place to know them from.
pub(super) struct OnHand<'t, S> {
    pub(super) buckets: &'t mut KeyBuckets,
    pub(super) source: &'t mut S,
    /// Bytes of a key.
    pub(super) width: usize,
}

impl<S: Source> Shelf for OnHand<'_, S> {
    type Element = Key;

    #[inline(always)]
    fn bucket_size(&self) -> u8 {
        self.buckets.bucket_size
    }

    #[inline(always)]
    fn element(&self, bucket: u32, slot: u8) -> Key {
        self.buckets.slots.key(bucket, slot)
    }

    #[inline(always)]
    fn add(&mut self, bucket: u32, key: Key) {
        let count = &mut self.buckets.counts[bucket as usize];
        self.buckets.slots.replace(bucket, *count, key);
        *count += 1;
    }

    #[inline(always)]
    fn replace(&mut self, bucket: u32, slot: u8, key: Key) -> Key {
        self.buckets.slots.replace(bucket, slot, key)
    }

    #[inline(always)]
    fn each_choice(&mut self, key: Key, mut read: impl FnMut(u32, bool) -> ControlFlow<()>) {
        let (bytes, buckets) = (key.to_ne_bytes(), &*self.buckets);
        for bucket in buckets.choices(&bytes[..self.width], self.source) {
            let is_full = buckets.counts[bucket as usize] >= buckets.bucket_size;
            if read(bucket, is_full).is_break() {
                return;
            }
        }
    }
}
