//! One trial of a table that is passed sub-table by sub-table.

use std::array;

use super::arrivals::{Arrivals, BLOCK};
use super::first_level::DrawnRounds;
use super::number::Number;
use super::{Done, Passed};
use crate::keys::Seeds;
use crate::tables::trial::{RoundTrial, Rounds, Sums};
use crate::uniform::ByBlock;

/// Runs one trial, whatever the table was like before.
pub(in crate::tables) fn run<N: Number>(
    table: &mut Passed<N>,
    rounds: Rounds,
    seeds: &Seeds,
) -> Sums {
    rounds.run(&mut Trial::new(table, seeds))
}

struct Trial<'t, N: Number> {
    table: &'t mut Passed<N>,
    departures: ByBlock,
    block: DrawnRounds<N>,
    arrivals: Arrivals<N>,
}

impl<'t, N: Number> Trial<'t, N> {
    fn new(table: &'t mut Passed<N>, seeds: &Seeds) -> Self {
        table.begin(seeds.hash);
        let departures = ByBlock::new(table.places.elements, seeds.departures);
        let block = DrawnRounds { elements: [N::default(); BLOCK], choices: [N::default(); BLOCK] };
        Self { table, departures, block, arrivals: Arrivals::new() }
    }

    /// Goes through so many rounds of a block whose elements were drawn.
    fn go_through(&mut self, number: usize, sums: &mut Sums) {
        let Self { table, block, arrivals, .. } = self;
        table.choose(block, number);
        let mut round = 0;
        while round < number {
            let Done { rounds, accesses, moves, overflowed, lengths } =
                table.go_through(block, round..number, arrivals);
            sums.accesses += accesses;
            sums.moves += moves;
            sums.overflowed += overflowed;
            sums.overflow += lengths;
            round += rounds;
        }
    }
}

impl<N: Number> RoundTrial for Trial<'_, N> {
    /// One after the other departs from the list and arrives.
    fn fill(&mut self) -> Sums {
        let n = self.table.places.elements;
        let mut sums = Sums { arrivals: n.into(), ..Sums::default() };
        for first in (0..n).step_by(BLOCK) {
            self.block.elements = array::from_fn(|i| N::of(first + i as u32));
            self.go_through(BLOCK.min((n - first) as usize), &mut sums);
        }
        sums
    }

    /// That is where they are in the beginning.
    fn list(&mut self) {}

    fn alternate(&mut self, rounds: u64) -> Sums {
        let mut sums = Sums::of_window(rounds);
        let mut left = rounds;
        while left > 0 {
            self.departures.fill(0, &mut self.block.elements);
            let number = BLOCK.min(left as usize);
            self.go_through(number, &mut sums);
            left -= number as u64;
        }
        sums
    }

    fn look(&self, sums: &mut Sums) {
        (sums.readings, sums.overflow) = (1, self.table.overflow.into());
    }
}
