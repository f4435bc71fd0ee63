//! The elements of a multilevel table of few: which of them is where.

use std::hint::select_unpredictable;

use super::answers::{Answer, Answers};
use super::asked::{Asked, fullness};
use crate::hash::Choices;
use crate::tables::SubTableUse;
use crate::tables::sub_tables::{SubTable, SubTables};

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

/// Which element is where.
#[derive(Debug, Clone)]
pub(crate) struct Elements<const D: usize> {
    pub(super) sub_tables: [SubTable; D],
    /// n.
    pub(super) number: u32,
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
    /// None of the elements `0..elements` is there; `None` where there are not `D` sub-tables, or it is too large to be numbered by
    /// 16 bits.
    pub(super) fn new(elements: u32, sub_tables: &SubTables) -> Option<Self> {
        let buckets = sub_tables.buckets();
        let own: Vec<SubTable> = sub_tables.iter().copied().collect();
        if elements > NOBODY.into() || buckets >= NOBODY.into() {
            return None;
        }
        Some(Self {
            sub_tables: own.try_into().ok()?,
            number: elements,
            buckets,
            choices: all([NOBODY; D])?,
            places: all(LIST)?,
            occupants: all(NOBODY)?,
            overflow: 0,
        })
    }

    pub(super) fn clear(&mut self) {
        self.places[..self.number as usize].fill(LIST);
        self.occupants[..=self.buckets as usize].fill(NOBODY);
        self.overflow = 0;
    }

    #[inline(always)]
    pub(super) fn choose(&self, mut choices: impl Choices) -> [u16; D] {
        let mut own = [0; D];
        for (choice, sub_table) in own.iter_mut().zip(&self.sub_tables) {
            *choice = (sub_table.first + 1 + choices.next(sub_table.buckets)) as u16;
        }
        own
    }

    /// Puts an element where the answer to what is full tells.
    #[inline(always)]
    pub(super) fn settle<A: Asked<D>>(
        &mut self,
        element: u16,
        own: [u16; D],
        answers: &Answers,
    ) -> (Settled, u8) {
        let (choices, places) = (&mut *self.choices, &mut *self.places);
        let occupants = &mut *self.occupants;
        let occupant = |bucket: u16| occupants[usize::from(bucket)];
        let row = |bucket| choices[usize::from(occupant(bucket))];
        let full = fullness::<A, _, D>(own, |bucket| occupant(bucket) != NOBODY, row);
        let answer = answers.to(full);
        let (stored, moves) = (answer.stored(), answer.moves());
        let Answer { level, to, accesses, .. } = answer;
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

    /// How full each sub-table is.
    pub(super) fn in_use(&self) -> impl Iterator<Item = SubTableUse> {
        self.sub_tables.iter().map(|&SubTable { first, buckets }| {
            let own = &self.occupants[1 + first as usize..][..buckets as usize];
            let elements = own.iter().filter(|&&element| element != NOBODY).count() as u64;
            SubTableUse { elements, places: buckets.into() }
        })
    }
}
