//! A structure with the keys that it is to store and to be asked for.

use super::{Operation, Timed, TimedKeys};
use crate::metric::Metric;

/// What stores keys: all that a structure of one's own has to do in order to be timed, [`WithKeys`].
pub trait Structure: Send {
    /// Makes it hold nothing, without giving up its memory.
    fn clear(&mut self);

    /// Stores a key that is not there. A static set may wait for the last of them.
    fn insert(&mut self, key: &[u8]);

    /// Whether the key is there, or may be.
    fn contains(&mut self, key: &[u8]) -> bool;

    /// Takes out a key that is there. Not called where [`Case::deletes`](crate::case::Case::deletes) says no.
    fn delete(&mut self, _key: &[u8]) {}

    /// Bytes of memory that it takes now.
    fn bytes(&self) -> u64;

    /// What [`Timed::measured`] is to tell of a structure that so many elements were given to.
    fn measured(&mut self, _elements: u64) -> Option<(Metric, f64)> {
        None
    }
}

/// A structure with its keys.
#[derive(Debug)]
pub struct WithKeys<S> {
    /// The structure, without any of the keys.
    pub structure: S,
    /// The keys, none of them stored.
    pub keys: TimedKeys,
}

impl<S: Structure> Timed for WithKeys<S> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.structure.clear();
        self.keys.clear();
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { structure, keys } = self;
        let mut yes = 0;
        match operation {
            Operation::Insert => {
                yes = keys.arrive(count);
                for _ in 0..yes {
                    structure.insert(keys.next_arriving());
                }
            }
            // One loop for both: it is compiled for every structure and hash function.
            Operation::Hit | Operation::Miss => {
                for key in keys.asked(operation == Operation::Miss).take(count as usize) {
                    yes += u64::from(structure.contains(key));
                }
            }
            Operation::Delete => {
                yes = keys.leave(count);
                for _ in 0..yes {
                    structure.delete(keys.next_leaving());
                }
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        self.structure.bytes()
    }

    fn measured(&mut self) -> Option<(Metric, f64)> {
        self.structure.measured(self.keys.elements())
    }
}
