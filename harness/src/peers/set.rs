//! A set of another crate with its hash function.

use std::fmt;

use loadfactor_schemes::hash::{HashFamily as _, Xxh3};
use loadfactor_schemes::keys::MADE_KEY_BYTES;
use loadfactor_schemes::timed::Structure;

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

/// A set with the function that it is given values of.
pub(super) struct Hashing<S> {
    pub(super) set: S,
    pub(super) member: Xxh3,
}

impl<S: Set> Structure for Hashing<S> {
    fn clear(&mut self) {
        self.set.clear();
    }

    #[inline(always)]
    fn insert(&mut self, key: &[u8]) {
        self.set.insert(whole(key), |key| self.member.hash(key));
    }

    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        self.set.contains(whole(key), |key| self.member.hash(key))
    }

    #[inline(always)]
    fn delete(&mut self, key: &[u8]) {
        self.set.delete(whole(key), |key| self.member.hash(key));
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
