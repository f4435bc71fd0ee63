//! What multilevel tables know of their elements, whatever their buckets keep.

use super::answers::Answers;
use crate::hash::Choices;
use crate::tables::SubTableUse;
use crate::tables::sub_tables::{SubTable, SubTables};

/// `D` sub-tables of buckets of one, the rule's answers, and where each element is.
#[derive(Debug, Clone)]
pub(super) struct Places<const D: usize> {
    sub_tables: [SubTable; D],
    /// m.
    buckets: u32,
    pub(super) answers: Answers,
    /// The bucket of each element; m where it is in none. One more element, the last, is nobody.
    pub(super) of_elements: Vec<u32>,
    pub(super) overflow: u32,
}

impl<const D: usize> Places<D> {
    /// The elements `0..elements` without a place; `None` where there are not `D` sub-tables.
    pub(super) fn new(elements: u32, sub_tables: &SubTables, answers: Answers) -> Option<Self> {
        let buckets = sub_tables.buckets();
        let sub_tables: Vec<SubTable> = sub_tables.iter().copied().collect();
        Some(Self {
            sub_tables: sub_tables.try_into().ok()?,
            buckets,
            answers,
            of_elements: vec![buckets; elements as usize + 1],
            overflow: 0,
        })
    }

    /// The first bucket of each sub-table.
    pub(super) fn firsts(&self) -> [u32; D] {
        self.sub_tables.map(|sub_table| sub_table.first)
    }

    /// The choices of an element.
    #[inline(always)]
    pub(super) fn choose(&self, mut choices: impl Choices) -> [u32; D] {
        let mut own = [0; D];
        for (bucket, sub_table) in own.iter_mut().zip(&self.sub_tables) {
            *bucket = sub_table.first + choices.next(sub_table.buckets);
        }
        own
    }

    pub(super) fn reserve(&mut self, elements: u32) {
        let n = (elements as usize + 1).max(self.of_elements.len());
        self.of_elements.resize(n, self.buckets);
    }

    pub(super) fn clear(&mut self) {
        self.of_elements.fill(self.buckets);
        self.overflow = 0;
    }

    /// Puts an element that is in no bucket on the overflow list.
    #[inline]
    pub(super) fn overflow_with(&mut self, element: u32, nowhere: u32) {
        self.of_elements[element as usize] = nowhere;
        self.overflow += 1;
    }

    /// The bucket of an element that departs, where it is in one; else it is taken off the overflow list.
    #[inline(always)]
    pub(super) fn leave(&mut self, element: u32, nowhere: u32) -> u32 {
        let place = self.of_elements[element as usize];
        self.overflow -= u32::from(place == nowhere);
        place
    }

    /// How many buckets hold no element and how many one.
    pub(super) fn occupancy(&self, is_full: impl Fn(usize) -> bool) -> Vec<u64> {
        let taken = self.in_use(is_full).iter().map(|in_use| in_use.elements).sum();
        vec![u64::from(self.buckets) - taken, taken]
    }

    /// How full each sub-table is.
    pub(super) fn in_use(&self, is_full: impl Fn(usize) -> bool) -> Vec<SubTableUse> {
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let own = first as usize..(first + buckets) as usize;
            let elements = own.filter(|&bucket| is_full(bucket)).count() as u64;
            SubTableUse { elements, places: buckets.into() }
        };
        self.sub_tables.iter().map(in_use).collect()
    }
}
