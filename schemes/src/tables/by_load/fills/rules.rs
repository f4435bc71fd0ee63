//! The rules by which elements move.

use std::iter::repeat_n;

use super::level::Level;
use crate::tables::by_load::lanes::Arithmetic;
use crate::tables::trial::Sums;

/// What insertions add to the sums.
pub(super) struct Added<A: Arithmetic> {
    pub(super) arrived: A::Numbers,
    accesses: A::Numbers,
    moves: A::Numbers,
    pub(super) overflowed: A::Numbers,
}

/// A rule that fills sub-tables of buckets of H.
pub(super) trait Rule<const H: usize> {
    /// In which sub-tables of so many the choices are that an insertion may look at, beside the element's own: they follow these.
    fn others(sub_tables: usize) -> Vec<usize>;

    /// Inserts an element where one arrives, with these choices, its own and others; where it does not find a place.
    fn insert<A: Arithmetic, const D: usize>(
        lanes: A,
        levels: &mut [Level<A>; D],
        arrives: A::Numbers,
        own: &[A::Numbers; D],
        others: &[A::Numbers],
        added: &mut Added<A>,
    ) -> A::Numbers;
}

/// Cons.
pub(super) struct Bump;

/// SC, SC2 with H = 2, and where every earlier sub-table is searched, SCExt.
pub(super) struct OneMove<const EVERY: bool>;

impl<A: Arithmetic> Added<A> {
    #[inline(always)]
    pub(super) fn none(lanes: A) -> Self {
        let none = lanes.all(0);
        Self { arrived: none, accesses: none, moves: none, overflowed: none }
    }

    #[inline(always)]
    pub(super) fn add_to(self, lanes: A, sums: &mut [Sums]) {
        let arrived = lanes.to_array(self.arrived);
        let accesses = lanes.to_array(self.accesses);
        let moves = lanes.to_array(self.moves);
        let overflowed = lanes.to_array(self.overflowed);
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.arrivals += arrived[lane] as u64;
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
    fn insert<A: Arithmetic, const D: usize>(
        lanes: A,
        levels: &mut [Level<A>; D],
        arrives: A::Numbers,
        own: &[A::Numbers; D],
        others: &[A::Numbers],
        added: &mut Added<A>,
    ) -> A::Numbers {
        let mut stuck = arrives;
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
struct Searching<'c, A: Arithmetic, const D: usize> {
    own: &'c [A::Numbers; D],
    /// Choices of the elements in its way that were not looked at yet.
    others: &'c [A::Numbers],
    /// Where it has found no place.
    stuck: A::Numbers,
}

impl<const EVERY: bool> OneMove<EVERY> {
    /// The element comes to the sub-table K. That this is part of the type leaves no loop in the machine's code.
    #[inline(always)]
    fn visit<const K: usize, const H: usize, A: Arithmetic, const D: usize>(
        lanes: A,
        levels: &mut [Level<A>; D],
        element: &mut Searching<'_, A, D>,
        added: &mut Added<A>,
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
    fn insert<A: Arithmetic, const D: usize>(
        lanes: A,
        levels: &mut [Level<A>; D],
        arrives: A::Numbers,
        own: &[A::Numbers; D],
        others: &[A::Numbers],
        added: &mut Added<A>,
    ) -> A::Numbers {
        let mut element = Searching { own, others, stuck: arrives };
        Self::visit::<0, H, A, D>(lanes, levels, &mut element, added);
        Self::visit::<1, H, A, D>(lanes, levels, &mut element, added);
        Self::visit::<2, H, A, D>(lanes, levels, &mut element, added);
        if D > 3 {
            Self::visit::<3, H, A, D>(lanes, levels, &mut element, added);
        }
        if D > 4 {
            Self::visit::<4, H, A, D>(lanes, levels, &mut element, added);
        }
        element.stuck
    }
}
