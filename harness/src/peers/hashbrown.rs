//! A set of whole keys: the table of the crate hashbrown, which is that of the standard library.

use ::hashbrown::HashTable;
use loadfactor_schemes::filters::Size;
use loadfactor_schemes::filters::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS};
use loadfactor_schemes::info::SchemeInfo;

use super::case::{Key, Peer};

/// Keys with room for all elements from the start.
#[derive(Debug)]
pub(super) struct Set(HashTable<Key>);

impl Peer for Set {
    const INFO: SchemeInfo = SchemeInfo {
        name: "hashbrown",
        summary: "The hash table of the Rust crate hashbrown, which the standard library has: it stores whole keys of 16 bytes, and is never wrong. It has room for all elements from the start; `bits` and `choices` are those of the filters that it stands beside, and say nothing of it.",
        source: "https://github.com/rust-lang/hashbrown",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BITS, CHOICES],
        predictions: &[],
    };

    fn new(size: &Size) -> Self {
        Self(HashTable::with_capacity(size.elements as usize))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn insert(&mut self, key: &Key, hash: impl Fn(&Key) -> u64) {
        self.0.entry(hash(key), |own| own == key, hash).or_insert(*key);
    }

    #[inline(always)]
    fn contains(&self, key: &Key, hash: impl Fn(&Key) -> u64) -> bool {
        self.0.find(hash(key), |own| own == key).is_some()
    }

    fn bytes(&self) -> u64 {
        self.0.allocation_size() as u64
    }
}
