//! The steps of a trial in rounds, one by one.

use rand::{Rng as _, SeedableRng};

use crate::Rng;
use crate::hash::{HashSpec, RandomSource, Source, reduce};
use crate::keys::Seeds;
use crate::tables::Table;
use crate::tables::trial::Rounds;

/// A trial as a sequence of steps: insertions of the elements one after the other, then rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tables) struct Steps {
    /// n.
    pub(super) elements: u32,
    /// Whether all n are on the overflow list in the beginning, and not inserted.
    overflowed: bool,
    /// Steps that are insertions alone.
    insertions: u64,
    /// All steps.
    pub(super) number: u64,
    /// The first step of the measuring window.
    pub(super) window: u64,
}

impl Steps {
    pub(super) fn new(elements: u32, rounds: Rounds) -> Self {
        let (filled, warm_up, rounds) = match rounds {
            Rounds::Filling => (true, 0, 0),
            Rounds::Window { filled, warm_up, rounds } => (filled, warm_up, rounds),
            Rounds::Moment { filled, rounds } => (filled, 0, rounds),
        };
        let insertions = if filled { elements.into() } else { 0 };
        let window = if rounds == 0 { 0 } else { insertions + warm_up };
        let number = insertions + warm_up + rounds;
        Self { elements, overflowed: !filled, insertions, number, window }
    }

    /// Whether the list can only grow, unless elements move back.
    pub(super) fn fills(&self) -> bool {
        self.insertions == self.number && !self.overflowed
    }

    /// The first of its steps, up to so many lifetimes of an element after the insertions.
    pub(super) fn shortened(self, lifetimes: u32) -> Self {
        let most = self.insertions + u64::from(lifetimes) * u64::from(self.elements);
        Self { number: self.number.min(most), ..self }
    }

    /// Empties the table, or puts all elements on its list.
    pub(super) fn begin<T: Table>(&self, table: &mut T) {
        table.clear();
        if self.overflowed {
            (0..self.elements).for_each(|element| table.insert_overflowed(element));
        }
    }

    /// Makes a step.
    #[inline(always)]
    pub(super) fn make<T: Table>(&self, step: u64, table: &mut T, chance: &mut Chance) {
        let element = if step < self.insertions {
            step as u32
        } else {
            let departing = reduce(chance.departures.next_u64(), self.elements);
            table.delete(departing);
            departing
        };
        table.insert::<false>(element, chance.source.element(&[]), &mut chance.scheme);
    }
}

/// Everything in a trial that is left to chance.
#[derive(Clone)]
pub(super) struct Chance {
    source: RandomSource,
    scheme: Rng,
    departures: Rng,
}

impl Chance {
    pub(super) fn new(hash: &HashSpec, seed: u64) -> Self {
        let seeds = Seeds::of(seed, 0);
        Self {
            source: RandomSource::new(hash, seeds.hash),
            scheme: Rng::seed_from_u64(seeds.scheme),
            departures: Rng::seed_from_u64(seeds.departures),
        }
    }
}
