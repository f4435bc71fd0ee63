//! What is drawn for the rounds of a block.

use std::array;

use pulp::Simd;

use super::tables::{FIRST, NO_BUCKET};
use crate::tables::by_load::lanes::{Arithmetic, Lanes, Numbers};
use crate::tables::by_load::waiting::MOST_AWAITED;

/// The element that departs in a round, and the choices of the one that arrives: numbers of buckets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<S: Simd, const G: usize> {
    departing: Numbers<S, G>,
    /// Those that there are, and `NO_BUCKET` behind them and for a bucket that is among those before it.
    choices: [Numbers<S, G>; MOST_AWAITED],
}

impl<S: Simd, const G: usize> Row<S, G> {
    /// Nothing yet.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>) -> Self {
        let none = lanes.all(NO_BUCKET.into());
        Self { departing: lanes.all(0), choices: [none; MOST_AWAITED] }
    }

    /// What was drawn: the number of an element, and those of buckets in their sub-tables, or in the table; `first` are the
    /// numbers of the first bucket of each sub-table.
    #[inline(always)]
    pub(super) fn set(&mut self, lanes: Lanes<S, G>, drawn: &[Numbers<S, G>], first: &[u32]) {
        let [departing, drawn @ ..] = drawn else { return };
        self.departing = *departing;
        for (i, &number) in drawn.iter().enumerate() {
            let (first, in_table) = match first {
                [first] => (*first, true),
                all => (all[i], false),
            };
            let mut choice = lanes.add(number, lanes.all((u32::from(FIRST) + first) as i32));
            if in_table {
                for &before in &self.choices[..i] {
                    choice = lanes.and_not(choice, lanes.equal(choice, before));
                }
            }
            self.choices[i] = choice;
        }
    }

    #[inline(always)]
    pub(super) fn departing(&self, lane: usize) -> u16 {
        self.departing.of_lanes()[lane] as u16
    }

    /// In 32 bits: the compiler puts several of 16 into one word, and takes that apart again.
    #[inline(always)]
    pub(super) fn choice(&self, choice: usize, lane: usize) -> u32 {
        self.choices[choice].of_lanes()[lane].cast_unsigned()
    }

    #[inline(always)]
    pub(super) fn choices<const D: usize>(&self, lane: usize) -> [u16; D] {
        array::from_fn(|choice| self.choice(choice, lane) as u16)
    }
}
