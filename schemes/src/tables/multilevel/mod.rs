//! Multilevel tables: d sub-tables, one choice in each, at most one move per insertion.
//!
//! Three parts that know little of each other: the structure ([`Levels`], or [`KeyLevels`] where it stores keys), the
//! [`MultilevelRule`] that says where an element goes, and the [`Refill`] that says what fills a slot that a deletion
//! empties.

mod answers;
mod asked;
pub(super) mod by_level;
mod deferred;
mod elements;
mod equilibrium;
mod hints;
mod key_levels;
mod keyed;
mod laws;
mod levels;
mod named;
mod named_trial;
mod open;
mod places;
mod predictions;
mod refill;
mod rows;
mod rule;
mod shelf;
mod sizes;
mod succession;
mod view;

#[cfg(test)]
mod tests;

pub(super) use self::asked::{Asked, InLater, InNext, InOthers};
pub(super) use self::by_level::{ByLevel, Way};
pub(super) use self::deferred::Deferred;
pub(super) use self::equilibrium::in_equilibrium;
pub(super) use self::hints::{Hints, ToElement, ToPlace};
pub(super) use self::keyed::{MultilevelKeys, key_footprint};
pub(super) use self::laws::{EXACT, exact, laws, overflow_tail};
pub(super) use self::levels::Levels;
pub(super) use self::named::Named;
pub(super) use self::open::open;
pub(super) use self::predictions::{accesses, predictions, static_fill};
pub(super) use self::refill::{LeaveEmpty, MoveBack, Refill};
pub(super) use self::rows::Rows;
pub(super) use self::rule::{MultilevelRule, Target};
pub(super) use self::sizes::Sizes;
pub(super) use self::succession::{BackFromList, NewestHints, Nobody};
pub(super) use self::view::View;

use self::key_levels::KeyLevels;
use self::shelf::Shelf;
use super::{CamUse, Deletion, Insertion, SubTableUse, Table};
use crate::Rng;
use crate::hash::Choices;

/// A multilevel table with buckets of `H` and the insertion rule `R`, in which emptied slots are filled
/// by `F`.
#[derive(Debug, Clone)]
pub(super) struct Multilevel<R, F, const H: usize = 1> {
    levels: Levels<H>,
    rule: R,
    refill: F,
}

impl<R: MultilevelRule<H>, F: Refill<H>, const H: usize> Multilevel<R, F, H> {
    /// An empty table of this size.
    pub(super) fn new(sizes: &Sizes, rule: R, refill: F) -> Self {
        let levels = Levels::new(sizes.geometry.elements, sizes.sub_tables.clone());
        Self { levels, rule, refill }
    }
}

/// Puts an arriving element where a rule wants it.
#[inline]
fn settle<const H: usize>(
    levels: &mut impl Shelf<H>,
    refill: &mut impl Refill<H>,
    element: u32,
    target: Target,
) {
    let place = match target {
        Target::Bucket(bucket) => levels.free_slot(bucket),
        Target::PlaceOf { pushed, to } => {
            let to = levels.free_slot(to);
            let left = levels.relocate(pushed, to);
            refill.pushed(pushed, left, to);
            left
        }
        Target::OverflowList => {
            let listed = levels.overflow_with(element);
            refill.listed(listed, levels.choices_of_arriving(element));
            return;
        }
    };
    levels.put(element, place);
    refill.stored(levels.choices_of_arriving(element), element, place);
}

impl<R: MultilevelRule<H>, F: Refill<H>, const H: usize> Table for Multilevel<R, F, H> {
    const MOVES: bool = true;
    const MOVES_BACK: bool = F::MOVES_BACK;
    const MOVES_ON_DELETION: bool = F::MOVES;

    fn reserve(&mut self, elements: u32) {
        self.levels.reserve(elements);
        self.refill.reserve(elements);
    }

    fn clear(&mut self) {
        self.levels.clear();
        self.rule.clear();
        self.refill.clear();
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
        self.levels.choose(element, choices);
        let Self { levels, rule, refill } = self;
        let (target, accesses) = rule.target(levels.choices(element), &mut &*levels);
        settle(levels, refill, element, target);
        Insertion {
            accesses,
            stored: target != Target::OverflowList,
            moves: u32::from(matches!(target, Target::PlaceOf { .. })),
            ..Insertion::default()
        }
    }

    #[inline]
    fn insert_overflowed(&mut self, element: u32) {
        self.levels.overflow_with(element);
        self.refill.listed(element, &[]);
    }

    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        match self.levels.remove(element) {
            Some(slot) => {
                self.rule.emptied(slot);
                self.refill.refill(&mut self.levels, slot)
            }
            None => {
                self.refill.unlisted(element);
                Deletion::default()
            }
        }
    }

    #[inline(always)]
    fn read_ahead(&self, element: u32) -> u32 {
        self.levels.read_ahead(element)
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.levels.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.levels.occupancy()
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.levels.sub_tables()
    }

    #[inline]
    fn cam(&self) -> CamUse {
        self.refill.cam()
    }
}
