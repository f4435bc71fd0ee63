//! Buckets of one key each.

use crate::filters::Bits;

/// Keys in place, with a bit for each bucket that says whether it holds one.
pub(super) struct Buckets {
    taken: Bits,
    keys: Vec<u8>,
    width: usize,
}

impl Buckets {
    /// So many empty buckets for keys of so many bytes.
    pub(super) fn new(buckets: u32, width: usize) -> Self {
        Self { taken: Bits::new(buckets), keys: vec![0; buckets as usize * width], width }
    }

    /// Empties all of them.
    pub(super) fn clear(&mut self) {
        self.taken.clear();
    }

    /// Bytes of the keys.
    pub(super) fn bytes_of_keys(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Whether the bucket holds a key.
    pub(super) fn is_taken(&self, bucket: u32) -> bool {
        self.taken.is_set(bucket)
    }

    /// Writes a key into the bucket.
    pub(super) fn put(&mut self, bucket: u32, key: &[u8]) {
        self.taken.set(bucket);
        let first = bucket as usize * self.width;
        self.keys[first..first + self.width].copy_from_slice(key);
    }

    /// Empties the bucket.
    pub(super) fn take(&mut self, bucket: u32) {
        self.taken.unset(bucket);
    }

    /// Whether the bucket holds this key.
    pub(super) fn holds(&self, bucket: u32, key: &[u8]) -> bool {
        let first = bucket as usize * self.width;
        self.taken.is_set(bucket) && self.keys[first..first + self.width] == *key
    }
}
