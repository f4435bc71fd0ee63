//! Lists of keys in one piece of memory.

use crate::timed::Key;

/// No entry.
const NONE: u32 = u32::MAX;

/// A key with the entry that follows it in its list: 32 bytes, as numbers of 16 bytes begin at multiples of these.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Key,
    next: u32,
}

/// A list for each bucket, with its first and its last entry.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    heads: Vec<u32>,
    tails: Vec<u32>,
    entries: Vec<Entry>,
    /// The first of the entries that were given back, which are a list too.
    free: u32,
}

impl Lists {
    /// Bytes of a bucket.
    pub(super) const BYTES_OF_BUCKET: u64 = 8;
    /// Bytes of an entry.
    pub(super) const BYTES_OF_ENTRY: u64 = size_of::<Entry>() as u64;

    /// Empty lists with room for so many keys together.
    pub(super) fn new(buckets: u32, elements: u32) -> Self {
        let ends = vec![NONE; buckets as usize];
        let entries = Vec::with_capacity(elements as usize);
        Self { heads: ends.clone(), tails: ends, entries, free: NONE }
    }

    /// Empties all lists.
    pub(super) fn clear(&mut self) {
        self.heads.fill(NONE);
        self.entries.clear();
        self.free = NONE;
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        let (buckets, entries) = (self.heads.len() as u64, self.entries.capacity() as u64);
        buckets * Self::BYTES_OF_BUCKET + entries * Self::BYTES_OF_ENTRY
    }

    /// The keys of a bucket's list in their order.
    #[inline(always)]
    pub(super) fn keys(&self, bucket: u32) -> impl Iterator<Item = Key> {
        let mut next = self.heads[bucket as usize];
        std::iter::from_fn(move || {
            let entry = self.entries.get(next as usize)?;
            next = entry.next;
            Some(entry.key)
        })
    }

    /// Puts a key at the end of a bucket's list.
    #[inline(always)]
    pub(super) fn append(&mut self, bucket: u32, key: Key) {
        let own = self.entry(Entry { key, next: NONE });
        let bucket = bucket as usize;
        match self.heads[bucket] {
            NONE => self.heads[bucket] = own,
            _ => self.entries[self.tails[bucket] as usize].next = own,
        }
        self.tails[bucket] = own;
    }

    /// Takes memory for an entry.
    #[inline(always)]
    fn entry(&mut self, entry: Entry) -> u32 {
        let own = self.free;
        if own == NONE {
            self.entries.push(entry);
            return self.entries.len() as u32 - 1;
        }
        self.free = std::mem::replace(&mut self.entries[own as usize], entry).next;
        own
    }

    /// Takes a key out of a bucket's list, if it is there.
    #[inline(always)]
    pub(super) fn remove(&mut self, bucket: u32, key: Key) -> bool {
        let (mut before, mut own) = (NONE, self.heads[bucket as usize]);
        while own != NONE {
            let entry = self.entries[own as usize];
            if entry.key == key {
                self.unlink(bucket, before, own);
                return true;
            }
            (before, own) = (own, entry.next);
        }
        false
    }

    /// Takes an entry out of the list in which it follows `before`, and gives it back.
    #[inline(always)]
    fn unlink(&mut self, bucket: u32, before: u32, own: u32) {
        let next = std::mem::replace(&mut self.entries[own as usize].next, self.free);
        self.free = own;
        match before {
            NONE => self.heads[bucket as usize] = next,
            _ => self.entries[before as usize].next = next,
        }
        if next == NONE {
            self.tails[bucket as usize] = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng};

    use super::*;
    use crate::Rng;

    /// Random changes beside vectors.
    #[test]
    fn lists_keep_their_order() {
        let (mut lists, mut expected) = (Lists::new(3, 50), vec![Vec::new(); 3]);
        let (mut rng, mut stored) = (Rng::seed_from_u64(4), 0);
        for step in 0..3000_u32 {
            let bucket = rng.next_u64() as u32 % 3;
            let list = &mut expected[bucket as usize];
            if stored < 50 && rng.next_u64() % 2 == 0 {
                lists.append(bucket, step.into());
                list.push(Key::from(step));
                stored += 1;
            } else if !list.is_empty() {
                let key = list.remove(rng.next_u64() as usize % list.len());
                assert!(lists.remove(bucket, key));
                stored -= 1;
            }
            assert!(!lists.remove(bucket, Key::MAX));
            assert!(lists.keys(bucket).eq(expected[bucket as usize].iter().copied()));
        }
        assert_eq!(lists.bytes(), 3 * 8 + 50 * 32);
        lists.clear();
        assert!((0..3).all(|bucket| lists.keys(bucket).next().is_none()));
    }
}
