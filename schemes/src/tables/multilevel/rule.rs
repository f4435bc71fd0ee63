//! Insertion rules of multilevel tables.

use super::levels::Levels;

/// Where an element goes. That at most one other element moves is part of what can be said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Into this empty bucket.
    Bucket(u32),
    /// Into the bucket of the element `pushed`, which moves to its choice `to`, an empty bucket.
    PlaceOf { pushed: u32, to: u32 },
    /// On the overflow list.
    OverflowList,
}

/// How a multilevel table decides where an element goes.
pub(crate) trait Rule {
    /// Where the element goes, given its choices and what is in the buckets, and how many buckets
    /// were read to find that out, each counted once.
    fn target(&self, levels: &Levels, element: u32) -> (Target, u32);
}
