//! What the ways to make room have in common.

use super::shelf::Shelf;
use crate::Rng;

/// A way to make room for an element.
pub(super) trait Eviction: Clone + Send + 'static {
    /// Puts an element into a bucket, whose choices are those that the shelf gives at first, and what it displaces
    /// into others.
    fn place<S: Shelf>(
        &mut self,
        slots: &mut S,
        element: S::Element,
        rng: &mut Rng,
    ) -> Placement<S::Element>;

    /// Bytes of memory that it remembers buckets in.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What became of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement<E = u32> {
    /// Buckets read.
    pub(super) accesses: u32,
    /// Elements moved from bucket to bucket.
    pub(super) moves: u32,
    /// The element that no bucket took: the new one or one that was displaced.
    pub(super) left_over: Option<E>,
}
