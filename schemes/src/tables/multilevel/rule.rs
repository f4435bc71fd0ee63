//! Insertion rules of multilevel tables.

use super::view::View;

/// Where an element goes. That at most one other element moves is part of what can be said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Into this bucket, which is not full.
    Bucket(u32),
    /// Into the slot of the element `pushed`, which moves to its choice `to`, a bucket that is not
    /// full.
    PlaceOf { pushed: u32, to: u32 },
    /// On the overflow list.
    OverflowList,
}

/// How a multilevel table with buckets of `H` decides where an element goes.
pub(crate) trait MultilevelRule<const H: usize = 1>: Clone + Send + 'static {
    /// Where an element goes, given its choices and what is in the buckets, and how many buckets
    /// were read to find that out: one for each choice that was looked at, of the element itself or of
    /// one in its way.
    fn target(&mut self, own: &[u32], levels: &mut impl View<H>) -> (Target, u32);

    /// Forgets what it remembers of the buckets.
    fn clear(&mut self) {}

    /// A deletion took the element out of this slot.
    #[inline]
    fn emptied(&mut self, _slot: u32) {}

    /// Bytes of memory that it remembers buckets in.
    fn bytes(&self) -> u64 {
        0
    }
}
