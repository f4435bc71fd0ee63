//! A set of whole keys: the table of the crate hashbrown, which is that of the standard library.

use std::marker::PhantomData;

use ::hashbrown::HashTable;
use loadfactor_schemes::info::SchemeInfo;

use super::beside::{Beside, Filter};
use super::case::Peer;
use super::set::{Key, Set};
use super::table::{Table, TableFamily};

/// Keys with room for all elements from the start.
#[derive(Debug)]
pub(super) struct Keys(HashTable<Key>);

impl Keys {
    fn with_places(places: u32) -> Self {
        Self(HashTable::with_capacity(places as usize))
    }
}

impl Set for Keys {
    const DELETES: bool = true;

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn insert(&mut self, key: &Key, hash: impl Fn(&Key) -> u64) {
        self.0.insert_unique(hash(key), *key, hash);
    }

    #[inline(always)]
    fn contains(&self, key: &Key, hash: impl Fn(&Key) -> u64) -> bool {
        self.0.find(hash(key), |own| own == key).is_some()
    }

    #[inline(always)]
    fn delete(&mut self, key: &Key, hash: impl Fn(&Key) -> u64) {
        if let Ok(found) = self.0.find_entry(hash(key), |own| own == key) {
            found.remove();
        }
    }

    fn bytes(&self) -> u64 {
        self.0.allocation_size() as u64
    }
}

/// The keys beside filters.
#[derive(Debug)]
pub(super) struct BesideFilters;

impl Peer for BesideFilters {
    type Beside = Filter;
    type Set = Keys;

    const INFO: SchemeInfo = SchemeInfo {
        name: "hashbrown",
        summary: "The hash table of the Rust crate hashbrown, which the standard library has: it stores whole keys of 16 bytes, and is never wrong. It has room for all elements from the start; `bits` and `choices` are those of the filters that it stands beside, and say nothing of it.",
        source: "https://github.com/rust-lang/hashbrown",
        params: Filter::PARAMS,
        predictions: &[],
    };

    fn set(beside: &Filter) -> Keys {
        Keys::with_places(beside.places())
    }
}

/// The keys beside tables of the family `F`.
#[derive(Debug)]
pub(super) struct BesideTables<F>(PhantomData<fn() -> F>);

impl<F: TableFamily> Peer for BesideTables<F> {
    type Beside = Table<F>;
    type Set = Keys;

    const INFO: SchemeInfo = SchemeInfo {
        name: F::PEER,
        summary: "The hash table of the Rust crate hashbrown, which the standard library has, with keys of 16 bytes. It has room for as many elements as the tables that it stands beside have places, or elements where these have lists, and rounds that up to what it makes: nothing overflows.",
        source: "https://github.com/rust-lang/hashbrown",
        params: F::PARAMS,
        predictions: &[],
    };

    fn set(beside: &Table<F>) -> Keys {
        Keys::with_places(beside.places())
    }
}
