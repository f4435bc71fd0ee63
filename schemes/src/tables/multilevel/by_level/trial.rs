//! One trial of a table that is passed sub-table by sub-table.

use std::array;

use super::arrivals::{Arrivals, BLOCK};
use super::first_level::Block;
use super::{ByLevel, Done};
use crate::keys::Seeds;
use crate::tables::trial::{Rounds, Sums};
use crate::uniform::ByBlock;

/// Runs one trial, whatever the table was like before.
pub(in crate::tables) fn run(table: &mut ByLevel, rounds: Rounds, seeds: &Seeds) -> Sums {
    let mut trial = Trial::new(table, seeds);
    match rounds {
        Rounds::Filling => {
            let sums = trial.start(true);
            trial.look(sums)
        }
        Rounds::Window { filled, warm_up, rounds } => {
            trial.start(filled);
            trial.alternate(warm_up);
            trial.alternate(rounds)
        }
        Rounds::Moment { filled, rounds } => {
            trial.start(filled);
            trial.alternate(rounds);
            trial.look(Sums::default())
        }
    }
}

struct Trial<'t> {
    table: &'t mut ByLevel,
    departures: ByBlock,
    block: Block,
    arrivals: Arrivals,
}

impl<'t> Trial<'t> {
    fn new(table: &'t mut ByLevel, seeds: &Seeds) -> Self {
        table.begin(seeds.hash);
        let mut departures = ByBlock::new(table.places.elements);
        departures.begin(seeds.departures);
        let block = Block { elements: [0; BLOCK], choices: [0; BLOCK] };
        Self { table, departures, block, arrivals: Arrivals::new() }
    }

    /// All n elements are on the overflow list; where the table is to be filled, one after the other departs from there and
    /// arrives.
    fn start(&mut self, filled: bool) -> Sums {
        let n = self.table.places.elements;
        let mut sums = Sums { arrivals: n.into(), ..Sums::default() };
        if filled {
            for first in (0..n).step_by(BLOCK) {
                self.block.elements = array::from_fn(|i| (first + i as u32) as u16);
                self.go_through(BLOCK.min((n - first) as usize), &mut sums);
            }
        }
        sums
    }

    /// So often, a random element departs and one arrives.
    fn alternate(&mut self, rounds: u64) -> Sums {
        let mut sums =
            Sums { arrivals: rounds, departures: rounds, readings: rounds, ..Sums::default() };
        let mut left = rounds;
        while left > 0 {
            self.departures.fill(0, &mut self.block.elements);
            let number = BLOCK.min(left as usize);
            self.go_through(number, &mut sums);
            left -= number as u64;
        }
        sums
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

    /// In place of all readings, one of the table as it is.
    fn look(&self, sums: Sums) -> Sums {
        Sums { readings: 1, overflow: self.table.overflow.into(), ..sums }
    }
}
