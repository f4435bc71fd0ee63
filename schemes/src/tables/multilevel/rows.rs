//! Multilevel tables that keep the choices of each element beside it.

use std::hint::select_unpredictable;

use super::answers::{Answer, Answers};
use super::places::Places;
use super::rule::MultilevelRule;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::ahead::read_ahead;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::SubTables;
use crate::tables::{Deletion, Footprint, Insertion, SubTableUse, Table};

/// A table of `D` sub-tables of buckets of one, for a rule that may ask an element in the way for any of its choices; with
/// `LATER` only for those in sub-tables after its own.
#[derive(Debug, Clone)]
pub(crate) struct Rows<const D: usize, const LATER: bool> {
    places: Places<D>,
    /// Which buckets are full. One more bucket, m, is never anything but empty: what has no place is written there.
    taken: Taken,
    /// The choices of the element in each bucket, and its name in the place of its choice there, which is that bucket.
    rows: Vec<[u32; D]>,
}

/// A bit for each bucket.
#[derive(Debug, Clone)]
struct Taken(Vec<u64>);

impl Taken {
    fn new(buckets: usize) -> Self {
        Self(vec![0; buckets.div_ceil(u64::BITS as usize)])
    }

    #[inline(always)]
    fn is(&self, bucket: u32) -> bool {
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

/// The bit of the choice in sub-table `level` of the element that is in choice `way`, another one.
#[inline(always)]
pub(super) fn bit<const LATER: bool>(d: usize, way: usize, level: usize) -> usize {
    match LATER {
        true => d + level * level.saturating_sub(1) / 2 + way,
        false => d + way * (d - 1) + level - usize::from(level > way),
    }
}

impl<const D: usize, const LATER: bool> Rows<D, LATER> {
    /// An empty table for the elements `0..elements`; `None` where it has not `D` sub-tables.
    pub(crate) fn new(
        elements: u32,
        sub_tables: &SubTables,
        rule: &mut impl MultilevelRule,
    ) -> Option<Self> {
        let pairs = if LATER { D * (D - 1) / 2 } else { D * (D - 1) };
        let bit = |way, level| bit::<LATER>(D, way, level);
        let answers = Answers::of(rule, D, (D + pairs) as u32, bit);
        let buckets = sub_tables.buckets() as usize;
        Some(Self {
            places: Places::new(elements, sub_tables, answers)?,
            taken: Taken::new(buckets + 1),
            rows: vec![[0; D]; buckets + 1],
        })
    }

    /// Memory of it.
    pub(crate) const FOOTPRINT: Footprint = Footprint { element: 4, bucket: 1 + 4 * D as u64 };

    fn nowhere(&self) -> u32 {
        self.rows.len() as u32 - 1
    }
}

/// Which of the choices in the first sub-tables, an element's own and those of the elements there, are full: the combination that
/// [`Answers`] has. Others are taken for empty.
#[inline(always)]
fn fullness<const D: usize, const LATER: bool>(
    taken: &Taken,
    rows: &[[u32; D]],
    own: [u32; D],
    sub_tables: usize,
) -> usize {
    let mut full = 0;
    for (way, &bucket) in own[..sub_tables].iter().enumerate() {
        full |= usize::from(taken.is(bucket)) << way;
        for (level, &other) in rows[bucket as usize][..sub_tables].iter().enumerate() {
            if level != way && (!LATER || level > way) {
                full |= usize::from(taken.is(other)) << bit::<LATER>(D, way, level);
            }
        }
    }
    full
}

impl<const D: usize, const LATER: bool> Table for Rows<D, LATER> {
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
        let Self { places: Places { of_elements: places, answers, .. }, taken, rows } = self;
        let (nowhere, nobody) = (rows.len() as u32 - 1, places.len() as u32 - 1);
        // The last sub-table is nearly empty in most tables, and an element is put there before others are asked for theirs in it.
        let full = match taken.is(own[D - 1]) {
            false => fullness::<D, LATER>(taken, rows, own, D - 1),
            true => fullness::<D, LATER>(taken, rows, own, D),
        };
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
        self.places.occupancy(|bucket| self.taken.is(bucket as u32))
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.places.in_use(|bucket| self.taken.is(bucket as u32))
    }
}

impl<const D: usize, const LATER: bool> Nameless for Rows<D, LATER> {
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
