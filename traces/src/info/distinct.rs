//! The number of distinct keys of a stream.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_128;

/// Tables that the hashes are spread over, by their topmost bits.
const PARTS: usize = 256;
/// Hashes that wait for their table.
const WAITING: usize = 256;

/// Counts distinct keys by hashes of 128 bits. Keys of one hash would count as one: among a thousand
/// million distinct keys, some two are such with a probability below 10⁻²⁰.
///
/// Nearly every access to a table larger than the caches would wait for memory. So there are many
/// small ones, and hashes go to a table by the hundred, for which it stays in a cache.
#[derive(Debug)]
pub(super) struct DistinctKeys {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Default)]
struct Part {
    waiting: Vec<u128>,
    hashes: HashTable<u128>,
}

impl Default for DistinctKeys {
    fn default() -> Self {
        DistinctKeys { parts: vec![Part::default(); PARTS] }
    }
}

impl DistinctKeys {
    /// Adds a key.
    #[inline]
    pub(super) fn insert(&mut self, key: &[u8]) {
        let hash = xxh3_128(key);
        let part = &mut self.parts[(hash >> 120) as usize];
        part.waiting.push(hash);
        if part.waiting.len() >= WAITING {
            part.settle();
        }
    }

    /// Number of distinct keys.
    pub(super) fn count(&mut self) -> usize {
        self.parts.iter_mut().map(Part::count).sum()
    }
}

impl Part {
    /// Brings what waits into the table.
    #[cold]
    fn settle(&mut self) {
        for hash in self.waiting.drain(..) {
            if self.hashes.find(hash as u64, |&other| other == hash).is_none() {
                self.hashes.insert_unique(hash as u64, hash, |&other| other as u64);
            }
        }
    }

    fn count(&mut self) -> usize {
        self.settle();
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
        assert_eq!(keys.count(), 150_000);
        keys.insert(&7_u32.to_be_bytes());
        keys.insert(b"other");
        assert_eq!(keys.count(), 150_001);
    }
}
