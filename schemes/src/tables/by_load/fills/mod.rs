//! Static fills of sub-tables in which elements may move.
//!
//! Nothing departs, so that a full bucket stays full, and an element whose choice in a later sub-table was found full never
//! moves there. So all that matters of a sub-table is how many of its buckets are used and how many are full, and of how many
//! elements it is known that they find no room there: their buckets have the first ranks. A choice may be drawn when it is first
//! looked at. Here all choices that an insertion may look at are drawn in every lane, most of them in vain, and still that is
//! sooner done than asking which are needed.
//!
//! Where all sub-tables are small, numbers have 16 bits in place of 32, and twice as many trials fit in a register: see
//! [`short_draws`].

mod level;
mod rules;

use std::marker::PhantomData;

use pulp::Simd;

use self::level::Level;
use self::rules::{Added, Bump, OneMove, Rule};
use super::ByLoad;
use super::draws::{BLOCK, Draws};
use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};
use super::registers::{InLanes, InShorts, Registers};
use super::short_draws::{self, ShortDraws};
use super::shorts::{Short, Shorts, Sixteen};
use super::together::{Ended, Together, Window};
use crate::tables::theory::multilevel::InsertionRule;
use crate::tables::trial::Sums;

/// Whether fills of so many sub-tables by this rule can go in lockstep: their loops are made for each of these numbers.
pub(super) fn has(rule: InsertionRule, sub_tables: usize) -> bool {
    let moves = !matches!(rule, InsertionRule::Standard { .. });
    moves && (3..=5).contains(&sub_tables)
}

/// In which sub-tables of so many the choices are that are drawn for an insertion: its own, and those of elements that may be in
/// its way.
fn drawn(rule: InsertionRule, sub_tables: usize) -> Vec<usize> {
    match rule {
        InsertionRule::Standard { .. } => (0..sub_tables).collect(),
        InsertionRule::Conservative => drawn_by::<Bump, 1>(sub_tables),
        InsertionRule::SecondChance => drawn_by::<OneMove<false>, 1>(sub_tables),
        InsertionRule::SecondChanceOfTwo => drawn_by::<OneMove<false>, 2>(sub_tables),
        InsertionRule::ExtremeSecondChance => drawn_by::<OneMove<true>, 1>(sub_tables),
    }
}

fn drawn_by<R: Rule<H>, const H: usize>(sub_tables: usize) -> Vec<usize> {
    (0..sub_tables).chain(R::others(sub_tables)).collect()
}

/// Choices that are drawn for an insertion into so many sub-tables.
pub(super) fn choices(rule: InsertionRule, sub_tables: usize) -> usize {
    drawn(rule, sub_tables).len()
}

/// Whether numbers have 16 bits in fills of these sub-tables: they have room there, and few steps are left out.
pub(super) fn are_short(rule: InsertionRule, buckets: &[u32]) -> bool {
    short_draws::suit(drawn(rule, buckets.len()).into_iter().map(|k| buckets[k]))
}

/// Fills tables with all their elements by this rule, with numbers of 16 bits if they are `short`.
pub(super) fn fill(
    registers: Registers,
    together: Together<'_>,
    rule: InsertionRule,
    short: bool,
) -> Ended {
    let by = match rule {
        InsertionRule::Conservative => fill_by::<Bump, 1>,
        InsertionRule::SecondChanceOfTwo => fill_by::<OneMove<false>, 2>,
        InsertionRule::ExtremeSecondChance => fill_by::<OneMove<true>, 1>,
        // That without moves is no such rule.
        InsertionRule::SecondChance | InsertionRule::Standard { .. } => {
            fill_by::<OneMove<false>, 1>
        }
    };
    by(registers, together, short)
}

fn fill_by<R: Rule<H>, const H: usize>(
    registers: Registers,
    together: Together<'_>,
    short: bool,
) -> Ended {
    let rule = PhantomData::<R>;
    match together.by_load.buckets.len() {
        3 => Fill::<R, 3, H> { together, rule }.run_in(registers, short),
        4 => Fill::<R, 4, H> { together, rule }.run_in(registers, short),
        _ => Fill::<R, 5, H> { together, rule }.run_in(registers, short),
    }
}

/// By the rule R, of D sub-tables with buckets of H.
struct Fill<'a, R, const D: usize, const H: usize> {
    together: Together<'a>,
    rule: PhantomData<R>,
}

/// What is drawn for insertions.
trait Insertions<A: Arithmetic> {
    /// Draws a block of them.
    fn draw(&mut self) -> impl Iterator<Item = &[A::Numbers]>;

    /// In which lanes an element comes, and its choices.
    fn insertion(lanes: A, drawn: &[A::Numbers]) -> (A::Numbers, &[A::Numbers]);
}

impl<S: Simd, const G: usize> Insertions<Lanes<S, G>> for Draws<S, G> {
    #[inline(always)]
    fn draw(&mut self) -> impl Iterator<Item = &[Numbers<S, G>]> {
        self.block()
    }

    #[inline(always)]
    fn insertion(lanes: Lanes<S, G>, drawn: &[Numbers<S, G>]) -> (Numbers<S, G>, &[Numbers<S, G>]) {
        (lanes.all(-1), drawn)
    }
}

impl<S: Sixteen> Insertions<Shorts<S>> for ShortDraws<S> {
    #[inline(always)]
    fn draw(&mut self) -> impl Iterator<Item = &[Short]> {
        self.block()
    }

    #[inline(always)]
    fn insertion(lanes: Shorts<S>, drawn: &[Short]) -> (Short, &[Short]) {
        match drawn.split_first() {
            Some((&comes, choices)) => (comes, choices),
            None => (lanes.all(0), drawn),
        }
    }
}

impl<R: Rule<H>, const D: usize, const H: usize> Fill<'_, R, D, H> {
    /// As many trials as there are lanes.
    fn run_in(self, registers: Registers, short: bool) -> Ended {
        if short { registers.run_short(self) } else { registers.run(self) }
    }

    /// Below which numbers the choices of an insertion are drawn.
    fn ranges(&self) -> impl Iterator<Item = u32> {
        let sizes = &self.together.by_load.buckets;
        drawn_by::<R, H>(D).into_iter().map(|k| sizes[k])
    }

    #[inline(always)]
    fn fill<A: Arithmetic>(&self, lanes: A, mut draws: impl Insertions<A>) -> Ended {
        let ByLoad { elements, buckets: sizes, .. } = self.together.by_load;
        let mut levels = [Level::empty(lanes); D];
        let mut sums = vec![Sums { readings: 1, ..Sums::default() }; A::NUMBER];
        while let Some(left) = still_to_come(&sums, *elements) {
            insert::<R, A, _, D, H>(lanes, &mut levels, &mut sums, left, &mut draws);
        }
        let mut listed = [0; MOST_LANES];
        for (sums, listed) in sums.iter_mut().zip(&mut listed) {
            (sums.overflow, *listed) = (sums.overflowed, sums.overflowed as i32);
        }
        let mut with = Vec::with_capacity(D);
        for (level, &size) in levels.iter().zip(sizes) {
            with.push(level.with::<H>(lanes, size));
        }
        Ended { sums, window: Window::Rounds, with, listed }
    }
}

/// How many elements each lane has left, at most those of a block; `None` where no lane has any.
#[inline(always)]
fn still_to_come(sums: &[Sums], elements: u32) -> Option<[i32; MOST_LANES]> {
    let (mut left, mut all) = ([0; MOST_LANES], 0);
    for (left, sums) in left.iter_mut().zip(sums) {
        *left = (u64::from(elements) - sums.arrivals).min(BLOCK as u64) as i32;
        all |= *left;
    }
    (all > 0).then_some(left)
}

/// Inserts the elements of a block, at most so many of them in each lane.
#[inline(always)]
fn insert<R: Rule<H>, A: Arithmetic, N: Insertions<A>, const D: usize, const H: usize>(
    lanes: A,
    levels: &mut [Level<A>; D],
    sums: &mut [Sums],
    left: [i32; MOST_LANES],
    draws: &mut N,
) {
    let none = lanes.all(0);
    let (mut left, mut added) = (lanes.join(&left), Added::none(lanes));
    let mut own = *levels;
    for drawn in draws.draw() {
        let (comes, choices) = N::insertion(lanes, drawn);
        let Some((choices, others)) = choices.split_first_chunk() else { continue };
        let arrives = lanes.and(comes, lanes.less(none, left));
        left = lanes.add(left, arrives);
        added.arrived = lanes.sub(added.arrived, arrives);
        let overflows = R::insert(lanes, &mut own, arrives, choices, others, &mut added);
        added.overflowed = lanes.sub(added.overflowed, overflows);
    }
    *levels = own;
    added.add_to(lanes, sums);
}

impl<R: Rule<H>, const D: usize, const H: usize> InLanes for Fill<'_, R, D, H> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let lanes = Lanes::<S, G> { simd };
        self.fill(lanes, Draws::new(lanes, self.ranges(), self.together.seeds))
    }
}

impl<R: Rule<H>, const D: usize, const H: usize> InShorts for Fill<'_, R, D, H> {
    #[inline(always)]
    fn run(&self, simd: impl Sixteen) -> Ended {
        let lanes = Shorts { simd };
        self.fill(lanes, ShortDraws::new(lanes, self.ranges(), self.together.seeds))
    }
}
