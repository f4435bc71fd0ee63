//! As many trials as there are lanes.

use std::iter::{once, repeat_n};

use pulp::Simd;

use super::draws::{BLOCK, Draws};
use super::lanes::{Lanes, Numbers};
use super::loads::Loads;
use super::moving_back::{AfterOverflow, ToMoveBack, ToStay};
use super::registers::{InLanes, Registers};
use super::together::{Ended, Together};
use super::{ByLoad, MOST_CHOICES, Search};
use crate::tables::trial::{Rounds, Sums};

/// Runs trials of tables in which elements look for a bucket with room in this way.
pub(super) fn go_through(
    registers: Registers,
    together: Together<'_>,
    rounds: Rounds,
    search: Search,
) -> Ended {
    match (together.by_load.bucket_size, together.by_load.move_back) {
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
            return Trials::<S, _, H, G>::new(simd, together, search, list).run(rounds);
        }
        Trials::<S, _, H, G>::new(simd, together, search, ToStay).run(rounds)
    }
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
    fn new(simd: S, Together { by_load, seeds }: Together<'a>, search: Search, list: L) -> Self {
        let ByLoad { elements, buckets, .. } = by_load;
        let more = search.in_table().map_or(0, |choices| choices - 1);
        let choices = buckets.iter().chain(repeat_n(&buckets[0], more));
        let lanes = Lanes { simd };
        debug_assert!(
            Lanes::<S, G>::NUMBER <= seeds.len(),
            "a generator of zeros rejects everything"
        );
        Self {
            by_load,
            search,
            lanes,
            draws: Draws::new(lanes, once(elements).chain(choices).copied(), seeds),
            loads: vec![Loads::new(lanes); buckets.len()],
            listed: lanes.all(0),
            list,
        }
    }

    #[inline(always)]
    fn run(mut self, rounds: Rounds) -> Ended {
        let n = self.by_load.elements.into();
        let sums = match rounds {
            Rounds::Filling => {
                let sums = self.window(n, false);
                self.look(sums)
            }
            Rounds::Window { filled, warm_up, rounds } => {
                self.start(filled);
                self.window(warm_up, true);
                self.window(rounds, true)
            }
            Rounds::Moment { filled, rounds } => {
                self.start(filled);
                self.window(rounds, true);
                self.look(vec![Sums::default(); Lanes::<S, G>::NUMBER])
            }
        };
        let with = self.loads.iter().zip(&self.by_load.buckets);
        let with = with.map(|(loads, &buckets)| loads.with(buckets)).collect();
        Ended { sums, with, listed: self.lanes.to_array(self.listed) }
    }

    /// All n elements arrive, or are on the overflow list.
    #[inline(always)]
    fn start(&mut self, filled: bool) {
        let n = self.by_load.elements;
        match filled {
            true => _ = self.window(n.into(), false),
            false => {
                self.listed = self.lanes.all(n as i32);
                self.list.put_without_choices(n);
            }
        }
    }

    /// In place of all readings, one of the table as it is.
    #[inline(always)]
    fn look(&self, sums: Vec<Sums>) -> Vec<Sums> {
        let lengths = self.lanes.to_array(self.listed);
        let look = |(sums, listed)| Sums { readings: 1, overflow: listed as u64, ..sums };
        let mut sums: Vec<Sums> = sums.into_iter().zip(lengths).map(look).collect();
        self.list.look(&mut sums);
        sums
    }

    /// So many elements arrive, each after a random one has departed where they do.
    #[inline(always)]
    fn window(&mut self, rounds: u64, departures: bool) -> Vec<Sums> {
        let of_all = Sums { arrivals: rounds, ..Sums::default() };
        let of_all = match departures {
            true => Sums { departures: rounds, readings: rounds, ..of_all },
            false => of_all,
        };
        let mut sums = vec![of_all; Lanes::<S, G>::NUMBER];
        let mut left = rounds;
        self.list.begin();
        while left > 0 {
            let number = left.min(BLOCK as u64);
            self.block(number as usize, departures).add_to(self.lanes, &mut sums);
            self.list.add_to(self.lanes, &mut sums);
            left -= number;
        }
        sums
    }

    #[inline(always)]
    fn block(&mut self, number: usize, departures: bool) -> Added<S, G> {
        let Self { search, lanes, draws, loads, listed, list, .. } = self;
        let none = lanes.all(0);
        let reads = lanes.all(self.by_load.choices() as i32);
        let mut added = Added { accesses: none, overflowed: none, lengths: none };
        for numbers in draws.block().take(number) {
            let [departing, choices @ ..] = numbers else { continue };
            if departures {
                *listed = lanes.sub(*listed, list.departs(*lanes, loads, *departing));
            }
            let overflows = match search {
                Search::Anywhere { .. } => anywhere(*lanes, loads, choices, &mut added.accesses),
                Search::InTurn => in_turn(*lanes, loads, choices, &mut added.accesses),
                Search::LeastLoaded { .. } => {
                    added.accesses = lanes.add(added.accesses, reads);
                    least_loaded(*lanes, loads, choices)
                }
                Search::ToTheLeft => {
                    added.accesses = lanes.add(added.accesses, reads);
                    to_the_left(*lanes, loads, choices)
                }
            };
            list.arrived(*lanes, choices, overflows);
            *listed = lanes.sub(*listed, overflows);
            added.overflowed = lanes.sub(added.overflowed, overflows);
            added.lengths = lanes.add(added.lengths, *listed);
        }
        added
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

/// One arrives, whose choices are in the whole table; whether it overflows.
#[inline(always)]
fn anywhere<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    accesses: &mut Numbers<S, G>,
) -> Numbers<S, G> {
    let ([loads], [first, others @ ..]) = (loads, choices) else { return lanes.all(0) };
    *accesses = lanes.add(*accesses, lanes.all(1));
    let (mut chosen, mut stuck) = (*first, loads.is_full(*first));
    for other in others {
        *accesses = lanes.sub(*accesses, stuck);
        chosen = lanes.select(stuck, *other, chosen);
        // Of the choice itself and not of the chosen one, so that nothing is waited for.
        stuck = lanes.and(stuck, loads.is_full(*other));
    }
    loads.put(chosen, lanes.and_not(lanes.all(-1), stuck));
    stuck
}

/// One arrives, who goes from sub-table to sub-table; whether it overflows.
#[inline(always)]
fn in_turn<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
    accesses: &mut Numbers<S, G>,
) -> Numbers<S, G> {
    let mut goes = lanes.all(-1);
    for (loads, choice) in loads.iter_mut().zip(choices) {
        *accesses = lanes.sub(*accesses, goes);
        goes = loads.arrive(*choice, goes);
    }
    goes
}

/// One arrives at the least loaded of its choices, which are in the whole table; whether it overflows.
///
/// Buckets with fewer elements have higher ranks, and which of several is the highest is a matter of chance.
#[inline(always)]
fn least_loaded<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
) -> Numbers<S, G> {
    let ([loads], [first, others @ ..]) = (loads, choices) else { return lanes.all(0) };
    let mut chosen = *first;
    for other in others {
        chosen = lanes.select(lanes.less(chosen, *other), *other, chosen);
    }
    loads.arrive(chosen, lanes.all(-1))
}

/// One arrives at the least loaded of its choices, one in each sub-table, and of several at the first; whether it overflows.
#[inline(always)]
fn to_the_left<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut [Loads<S, H, G>],
    choices: &[Numbers<S, G>],
) -> Numbers<S, G> {
    // Where a choice has fewer elements than all before it.
    let mut fewer = [lanes.all(-1); MOST_CHOICES];
    let mut fewest = lanes.all(i32::MAX);
    for ((loads, choice), fewer) in loads.iter().zip(choices).zip(&mut fewer) {
        let load = loads.load(*choice);
        *fewer = lanes.less(load, fewest);
        fewest = lanes.select(*fewer, load, fewest);
    }
    let (mut waits, mut stuck) = (lanes.all(-1), lanes.all(0));
    for ((loads, choice), fewer) in loads.iter_mut().zip(choices).zip(&fewer).rev() {
        let goes = lanes.and(waits, *fewer);
        stuck = lanes.or(stuck, loads.arrive(*choice, goes));
        waits = lanes.and_not(waits, goes);
    }
    stuck
}
