//! Structures to be timed: what a trial does with them, one operation at a time, on keys that are there
//! before the clock starts.
//!
//! Nothing here looks at a clock: whoever does calls [`Timed::run`] for thousands of operations at once, so that
//! the call, which is virtual, costs nothing beside them.
//!
//! A structure of one's own is timed where its case gives it in [`Case::timed`](crate::case::Case::timed):
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use loadfactor_schemes::keys::{Arrivals, Made};
//! use loadfactor_schemes::timed::{Operation, Structure, Timed, TimedKeys, WithKeys};
//!
//! struct Sorted(BTreeSet<Vec<u8>>);
//!
//! impl Structure for Sorted {
//!     fn clear(&mut self) {
//!         self.0.clear();
//!     }
//!
//!     fn insert(&mut self, key: &[u8]) {
//!         self.0.insert(key.to_vec());
//!     }
//!
//!     fn contains(&mut self, key: &[u8]) -> bool {
//!         self.0.contains(key)
//!     }
//!
//!     fn delete(&mut self, key: &[u8]) {
//!         self.0.remove(key);
//!     }
//!
//!     fn bytes(&self) -> u64 {
//!         32 * self.0.len() as u64
//!     }
//! }
//!
//! let mut arrivals = Made::new(false);
//! arrivals.begin(1);
//! let keys = TimedKeys::draw(&mut arrivals, 1000, 500).expect("drawn keys have bytes");
//! let mut sorted = WithKeys { structure: Sorted(BTreeSet::new()), keys };
//! assert_eq!(sorted.run(Operation::Insert, 5000), 1000);
//! assert_eq!(sorted.run(Operation::Hit, 3000), 3000);
//! assert_eq!(sorted.answers().false_positive_rate(), Some(0.0));
//! assert_eq!(sorted.run(Operation::Delete, 400), 400);
//! assert_eq!(sorted.run(Operation::Hit, 1000), 600);
//! ```

mod by_choices;
#[cfg(test)]
mod first_trial;
mod key;
mod keys;
mod list;
mod slots;
mod structure;

use std::fmt;

use thiserror::Error;

use crate::metric::Metric;

pub use key::Key;
pub use keys::{Asked, TimedKeys};
pub use structure::{Structure, WithKeys};

pub(crate) use by_choices::{ByChoices, check_keys, with_hash};
#[cfg(test)]
pub(crate) use first_trial::first_trial;
pub(crate) use key::key;
pub(crate) use keys::ABSENT;
pub(crate) use list::OverflowList;
pub(crate) use slots::Slots;

/// An operation whose time is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A key is stored that is not yet there.
    Insert,
    /// A stored key is asked for.
    Hit,
    /// An absent key is asked for.
    Miss,
    /// A stored key is taken out.
    Delete,
}

impl Operation {
    /// All of them, in the order in which they are measured.
    pub const ALL: [Self; 4] = [Self::Insert, Self::Hit, Self::Miss, Self::Delete];

    /// Their names in definitions, in the same order.
    pub const NAMES: &'static [&'static str] = &["insert", "hit", "miss", "delete"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insert => Self::NAMES[0],
            Self::Hit => Self::NAMES[1],
            Self::Miss => Self::NAMES[2],
            Self::Delete => Self::NAMES[3],
        }
    }

    /// The operation of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a full structure answers to absent keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answers {
    /// Absent keys that it was asked for.
    pub asked: u64,
    /// Those to which it said yes.
    pub positive: u64,
}

impl Answers {
    /// The share of absent keys to which it said yes; `None` where it was asked for none.
    pub fn false_positive_rate(self) -> Option<f64> {
        (self.asked > 0).then(|| self.positive as f64 / self.asked as f64)
    }
}

/// Why there is no structure to be timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Untimed(pub &'static str);

impl Untimed {
    /// Nobody wrote one.
    pub const NO_STRUCTURE: Self = Self("its scheme has no structure that stores keys");
    /// Choices are drawn.
    pub const NO_KEYS: Self = Self(
        "with `hash = \"random\"` no key decides where an element goes; give it a hash function of keys, such as `hash = \"xxh3\"`",
    );
    /// Not every element can have a key of its own.
    pub const TOO_FEW_KEYS: Self =
        Self("the trace has fewer distinct keys than there are elements");
    /// Slots are of one width.
    pub const TOO_WIDE: Self = Self(
        "a slot holds a key of at most 16 bytes, and all keys have to be as wide as each other",
    );
}

/// A structure with its keys.
pub trait Timed: Send {
    /// Elements that it stores when it is full.
    fn elements(&self) -> u64;

    /// Absent keys that it can be asked for before one comes again.
    fn absent(&self) -> u64;

    /// Makes it hold nothing: the next insertion is that of the first element.
    fn clear(&mut self);

    /// Performs so many operations from where the last ones ended. What is returned depends on each of them, so
    /// that none can be left out: of look-ups, how many were answered with yes.
    ///
    /// Elements are inserted in order, from the first one after [`clear`](Self::clear) until all are in, and deleted
    /// in the same order until none is left; what is beyond is not done, and the number of those done is returned.
    /// Keys that are asked for begin anew after the last one. Only a full structure knows all elements.
    ///
    /// Deletions are not asked for where [`Case::deletes`](crate::case::Case::deletes) says no.
    fn run(&mut self, operation: Operation, count: u64) -> u64;

    /// Bytes of the structure as it is now, the keys that it is asked for aside.
    fn bytes(&self) -> u64;

    /// What a trial that fills such a structure measures of it, where answers to absent keys are not all there is to
    /// tell: of the structure as it is now.
    fn measured(&mut self) -> Option<(Metric, f64)> {
        None
    }

    /// Asks the full structure for every absent key, without a clock.
    fn answers(&mut self) -> Answers {
        let asked = self.absent();
        Answers { asked, positive: self.run(Operation::Miss, asked) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_by_their_names() {
        for operation in Operation::ALL {
            assert_eq!(Operation::named(operation.name()), Some(operation));
        }
        assert_eq!(Operation::named("remove"), None);
        assert_eq!(Operation::NAMES.len(), Operation::ALL.len());
    }
}
