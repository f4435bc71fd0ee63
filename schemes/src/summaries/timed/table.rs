//! A table that stores keys, between the operations that are timed.

use crate::timed::{Operation, Timed, TimedKeys};

/// A table that stores keys of one width, with the hash functions that make their choices.
pub(super) trait KeyTable: Send {
    /// Empties it.
    fn clear(&mut self);

    /// Stores a key.
    fn insert(&mut self, key: &[u8]);

    /// Whether the key is in the bucket in which a look-up ends.
    fn holds(&mut self, key: &[u8]) -> bool;

    /// Takes out a key that is stored.
    fn take_out(&mut self, key: &[u8]);

    /// Bytes of memory.
    fn bytes(&self) -> u64;
}

/// A table with the keys that it is to store and to be asked for.
pub(super) struct TimedTable<T> {
    pub(super) table: T,
    pub(super) keys: TimedKeys,
}

impl<T: KeyTable> Timed for TimedTable<T> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.table.clear();
        self.keys.clear();
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { table, keys } = self;
        let mut yes = 0;
        match operation {
            Operation::Insert => {
                yes = keys.arrive(count);
                (0..yes).for_each(|_| table.insert(keys.next_arriving()));
            }
            Operation::Hit => {
                (0..count).for_each(|_| yes += u64::from(table.holds(keys.next_element())));
            }
            Operation::Miss => {
                (0..count).for_each(|_| yes += u64::from(table.holds(keys.next_absent())));
            }
            Operation::Delete => {
                yes = keys.leave(count);
                (0..yes).for_each(|_| table.take_out(keys.next_leaving()));
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}
