//! The structure of a multilevel table: which element is in which bucket of which sub-table.

use super::shelf::Shelf;
use super::view::View;
use crate::hash::Choices;
use crate::tables::Footprint;
use crate::tables::SubTableUse;
use crate::tables::sub_tables::{SubTable, SubTables};

/// No element.
const NONE: u32 = u32::MAX;

/// Sub-tables of buckets with `H` slots for one element each, in each of which every element has one
/// choice, and the length of the overflow list.
///
/// The buckets are numbered through from the first sub-table to the last, so that of two choices of
/// an element the one in the later sub-table has the greater number; and so are the slots, in the
/// order of their buckets. With buckets of one, a slot has the number of its bucket.
#[derive(Debug, Clone)]
pub(crate) struct Levels<const H: usize = 1> {
    sub_tables: SubTables,
    /// d.
    choices_each: usize,
    /// The element in each slot, or `NONE`.
    occupants: Vec<u32>,
    /// The d buckets of each element, as they were when it was last inserted.
    choices: Vec<u32>,
    /// The slot that each element is in; m·H where it is in none.
    places: Vec<u32>,
    overflow: u32,
}

impl<const H: usize> Levels<H> {
    /// Empty sub-tables for the elements `0..elements`.
    pub(crate) fn new(elements: u32, sub_tables: SubTables) -> Self {
        let choices_each = sub_tables.iter().len();
        let mut levels = Self {
            occupants: vec![NONE; sub_tables.buckets() as usize * H],
            sub_tables,
            choices_each,
            choices: Vec::new(),
            places: Vec::new(),
            overflow: 0,
        };
        levels.reserve(elements);
        levels
    }

    /// Memory with `choices` sub-tables.
    pub(crate) fn footprint(choices: u32) -> Footprint {
        Footprint { element: 4 * (u64::from(choices) + 1), bucket: 4 * H as u64 }
    }

    /// Makes room for the elements `0..elements`; those that are in stay where they are.
    pub(crate) fn reserve(&mut self, elements: u32) {
        let n = (elements as usize).max(self.places.len());
        self.places.resize(n, self.nowhere());
        self.choices.resize(n * self.choices_each, 0);
    }

    pub(crate) fn clear(&mut self) {
        self.occupants.fill(NONE);
        let nowhere = self.nowhere();
        self.places.fill(nowhere);
        self.overflow = 0;
    }

    /// m·H.
    #[inline]
    fn nowhere(&self) -> u32 {
        self.occupants.len() as u32
    }

    /// The slots of the bucket.
    #[inline]
    fn slots(&self, bucket: u32) -> &[u32; H] {
        let (buckets, _) = self.occupants.as_chunks();
        &buckets[bucket as usize]
    }

    /// The element's buckets, from the first sub-table to the last.
    #[inline]
    pub(crate) fn choices(&self, element: u32) -> &[u32] {
        let first = element as usize * self.choices_each;
        &self.choices[first..first + self.choices_each]
    }

    /// Takes down the buckets of an arriving element.
    #[inline]
    pub(crate) fn choose(&mut self, element: u32, mut choices: impl Choices) {
        let first = element as usize * self.choices_each;
        let kept = &mut self.choices[first..first + self.choices_each];
        for (bucket, sub_table) in kept.iter_mut().zip(self.sub_tables.iter()) {
            *bucket = sub_table.first + choices.next(sub_table.buckets);
        }
    }

    /// Takes the element out of its slot, which is returned, or off the overflow list.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) -> Option<u32> {
        let place = self.place(element);
        match place {
            Some(slot) => self.occupants[slot as usize] = NONE,
            None => self.overflow -= 1,
        }
        self.places[element as usize] = self.nowhere();
        place
    }

    /// Reads where an element is and what it chose. What it returns means nothing.
    #[inline(always)]
    pub(crate) fn read_ahead(&self, element: u32) -> u32 {
        let place = self.places[element as usize];
        let occupant = self.occupants.get(place as usize).copied().unwrap_or(NONE);
        occupant ^ self.choices(element)[0]
    }

    #[inline]
    pub(crate) fn overflow(&self) -> u32 {
        self.overflow
    }

    /// How many buckets hold k elements, k = 0..=H.
    pub(crate) fn occupancy(&self) -> Vec<u64> {
        let mut buckets = vec![0; H + 1];
        let (slots, _) = self.occupants.as_chunks::<H>();
        slots.iter().for_each(|slots| buckets[taken(slots)] += 1);
        buckets
    }

    /// How full each sub-table is.
    pub(crate) fn sub_tables(&self) -> Vec<SubTableUse> {
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let (first, slots) = (first as usize * H, buckets as usize * H);
            let elements = taken(&self.occupants[first..first + slots]);
            SubTableUse { elements: elements as u64, places: slots as u64 }
        };
        self.sub_tables.iter().map(in_use).collect()
    }
}

impl<const H: usize> View<H> for &Levels<H> {
    #[inline]
    fn is_full(&self, bucket: u32) -> bool {
        self.slots(bucket).iter().all(|&element| element != NONE)
    }

    #[inline]
    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32> {
        Some(self.slots(bucket)[slot]).filter(|&element| element != NONE)
    }

    #[inline]
    fn choice(&mut self, element: u32, level: usize) -> u32 {
        self.choices(element)[level]
    }
}

impl<const H: usize> Shelf<H> for Levels<H> {
    #[inline]
    fn choices_of_arriving(&self, element: u32) -> &[u32] {
        self.choices(element)
    }

    #[inline]
    fn free_slot(&self, bucket: u32) -> u32 {
        let taken = self.slots(bucket).iter().take_while(|&&element| element != NONE).count();
        bucket * H as u32 + taken as u32
    }

    #[inline]
    fn put(&mut self, element: u32, slot: u32) {
        self.occupants[slot as usize] = element;
        self.places[element as usize] = slot;
    }

    #[inline]
    fn overflow_with(&mut self, element: u32) -> u32 {
        self.places[element as usize] = self.nowhere();
        self.overflow += 1;
        element
    }

    #[inline]
    fn relocate(&mut self, element: u32, slot: u32) -> u32 {
        let left = self.places[element as usize];
        self.occupants[left as usize] = NONE;
        self.put(element, slot);
        left
    }

    #[inline]
    fn move_back(&mut self, element: u32, slot: u32) {
        self.overflow -= 1;
        self.put(element, slot);
    }

    #[inline]
    fn element_at(&self, slot: u32) -> Option<u32> {
        Some(self.occupants[slot as usize]).filter(|&element| element != NONE)
    }

    #[inline]
    fn place(&self, element: u32) -> Option<u32> {
        Some(self.places[element as usize]).filter(|&place| place < self.nowhere())
    }

    #[inline]
    fn may_be_in(&mut self, element: u32, bucket: u32) -> bool {
        self.choices(element).contains(&bucket)
    }
}

fn taken(occupants: &[u32]) -> usize {
    occupants.iter().filter(|&&element| element != NONE).count()
}
