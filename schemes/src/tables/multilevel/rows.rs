//! Multilevel tables that keep the choices of each element beside it.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use super::answers::Answer;
use super::asked::{Asked, answers, fullness};
use super::places::Places;
use super::rule::MultilevelRule;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::ahead::read_ahead;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::SubTables;
use crate::tables::{Deletion, Footprint, Insertion, SubTableUse, Table};

/// A table of `D` sub-tables of buckets of one, for a rule that may ask elements in the way for the choices `A`.
#[derive(Debug, Clone)]
pub(crate) struct Rows<A, const D: usize> {
    places: Places<D>,
    /// Which buckets are full. One more bucket, m, is never anything but empty: what has no place is written there.
    taken: Taken,
    /// For each bucket the choices of the element that is there or was last. The one in this sub-table would be the bucket itself:
    /// in its place stands the element's name.
    rows: Vec<[u32; D]>,
    asked: PhantomData<fn() -> A>,
}

/// A bit for each bucket, set where it is full.
#[derive(Debug, Clone)]
struct Taken(Vec<u64>);

impl Taken {
    fn new(buckets: usize) -> Self {
        Self(vec![0; buckets.div_ceil(u64::BITS as usize)])
    }

    #[inline(always)]
    fn contains(&self, bucket: u32) -> bool {
        self.0[(bucket / u64::BITS) as usize] >> (bucket % u64::BITS) & 1 == 1
    }

    #[inline(always)]
    fn set(&mut self, bucket: u32) {
        self.0[(bucket / u64::BITS) as usize] |= 1 << (bucket % u64::BITS);
    }

    #[inline(always)]
    fn clear(&mut self, bucket: u32) {
        self.0[(bucket / u64::BITS) as usize] &= !(1 << (bucket % u64::BITS));
    }
}

impl<A: Asked<D>, const D: usize> Rows<A, D> {
    /// An empty table for the elements `0..elements`; `None` where it has not `D` sub-tables.
    pub(crate) fn new(
        elements: u32,
        sub_tables: &SubTables,
        rule: &mut impl MultilevelRule,
    ) -> Option<Self> {
        let buckets = sub_tables.buckets() as usize;
        Some(Self {
            places: Places::new(elements, sub_tables, answers::<A, D>(rule))?,
            taken: Taken::new(buckets + 1),
            rows: vec![[0; D]; buckets + 1],
            asked: PhantomData,
        })
    }

    /// Memory of it.
    pub(crate) const FOOTPRINT: Footprint = Footprint { element: 4, bucket: 1 + 4 * D as u64 };

    fn nowhere(&self) -> u32 {
        self.rows.len() as u32 - 1
    }
}

impl<A: Asked<D>, const D: usize> Table for Rows<A, D> {
    const MOVES: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.places.reserve(elements);
    }

    fn clear(&mut self) {
        self.taken.0.fill(0);
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
        let Self { places: Places { of_elements: places, answers, .. }, taken, rows, .. } = self;
        let (nowhere, nobody) = (rows.len() as u32 - 1, places.len() as u32 - 1);
        let row = |bucket| rows[bucket as usize];
        let full = fullness::<A, _, D>(own, |bucket| taken.contains(bucket), row);
        let answer = answers.to(full);
        let (stored, moves) = (answer.stored(), answer.moves());
        let Answer { level, to: its_level, accesses, .. } = answer;
        let (level, its_level) = (usize::from(level), usize::from(its_level));
        let (mut own_row, mut its_row) = (own, rows[own[level] as usize]);
        let place = select_unpredictable(stored, own[level], nowhere);
        let to = select_unpredictable(moves, its_row[its_level], nowhere);
        let pushed = select_unpredictable(moves, its_row[level], nobody);
        (its_row[level], its_row[its_level]) = (place, pushed);
        own_row[level] = element;
        (rows[to as usize], rows[place as usize]) = (its_row, own_row);
        (places[pushed as usize], places[element as usize]) = (to, place);
        taken.set(to);
        taken.set(place);
        taken.clear(nowhere);
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
        self.taken.clear(place);
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.places.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        self.places.occupancy(|bucket| self.taken.contains(bucket as u32))
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.places.in_use(|bucket| self.taken.contains(bucket as u32))
    }
}

impl<A: Asked<D>, const D: usize> Nameless for Rows<A, D> {
    fn has_names(&self) -> bool {
        true
    }

    #[inline(never)]
    fn read_rounds_ahead<const R: usize>(&self, departing: &[u32], arriving: &[[u32; R]]) {
        let Self { places, rows, .. } = self;
        read_ahead(departing.iter().map(|&element| places.of_elements[element as usize]));
        let firsts = places.firsts();
        let own = arriving.iter().flat_map(|own| own.iter().zip(firsts).map(|(a, b)| a + b));
        read_ahead(own.map(|bucket| rows[bucket as usize][0]));
    }
}
