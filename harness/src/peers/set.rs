//! A set of another crate with its keys.

use std::fmt;

use loadfactor_schemes::hash::{HashFamily as _, Xxh3};
use loadfactor_schemes::keys::MADE_KEY_BYTES;
use loadfactor_schemes::timed::{Operation, Timed, TimedKeys};

/// A key that is drawn or counted.
pub(super) type Key = [u8; MADE_KEY_BYTES];

/// A set of another crate, which is given hash values of our own.
pub(super) trait Set: fmt::Debug + Send + 'static {
    /// Whether keys can be deleted.
    const DELETES: bool = false;

    /// Makes it hold nothing.
    fn clear(&mut self);

    /// Stores a key that is not there.
    fn insert(&mut self, key: &Key, hash: impl Fn(&Key) -> u64);

    /// Whether the key may be there.
    fn contains(&self, key: &Key, hash: impl Fn(&Key) -> u64) -> bool;

    /// Deletes a key that is there. Not called unless [`Set::DELETES`].
    fn delete(&mut self, _key: &Key, _hash: impl Fn(&Key) -> u64) {}

    /// Bytes that it takes.
    fn bytes(&self) -> u64;
}

/// A set with its keys and the function that it is given values of.
pub(super) struct TimedSet<S> {
    pub(super) set: S,
    pub(super) member: Xxh3,
    pub(super) keys: TimedKeys,
}

impl<S: Set> Timed for TimedSet<S> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.set.clear();
        self.keys.clear();
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { set, member, keys } = self;
        let hash = |key: &Key| member.hash(key);
        let mut yes = 0;
        match operation {
            Operation::Insert => {
                yes = keys.arrive(count);
                for _ in 0..yes {
                    set.insert(whole(keys.next_arriving()), hash);
                }
            }
            Operation::Hit => {
                for _ in 0..count {
                    yes += u64::from(set.contains(whole(keys.next_element()), hash));
                }
            }
            Operation::Miss => {
                for _ in 0..count {
                    yes += u64::from(set.contains(whole(keys.next_absent()), hash));
                }
            }
            Operation::Delete => {
                yes = keys.leave(count);
                for _ in 0..yes {
                    set.delete(whole(keys.next_leaving()), hash);
                }
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        self.set.bytes()
    }
}

/// The bytes of a key that was made, all of which have the same width; zeros for any other.
#[inline(always)]
fn whole(key: &[u8]) -> &Key {
    key.as_array().unwrap_or(&[0; MADE_KEY_BYTES])
}
