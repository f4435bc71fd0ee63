//! How an insertion makes room.

use super::breadth_first::BreadthFirst;
use super::params::{Limits, Shape};
use super::random_walk::RandomWalk;
use super::slots::{Elements, Insertion, Slots};
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
    pub(super) fn insert(
        &mut self,
        slots: &mut Slots,
        elements: Elements<'_>,
        element: u32,
        rng: &mut Rng,
    ) -> Insertion {
        match self {
            Self::RandomWalk(walk) => walk.insert(slots, elements, element, rng),
            Self::BreadthFirst(search) => search.insert(slots, elements, element),
        }
    }
}
