//! Multilevel tables of few elements with names: without a branch on how full buckets are.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use super::answers::{Answer, Answers};
use super::asked::Asked;
use super::rule::MultilevelRule;
use super::succession::Succession;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::{SubTable, SubTables};
use crate::tables::{CamUse, Deletion, Insertion, SubTableUse, Table};

/// The overflow list as a place: before all buckets. As a bucket it is always empty.
pub(super) const LIST: u16 = 0;
/// No element. Its place is the list, and its choices are a bucket that is always empty and never written to: a load from where
/// the last round wrote would wait for that.
pub(super) const NOBODY: u16 = u16::MAX;

/// One for each number of 16 bits, so that none is beyond the end.
type Of16Bits<T> = Box<[T; 1 << 16]>;

fn all<T: Copy>(value: T) -> Option<Of16Bits<T>> {
    vec![value; 1 << 16].into_boxed_slice().try_into().ok()
}

/// `D` sub-tables of buckets of one, numbered through from 1 on, for a rule that may ask elements in the way for the choices `A`,
/// and a way to fill a bucket that a deletion empties.
#[derive(Debug, Clone)]
pub(crate) struct Named<A, F, const D: usize> {
    elements: Elements<D>,
    answers: Answers,
    asked: PhantomData<fn() -> A>,
    succession: F,
}

/// Which element is where.
#[derive(Debug, Clone)]
pub(crate) struct Elements<const D: usize> {
    sub_tables: [SubTable; D],
    number: u32,
    buckets: u32,
    /// The choices of each element.
    pub(super) choices: Of16Bits<[u16; D]>,
    /// The place of each element.
    pub(super) places: Of16Bits<u16>,
    /// The element in each bucket, or [`NOBODY`].
    pub(super) occupants: Of16Bits<u16>,
    pub(super) overflow: u32,
}

/// Where an element was put.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settled {
    pub(super) stored: bool,
    /// The sub-table; the first for the list.
    pub(super) level: u8,
    pub(super) place: u16,
    /// The element that moved out of there, and to which place; else nobody, to the list.
    pub(super) pushed: u16,
    pub(super) to: u16,
}

impl<const D: usize> Elements<D> {
    fn clear(&mut self) {
        self.places[..self.number as usize].fill(LIST);
        self.occupants[..=self.buckets as usize].fill(NOBODY);
        self.overflow = 0;
    }

    #[inline(always)]
    fn choose(&self, mut choices: impl Choices) -> [u16; D] {
        self.sub_tables.each_ref().map(|own| (own.first + 1 + choices.next(own.buckets)) as u16)
    }

    /// Puts an element where the answer to what is full tells.
    #[inline(always)]
    fn settle<A: Asked<D>>(
        &mut self,
        element: u16,
        own: [u16; D],
        answers: &Answers,
    ) -> (Settled, u8) {
        let (choices, places) = (&mut *self.choices, &mut *self.places);
        let occupants = &mut *self.occupants;
        let mut full = 0;
        for way in 0..D {
            let occupant = occupants[usize::from(own[way])];
            full |= usize::from(occupant != NOBODY) << way;
            let its_choices = choices[usize::from(occupant)];
            for level in 0..D {
                if let Some(bit) = A::bit(way, level) {
                    let behind = occupants[usize::from(its_choices[level])];
                    full |= usize::from(behind != NOBODY) << bit;
                }
            }
        }
        let Answer { stored, level, moves, to, accesses } = answers.to(full);
        let own_there = own[usize::from(level)];
        let in_the_way = occupants[usize::from(own_there)];
        let to = choices[usize::from(in_the_way)][usize::from(to)];
        let place = select_unpredictable(stored, own_there, LIST);
        let to = select_unpredictable(moves, to, LIST);
        let pushed = select_unpredictable(moves, in_the_way, NOBODY);
        occupants[usize::from(to)] = pushed;
        places[usize::from(pushed)] = to;
        occupants[usize::from(place)] = element;
        places[usize::from(element)] = place;
        choices[usize::from(element)] = own;
        occupants[usize::from(LIST)] = NOBODY;
        self.overflow += u32::from(!stored);
        (Settled { stored, level, place, pushed, to }, accesses)
    }
}

impl<A: Asked<D>, F: Succession<D>, const D: usize> Named<A, F, D> {
    /// An empty table for the elements `0..elements`; `None` where it has not `D` sub-tables or is too large to be numbered by 16
    /// bits.
    pub(crate) fn new(
        elements: u32,
        sub_tables: &SubTables,
        rule: &mut impl MultilevelRule,
        succession: F,
    ) -> Option<Self> {
        let buckets = sub_tables.buckets();
        let own: Vec<SubTable> = sub_tables.iter().copied().collect();
        if elements > NOBODY.into() || buckets >= NOBODY.into() {
            return None;
        }
        let elements = Elements {
            sub_tables: own.try_into().ok()?,
            number: elements,
            buckets,
            choices: all([NOBODY; D])?,
            places: all(LIST)?,
            occupants: all(NOBODY)?,
            overflow: 0,
        };
        // A rule asks for no others.
        let bit = |way, level| A::bit(way, level).unwrap_or_default();
        let answers = Answers::of(rule, D, A::BITS, bit);
        Some(Self { elements, answers, asked: PhantomData, succession })
    }
}

impl<A: Asked<D>, F: Succession<D>, const D: usize> Table for Named<A, F, D> {
    const MOVES: bool = true;
    const MOVES_BACK: bool = F::MOVES_BACK;
    const MOVES_ON_DELETION: bool = F::MOVES;

    /// It is for rounds, in which there are no more than n.
    fn reserve(&mut self, _elements: u32) {}

    fn clear(&mut self) {
        self.elements.clear();
        self.succession.clear();
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
        let Self { elements, answers, succession, .. } = self;
        let own = elements.choose(choices);
        let (settled, accesses) = elements.settle::<A>(element as u16, own, answers);
        succession.settled(element as u16, &own, &settled);
        let Settled { stored, pushed, .. } = settled;
        let moves = u32::from(pushed != NOBODY);
        Insertion { accesses: accesses.into(), stored, moves, ..Insertion::default() }
    }

    #[inline]
    fn insert_overflowed(&mut self, element: u32) {
        self.elements.places[element as u16 as usize] = LIST;
        self.elements.overflow += 1;
        self.succession.listed(element as u16);
    }

    #[inline(always)]
    fn delete(&mut self, element: u32) -> Deletion {
        self.succession.delete(&mut self.elements, element as u16)
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.elements.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        let taken = self.sub_tables().iter().map(|in_use| in_use.elements).sum();
        vec![u64::from(self.elements.buckets) - taken, taken]
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        let Elements { sub_tables, occupants, .. } = &self.elements;
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let own = &occupants[1 + first as usize..][..buckets as usize];
            let elements = own.iter().filter(|&&element| element != NOBODY).count() as u64;
            SubTableUse { elements, places: buckets.into() }
        };
        sub_tables.iter().map(in_use).collect()
    }

    #[inline(always)]
    fn cam(&self) -> CamUse {
        self.succession.cam()
    }
}

impl<A: Asked<D>, F: Succession<D>, const D: usize> Nameless for Named<A, F, D> {
    fn has_names(&self) -> bool {
        true
    }
}
