//! Trials with random choices, of elements that nobody can tell apart.
//!
//! Where choices are random and look at no key, elements differ in nothing but where they are. So all choices of one are
//! drawn when it arrives, or in rounds a block of arrivals at a time, from as few words as have room for them; and who
//! departs, which does not depend on the table, is drawn ahead, a block at a time. A table may run trials in rounds in a way
//! of its own.
//!
//! In rounds, a uniformly random element departs just as well as whoever is in a place that is drawn again and again until
//! somebody is there. So elements need no names either, and no record of where each of them is: the greater part of what a
//! trial would otherwise read and write. That pays where the record does not fit in the cache. Elsewhere they have names, as
//! looking up where one is takes less time than drawing in vain.
//!
//! A course names who arrives and who departs, and is drawn ahead as a whole.
//!
//! What is drawn is not what other trials draw, and the law of what is measured is the same.

mod departures;
mod drawn;
mod follow;
mod trial;

#[cfg(test)]
mod tests;

pub(super) use self::follow::follow;
pub(super) use self::trial::Shape;

use self::trial::run;

use super::ahead::BEYOND_CACHE;
use super::trial::{Rounds, Sums};
use super::{Deletion, Geometry, Insertion, Table};
use crate::hash::Choices;
use crate::keys::Seeds;

/// A table for such trials.
pub trait Nameless: Table {
    /// Runs one trial in rounds on the table, which is empty, and gives it back.
    fn trial<const R: usize>(
        self,
        shape: &Shape<R>,
        rounds: Rounds,
        seeds: &Seeds,
    ) -> (Self, Sums) {
        run(self, shape, rounds, seeds)
    }

    /// Whether an element can take the name of another that departs, so that N elements in the system are `0..N`.
    const RENAMES: bool = false;

    /// Deletes an element, whose name the `last` one takes.
    fn delete_and_rename(&mut self, element: u32, _last: u32) -> Deletion {
        self.delete(element)
    }

    /// Whether [`jump`](Self::jump) is there, where every element tries the table.
    const JUMPS: bool = false;

    /// Without a branch on which of them it is, an element `leaves` as in [`delete_and_rename`](Self::delete_and_rename), or
    /// one arrives that is called `number`, as many as there were. Tells of the insertion in either case.
    fn jump(&mut self, _leaves: Option<u32>, _number: u32, _choices: impl Choices) -> Insertion {
        Insertion::default()
    }

    /// Whether its elements have names nevertheless: then nothing of what follows is called.
    fn has_names(&self) -> bool {
        false
    }

    /// Reads what rounds need in which these elements depart and others arrive with these choices.
    fn read_rounds_ahead<const R: usize>(&self, _departing: &[u32], _arriving: &[[u32; R]]) {}

    /// Entries of the overflow list up to the last in use.
    fn entries(&self) -> u32 {
        0
    }

    /// Deletes the element in a slot of the bucket; `None` where there is none.
    fn vacate(&mut self, _bucket: u32, _slot: u32) -> Option<Deletion> {
        None
    }

    /// Deletes the element in an entry of the overflow list; `None` where there is none.
    fn unlist(&mut self, _entry: u32) -> Option<Deletion> {
        None
    }
}

/// Something to do with such a table, whose type is fixed inside.
pub trait NamelessVisitor {
    /// Whether it asks for elements by their names alone, so that these are kept whatever the size of the table.
    const BY_NAME: bool = false;

    /// What comes out.
    type Output;

    /// Does it with an empty table whose insertions draw one number below each of the `ranges`: their choices, and then
    /// a coin if there is one number more.
    fn visit<T: Nameless, const R: usize>(self, table: T, ranges: [u32; R]) -> Self::Output;
}

/// Whether the record of where the elements are would not fit in a second-level cache, so that rounds do without.
pub(super) fn is_large(geometry: &Geometry) -> bool {
    geometry.elements >= BEYOND_CACHE
}

/// The least share of the places that is to be taken: of a table that is emptier, most places would be drawn in vain.
const LEAST_LOAD: f64 = 0.25;

/// Whether it may pay to look for elements by drawing places.
pub(super) fn pays(geometry: &Geometry) -> bool {
    geometry.load() >= LEAST_LOAD
}
