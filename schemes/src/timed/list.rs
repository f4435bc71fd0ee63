//! The overflow list as software has it.

use hashbrown::HashTable;

use super::key::Key;
use crate::hash::{HashFamily as _, Xxh3};

/// Keys that found no room in their buckets. Hardware would compare all of them at once, in a CAM; here a hash
/// table finds them.
pub(crate) struct OverflowList {
    keys: HashTable<Key>,
    hash: Xxh3,
}

impl OverflowList {
    /// Bytes of an element on the list, with the room that the list has to spare: at most as many places as elements
    /// are free.
    pub(crate) const BYTES_PER_ELEMENT: u64 = 2 * (size_of::<Key>() as u64 + 1);

    /// An empty list.
    pub(crate) fn new() -> Self {
        Self { keys: HashTable::new(), hash: Xxh3::with_seed(0, size_of::<Key>()) }
    }

    /// Empties the list without giving up its memory.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    /// Keys on the list, one that was added twice counted twice.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.keys.allocation_size() as u64
    }

    /// Adds a key.
    pub(crate) fn insert(&mut self, key: Key) {
        let Self { keys, hash } = self;
        let hash = |key: &Key| hash.hash(&key.to_ne_bytes());
        keys.insert_unique(hash(&key), key, hash);
    }

    /// Whether the key is on the list. An empty list is not looked at.
    #[inline(always)]
    pub(crate) fn contains(&self, key: Key) -> bool {
        !self.keys.is_empty() && self.finds(key)
    }

    fn finds(&self, key: Key) -> bool {
        self.keys.find(self.hash.hash(&key.to_ne_bytes()), |&own| own == key).is_some()
    }

    /// Takes the key off the list, once; whether it was there.
    pub(crate) fn remove(&mut self, key: Key) -> bool {
        let hash = self.hash.hash(&key.to_ne_bytes());
        let found = self.keys.find_entry(hash, |&own| own == key);
        found.is_ok_and(|entry| entry.remove().0 == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_came_twice_leaves_twice() {
        let mut list = OverflowList::new();
        assert!(!list.contains(5) && !list.remove(5));
        [5, 6, 5].into_iter().for_each(|key| list.insert(key));
        assert!(list.contains(6) && list.remove(5) && list.contains(5));
        assert!(list.remove(5) && !list.contains(5));
        assert_eq!(list.len(), 1);
        list.clear();
        assert!(!list.contains(6));
    }
}
