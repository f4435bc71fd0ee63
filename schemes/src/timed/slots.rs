//! Buckets with keys in place.

use super::key::Key;

/// Bytes that a processor reads from memory at once.
const LINE: usize = 64;

/// m buckets of h slots for one key each. The slots in use stand first, and whoever has the table knows how many of
/// them there are in each bucket.
///
/// The first bucket begins where a line of the cache does, so that buckets of four keys are a line each.
#[derive(Debug, Clone)]
pub(crate) struct Slots {
    keys: Vec<Key>,
    first: usize,
    size: usize,
}

impl Slots {
    /// Empty buckets.
    pub(crate) fn new(buckets: u32, bucket_size: u8) -> Self {
        let size = usize::from(bucket_size);
        let spare = LINE / size_of::<Key>() - 1;
        let keys = vec![0; buckets as usize * size + spare];
        let first = keys.as_ptr().align_offset(LINE).min(spare);
        Self { keys, first, size }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.keys[..]) as u64
    }

    #[inline(always)]
    fn place(&self, bucket: u32) -> usize {
        self.first + bucket as usize * self.size
    }

    /// Whether the key is in one of the first `used` slots of the bucket.
    #[inline(always)]
    pub(crate) fn contains(&self, bucket: u32, used: u8, key: Key) -> bool {
        self.keys[self.place(bucket)..][..used.into()].contains(&key)
    }

    /// The key in a slot.
    #[inline(always)]
    pub(crate) fn key(&self, bucket: u32, slot: u8) -> Key {
        self.keys[self.place(bucket) + usize::from(slot)]
    }

    /// Writes the key into a slot; the one that was there.
    #[inline(always)]
    pub(crate) fn replace(&mut self, bucket: u32, slot: u8, key: Key) -> Key {
        let place = self.place(bucket) + usize::from(slot);
        std::mem::replace(&mut self.keys[place], key)
    }

    /// Takes the key out of the first `used` slots of the bucket, if it is there: the last of them fills the gap.
    #[inline(always)]
    pub(crate) fn remove(&mut self, bucket: u32, used: u8, key: Key) -> bool {
        let place = self.place(bucket);
        let keys = &mut self.keys[place..][..used.into()];
        let Some(slot) = keys.iter().position(|&own| own == key) else { return false };
        keys[slot] = keys[keys.len() - 1];
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_of_four_keys_are_lines() {
        let slots = Slots::new(1000, 4);
        assert_eq!(slots.keys[slots.place(7)..].as_ptr().addr() % LINE, 0);
        assert_eq!(slots.bytes(), 64 * 1000 + 48);
    }

    #[test]
    fn the_last_key_fills_the_gap() {
        let mut slots = Slots::new(3, 3);
        (0..3).for_each(|slot| _ = slots.replace(1, slot, Key::from(slot) + 5));
        assert!(slots.remove(1, 3, 5) && !slots.remove(1, 2, 5));
        assert!(slots.contains(1, 1, 7) && slots.contains(1, 2, 6) && !slots.contains(1, 1, 6));
        assert!(!slots.remove(0, 3, 6) && !slots.contains(2, 0, 0));
    }
}
