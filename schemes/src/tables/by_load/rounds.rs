//! The rounds of trials that go in lockstep.

use super::draws::BLOCK;
use super::together::Ended;
use crate::tables::trial::{Rounds, Sums};

/// As many tables as there are lanes, into which n elements come.
pub(super) trait Tables {
    /// All n elements are on the overflow lists, without choices, so that none of them moves back.
    fn put_without_choices(&mut self);

    /// Begins to count for a window.
    fn begin(&mut self);

    /// So many elements arrive, each after a random one has departed where they do; at most [`BLOCK`]. Adds what happened to the
    /// sums of each lane.
    fn block(&mut self, number: usize, departures: bool, sums: &mut [Sums]);

    /// In place of all readings, one of the tables as they are.
    fn look(&mut self, sums: &mut [Sums]);

    /// What they came to, with these sums.
    fn end(self, sums: Vec<Sums>) -> Ended;
}

/// A part of each trial, in which elements arrive.
#[derive(Clone, Copy)]
struct Window {
    arrivals: u64,
    /// Whether a random element departs before each of them.
    departures: bool,
}

/// Takes empty tables of n elements, one in each of so many lanes, through their rounds.
#[inline(always)]
pub(super) fn go_through<T: Tables>(mut tables: T, lanes: usize, n: u64, rounds: Rounds) -> Ended {
    let filled = match rounds {
        Rounds::Filling => true,
        Rounds::Window { filled, .. } | Rounds::Moment { filled, .. } => filled,
    };
    let filling = Window { arrivals: if filled { n } else { 0 }, departures: false };
    let alternating = |arrivals| Window { arrivals, departures: true };
    // The last one is measured.
    let windows = match rounds {
        Rounds::Filling => [alternating(0), alternating(0), filling],
        Rounds::Window { warm_up, rounds, .. } => {
            [filling, alternating(warm_up), alternating(rounds)]
        }
        Rounds::Moment { rounds, .. } => [filling, alternating(0), alternating(rounds)],
    };
    if !filled {
        tables.put_without_choices();
    }
    let mut sums = Vec::new();
    // All are in one place, so that what the compiler puts into it is there once.
    for window in windows {
        sums = go_through_window(&mut tables, lanes, window);
    }
    match rounds {
        Rounds::Window { .. } => {}
        Rounds::Filling => tables.look(&mut sums),
        Rounds::Moment { .. } => {
            sums.fill(Sums::default());
            tables.look(&mut sums);
        }
    }
    tables.end(sums)
}

#[inline(always)]
fn go_through_window<T: Tables>(tables: &mut T, lanes: usize, window: Window) -> Vec<Sums> {
    let Window { arrivals, departures } = window;
    let of_all = match departures {
        true => Sums::of_window(arrivals),
        false => Sums { arrivals, ..Sums::default() },
    };
    let mut sums = vec![of_all; lanes];
    let mut left = arrivals;
    tables.begin();
    while left > 0 {
        let number = left.min(BLOCK as u64);
        tables.block(number as usize, departures, &mut sums);
        left -= number;
    }
    sums
}
