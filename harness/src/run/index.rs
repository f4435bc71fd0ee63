//! Where the finished batches stand in journals.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use xxhash_rust::xxh3::xxh3_128;

use super::work::Identity;

/// What tells batches apart: point, number and trials.
pub(super) type Key = (Identity, u64, u64);

/// Where a record stands, in 32 bytes: there may be millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Which of the journals it is.
    pub(super) journal: u32,
    /// Bytes of the payload.
    pub(super) length: u32,
    /// Where its frame begins, in bytes from the start of the file.
    pub(super) offset: u64,
    digest: [u8; 16],
}

impl Place {
    /// The place of a payload.
    pub(super) fn new(journal: u32, offset: u64, payload: &[u8]) -> Self {
        Self { journal, length: payload.len() as u32, offset, digest: digest(payload) }
    }

    /// Whether this is the payload that stands there.
    pub(super) fn holds(&self, payload: &[u8]) -> bool {
        self.digest == digest(payload)
    }
}

fn digest(payload: &[u8]) -> [u8; 16] {
    xxh3_128(payload).to_le_bytes()
}

/// The places of batches, each of them once: the memory of a merge, and of all that reads a journal.
#[derive(Debug, Default)]
pub(super) struct Index(BTreeMap<Key, Place>);

/// What became of a batch that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// It was not there.
    New,
    /// It was there with the same result.
    Repeated,
    /// It was there with another result, in this journal.
    Contradicts(u32),
}

impl Index {
    /// Adds a batch, unless it is there already.
    pub(super) fn add(&mut self, key: Key, place: Place) -> Added {
        match self.0.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(place);
                Added::New
            }
            // Payloads are compared, because two NaN are the same result and yet not equal.
            Entry::Occupied(entry) if entry.get().digest == place.digest => Added::Repeated,
            Entry::Occupied(entry) => Added::Contradicts(entry.get().journal),
        }
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Place> {
        self.0.get(key)
    }

    /// Number of batches.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The batches, ordered by point, number and trials.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.0.keys()
    }

    /// Where they stand, in the same order.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.0.values()
    }
}
