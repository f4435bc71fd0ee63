//! The number of distinct keys of a stream.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_128;

/// Counts distinct keys by hashes of 128 bits, so that each takes one place of a table and none is
/// read again when it grows. Keys of one hash would count as one: among a thousand million distinct
/// keys, some two are such with a probability below 10⁻²⁰.
#[derive(Debug, Default)]
pub(super) struct DistinctKeys {
    hashes: HashTable<u128>,
}

impl DistinctKeys {
    /// Adds a key; whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, key: &[u8]) -> bool {
        let hash = xxh3_128(key);
        if self.hashes.find(hash as u64, |&other| other == hash).is_some() {
            return false;
        }
        self.hashes.insert_unique(hash as u64, hash, |&other| other as u64);
        true
    }

    /// Number of distinct keys.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_key_once() {
        let mut keys = DistinctKeys::default();
        for number in (0..100_000_u32).chain(50_000..150_000) {
            keys.insert(&number.to_be_bytes());
        }
        assert_eq!(keys.len(), 150_000);
        assert!(!keys.insert(&7_u32.to_be_bytes()) && keys.insert(b"other"));
    }
}
