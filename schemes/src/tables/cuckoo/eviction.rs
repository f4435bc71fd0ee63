//! What the ways to make room have in common.

use super::slots::Slots;
use crate::Rng;

/// A way to make room for an element.
pub(super) trait Eviction: Clone + Send + 'static {
    /// Puts an element whose choices the slots know into a bucket, and what it displaces into
    /// others.
    fn place(&mut self, slots: &mut Slots, element: u32, rng: &mut Rng) -> Placement;
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
