//! Second chance and extreme second chance: the elements in the way may move to the sub-table that an
//! element comes to next.
//!
//! Nothing is deleted, so an element that was asked and found its choice full need not be asked again. One that
//! replaces a moved one was itself just found stuck there, so it counts as asked: of each bucket the number
//! of elements that were asked only grows, and they are asked in the order of their places. Who is asked for a
//! sub-table was asked for those before it. So the buckets whose elements were asked, and for sub-tables
//! further on, come first in rank. A bucket that comes further to the front as its element is asked does not get
//! past those that it is compared with later: the rank that was drawn for it stays good.
//!
//! An element in the way that was not asked for this sub-table has its choice drawn then. Choices are drawn for
//! all of them in advance, used or not: to draw is cheaper than to branch.

use std::array;
use std::hint::select_unpredictable;

use super::level::{Buckets, Level, Row};
use super::{BLOCK, Filled};
use crate::Rng;
use crate::uniform::Visitor;

/// Takes elements, a block at a time, through sub-tables whose first one has buckets of H; `pass` takes those that
/// go on, so many of them, from the sub-tables before to the next.
fn through<const H: usize>(
    levels: &mut [Level],
    rows: &mut [Row],
    elements: u32,
    rng: &mut Rng,
    pass: impl Fn(&mut Level, &mut [Row], usize, usize, &mut Filled, &mut Rng) -> usize,
) -> Filled {
    let mut filled = Filled { accesses: elements.into(), ..Filled::default() };
    let Some((first, later)) = levels.split_first_mut() else { return filled };
    let mut left = elements as usize;
    while left > 0 {
        let block = left.min(BLOCK);
        left -= block;
        let mut going_on = first.open::<H>(block, &mut rows[0], rng);
        for (level, before) in later.iter_mut().zip(1..) {
            going_on = pass(level, rows, before, going_on, &mut filled, rng);
        }
        filled.overflow += going_on as u32;
    }
    filled
}

/// Second chance with buckets of one or two: those in the way in the sub-table just before may move.
pub(super) fn next_level<const H: usize, const R: usize>(
    levels: &mut [Level],
    rows: &mut [Row],
    elements: u32,
    rng: &mut Rng,
) -> Filled {
    through::<H>(levels, rows, elements, rng, |level, rows, _, arriving, filled, rng| {
        level.pass::<1, H, R, 0>(rows, arriving, filled, rng)
    })
}

/// Extreme second chance: those in the way in all earlier sub-tables may move.
pub(super) fn first_level(
    levels: &mut [Level],
    rows: &mut [Row],
    elements: u32,
    rng: &mut Rng,
) -> Filled {
    through::<1>(levels, rows, elements, rng, |level, rows, before, arriving, filled, rng| {
        match before {
            1 => level.pass::<1, 1, 2, 1>(rows, arriving, filled, rng),
            2 => level.pass::<2, 1, 3, 2>(rows, arriving, filled, rng),
            3 => level.pass::<3, 1, 4, 3>(rows, arriving, filled, rng),
            4 => level.pass::<4, 1, 5, 4>(rows, arriving, filled, rng),
            5 => level.pass::<5, 1, 6, 5>(rows, arriving, filled, rng),
            6 => level.pass::<6, 1, 7, 6>(rows, arriving, filled, rng),
            _ => level.pass::<7, 1, 8, 7>(rows, arriving, filled, rng),
        }
    })
}

impl Level {
    /// Takes elements that are not stored yet to this sub-table, in order of arrival. Those in their way in W
    /// earlier sub-tables, H in each, may move here. R is the number of ranks that an element needs here: its
    /// choice and theirs. Those of the elements that go on are left in the row OWN: the next one, or the only
    /// one where the earlier choices are not needed any more.
    fn pass<const W: usize, const H: usize, const R: usize, const OWN: usize>(
        &mut self,
        rows: &mut [Row],
        arriving: usize,
        filled: &mut Filled,
        rng: &mut Rng,
    ) -> usize {
        let asked = array::from_fn(|i| array::from_fn(|place| self.asked[i][place].into()));
        let mut pass = Pass::<'_, W, H, OWN> {
            rows: &mut rows[..=OWN],
            buckets: self.buckets,
            asked,
            first_looks: 0,
            later_looks: 0,
            passed: 0,
        };
        self.uniform.sequences::<R>(arriving, rng, &mut pass);
        let Pass { buckets, asked, first_looks, later_looks, passed, .. } = pass;
        self.buckets = buckets;
        for (kept, asked) in self.asked.iter_mut().zip(asked) {
            kept.iter_mut().zip(asked).for_each(|(kept, asked)| *kept = asked as u32);
        }
        filled.accesses += arriving as u64 + first_looks + later_looks;
        filled.moves += first_looks - passed as u64;
        passed
    }
}

/// Elements on their way through a sub-table.
struct Pass<'r, const W: usize, const H: usize, const OWN: usize> {
    rows: &'r mut [Row],
    buckets: Buckets,
    /// As [`Level::asked`].
    asked: [[u64; H]; W],
    /// How many times the first element in the way was looked at, be it known to find its choice full.
    first_looks: u64,
    /// The same of the others.
    later_looks: u64,
    /// Elements that go on.
    passed: usize,
}

impl<const W: usize, const H: usize, const R: usize, const OWN: usize> Visitor<R>
    for Pass<'_, W, H, OWN>
{
    /// `most` is the greatest rank of the choices looked at so far. As soon as it is that of a bucket with
    /// room, which is then the `last` one, the element has its place: all numbers grow by a comparison of
    /// `most`, as the end cannot be predicted. The choices of elements that go on are moved up to the front of
    /// their rows; those of the others are overwritten by the next.
    #[inline(always)]
    fn visit(&mut self, t: usize, drawn: [u32; R]) {
        let full = self.buckets.full;
        let (mut most, mut last) = (drawn[0], drawn[0]);
        for i in 0..W {
            let rank = self.rows[i][t];
            for place in 0..H {
                let first = i + place == 0;
                let looks = if first { &mut self.first_looks } else { &mut self.later_looks };
                *looks += u64::from(most < full);
                let known = less(rank, self.asked[i][place]);
                self.asked[i][place] += u64::from((most | known) < full);
                let next = drawn[1 + i * H + place] & !known;
                last = select_unpredictable(most < full, next, last);
                most = most.max(next);
            }
            if OWN > 0 {
                self.rows[i][self.passed] = rank;
            }
        }
        self.rows[OWN][self.passed] = drawn[0];
        self.passed += usize::from(most < full);
        // Of buckets of one, any with room is like any other.
        self.buckets.put::<H>(if H == 1 { most } else { last });
    }
}

/// All bits where x < y, and none where not: a mask in place of a `bool`, which the compiler would branch on.
#[inline(always)]
fn less(x: u32, y: u64) -> u32 {
    ((i64::from(x) - y as i64) >> 32) as u32
}
