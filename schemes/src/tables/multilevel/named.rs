//! Multilevel tables of few elements with names: without a branch on how full buckets are.

use std::marker::PhantomData;

use super::answers::Answers;
use super::asked::{Asked, answers};
use super::elements::{Elements, LIST, NOBODY, Settled};
use super::rule::MultilevelRule;
use super::succession::Succession;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::sub_tables::SubTables;
use crate::tables::{CamUse, Deletion, Insertion, SubTableUse, Table};

/// `D` sub-tables of buckets of one, numbered through from 1 on, for a rule that may ask elements in the way for the choices `A`,
/// and a way to fill a bucket that a deletion empties.
#[derive(Debug, Clone)]
pub(crate) struct Named<A, F, const D: usize> {
    pub(super) elements: Elements<D>,
    answers: Answers,
    asked: PhantomData<fn() -> A>,
    succession: F,
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
        let elements = Elements::new(elements, sub_tables)?;
        Some(Self { elements, answers: answers::<A, D>(rule), asked: PhantomData, succession })
    }

    /// Inserts an element with these choices, as [`Elements`] numbers them.
    #[inline(always)]
    pub(super) fn put(&mut self, element: u16, own: [u16; D]) -> Insertion {
        let Self { elements, answers, succession, .. } = self;
        let (settled, accesses) = elements.settle::<A>(element, own, answers);
        succession.settled(element, &own, &settled);
        let Settled { stored, pushed, .. } = settled;
        let moves = u32::from(pushed != NOBODY);
        Insertion { accesses: accesses.into(), stored, moves, ..Insertion::default() }
    }

    /// Deletes an element.
    #[inline(always)]
    pub(super) fn take(&mut self, element: u16) -> Deletion {
        self.succession.delete(&mut self.elements, element)
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
        let own = self.elements.choose(choices);
        self.put(element as u16, own)
    }

    #[inline]
    fn insert_overflowed(&mut self, element: u32) {
        self.elements.places[element as u16 as usize] = LIST;
        self.elements.overflow += 1;
        self.succession.listed(element as u16);
    }

    #[inline(always)]
    fn delete(&mut self, element: u32) -> Deletion {
        self.take(element as u16)
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.elements.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        let (taken, places) = self.elements.in_use().fold((0, 0), |(taken, places), in_use| {
            (taken + in_use.elements, places + in_use.places)
        });
        vec![places - taken, taken]
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.elements.in_use().collect()
    }

    #[inline(always)]
    fn cam(&self) -> CamUse {
        self.succession.cam()
    }
}
