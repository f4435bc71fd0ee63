//! Trials without names: elements that differ in nothing but where they are.
//!
//! Where choices are random and look at no key, nobody can tell the elements of a table apart. A uniformly random one
//! departs just as well as whoever is in a place that is drawn again and again until somebody is there. So elements need
//! no numbers, and no record of where each of them is: the greater part of what a trial would otherwise read and write.
//! What is left of a table of counters is the counters.
//!
//! The places to try do not depend on the table, and a block of them is drawn ahead; all choices of an element are drawn
//! when it arrives, from as few words as have room for them. What is drawn this way is not what trials with names draw,
//! and the law of what is measured is the same.

mod departures;
mod drawn;
mod trial;

#[cfg(test)]
mod tests;

pub(super) use self::trial::{Shape, run};

use super::{Deletion, Insertion, Table};
use crate::Rng;
use crate::hash::Choices;

/// A table in which elements have no names.
pub trait Nameless: Table {
    /// Whether elements have names all the same: then none of the following is called.
    fn has_names(&self) -> bool {
        false
    }

    /// Entries of the overflow list up to the last in use.
    fn entries(&self) -> u32;

    /// Deletes the element in a slot of the bucket; `None` where there is none.
    fn vacate(&mut self, bucket: u32, slot: u32) -> Option<Deletion>;

    /// Deletes the element in an entry of the overflow list; `None` where there is none.
    fn unlist(&mut self, entry: u32) -> Option<Deletion>;

    /// Inserts an element, as [`Table::insert`] does.
    #[inline(always)]
    fn arrive<const CERTAIN: bool>(
        &mut self,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        self.insert::<CERTAIN>(0, choices, rng)
    }

    /// Puts an element straight on the overflow list.
    fn arrive_overflowed(&mut self) {
        self.insert_overflowed(0);
    }
}

/// Something to do with a table without names whose type is fixed inside.
pub trait NamelessVisitor {
    /// What comes out.
    type Output;
    /// Does it with an empty table whose insertions draw one number below each of the `ranges`: their choices, and then
    /// a coin if there is one number more.
    fn visit<T: Nameless, const R: usize>(self, table: T, ranges: [u32; R]) -> Self::Output;
}

/// The least share of the places that is to be taken: of a table that is emptier, most places would be drawn in vain.
const LEAST_LOAD: f64 = 0.25;

/// Whether it pays to look for elements by drawing places.
pub(super) fn pays(load: f64) -> bool {
    load >= LEAST_LOAD
}
