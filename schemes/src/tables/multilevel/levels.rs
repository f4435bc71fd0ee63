//! The structure of a multilevel table: which element is in which bucket of which sub-table.

use crate::hash::Choices;
use crate::tables::Footprint;
use crate::tables::sub_tables::SubTables;

/// No element.
const NONE: u32 = u32::MAX;

/// Sub-tables of buckets with room for one element, in each of which every element has one choice,
/// and the length of the overflow list.
///
/// The buckets are numbered through from the first sub-table to the last, so that of two choices of
/// an element the one in the later sub-table has the greater number.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    sub_tables: SubTables,
    /// d.
    choices_each: usize,
    /// The element in each bucket, or `NONE`.
    occupants: Vec<u32>,
    /// The d buckets of each element, as they were when it was last inserted.
    choices: Vec<u32>,
    /// The bucket that each element is in; m where it is in none.
    places: Vec<u32>,
    overflow: u32,
}

impl Levels {
    /// Empty sub-tables for the elements `0..elements`.
    pub(crate) fn new(elements: u32, sub_tables: SubTables) -> Self {
        let buckets = sub_tables.iter().map(|sub_table| sub_table.buckets).sum::<u32>();
        let choices_each = sub_tables.iter().len();
        let mut levels = Self {
            sub_tables,
            choices_each,
            occupants: vec![NONE; buckets as usize],
            choices: Vec::new(),
            places: Vec::new(),
            overflow: 0,
        };
        levels.reserve(elements);
        levels
    }

    /// Memory with `choices` sub-tables.
    pub(crate) fn footprint(choices: u32) -> Footprint {
        Footprint { element: 4 * (u64::from(choices) + 1), bucket: 4 }
    }

    /// Makes room for the elements `0..elements`; those that are in stay where they are.
    pub(crate) fn reserve(&mut self, elements: u32) {
        let n = (elements as usize).max(self.places.len());
        self.places.resize(n, self.buckets());
        self.choices.resize(n * self.choices_each, 0);
    }

    pub(crate) fn clear(&mut self) {
        self.occupants.fill(NONE);
        let nowhere = self.buckets();
        self.places.fill(nowhere);
        self.overflow = 0;
    }

    /// m.
    #[inline]
    pub(crate) fn buckets(&self) -> u32 {
        self.occupants.len() as u32
    }

    /// The element in the bucket.
    #[inline]
    pub(crate) fn occupant(&self, bucket: u32) -> Option<u32> {
        Some(self.occupants[bucket as usize]).filter(|&element| element != NONE)
    }

    /// The element's buckets, from the first sub-table to the last.
    #[inline]
    pub(crate) fn choices(&self, element: u32) -> &[u32] {
        let first = element as usize * self.choices_each;
        &self.choices[first..first + self.choices_each]
    }

    /// The bucket that the element is in.
    #[inline]
    pub(crate) fn place(&self, element: u32) -> Option<u32> {
        Some(self.places[element as usize]).filter(|&place| place < self.buckets())
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

    /// Puts an element that is nowhere into an empty bucket.
    #[inline]
    pub(crate) fn put(&mut self, element: u32, bucket: u32) {
        self.occupants[bucket as usize] = element;
        self.places[element as usize] = bucket;
    }

    /// Moves an element out of its bucket into an empty one, and returns the one that it left.
    #[inline]
    pub(crate) fn relocate(&mut self, element: u32, bucket: u32) -> u32 {
        let left = self.places[element as usize];
        self.occupants[left as usize] = NONE;
        self.put(element, bucket);
        left
    }

    /// Puts an element that is nowhere on the overflow list.
    #[inline]
    pub(crate) fn overflow_with(&mut self, element: u32) {
        self.places[element as usize] = self.buckets();
        self.overflow += 1;
    }

    /// Moves an element of the overflow list into an empty bucket.
    #[inline]
    pub(crate) fn move_back(&mut self, element: u32, bucket: u32) {
        self.overflow -= 1;
        self.put(element, bucket);
    }

    /// Takes the element out of its bucket, which is returned, or off the overflow list.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) -> Option<u32> {
        let place = self.place(element);
        match place {
            Some(bucket) => self.occupants[bucket as usize] = NONE,
            None => self.overflow -= 1,
        }
        self.places[element as usize] = self.buckets();
        place
    }

    #[inline]
    pub(crate) fn overflow(&self) -> u32 {
        self.overflow
    }

    /// How many buckets are empty and how many are not.
    pub(crate) fn occupancy(&self) -> Vec<u64> {
        let taken = taken(&self.occupants);
        vec![u64::from(self.buckets()) - taken, taken]
    }

    /// Fraction of each sub-table's buckets that are not empty.
    pub(crate) fn loads(&self) -> Vec<f64> {
        let load = |first: u32, buckets: u32| {
            let first = first as usize;
            taken(&self.occupants[first..first + buckets as usize]) as f64 / f64::from(buckets)
        };
        self.sub_tables.iter().map(|sub_table| load(sub_table.first, sub_table.buckets)).collect()
    }
}

fn taken(occupants: &[u32]) -> u64 {
    occupants.iter().filter(|&&element| element != NONE).count() as u64
}
