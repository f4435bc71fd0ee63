//! Static fills of sub-tables in which elements may move.
//!
//! Nothing departs, so that a full bucket stays full, and an element whose choice in a later sub-table was found full never
//! moves there. So all that matters of a sub-table is how many of its buckets are used and how many are full, and of how many
//! elements it is known that they find no room there: their buckets have the first ranks. A choice may be drawn when it is first
//! looked at. Here all choices that an insertion may look at are drawn in every lane, most of them in vain, and still that is
//! sooner done than asking which are needed.

use std::iter::repeat_n;
use std::marker::PhantomData;

use pulp::Simd;

use super::draws::{BLOCK, Draws};
use super::lanes::{Lanes, MOST_LANES, Numbers};
use super::registers::{InLanes, Registers};
use super::together::{Ended, Together, Window};
use crate::tables::theory::multilevel::InsertionRule;
use crate::tables::trial::Sums;

/// Sub-tables whose elements may be asked to move to one, times places in their buckets.
const MOST_ASKED: usize = 4;

/// A sub-table.
#[derive(Clone, Copy)]
struct Level<S: Simd, const G: usize> {
    /// Buckets that are not empty; those with room for one are full then.
    used: Numbers<S, G>,
    full: Numbers<S, G>,
    /// Buckets with the mark of the conservative scheme.
    marked: Numbers<S, G>,
    /// By place in the buckets of the earlier sub-tables: elements there of which it is known that they find no room here.
    asked: [Numbers<S, G>; MOST_ASKED],
}

impl<S: Simd, const G: usize> Level<S, G> {
    /// Whether the bucket of this rank is full.
    #[inline(always)]
    fn is_full(&self, lanes: Lanes<S, G>, rank: Numbers<S, G>) -> Numbers<S, G> {
        lanes.less(rank, self.full)
    }

    /// Puts an element into the bucket of this rank, which is not full, where `goes` says so.
    #[inline(always)]
    fn put<const H: usize>(
        &mut self,
        lanes: Lanes<S, G>,
        rank: Numbers<S, G>,
        goes: Numbers<S, G>,
    ) {
        if H == 1 {
            self.full = lanes.sub(self.full, goes);
            return;
        }
        let second = lanes.and(goes, lanes.less(rank, self.used));
        self.full = lanes.sub(self.full, second);
        self.used = lanes.sub(self.used, lanes.and_not(goes, second));
    }
}

/// What insertions add to the sums.
struct Added<S: Simd, const G: usize> {
    accesses: Numbers<S, G>,
    moves: Numbers<S, G>,
    overflowed: Numbers<S, G>,
}

/// A rule that fills sub-tables of buckets of H.
trait Rule<const H: usize> {
    /// In which sub-tables of so many the choices are that an insertion may look at, beside the element's own: they follow these.
    fn others(sub_tables: usize) -> Vec<usize>;

    /// Inserts an element with these choices, its own and others; where it does not find a place.
    fn insert<S: Simd, const D: usize, const G: usize>(
        lanes: Lanes<S, G>,
        levels: &mut [Level<S, G>; D],
        own: &[Numbers<S, G>; D],
        others: &[Numbers<S, G>],
        added: &mut Added<S, G>,
    ) -> Numbers<S, G>;
}

/// Cons.
struct Bump;

/// SC, SC2 with H = 2, and where every earlier sub-table is searched, SCExt.
struct OneMove<const EVERY: bool>;

/// Whether fills of so many sub-tables by this rule can go in lockstep: their loops are made for each of these numbers.
pub(super) fn has(rule: InsertionRule, sub_tables: usize) -> bool {
    let moves = !matches!(rule, InsertionRule::Standard { .. });
    moves && (3..=5).contains(&sub_tables)
}

/// Choices that are drawn for an insertion into so many sub-tables: its own, and those of elements that may be in its way.
pub(super) fn choices(rule: InsertionRule, sub_tables: usize) -> usize {
    let others = match rule {
        InsertionRule::Standard { .. } => Vec::new(),
        InsertionRule::Conservative => Bump::others(sub_tables),
        InsertionRule::SecondChance => <OneMove<false> as Rule<1>>::others(sub_tables),
        InsertionRule::SecondChanceOfTwo => <OneMove<false> as Rule<2>>::others(sub_tables),
        InsertionRule::ExtremeSecondChance => <OneMove<true> as Rule<1>>::others(sub_tables),
    };
    sub_tables + others.len()
}

/// Fills tables with all their elements by this rule.
pub(super) fn fill(registers: Registers, together: Together<'_>, rule: InsertionRule) -> Ended {
    match rule {
        InsertionRule::Conservative => fill_by::<Bump, 1>(registers, together),
        InsertionRule::SecondChanceOfTwo => fill_by::<OneMove<false>, 2>(registers, together),
        InsertionRule::ExtremeSecondChance => fill_by::<OneMove<true>, 1>(registers, together),
        // That without moves is no such rule.
        InsertionRule::SecondChance | InsertionRule::Standard { .. } => {
            fill_by::<OneMove<false>, 1>(registers, together)
        }
    }
}

fn fill_by<R: Rule<H>, const H: usize>(registers: Registers, together: Together<'_>) -> Ended {
    let rule = PhantomData::<R>;
    match together.by_load.buckets.len() {
        3 => registers.run(Fill::<R, 3, H> { together, rule }),
        4 => registers.run(Fill::<R, 4, H> { together, rule }),
        _ => registers.run(Fill::<R, 5, H> { together, rule }),
    }
}

/// By the rule R, of D sub-tables with buckets of H.
struct Fill<'a, R, const D: usize, const H: usize> {
    together: Together<'a>,
    rule: PhantomData<R>,
}

impl<R: Rule<H>, const D: usize, const H: usize> InLanes for Fill<'_, R, D, H> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let Together { by_load, seeds, .. } = self.together;
        let lanes = Lanes { simd };
        let none = lanes.all(0);
        let sizes = &by_load.buckets;
        let others = R::others(D).into_iter().map(|k| sizes[k]);
        let mut draws = Draws::<S, G>::new(lanes, sizes.iter().copied().chain(others), seeds);
        let mut levels =
            [Level { used: none, full: none, marked: none, asked: [none; MOST_ASKED] }; D];
        let arrivals = u64::from(by_load.elements);
        let of_all = Sums { arrivals, readings: 1, ..Sums::default() };
        let mut sums = vec![of_all; Lanes::<S, G>::NUMBER];
        let mut listed = none;
        let mut left = by_load.elements as usize;
        while left > 0 {
            let number = left.min(BLOCK);
            left -= number;
            let mut added = Added { accesses: none, moves: none, overflowed: none };
            for drawn in draws.block().take(number) {
                let Some((own, others)) = drawn.split_first_chunk() else { continue };
                let overflows = R::insert(lanes, &mut levels, own, others, &mut added);
                added.overflowed = lanes.sub(added.overflowed, overflows);
            }
            listed = lanes.add(listed, added.overflowed);
            added.add_to(lanes, &mut sums);
        }
        let listed = lanes.to_array(listed);
        for (sums, listed) in sums.iter_mut().zip(listed) {
            sums.overflow = listed as u64;
        }
        let mut with = Vec::with_capacity(D);
        for (level, &size) in levels.iter().zip(sizes) {
            with.push(level.with::<H>(lanes, size));
        }
        Ended { sums, window: Window::Rounds, with, listed }
    }
}

impl<S: Simd, const G: usize> Level<S, G> {
    /// Buckets with 0, 1, … H elements, of so many.
    #[inline(always)]
    fn with<const H: usize>(&self, lanes: Lanes<S, G>, buckets: u32) -> Vec<[i32; MOST_LANES]> {
        let used = if H == 1 { self.full } else { self.used };
        let empty = lanes.sub(lanes.all(buckets as i32), used);
        let mut with = vec![lanes.to_array(empty)];
        if H > 1 {
            with.push(lanes.to_array(lanes.sub(used, self.full)));
        }
        with.push(lanes.to_array(self.full));
        with
    }
}

impl<S: Simd, const G: usize> Added<S, G> {
    #[inline(always)]
    fn add_to(self, lanes: Lanes<S, G>, sums: &mut [Sums]) {
        let [accesses, moves, overflowed] =
            [self.accesses, self.moves, self.overflowed].map(|numbers| lanes.to_array(numbers));
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.accesses += accesses[lane] as u64;
            sums.moves += moves[lane] as u64;
            sums.overflowed += overflowed[lane] as u64;
        }
    }
}

impl Rule<1> for Bump {
    /// The element that is bumped looks at its choices in all sub-tables but the first.
    fn others(sub_tables: usize) -> Vec<usize> {
        (1..sub_tables).collect()
    }

    #[inline(always)]
    fn insert<S: Simd, const D: usize, const G: usize>(
        lanes: Lanes<S, G>,
        levels: &mut [Level<S, G>; D],
        own: &[Numbers<S, G>; D],
        others: &[Numbers<S, G>],
        added: &mut Added<S, G>,
    ) -> Numbers<S, G> {
        let mut stuck = lanes.all(-1);
        for k in 0..D {
            added.accesses = lanes.sub(added.accesses, stuck);
            let still = lanes.and(stuck, levels[k].is_full(lanes, own[k]));
            levels[k].put::<1>(lanes, own[k], lanes.and_not(stuck, still));
            stuck = still;
        }
        // Where no mark was set yet, and where the element whose bucket got one looks for a place.
        let (mut searches, mut bumped) = (stuck, lanes.all(0));
        for k in 1..D {
            let marks = lanes.and_not(searches, lanes.less(own[k - 1], levels[k - 1].marked));
            levels[k - 1].marked = lanes.sub(levels[k - 1].marked, marks);
            searches = lanes.and_not(searches, marks);
            bumped = lanes.or(bumped, marks);
            added.accesses = lanes.sub(added.accesses, bumped);
            let moves = lanes.and_not(bumped, levels[k].is_full(lanes, others[k - 1]));
            levels[k].put::<1>(lanes, others[k - 1], moves);
            added.moves = lanes.sub(added.moves, moves);
            stuck = lanes.and_not(stuck, moves);
            bumped = lanes.and_not(bumped, moves);
        }
        stuck
    }
}

/// Of how many earlier sub-tables elements may move to the sub-table k: the last ones.
const fn searched(every: bool, k: usize) -> usize {
    if every || k == 0 { k } else { 1 }
}

/// An element on its way from sub-table to sub-table.
struct Searching<'c, S: Simd, const D: usize, const G: usize> {
    own: &'c [Numbers<S, G>; D],
    /// Choices of the elements in its way that were not looked at yet.
    others: &'c [Numbers<S, G>],
    /// Where it has found no place.
    stuck: Numbers<S, G>,
}

impl<const EVERY: bool> OneMove<EVERY> {
    /// The element comes to the sub-table K. That this is part of the type leaves no loop in the machine's code.
    #[inline(always)]
    fn visit<const K: usize, const H: usize, S: Simd, const D: usize, const G: usize>(
        lanes: Lanes<S, G>,
        levels: &mut [Level<S, G>; D],
        element: &mut Searching<'_, S, D, G>,
        added: &mut Added<S, G>,
    ) {
        let level = &mut levels[K];
        let (looks, mut chosen) = (element.stuck, element.own[K]);
        added.accesses = lanes.sub(added.accesses, looks);
        let mut stuck = lanes.and(looks, level.is_full(lanes, chosen));
        let searched = const { searched(EVERY, K) };
        for i in 0..H * searched {
            let other = element.others[i];
            // Where the element in the way there was asked before, it finds no room.
            added.accesses = lanes.sub(added.accesses, stuck);
            let known = lanes.less(element.own[K - searched + i / H], level.asked[i]);
            let asks = lanes.and_not(stuck, known);
            // Whoever is in the bucket afterwards finds none either: if that one moves, this element takes its place.
            level.asked[i] = lanes.sub(level.asked[i], asks);
            let moves = lanes.and_not(asks, level.is_full(lanes, other));
            added.moves = lanes.sub(added.moves, moves);
            chosen = lanes.select(moves, other, chosen);
            stuck = lanes.and_not(stuck, moves);
        }
        level.put::<H>(lanes, chosen, lanes.and_not(looks, stuck));
        element.others = &element.others[H * searched..];
        element.stuck = stuck;
    }
}

impl<const EVERY: bool, const H: usize> Rule<H> for OneMove<EVERY> {
    fn others(sub_tables: usize) -> Vec<usize> {
        (0..sub_tables).flat_map(|k| repeat_n(k, H * searched(EVERY, k))).collect()
    }

    #[inline(always)]
    fn insert<S: Simd, const D: usize, const G: usize>(
        lanes: Lanes<S, G>,
        levels: &mut [Level<S, G>; D],
        own: &[Numbers<S, G>; D],
        others: &[Numbers<S, G>],
        added: &mut Added<S, G>,
    ) -> Numbers<S, G> {
        let mut element = Searching { own, others, stuck: lanes.all(-1) };
        Self::visit::<0, H, S, D, G>(lanes, levels, &mut element, added);
        Self::visit::<1, H, S, D, G>(lanes, levels, &mut element, added);
        Self::visit::<2, H, S, D, G>(lanes, levels, &mut element, added);
        if D > 3 {
            Self::visit::<3, H, S, D, G>(lanes, levels, &mut element, added);
        }
        if D > 4 {
            Self::visit::<4, H, S, D, G>(lanes, levels, &mut element, added);
        }
        element.stuck
    }
}
