//! One trial in rounds of a table with names, whose choices are drawn by the block.

use std::array;

use super::asked::Asked;
use super::by_level::BLOCK;
use super::named::Named;
use super::succession::Succession;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::tables::Table;
use crate::tables::nameless::{Nameless, Shape};
use crate::tables::sub_tables::SubTable;
use crate::tables::trial::{RoundTrial, Rounds, Sums};
use crate::uniform::{ByBlock, sort_into_rows};

/// Draws who departs and what the choices of those who arrive are, a block of rounds at a time, in the numbers that
/// [`Elements`](super::elements::Elements) has for elements and places.
#[derive(Debug, Clone)]
pub(super) struct Drawing<const D: usize> {
    /// The first place of each sub-table, and the choices in it.
    sub_tables: [(u16, ByBlock); D],
    departures: ByBlock,
    /// The choices of a block of elements.
    choices: [[u16; D]; BLOCK],
}

impl<const D: usize> Drawing<D> {
    /// Begins the draws of a trial of so many elements.
    pub(super) fn new(elements: u32, sub_tables: &[SubTable; D], seeds: &Seeds) -> Self {
        let choices = |level: usize| {
            let SubTable { first, buckets } = sub_tables[level];
            (first as u16 + 1, ByBlock::new(buckets, derive_seed(seeds.hash, level as u64)))
        };
        Self {
            sub_tables: array::from_fn(choices),
            departures: ByBlock::new(elements, seeds.departures),
            choices: [[0; D]; BLOCK],
        }
    }

    /// The choices of a block of elements.
    pub(super) fn choices(&mut self) -> &[[u16; D]; BLOCK] {
        let mut of_sub_tables = [[0; BLOCK]; D];
        for ((first, numbers), drawn) in self.sub_tables.iter_mut().zip(&mut of_sub_tables) {
            numbers.fill((*first).into(), drawn);
        }
        sort_into_rows(&of_sub_tables, &mut self.choices);
        &self.choices
    }

    /// The elements that depart in a block of rounds.
    pub(super) fn departing(&mut self) -> [u16; BLOCK] {
        let mut departing = [0; BLOCK];
        self.departures.fill(0, &mut departing);
        departing
    }
}

impl<A: Asked<D>, F: Succession<D>, const D: usize> Nameless for Named<A, F, D> {
    fn trial<const R: usize>(
        mut self,
        _shape: &Shape<R>,
        rounds: Rounds,
        seeds: &Seeds,
    ) -> (Self, Sums) {
        let sums = rounds.run(&mut NamedTrial::new(&mut self, seeds));
        (self, sums)
    }
}

/// A trial of a table that is empty.
struct NamedTrial<'t, A, F, const D: usize> {
    table: &'t mut Named<A, F, D>,
    drawing: Drawing<D>,
}

impl<'t, A: Asked<D>, F: Succession<D>, const D: usize> NamedTrial<'t, A, F, D> {
    fn new(table: &'t mut Named<A, F, D>, seeds: &Seeds) -> Self {
        let drawing = Drawing::new(table.elements.number, &table.elements.sub_tables, seeds);
        Self { table, drawing }
    }

    /// n.
    fn number(&self) -> u32 {
        self.table.elements.number
    }
}

impl<A: Asked<D>, F: Succession<D>, const D: usize> RoundTrial for NamedTrial<'_, A, F, D> {
    fn fill(&mut self) -> Sums {
        let mut sums = Sums { arrivals: self.number().into(), ..Sums::default() };
        for first in (0..self.number()).step_by(BLOCK) {
            for (element, &own) in (first..self.number()).zip(self.drawing.choices()) {
                sums.add(self.table.put(element as u16, own), false);
                sums.read(self.table);
            }
        }
        sums
    }

    fn list(&mut self) {
        (0..self.number()).for_each(|element| self.table.insert_overflowed(element));
    }

    fn alternate(&mut self, rounds: u64) -> Sums {
        let mut sums = Sums::of_window(rounds);
        let mut left = rounds;
        while left > 0 {
            let number = left.min(BLOCK as u64);
            let departing = self.drawing.departing();
            let more = through(self.table, &departing[..number as usize], self.drawing.choices());
            sums = sums.and(&more);
            left -= number;
        }
        sums
    }

    fn look(&self, sums: &mut Sums) {
        sums.look(self.table);
    }
}

/// Goes through the rounds of a block. What was drawn for it stays outside, so that registers are left for what changes.
#[inline(never)]
fn through<A: Asked<D>, F: Succession<D>, const D: usize>(
    table: &mut Named<A, F, D>,
    departing: &[u16],
    choices: &[[u16; D]; BLOCK],
) -> Sums {
    let mut sums = Sums::default();
    for (&element, &own) in departing.iter().zip(choices) {
        sums.delete(table.take(element));
        sums.add(table.put(element, own), false);
        sums.read(table);
    }
    sums
}
