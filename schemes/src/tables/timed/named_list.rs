//! An overflow list whose keys have numbers, for a CAM that knows numbers.

use hashbrown::HashTable;

use super::Key;
use crate::hash::{HashFamily as _, Xxh3};

/// Keys that found no room in their buckets, each with a number below the greatest length that the list ever had.
pub(in crate::tables) struct NamedList {
    /// The key of each number.
    keys: Vec<Key>,
    /// Numbers that no key has.
    free: Vec<u32>,
    /// The numbers in use, found by their keys.
    numbers: HashTable<u32>,
    hash: Xxh3,
}

impl NamedList {
    /// Bytes of a key on the list, with the room that the list has to spare.
    pub(super) const BYTES_PER_ELEMENT: u64 = 2 * (size_of::<Key>() as u64 + 4 + 5);

    /// An empty list.
    pub(in crate::tables) fn new() -> Self {
        let hash = Xxh3::with_seed(0, size_of::<Key>());
        Self { keys: Vec::new(), free: Vec::new(), numbers: HashTable::new(), hash }
    }

    /// Keys on the list.
    pub(in crate::tables) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The greatest length that the list had since it was empty: numbers are below it.
    #[inline(always)]
    pub(in crate::tables) fn greatest_len(&self) -> u32 {
        self.keys.len() as u32
    }

    /// Empties the list without giving up its memory.
    pub(in crate::tables) fn clear(&mut self) {
        self.keys.clear();
        self.free.clear();
        self.numbers.clear();
    }

    /// Bytes of memory.
    pub(in crate::tables) fn bytes(&self) -> u64 {
        let numbered = self.keys.capacity() * size_of::<Key>();
        (numbered + self.free.capacity() * size_of::<u32>() + self.numbers.allocation_size()) as u64
    }

    /// Adds a key; its number.
    pub(in crate::tables) fn insert(&mut self, key: Key) -> u32 {
        let Self { keys, free, numbers, hash } = self;
        let number = match free.pop() {
            Some(number) => {
                keys[number as usize] = key;
                number
            }
            None => {
                keys.push(key);
                keys.len() as u32 - 1
            }
        };
        let hash = |&number: &u32| hash.hash(&keys[number as usize].to_ne_bytes());
        numbers.insert_unique(hash(&number), number, hash);
        number
    }

    /// Whether the key is on the list. An empty list is not looked at.
    #[inline(always)]
    pub(in crate::tables) fn contains(&self, key: Key) -> bool {
        !self.numbers.is_empty() && self.finds(key)
    }

    fn finds(&self, key: Key) -> bool {
        let hash = self.hash.hash(&key.to_ne_bytes());
        self.numbers.find(hash, |&own| self.keys[own as usize] == key).is_some()
    }

    /// Takes the key off the list, once; the number that it had.
    pub(in crate::tables) fn remove(&mut self, key: Key) -> Option<u32> {
        let Self { keys, numbers, hash, .. } = self;
        let hash = hash.hash(&key.to_ne_bytes());
        let found = numbers.find_entry(hash, |&own| keys[own as usize] == key).ok()?;
        let (number, _) = found.remove();
        self.free.push(number);
        Some(number)
    }

    /// Takes the key of this number off the list.
    pub(in crate::tables) fn take(&mut self, number: u32) -> Key {
        let key = self.keys[number as usize];
        let hash = self.hash.hash(&key.to_ne_bytes());
        if let Ok(found) = self.numbers.find_entry(hash, |&own| own == number) {
            found.remove();
            self.free.push(number);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_out_again() {
        let mut list = NamedList::new();
        assert_eq!([8, 9, 8].map(|key| list.insert(key)), [0, 1, 2]);
        assert_eq!(list.take(1), 9);
        assert!(list.contains(8) && !list.contains(9));
        assert_eq!((list.insert(7), list.remove(9)), (1, None));
        let twice = [list.remove(8), list.remove(8), list.remove(8)];
        assert!(twice[0] != twice[1] && twice[2].is_none(), "{twice:?}");
        assert_eq!(list.remove(7), Some(1));
        list.clear();
        assert_eq!(list.insert(5), 0);
    }
}
