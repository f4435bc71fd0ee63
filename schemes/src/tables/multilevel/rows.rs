//! Multilevel tables that keep the choices of each element beside it.

use std::hint::select_unpredictable;

use super::answers::{Answer, Answers};
use super::places::Places;
use super::rule::MultilevelRule;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::SubTables;
use crate::tables::{Deletion, Footprint, Insertion, SubTableUse, Table};

/// No element.
const NONE: u32 = u32::MAX;

/// A table of `D` sub-tables of buckets of one, for a rule that may ask an element in the way for any of its choices; with
/// `LATER` only for those in sub-tables after its own.
#[derive(Debug, Clone)]
pub(crate) struct Rows<const D: usize, const LATER: bool> {
    places: Places<D>,
    /// The element in each bucket, or `NONE`. One more bucket, m, is never anything but empty: what has no place is written
    /// there.
    occupants: Vec<u32>,
    /// The choices of each of these.
    choices: Vec<[u32; D]>,
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
            occupants: vec![NONE; buckets + 1],
            choices: vec![[0; D]; buckets + 1],
        })
    }

    /// Memory of it.
    pub(crate) const FOOTPRINT: Footprint = Footprint { element: 4, bucket: 4 + 4 * D as u64 };

    fn nowhere(&self) -> u32 {
        self.occupants.len() as u32 - 1
    }
}

impl<const D: usize, const LATER: bool> Table for Rows<D, LATER> {
    const MOVES: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.places.reserve(elements);
    }

    fn clear(&mut self) {
        self.occupants.fill(NONE);
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
        let (occupants, rows) = (&mut self.occupants[..], &mut self.choices[..]);
        let places = &mut self.places.of_elements[..];
        let (nowhere, nobody) = (occupants.len() as u32 - 1, places.len() as u32 - 1);
        let (mut found, mut full) = ([[0; D]; D], 0);
        for level in 0..D {
            found[level] = rows[own[level] as usize];
            full |= usize::from(occupants[own[level] as usize] != NONE) << level;
        }
        for way in 0..D {
            for level in 0..D {
                if level != way && (!LATER || level > way) {
                    let is_full = occupants[found[way][level] as usize] != NONE;
                    full |= usize::from(is_full) << bit::<LATER>(D, way, level);
                }
            }
        }
        let answer = self.places.answers.to(full);
        let (stored, moves) = (answer.stored(), answer.moves());
        let Answer { level, to, accesses, .. } = answer;
        let its_choices = found[usize::from(level)];
        let place = select_unpredictable(stored, own[usize::from(level)], nowhere);
        let to = select_unpredictable(moves, its_choices[usize::from(to)], nowhere);
        let pushed = select_unpredictable(moves, occupants[place as usize], nobody);
        (occupants[to as usize], rows[to as usize]) = (pushed, its_choices);
        places[pushed as usize] = to;
        (occupants[place as usize], rows[place as usize]) = (element, own);
        places[element as usize] = place;
        occupants[nowhere as usize] = NONE;
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
        self.occupants[place as usize] = NONE;
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.places.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        self.places.occupancy(|bucket| self.occupants[bucket] != NONE)
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.places.in_use(|bucket| self.occupants[bucket] != NONE)
    }
}

impl<const D: usize, const LATER: bool> Nameless for Rows<D, LATER> {
    fn has_names(&self) -> bool {
        true
    }
}
