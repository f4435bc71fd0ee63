//! The table of every rule that only counts, as long as nothing is moved.

use super::buckets::Buckets;
use super::nameless::{self, Nameless, NamelessVisitor};
use super::rule::Rule;
use super::{Deletion, Geometry, Insertion, SubTableUse, Table};
use crate::Rng;
use crate::hash::Choices;

/// Counters filled by the rule `R`.
#[derive(Debug, Clone)]
pub struct Counting<R> {
    buckets: Buckets,
    rule: R,
}

impl<R: Rule> Counting<R> {
    /// Empty `buckets` and the rule that fills them.
    pub fn new(buckets: Buckets, rule: R) -> Self {
        Self { buckets, rule }
    }
}

impl<R: Rule> Table for Counting<R> {
    fn reserve(&mut self, elements: u32) {
        self.buckets.reserve(elements);
    }

    #[inline]
    fn clear(&mut self) {
        self.buckets.clear();
    }

    fn is_certain(&self) -> bool {
        self.rule.is_certain()
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        self.rule.insert::<CERTAIN>(&mut self.buckets, element, choices, rng, &mut ())
    }

    #[inline]
    fn insert_overflowed(&mut self, element: u32) {
        self.buckets.overflow_with(element);
    }

    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        self.buckets.remove(element);
        Deletion::default()
    }

    #[inline(always)]
    fn read_ahead(&self, element: u32) -> u32 {
        self.buckets.load(self.buckets.place_of(element)).into()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.buckets.overflow()
    }

    #[inline]
    fn occupancy(&self) -> Vec<u64> {
        self.buckets.occupancy()
    }
    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.rule.sub_tables().map_or_else(Vec::new, |tables| self.buckets.sub_tables(tables))
    }
}

impl<R: Rule> Nameless for Counting<R> {
    const RENAMES: bool = true;

    #[inline(always)]
    fn delete_and_rename(&mut self, element: u32, last: u32) -> Deletion {
        self.buckets.remove_and_rename(element, last);
        Deletion::default()
    }

    const JUMPS: bool = R::PLACES;

    #[inline(always)]
    fn jump(&mut self, leaves: Option<u32>, number: u32, choices: impl Choices) -> Insertion {
        let (place, accesses) = self.rule.place(&self.buckets, choices);
        self.buckets.place_or_remove(leaves, number, place);
        Insertion {
            accesses,
            stored: place != self.buckets.overflow_list(),
            ..Insertion::default()
        }
    }

    fn has_names(&self) -> bool {
        self.buckets.has_places()
    }

    #[inline(always)]
    fn entries(&self) -> u32 {
        self.buckets.overflow()
    }

    #[inline(always)]
    fn vacate(&mut self, bucket: u32, slot: u32) -> Option<Deletion> {
        self.buckets.vacate(bucket, slot).then(Deletion::default)
    }

    #[inline(always)]
    fn unlist(&mut self, entry: u32) -> Option<Deletion> {
        let taken = entry < self.buckets.overflow();
        if taken {
            self.buckets.unlist();
        }
        taken.then(Deletion::default)
    }
}

/// Calls the visitor with empty counters that the rule fills, which has one choice below each of the `ranges`.
pub(super) fn visit_nameless<const R: usize, U: Rule, V: NamelessVisitor>(
    geometry: &Geometry,
    ranges: [u32; R],
    rule: U,
    visitor: V,
) -> V::Output {
    let buckets = Buckets::new(geometry, V::BY_NAME || !nameless::is_large(geometry));
    visitor.visit(Counting::new(buckets, rule), ranges)
}
