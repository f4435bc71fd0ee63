//! One trial of a table that is passed sub-table by sub-table.

use std::array;

use rand::SeedableRng;

use super::arrivals::{Arrivals, BLOCK};
use super::{ByLevel, Done};
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::trial::{Rounds, Sums};
use crate::uniform::Uniform;

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
    departures: Rng,
    arrivals: Arrivals,
}

impl<'t> Trial<'t> {
    fn new(table: &'t mut ByLevel, seeds: &Seeds) -> Self {
        table.begin(seeds.hash);
        let departures = Rng::seed_from_u64(seeds.departures);
        Self { table, departures, arrivals: Arrivals::new() }
    }

    /// All n elements are on the overflow list; where the table is to be filled, one after the other departs from there and
    /// arrives.
    fn start(&mut self, filled: bool) -> Sums {
        let n = self.table.places.elements;
        let mut sums = Sums { arrivals: n.into(), ..Sums::default() };
        if filled {
            for first in (0..n).step_by(BLOCK) {
                let elements: [u32; BLOCK] = array::from_fn(|i| first + i as u32);
                self.go_through(&elements[..BLOCK.min((n - first) as usize)], &mut sums);
            }
        }
        sums
    }

    /// So often, a random element departs and one arrives.
    fn alternate(&mut self, rounds: u64) -> Sums {
        let mut sums =
            Sums { arrivals: rounds, departures: rounds, readings: rounds, ..Sums::default() };
        let uniform = Uniform::new(self.table.places.elements);
        let (mut left, mut departing) = (rounds, [0; BLOCK]);
        while left > 0 {
            uniform.fill(&mut self.departures, &mut departing);
            let number = BLOCK.min(left as usize);
            self.go_through(&departing[..number], &mut sums);
            left -= number as u64;
        }
        sums
    }

    /// In each round one of these elements departs and arrives again.
    fn go_through(&mut self, mut elements: &[u32], sums: &mut Sums) {
        let Self { table, arrivals, .. } = self;
        while !elements.is_empty() {
            let Done { rounds, accesses, moves, overflowed, lengths } =
                table.go_through(elements, arrivals);
            sums.accesses += accesses;
            sums.moves += moves;
            sums.overflowed += overflowed;
            sums.overflow += lengths;
            elements = &elements[rounds..];
        }
    }

    /// In place of all readings, one of the table as it is.
    fn look(&self, sums: Sums) -> Sums {
        Sums { readings: 1, overflow: self.table.overflow.into(), ..sums }
    }
}
