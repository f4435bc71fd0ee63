//! The buckets of a table and the choices of its elements.

use std::ops::ControlFlow;

use super::params::Shape;
use super::shelf::Shelf;

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

    /// m.
    #[cfg(test)]
    pub(super) fn buckets(&self) -> u32 {
        self.counts.len() as u32
    }

    /// Slots of the bucket that are in use.
    #[cfg(test)]
    pub(super) fn used(&self, bucket: u32) -> u8 {
        self.counts[bucket as usize]
    }

    #[inline]
    fn is_full(&self, bucket: u32) -> bool {
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

/// The buckets of a trial, with the choices of its elements.
#[derive(Debug)]
pub(super) struct InTrial<'t> {
    pub(super) slots: &'t mut Slots,
    pub(super) elements: Elements<'t>,
}

impl Shelf for InTrial<'_> {
    type Element = u32;

    #[inline]
    fn bucket_size(&self) -> u8 {
        self.slots.bucket_size
    }

    #[inline]
    fn element(&self, bucket: u32, slot: u8) -> u32 {
        self.slots.element(bucket, slot)
    }

    #[inline]
    fn add(&mut self, bucket: u32, element: u32) {
        let index = self.slots.index(bucket, self.slots.counts[bucket as usize]);
        self.slots.slots[index] = element;
        self.slots.counts[bucket as usize] += 1;
    }

    #[inline]
    fn replace(&mut self, bucket: u32, slot: u8, element: u32) -> u32 {
        let index = self.slots.index(bucket, slot);
        std::mem::replace(&mut self.slots.slots[index], element)
    }

    #[inline]
    fn each_choice(&mut self, element: u32, mut read: impl FnMut(u32, bool) -> ControlFlow<()>) {
        for &bucket in self.elements.of(element) {
            if read(bucket, self.slots.is_full(bucket)).is_break() {
                return;
            }
        }
    }
}
