//! As many trials as there are lanes.

use std::iter::once;

use pulp::Simd;

use super::ByLoad;
use super::draws::{BLOCK, Draws};
use super::lanes::{Lanes, Numbers};
use super::loads::Loads;
use super::moving_back::{AfterOverflow, ToMoveBack, ToStay};
use super::registers::{InLanes, Registers};
use super::search::Search;
use super::together::{Ended, Together};
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
        Ended::new(self.lanes, sums, &self.loads, self.listed, self.by_load)
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
        let (none, all) = (lanes.all(0), lanes.all(-1));
        let mut added = Added { accesses: none, overflowed: none, lengths: none };
        for numbers in draws.block().take(number) {
            let [departing, choices @ ..] = numbers else { continue };
            if departures {
                *listed = lanes.sub(*listed, list.departs(*lanes, loads, *departing));
            }
            let overflows = search.insert(*lanes, loads, choices, all, &mut added.accesses);
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
