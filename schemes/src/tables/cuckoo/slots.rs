//! Buckets that know their elements, and elements that know their choices.

use super::super::{Footprint, SubTableUse, buckets};
use super::Cuckoo;
use super::shelf::Shelf;
use crate::hash::Choices;

/// The place of an element that is in no bucket.
const NOWHERE: u32 = u32::MAX;

/// m buckets of h slots each, and n elements with d choices each. Four bytes a slot and one a
/// bucket; 4·(d + 1) an element.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    /// The slots of a bucket stand in a row and are filled from the first on.
    slots: Vec<u32>,
    /// Slots in use of each bucket.
    counts: Vec<u8>,
    /// The bucket of each element.
    places: Vec<u32>,
    /// The choices of an element stand in a row; those of one that came without mean nothing.
    buckets: Vec<u32>,
    bucket_size: u8,
    choices: u32,
    sub_tables: bool,
}

impl Slots {
    pub(super) fn new(scheme: &Cuckoo) -> Self {
        let geometry = &scheme.geometry;
        let (n, m) = (geometry.elements as usize, geometry.buckets as usize);
        Self {
            slots: vec![0; m * usize::from(geometry.bucket_size)],
            counts: vec![0; m],
            places: vec![NOWHERE; n],
            buckets: vec![0; n * scheme.choices as usize],
            bucket_size: geometry.bucket_size,
            choices: scheme.choices,
            sub_tables: scheme.sub_tables,
        }
    }

    pub(super) fn footprint(scheme: &Cuckoo) -> Footprint {
        let (d, h) = (u64::from(scheme.choices), u64::from(scheme.geometry.bucket_size));
        Footprint { element: 4 * (d + 1), bucket: 4 * h + 1 }
    }

    pub(super) fn reserve(&mut self, elements: u32) {
        let n = (elements as usize).max(self.places.len());
        self.places.resize(n, NOWHERE);
        self.buckets.resize(n * self.choices as usize, 0);
    }

    /// Empties the buckets.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// d.
    #[inline]
    pub(super) fn choices(&self) -> u32 {
        self.choices
    }

    /// h.
    #[inline]
    pub(super) fn bucket_size(&self) -> u8 {
        self.bucket_size
    }

    /// Slots in use of each bucket.
    #[cfg(test)]
    pub(super) fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// Takes note of all choices of an element.
    #[inline]
    pub(super) fn choose(&mut self, element: u32, mut choices: impl Choices) {
        let d = self.choices as usize;
        let range = self.range();
        let stride = if self.sub_tables { range } else { 0 };
        let mut first = 0;
        for bucket in &mut self.buckets[element as usize * d..][..d] {
            *bucket = first + choices.next(range);
            first += stride;
        }
    }

    /// Buckets that one choice ranges over.
    #[inline]
    fn range(&self) -> u32 {
        let buckets = self.counts.len() as u32;
        if self.sub_tables { buckets / self.choices } else { buckets }
    }

    /// The bucket that is the element's choice with this number, counted from 0.
    #[inline]
    pub(super) fn choice(&self, element: u32, number: u32) -> u32 {
        self.buckets[element as usize * self.choices as usize + number as usize]
    }

    /// The number of the first of the element's choices that is the bucket in which it is.
    #[inline]
    pub(super) fn current_choice(&self, element: u32) -> u32 {
        let bucket = self.places[element as usize];
        let is_current = |&number: &u32| self.choice(element, number) == bucket;
        (0..self.choices).find(is_current).unwrap_or(self.choices)
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

    /// Takes a free slot of the bucket, which is not full, into use; an element has to follow.
    #[inline]
    pub(super) fn open(&mut self, bucket: u32) -> u8 {
        let slot = self.counts[bucket as usize];
        self.counts[bucket as usize] += 1;
        slot
    }

    /// Writes the element into a slot that is in use; the element that was there.
    #[inline]
    pub(super) fn replace(&mut self, bucket: u32, slot: u8, element: u32) -> u32 {
        let index = self.index(bucket, slot);
        self.places[element as usize] = bucket;
        std::mem::replace(&mut self.slots[index], element)
    }

    /// Takes note that the element is in no bucket.
    #[inline]
    pub(super) fn leave_out(&mut self, element: u32) {
        self.places[element as usize] = NOWHERE;
    }

    /// Takes the element out of its bucket, if it is in one.
    #[inline]
    pub(super) fn remove(&mut self, element: u32) -> bool {
        let bucket = self.places[element as usize];
        if bucket == NOWHERE {
            return false;
        }
        let count = usize::from(self.counts[bucket as usize]);
        let first = self.index(bucket, 0);
        let elements = &mut self.slots[first..first + count];
        // The last one fills the gap.
        if let Some(slot) = elements.iter().position(|&other| other == element) {
            elements[slot] = elements[count - 1];
        }
        self.counts[bucket as usize] -= 1;
        true
    }

    /// How many buckets hold k elements, k = 0..=h.
    pub(super) fn occupancy(&self) -> Vec<u64> {
        buckets::occupancy(&self.counts, self.bucket_size)
    }

    /// How full each sub-table is; empty without sub-tables.
    pub(super) fn sub_tables(&self) -> Vec<SubTableUse> {
        if !self.sub_tables {
            return Vec::new();
        }
        let places = u64::from(self.range()) * u64::from(self.bucket_size);
        let elements = |counts: &[u8]| counts.iter().map(|&count| u64::from(count)).sum();
        let sub_tables = self.counts.chunks(self.range() as usize);
        sub_tables.map(|counts| SubTableUse { elements: elements(counts), places }).collect()
    }
}

impl Shelf for Slots {
    type Element = u32;

    #[inline]
    fn choices(&self) -> u32 {
        self.choices()
    }

    #[inline]
    fn bucket_size(&self) -> u8 {
        self.bucket_size()
    }

    #[inline]
    fn choice(&self, element: u32, number: u32) -> u32 {
        self.choice(element, number)
    }

    #[inline]
    fn current_choice(&mut self, element: u32) -> u32 {
        Self::current_choice(self, element)
    }

    #[inline]
    fn is_full(&self, bucket: u32) -> bool {
        self.is_full(bucket)
    }

    #[inline]
    fn open(&mut self, bucket: u32) -> u8 {
        self.open(bucket)
    }

    #[inline]
    fn element(&self, bucket: u32, slot: u8) -> u32 {
        self.element(bucket, slot)
    }

    #[inline]
    fn replace(&mut self, bucket: u32, slot: u8, element: u32) -> u32 {
        self.replace(bucket, slot, element)
    }
}
