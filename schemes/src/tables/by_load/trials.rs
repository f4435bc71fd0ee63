//! As many trials as there are lanes.

use std::iter::once;
use std::mem;

use pulp::Simd;

use super::ByLoad;
use super::draws::Draws;
use super::lanes::{Arithmetic, Lanes, Numbers};
use super::loads::Loads;
use super::moving_back::{AfterOverflow, ToMoveBack, ToStay};
use super::registers::{InLanes, Registers};
use super::rounds::{self, Tables};
use super::search::{Search, WithSearch};
use super::together::{Ended, Together};
use crate::tables::trial::{Rounds, Sums};

/// Runs trials of tables in which elements look for a bucket with room in this way.
pub(super) fn go_through(
    registers: Registers,
    together: Together<'_>,
    rounds: Rounds,
    search: Search,
) -> Ended {
    match (together.by_load.bucket_size, together.by_load.move_back.is_some()) {
        (1, false) => registers.run(ThroughRounds::<1, false> { together, rounds, search }),
        (2, false) => registers.run(ThroughRounds::<2, false> { together, rounds, search }),
        (3, false) => registers.run(ThroughRounds::<3, false> { together, rounds, search }),
        (_, false) => registers.run(ThroughRounds::<4, false> { together, rounds, search }),
        (1, true) => registers.run(ThroughRounds::<1, true> { together, rounds, search }),
        (2, true) => registers.run(ThroughRounds::<2, true> { together, rounds, search }),
        (3, true) => registers.run(ThroughRounds::<3, true> { together, rounds, search }),
        (_, true) => registers.run(ThroughRounds::<4, true> { together, rounds, search }),
    }
}

/// With buckets of H, and whether elements move back into them.
struct ThroughRounds<'a, const H: usize, const BACK: bool> {
    together: Together<'a>,
    rounds: Rounds,
    search: Search,
}

impl<const H: usize, const BACK: bool> InLanes for ThroughRounds<'_, H, BACK> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let &Self { together, rounds, search } = self;
        if BACK {
            let list = ToMoveBack::new(Lanes::<S, G> { simd }, together.by_load);
            return run(Trials::<S, _, H, G>::new(simd, together, search, list), rounds);
        }
        run(Trials::<S, _, H, G>::new(simd, together, search, ToStay), rounds)
    }
}

#[inline(always)]
fn run<S: Simd, L: AfterOverflow<S, H, G>, const H: usize, const G: usize>(
    trials: Trials<'_, S, L, H, G>,
    rounds: Rounds,
) -> Ended {
    let n = trials.by_load.elements.into();
    rounds::go_through(trials, Lanes::<S, G>::NUMBER, n, rounds)
}

struct Trials<'a, S: Simd, L, const H: usize, const G: usize> {
    by_load: &'a ByLoad,
    search: Search,
    lanes: Lanes<S, G>,
    draws: Draws<S, G>,
    loads: Vec<Loads<S, H, G>>,
    listed: Numbers<S, G>,
    list: L,
}

/// So many rounds of a block, and what they add to the sums.
struct Block<'t, 'a, S: Simd, L, const H: usize, const G: usize> {
    trials: &'t mut Trials<'a, S, L, H, G>,
    number: usize,
    departures: bool,
    added: &'t mut Added<S, G>,
}

impl<S: Simd, L: AfterOverflow<S, H, G>, const H: usize, const G: usize> Block<'_, '_, S, L, H, G> {
    /// With the loads of all sub-tables, and so many choices.
    #[inline(always)]
    fn go(&mut self, search: Search, loads: &mut [Loads<S, H, G>], choices: usize) {
        let Trials { lanes, draws, listed, list, .. } = &mut *self.trials;
        for numbers in draws.block().take(self.number) {
            let [departing, drawn @ ..] = numbers else { continue };
            let Some(choices) = drawn.get(..choices) else { continue };
            if self.departures {
                *listed = lanes.sub(*listed, list.departs(*lanes, loads, *departing));
            }
            let (all, added) = (lanes.all(-1), &mut *self.added);
            let overflows = search.insert(*lanes, loads, choices, all, &mut added.accesses);
            list.arrived(*lanes, choices, overflows);
            *listed = lanes.sub(*listed, overflows);
            added.overflowed = lanes.sub(added.overflowed, overflows);
            added.lengths = lanes.add(added.lengths, *listed);
        }
    }
}

impl<S: Simd, L: AfterOverflow<S, H, G>, const H: usize, const G: usize> WithSearch
    for Block<'_, '_, S, L, H, G>
{
    #[inline(always)]
    fn with<const T: usize, const D: usize>(mut self, search: Search) {
        let Some(&(mut loads)) = self.trials.loads.first_chunk::<T>() else { return };
        self.go(search, &mut loads, D);
        self.trials.loads.copy_from_slice(&loads);
    }

    #[inline(always)]
    fn with_any(mut self, search: Search) {
        let mut loads = mem::take(&mut self.trials.loads);
        self.go(search, &mut loads, self.trials.by_load.choices());
        self.trials.loads = loads;
    }
}

/// What a block of rounds adds to the sums of a window.
struct Added<S: Simd, const G: usize> {
    accesses: Numbers<S, G>,
    overflowed: Numbers<S, G>,
    /// The sum of the list's lengths after each round, below 2³².
    lengths: Numbers<S, G>,
}

impl<'a, S: Simd, L: AfterOverflow<S, H, G>, const H: usize, const G: usize>
    Trials<'a, S, L, H, G>
{
    #[inline(always)]
    fn new(
        simd: S,
        Together { by_load, seeds, .. }: Together<'a>,
        search: Search,
        list: L,
    ) -> Self {
        let ByLoad { elements, buckets, .. } = by_load;
        let lanes = Lanes { simd };
        debug_assert!(
            Lanes::<S, G>::NUMBER <= seeds.len(),
            "a generator of zeros rejects everything"
        );
        Self {
            by_load,
            search,
            lanes,
            draws: Draws::new(lanes, once(*elements).chain(search.ranges(buckets)), seeds),
            loads: vec![Loads::new(lanes); buckets.len()],
            listed: lanes.all(0),
            list,
        }
    }
}

impl<S: Simd, L: AfterOverflow<S, H, G>, const H: usize, const G: usize> Tables
    for Trials<'_, S, L, H, G>
{
    #[inline(always)]
    fn put_without_choices(&mut self) {
        let n = self.by_load.elements;
        self.listed = self.lanes.all(n as i32);
        self.list.put_without_choices(n);
    }

    fn begin(&mut self) {
        self.list.begin();
    }

    #[inline(always)]
    fn block(&mut self, number: usize, departures: bool, sums: &mut [Sums]) {
        let none = self.lanes.all(0);
        let mut added = Added { accesses: none, overflowed: none, lengths: none };
        let (search, sub_tables) = (self.search, self.loads.len());
        search.give_to(sub_tables, Block { trials: self, number, departures, added: &mut added });
        let Self { lanes, list, .. } = self;
        added.add_to(*lanes, sums);
        list.add_to(*lanes, sums);
    }

    #[inline(always)]
    fn look(&mut self, sums: &mut [Sums]) {
        let lengths = self.lanes.to_array(self.listed);
        for (sums, listed) in sums.iter_mut().zip(lengths) {
            (sums.readings, sums.overflow) = (1, listed as u64);
        }
        self.list.look(sums);
    }

    fn end(self, sums: Vec<Sums>) -> Ended {
        Ended::new(self.lanes, sums, &self.loads, self.listed, self.by_load)
    }
}

impl<S: Simd, const G: usize> Added<S, G> {
    #[inline(always)]
    fn add_to(self, lanes: Lanes<S, G>, sums: &mut [Sums]) {
        let [accesses, overflowed, lengths] =
            [self.accesses, self.overflowed, self.lengths].map(|numbers| lanes.to_array(numbers));
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.accesses += accesses[lane] as u64;
            sums.overflowed += overflowed[lane] as u64;
            sums.overflow += u64::from(lengths[lane].cast_unsigned());
        }
    }
}
