//! The steps of a trial in rounds, one by one.

use rand::{Rng as _, SeedableRng};

use super::chance::Chance;
use crate::Rng;
use crate::hash::reduce;
use crate::keys::Seeds;
use crate::rare::MadeFor;
use crate::tables::Table;
use crate::tables::trial::Rounds;
use crate::tables::workloads::course::Clock;

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

    /// A tick is a step.
    pub(super) fn clock(&self) -> Clock {
        let Self { number, window, elements, .. } = *self;
        Clock { number, window, lifetime: elements.into() }
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
    pub(super) fn make<T: Table, C: Chance>(&self, step: u64, table: &mut T, drawn: &mut Drawn<C>) {
        let element = if step < self.insertions {
            step as u32
        } else {
            let departing = reduce(drawn.departures.next_u64(), self.elements);
            table.delete(departing);
            drawn.chance.depart(departing);
            departing
        };
        drawn.chance.insert(element, table);
    }
}

/// Everything in a trial that is drawn.
pub(super) struct Drawn<C> {
    chance: C,
    departures: Rng,
}

impl<C: Chance> Drawn<C> {
    /// At the beginning of the trial with this seed.
    pub(super) fn new(of: &MadeFor, seed: u64) -> Self {
        let seeds = Seeds::of(seed, 0);
        let departures = Rng::seed_from_u64(seeds.departures);
        Self { chance: C::new(of, &seeds), departures }
    }

    /// Follows from another seed from here on.
    pub(super) fn branch(&mut self, of: &MadeFor, seed: u64) {
        let seeds = Seeds::of(seed, 0);
        self.chance.branch(of, &seeds);
        self.departures = Rng::seed_from_u64(seeds.departures);
    }

    /// A copy, where it is small.
    pub(super) fn copy(&self) -> Option<Self> {
        let chance = self.chance.copy()?;
        Some(Self { chance, departures: self.departures.clone() })
    }
}
