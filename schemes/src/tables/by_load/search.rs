//! How an element that arrives looks for a bucket.

use std::iter::repeat_n;

use pulp::Simd;

use super::MOST_CHOICES;
use super::lanes::{Arithmetic, Lanes, Numbers};
use super::loads::Loads;

/// Into which bucket an element gets, if that has room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// The first with room of so many in the table.
    Anywhere { choices: usize },
    /// The first with room, one in each sub-table.
    InTurn,
    /// The least loaded of so many in the table.
    LeastLoaded { choices: usize },
    /// The least loaded, one in each sub-table; the first of several.
    ToTheLeft,
}

/// What searching is a part of.
///
/// With few choices it is compiled for each way to search, so that no loop over choices or sub-tables is left in it, and what is
/// known of the buckets can be in registers meanwhile.
pub(super) trait WithSearch {
    /// In T sub-tables, with D choices.
    fn with<const T: usize, const D: usize>(self, search: Search);

    /// With whatever choices.
    fn with_any(self, search: Search);
}

impl Search {
    /// Does what searching in this way is a part of, in so many sub-tables.
    #[inline(always)]
    pub(super) fn give_to(self, sub_tables: usize, whole: impl WithSearch) {
        // Written out again at the right, where the compiler knows them.
        match (self, sub_tables) {
            (Self::Anywhere { choices: 1 }, _) => whole.with::<1, 1>(Self::Anywhere { choices: 1 }),
            (Self::Anywhere { choices: 2 }, _) => whole.with::<1, 2>(Self::Anywhere { choices: 2 }),
            (Self::Anywhere { choices: 3 }, _) => whole.with::<1, 3>(Self::Anywhere { choices: 3 }),
            (Self::Anywhere { choices: 4 }, _) => whole.with::<1, 4>(Self::Anywhere { choices: 4 }),
            (Self::LeastLoaded { choices: 2 }, _) => {
                whole.with::<1, 2>(Self::LeastLoaded { choices: 2 })
            }
            (Self::ToTheLeft, 2) => whole.with::<2, 2>(Self::ToTheLeft),
            (search, _) => whole.with_any(search),
        }
    }

    /// How many buckets of the table are looked at; `None` where there is one in each sub-table.
    pub(super) fn in_table(self) -> Option<usize> {
        match self {
            Self::Anywhere { choices } | Self::LeastLoaded { choices } => Some(choices),
            Self::InTurn | Self::ToTheLeft => None,
        }
    }

    /// Whether each bucket that an element looks at is in another sub-table, as where it looks at one alone.
    pub(super) fn is_in_turn(self) -> bool {
        matches!(self, Self::InTurn | Self::Anywhere { choices: 1 })
    }

    /// The numbers of buckets that the choices of an element are drawn from.
    pub(super) fn ranges(self, buckets: &[u32]) -> impl Iterator<Item = u32> {
        let more = self.in_table().map_or(0, |choices| choices - 1);
        buckets.iter().chain(repeat_n(&buckets[0], more)).copied()
    }

    /// An element with these choices arrives in the lanes where `goes` says so; in which of them it overflows. Adds the buckets
    /// that it looks at.
    #[inline(always)]
    pub(super) fn insert<S: Simd, const H: usize, const G: usize>(
        self,
        lanes: Lanes<S, G>,
        loads: &mut [Loads<S, H, G>],
        choices: &[Numbers<S, G>],
        goes: Numbers<S, G>,
        accesses: &mut Numbers<S, G>,
    ) -> Numbers<S, G> {
        match self {
            Self::Anywhere { .. } => anywhere(lanes, loads, choices, goes, accesses),
            Self::InTurn => in_turn(lanes, loads, choices, goes, accesses),
            Self::LeastLoaded { .. } => {
                *accesses = lanes.add(*accesses, all_of(lanes, choices, goes));
                least_loaded(lanes, loads, choices, goes)
            }
            Self::ToTheLeft => {
                *accesses = lanes.add(*accesses, all_of(lanes, choices, goes));
                to_the_left(lanes, loads, choices, goes)
            }
        }
    }
}

/// How many choices there are, in the lanes where one arrives.
#[inline(always)]
fn all_of<S: Simd, const G: usize>(
    lanes: Lanes<S, G>,
    choices: &[Numbers<S, G>],
    goes: Numbers<S, G>,
) -> Numbers<S, G> {
    lanes.and(lanes.all(choices.len() as i32), goes)
}

/// One arrives, whose choices are in the whole table; whether it overflows.
#[inline(always)]
fn anywhere<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    goes: Numbers<S, G>,
    accesses: &mut Numbers<S, G>,
) -> Numbers<S, G> {
    let ([loads], [first, others @ ..]) = (loads, choices) else { return lanes.all(0) };
    *accesses = lanes.sub(*accesses, goes);
    let (mut chosen, mut stuck) = (*first, lanes.and(goes, loads.is_full(*first)));
    for other in others {
        *accesses = lanes.sub(*accesses, stuck);
        chosen = lanes.select(stuck, *other, chosen);
        // Of the choice itself and not of the chosen one, so that nothing is waited for.
        stuck = lanes.and(stuck, loads.is_full(*other));
    }
    // Where it is stuck, this is the last of its choices, which is full as well.
    loads.arrive(chosen, goes);
    stuck
}

/// One arrives, who goes from sub-table to sub-table; whether it overflows.
#[inline(always)]
fn in_turn<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    goes: Numbers<S, G>,
    accesses: &mut Numbers<S, G>,
) -> Numbers<S, G> {
    let mut stuck = goes;
    for (loads, choice) in loads.iter_mut().zip(choices) {
        *accesses = lanes.sub(*accesses, stuck);
        stuck = loads.arrive(*choice, stuck);
    }
    stuck
}

/// One arrives at the least loaded of its choices, which are in the whole table; whether it overflows.
///
/// Buckets with fewer elements have higher ranks, and which of several is the highest is a matter of chance.
#[inline(always)]
fn least_loaded<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    goes: Numbers<S, G>,
) -> Numbers<S, G> {
    let ([loads], [first, others @ ..]) = (loads, choices) else { return lanes.all(0) };
    let mut chosen = *first;
    for other in others {
        chosen = lanes.select(lanes.less(chosen, *other), *other, chosen);
    }
    loads.arrive(chosen, goes)
}

/// One arrives at the least loaded of its choices, one in each sub-table, and of several at the first; whether it overflows.
#[inline(always)]
fn to_the_left<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    goes: Numbers<S, G>,
) -> Numbers<S, G> {
    // Where a choice has fewer elements than all before it.
    let mut fewer = [lanes.all(-1); MOST_CHOICES];
    let mut fewest = lanes.all(i32::MAX);
    for ((loads, choice), fewer) in loads.iter().zip(choices).zip(&mut fewer) {
        let load = loads.load(*choice);
        *fewer = lanes.less(load, fewest);
        fewest = lanes.select(*fewer, load, fewest);
    }
    let (mut waits, mut stuck) = (goes, lanes.all(0));
    for ((loads, choice), fewer) in loads.iter_mut().zip(choices).zip(&fewer).rev() {
        let goes = lanes.and(waits, *fewer);
        stuck = lanes.or(stuck, loads.arrive(*choice, goes));
        waits = lanes.and_not(waits, goes);
    }
    stuck
}
