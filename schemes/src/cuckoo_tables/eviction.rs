//! How an insertion makes room.

use super::breadth_first::BreadthFirst;
use super::params::{Limits, Shape};
use super::random_walk::RandomWalk;
use super::shelf::{Insertion, Shelf};
use crate::Rng;

/// A way to make room.
#[derive(Debug)]
pub(super) enum Eviction {
    RandomWalk(RandomWalk),
    BreadthFirst(BreadthFirst),
}

impl Eviction {
    pub(super) fn new(shape: &Shape, limits: &Limits) -> Self {
        match limits.breadth_first {
            true => Self::BreadthFirst(BreadthFirst::new(shape.geometry.buckets, limits.evictions)),
            false => Self::RandomWalk(RandomWalk::new(shape, limits.evictions)),
        }
    }

    /// Puts an element into one of its buckets, and what it displaces into others.
    #[inline]
    pub(super) fn insert<B: Shelf>(
        &mut self,
        shelf: &mut B,
        element: B::Element,
        rng: &mut Rng,
    ) -> Insertion<B::Element> {
        match self {
            Self::RandomWalk(walk) => walk.insert(shelf, element, rng),
            Self::BreadthFirst(search) => search.insert(shelf, element),
        }
    }

    /// Bytes of memory beside the buckets.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::RandomWalk(_) => 0,
            Self::BreadthFirst(search) => search.bytes(),
        }
    }
}
