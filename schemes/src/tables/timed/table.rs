//! What a table that stores keys does.

use crate::hash::Source;

/// A hash table of finite buckets with an overflow list, which stores keys of at most 16 bytes.
///
/// `bytes` are those of the key, from which `source` makes its choices.
pub trait KeyTable: Send + 'static {
    /// Empties the table without giving up its memory. `seed` decides what its scheme leaves to chance from now on.
    fn clear(&mut self, seed: u64);

    /// Stores a key.
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S);

    /// Whether the key is stored.
    fn contains<S: Source>(&self, bytes: &[u8], source: &mut S) -> bool;

    /// Takes out a key that is stored.
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S);

    /// Keys on the overflow list.
    fn overflow(&self) -> usize;

    /// Bytes of memory.
    fn bytes(&self) -> u64;
}

/// Something to do with a table that stores keys, whose type is fixed inside.
pub trait KeyTableVisitor {
    /// What comes out.
    type Output;

    /// Does it with the table, which is empty.
    fn visit<T: KeyTable>(self, table: T) -> Self::Output;
}
