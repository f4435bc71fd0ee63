//! Second chance with choices that are drawn when they are first looked at.

use std::hint::select_unpredictable;

use super::answers::{Answer, Answers};
use super::places::Places;
use super::rule::MultilevelRule;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::SubTables;
use crate::tables::{Deletion, Footprint, Insertion, SubTableUse, Table};

/// A table of `D` sub-tables of buckets of one, for a rule that asks an element in the way for its choice in the next
/// sub-table alone, and where choices are independent.
///
/// An element in `T_i` may have looked at its choice in `T_{i+1}`, and not at a later one. Those are drawn when it has moved
/// there: that is when another one arrives in `T_i`, which has looked at none that are later either, so that what was drawn
/// for this one will do. So a bucket keeps the next choice of its element and no other.
#[derive(Debug, Clone)]
pub(crate) struct Deferred<const D: usize> {
    places: Places<D>,
    /// One more bucket than there are, the last, is never anything but empty: what has no place is written there.
    buckets: Vec<Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// The choice of its element in the next sub-table; m where it is empty.
    next: u32,
    element: u32,
}

impl<const D: usize> Deferred<D> {
    /// An empty table for the elements `0..elements`; `None` where it has not `D` sub-tables.
    pub(crate) fn new(
        elements: u32,
        sub_tables: &SubTables,
        rule: &mut impl MultilevelRule,
    ) -> Option<Self> {
        let buckets = sub_tables.buckets();
        let answers = Answers::of(rule, D, 2 * D as u32 - 1, |way, _| D + way);
        Some(Self {
            places: Places::new(elements, sub_tables, answers)?,
            buckets: vec![Bucket { next: buckets, element: 0 }; buckets as usize + 1],
        })
    }

    /// Memory of it.
    pub(crate) const FOOTPRINT: Footprint = Footprint { element: 4, bucket: 8 };

    fn nowhere(&self) -> u32 {
        self.buckets.len() as u32 - 1
    }
}

impl<const D: usize> Table for Deferred<D> {
    const MOVES: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.places.reserve(elements);
    }

    fn clear(&mut self) {
        let next = self.nowhere();
        self.buckets.fill(Bucket { next, element: 0 });
        self.places.clear();
    }

    fn is_certain(&self) -> bool {
        true
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        _rng: &mut Rng,
    ) -> Insertion {
        let own = self.places.choose(choices);
        let (buckets, places) = (&mut self.buckets[..], &mut self.places.of_elements[..]);
        let (nowhere, nobody) = (buckets.len() as u32 - 1, places.len() as u32 - 1);
        let (mut found, mut full) = ([0; D], 0);
        for level in 0..D {
            found[level] = buckets[own[level] as usize].next;
            full |= usize::from(found[level] != nowhere) << level;
        }
        for level in 0..D - 1 {
            let next = buckets[found[level] as usize].next;
            full |= usize::from(next != nowhere) << (D + level);
        }
        let answer = self.places.answers.to(full);
        let (stored, moves) = (answer.stored(), answer.moves());
        let Answer { level, accesses, .. } = answer;
        let level = usize::from(level);
        let place = select_unpredictable(stored, own[level], nowhere);
        let to = select_unpredictable(moves, found[level], nowhere);
        let pushed = select_unpredictable(moves, buckets[place as usize].element, nobody);
        let (next, after) = (own[(level + 1).min(D - 1)], own[(level + 2).min(D - 1)]);
        buckets[to as usize] = Bucket { next: after, element: pushed };
        places[pushed as usize] = to;
        buckets[place as usize] = Bucket { next, element };
        places[element as usize] = place;
        buckets[nowhere as usize].next = nowhere;
        self.places.overflow += u32::from(!stored);
        Insertion { accesses: accesses.into(), stored, moves: moves.into(), ..Insertion::default() }
    }

    #[inline]
    fn insert_overflowed(&mut self, element: u32) {
        self.places.overflow_with(element, self.nowhere());
    }

    #[inline(always)]
    fn delete(&mut self, element: u32) -> Deletion {
        let nowhere = self.nowhere();
        let place = self.places.leave(element, nowhere);
        self.buckets[place as usize].next = nowhere;
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.places.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        self.places.occupancy(|bucket| self.buckets[bucket].next != self.nowhere())
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.places.in_use(|bucket| self.buckets[bucket].next != self.nowhere())
    }
}

impl<const D: usize> Nameless for Deferred<D> {
    fn has_names(&self) -> bool {
        true
    }
}
