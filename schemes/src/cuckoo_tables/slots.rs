//! The buckets of a table and the choices of its elements.

use super::params::Shape;

/// What became of an insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Insertion {
    /// Buckets read.
    pub(super) accesses: u32,
    /// Elements moved from bucket to bucket.
    pub(super) moves: u32,
    /// The element that no bucket took: the new one or one that was evicted.
    pub(super) left_over: Option<u32>,
}

/// m buckets of h slots each: four bytes a slot and one a bucket.
#[derive(Debug)]
pub(super) struct Slots {
    /// The slots of a bucket stand in a row and are filled from the first on.
    slots: Vec<u32>,
    /// Slots in use of each bucket.
    counts: Vec<u8>,
    bucket_size: u8,
}

impl Slots {
    pub(super) fn new(shape: &Shape) -> Self {
        let (m, h) = (shape.geometry.buckets as usize, shape.geometry.bucket_size);
        Self { slots: vec![0; m * usize::from(h)], counts: vec![0; m], bucket_size: h }
    }

    /// Empties the buckets.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// h.
    #[inline]
    pub(super) fn bucket_size(&self) -> u8 {
        self.bucket_size
    }

    /// Slots of the bucket that are in use.
    #[cfg(test)]
    pub(super) fn used(&self, bucket: u32) -> u8 {
        self.counts[bucket as usize]
    }

    #[inline]
    pub(super) fn is_full(&self, bucket: u32) -> bool {
        self.counts[bucket as usize] >= self.bucket_size
    }

    #[inline]
    fn index(&self, bucket: u32, slot: u8) -> usize {
        bucket as usize * usize::from(self.bucket_size) + usize::from(slot)
    }

    /// The element in a slot that is in use.
    #[inline]
    pub(super) fn element(&self, bucket: u32, slot: u8) -> u32 {
        self.slots[self.index(bucket, slot)]
    }

    /// Puts the element into the bucket, which is not full.
    #[inline]
    pub(super) fn add(&mut self, bucket: u32, element: u32) {
        let index = self.index(bucket, self.counts[bucket as usize]);
        self.slots[index] = element;
        self.counts[bucket as usize] += 1;
    }

    /// Writes the element into a slot that is in use; the element that was there.
    #[inline]
    pub(super) fn replace(&mut self, bucket: u32, slot: u8, element: u32) -> u32 {
        let index = self.index(bucket, slot);
        std::mem::replace(&mut self.slots[index], element)
    }
}

/// The choices of all elements; those of one element stand in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements<'c> {
    pub(super) choices: &'c [u32],
    /// d.
    pub(super) each: u32,
}

impl<'c> Elements<'c> {
    /// The choices of an element.
    #[inline]
    pub(super) fn of(&self, element: u32) -> &'c [u32] {
        let d = self.each as usize;
        &self.choices[element as usize * d..][..d]
    }

    /// How many there are.
    pub(super) fn number(&self) -> u32 {
        self.choices.len() as u32 / self.each
    }
}
