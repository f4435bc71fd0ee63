//! Tables whose buckets all have names, several trials at a time: M-B near full load.
//!
//! Where many elements overflow if none moves back, many rounds concern the overflow list: somebody waits for the bucket from
//! which an element departs, or there is no room for the one that arrives. Which of them happens is a matter of chance, and a
//! processor guesses wrong again and again; names that buckets have only while somebody waits for them, as in
//! [`waiting`](super::waiting), change all the time.
//!
//! So each trial has a table here, and all of them take one step of a round after the other. A step notes without a branch
//! which lanes concern the list, and the next goes through these alone. Trials are in two groups that take turns: while one goes
//! through a step, the processor finds out how many lanes the next step of the other is for.

mod counts;
mod find;
mod group;
mod rows;
mod some_lanes;
pub(super) mod tables;
mod waiters;

#[cfg(test)]
mod tests;

use std::array;
use std::iter::once;
use std::ops::Range;

use pulp::Simd;

use self::counts::{Counts, RoundsLeft};
use self::group::Group;
use self::rows::Row;
use self::tables::{FIRST, FULL, Memory};
use super::draws::{BLOCK, Draws};
use super::lanes::{Arithmetic, Lanes, MOST_LANES};
use super::registers::{InLanes, Registers};
use super::rounds::{self, Tables};
use super::search::Search;
use super::together::{Ended, Spare, Together, Window};
use super::{AT_ONCE, ByLoad};
use crate::tables::trial::{Rounds, Sums};

/// Runs trials of tables in which elements look for a bucket with room in this way, and move back.
pub(super) fn go_through(
    registers: Registers,
    together: Together<'_>,
    rounds: Rounds,
    search: Search,
) -> Ended {
    let least = matches!(search, Search::LeastLoaded { .. } | Search::ToTheLeft);
    match (together.by_load.choices(), least) {
        (1, _) => registers.run(ThroughRounds::<1, false> { together, rounds, search }),
        (2, false) => registers.run(ThroughRounds::<2, false> { together, rounds, search }),
        (3, false) => registers.run(ThroughRounds::<3, false> { together, rounds, search }),
        (_, false) => registers.run(ThroughRounds::<4, false> { together, rounds, search }),
        (2, true) => registers.run(ThroughRounds::<2, true> { together, rounds, search }),
        (3, true) => registers.run(ThroughRounds::<3, true> { together, rounds, search }),
        (_, true) => registers.run(ThroughRounds::<4, true> { together, rounds, search }),
    }
}

/// Rounds with how many are left.
fn count_down<T>(rounds: &[T]) -> impl Iterator<Item = (RoundsLeft, &T)> {
    (1..=rounds.len() as u32).rev().map(RoundsLeft).zip(rounds)
}

/// With D choices, and whether an element goes to the least loaded of them.
struct ThroughRounds<'a, const D: usize, const LEAST: bool> {
    together: Together<'a>,
    rounds: Rounds,
    search: Search,
}

impl<const D: usize, const LEAST: bool> InLanes for ThroughRounds<'_, D, LEAST> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let trials = Trials::<S, G, D, LEAST>::new(simd, self.together, self.search);
        let n = self.together.by_load.elements.into();
        rounds::go_through(trials, Lanes::<S, G>::NUMBER, n, self.rounds)
    }
}

struct Trials<'a, S: Simd, const G: usize, const D: usize, const LEAST: bool> {
    by_load: &'a ByLoad,
    lanes: Lanes<S, G>,
    draws: Draws<S, G>,
    rows: Vec<Row<S, G>>,
    /// The first bucket of each sub-table, from 0 on.
    first: Vec<u32>,
    memory: Memory,
    /// Where it goes in the end.
    spare: &'a Spare,
    /// Elements that came in a filling.
    filled: u16,
    counts: Counts,
    /// Whether a round of the window is over.
    begun: bool,
}

impl<'a, S: Simd, const G: usize, const D: usize, const LEAST: bool> Trials<'a, S, G, D, LEAST> {
    #[inline(always)]
    fn new(simd: S, together: Together<'a>, search: Search) -> Self {
        let Together { by_load, seeds, spare } = together;
        let ByLoad { elements, buckets, bucket_size, .. } = by_load;
        let lanes = Lanes { simd };
        debug_assert!(Lanes::<S, G>::NUMBER <= seeds.len(), "no lane is without a trial");
        let mut memory = spare.take().unwrap_or_default();
        memory.clear::<D>(*elements, buckets.iter().sum(), *bucket_size);
        let sums = buckets.iter().scan(0, |sum, buckets| {
            *sum += buckets;
            Some(*sum)
        });
        Self {
            by_load,
            lanes,
            draws: Draws::new(lanes, once(*elements).chain(search.ranges(buckets)), seeds),
            rows: vec![Row::new(lanes); BLOCK],
            first: once(0).chain(sums).take(buckets.len()).collect(),
            memory,
            spare,
            filled: 0,
            counts: Counts::default(),
            begun: false,
        }
    }

    /// Draws the next block.
    #[inline(always)]
    fn draw(&mut self) {
        let Self { lanes, draws, rows, first, .. } = self;
        for (row, drawn) in rows.iter_mut().zip(draws.block()) {
            row.set(*lanes, drawn, first);
        }
    }

    /// An element arrives in each of these rounds.
    #[inline(always)]
    fn fill(&mut self, rounds: Range<usize>) {
        let (tables, counts) = (&mut self.memory.of_lanes::<D>(), &mut self.counts);
        let mut all = Group::default();
        for (left, row) in count_down(&self.rows[rounds]) {
            all.number(self.filled);
            self.filled += 1;
            all.arrive::<S, G, D, LEAST>(0..Lanes::<S, G>::NUMBER, tables, row, counts);
            all.overflow(tables, row, left, counts);
        }
    }

    /// A random element departs and one arrives in each of these rounds.
    #[inline(always)]
    fn alternate(&mut self, rounds: Range<usize>) {
        let (tables, counts) = (&mut self.memory.of_lanes::<D>(), &mut self.counts);
        let half = Lanes::<S, G>::NUMBER.div_ceil(2);
        let (of_first, of_second) = (0..half, half..Lanes::<S, G>::NUMBER);
        let (mut first, mut second) = (Group::default(), Group::default());
        let mut before = None;
        for (left, row) in count_down(&self.rows[rounds]) {
            first.depart(of_first.clone(), tables, row, counts);
            if let Some((_, row)) = before {
                second.arrive::<S, G, D, LEAST>(of_second.clone(), tables, row, counts);
            }
            first.look_up(tables, counts);
            if let Some((left, row)) = before {
                second.overflow(tables, row, left, counts);
            }
            first.leave(tables, left, counts);
            second.depart(of_second.clone(), tables, row, counts);
            first.arrive::<S, G, D, LEAST>(of_first.clone(), tables, row, counts);
            second.look_up(tables, counts);
            first.overflow(tables, row, left, counts);
            second.leave(tables, left, counts);
            before = Some((left, row));
        }
        if let Some((left, row)) = before {
            second.arrive::<S, G, D, LEAST>(of_second, tables, row, counts);
            second.overflow(tables, row, left, counts);
        }
    }

    #[inline(always)]
    fn go(&mut self, rounds: Range<usize>, departures: bool) {
        match departures {
            true => self.alternate(rounds),
            false => self.fill(rounds),
        }
    }

    /// How many of so many buckets from this one on hold 0, 1, … elements, in each lane.
    fn with(&mut self, first: u32, buckets: u32) -> Vec<[i32; MOST_LANES]> {
        let size = self.by_load.bucket_size;
        let mut with = vec![[0; MOST_LANES]; usize::from(size) + 1];
        let mut tables = self.memory.of_lanes::<D>();
        let mut count = |lane: usize| {
            for load in tables.table(lane).loads(FIRST + first as u16, buckets) {
                with[usize::from(load - (FULL - size))][lane] += 1;
            }
        };
        (0..Lanes::<S, G>::NUMBER).for_each(&mut count);
        with
    }

    /// Entries of each CAM up to the last in use.
    fn extents(&mut self) -> [u32; AT_ONCE] {
        let mut tables = self.memory.of_lanes::<D>();
        array::from_fn(|lane| tables.table(lane).extent())
    }
}

impl<S: Simd, const G: usize, const D: usize, const LEAST: bool> Tables
    for Trials<'_, S, G, D, LEAST>
{
    fn put_without_choices(&mut self) {
        let n = self.by_load.elements;
        let mut tables = self.memory.of_lanes::<D>();
        for lane in 0..Lanes::<S, G>::NUMBER {
            let mut table = tables.table(lane);
            (0..n as u16).for_each(|element| table.wait_for_none(element));
        }
        (self.counts.listed, self.counts.without_choices) = ([n; AT_ONCE], [n; AT_ONCE]);
    }

    fn begin(&mut self) {
        (self.counts.extents, self.begun) = ([0; AT_ONCE], false);
    }

    #[inline(always)]
    fn block(&mut self, number: usize, departures: bool, sums: &mut [Sums]) {
        self.draw();
        let mut next = 0;
        while next < number {
            // The extent after a round is where its element went to at least, and after the first one it is looked at.
            let end = if self.begun { number } else { 1 };
            self.go(next..end, departures);
            self.counts.add_to((end - next) as u64, D as u64, sums);
            if !self.begun {
                self.counts.extents = self.extents();
                self.begun = true;
            }
            next = end;
        }
        let extents = sums.iter_mut().zip(self.counts.extents);
        extents.for_each(|(sums, extent)| sums.cam_extent = extent);
    }

    fn look(&mut self, sums: &mut [Sums]) {
        let extents = self.extents();
        for (lane, sums) in sums.iter_mut().enumerate() {
            (sums.readings, sums.overflow) = (1, self.counts.listed[lane].into());
            let waiting = self.counts.listed[lane] - self.counts.without_choices[lane];
            sums.cam_entries = D as u64 * u64::from(waiting);
            sums.cam_extent = extents[lane];
        }
    }

    fn end(mut self, sums: Vec<Sums>) -> Ended {
        let sub_tables = self.first.clone().into_iter().zip(&self.by_load.buckets);
        let with = sub_tables.map(|(first, &buckets)| self.with(first, buckets)).collect();
        let mut listed = [0; MOST_LANES];
        listed.iter_mut().zip(self.counts.listed).for_each(|(listed, own)| *listed = own as i32);
        self.spare.replace(Some(self.memory));
        Ended { sums, window: Window::Rounds, with, listed }
    }
}
