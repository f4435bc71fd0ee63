//! Cuckoo hashing of two choices and buckets of one, in which chance has no part: a new element starts at its first choice
//! without a look at the second, and an evicted one goes to its other choice.
//!
//! Buckets are the vertices of a graph, and elements the edges between their two choices. A bucket has its element together
//! with the element's other choice, so that an eviction reads one place of memory and knows where to go on.

mod returning;
#[cfg(test)]
mod tests;
mod walk;

use self::returning::Marks;
use self::walk::{Slot, Walk};

/// Evictions after which an insertion looks ahead whether it can come to an end at all.
const SHORT: u32 = 16;

/// m buckets of one, and walks of at most `limit` evictions.
#[derive(Debug, Clone)]
pub(crate) struct CuckooGraph {
    slots: Vec<Slot>,
    limit: u32,
    marks: Marks,
}

/// What became of an insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Buckets read.
    pub(crate) accesses: u32,
    /// Elements moved from bucket to bucket.
    pub(crate) moves: u32,
    /// The element that no bucket took: the new one or one that was evicted.
    pub(crate) left_over: Option<u32>,
}

impl CuckooGraph {
    /// Memory of each bucket.
    pub(crate) const BYTES_PER_BUCKET: u64 = (size_of::<Slot>() + Marks::BYTES_PER_BUCKET) as u64;

    pub(crate) fn new(buckets: u32, limit: u32) -> Self {
        let slots = vec![Slot::FREE; buckets as usize];
        Self { slots, limit, marks: Marks::new(buckets) }
    }

    /// Empties the buckets.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::FREE);
    }

    /// m.
    pub(crate) fn buckets(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Inserts an element with these choices, which is in no bucket.
    #[inline]
    pub(crate) fn insert(&mut self, element: u32, [first, second]: [u32; 2]) -> Placement {
        let mut walk = Walk { on_hand: Slot::new(element, second), bucket: first };
        for evictions in 0..self.limit.min(SHORT) {
            match walk.step(&mut self.slots) {
                Some(next) => walk = next,
                None => return Placement::stored(evictions),
            }
        }
        self.go_on(walk)
    }

    /// Takes the element with these choices out of its bucket, if it is in one.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32, [first, second]: [u32; 2]) -> bool {
        let is_there = |bucket: u32| self.slots[bucket as usize].holds(element);
        let bucket = if is_there(first) { first } else { second };
        let stored = is_there(bucket);
        if stored {
            self.slots[bucket as usize] = Slot::FREE;
        }
        stored
    }

    /// Each bucket that has an element, with that element.
    #[cfg(test)]
    pub(crate) fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        let taken = (0..).zip(&self.slots).filter(|(_, slot)| !slot.is_free());
        taken.map(|(bucket, slot)| (bucket, slot.element()))
    }

    /// For each bucket, whether it has an element.
    pub(crate) fn taken(&self) -> impl Iterator<Item = bool> {
        self.slots.iter().map(|slot| !slot.is_free())
    }
}

impl Placement {
    /// After so many evictions.
    fn stored(evictions: u32) -> Self {
        Self { accesses: evictions + 1, moves: evictions, left_over: None }
    }

    /// After as many evictions as the limit allows, of which the last was of this element: it did not get to a bucket.
    fn left_over(limit: u32, element: u32) -> Self {
        let moves = limit.saturating_sub(1);
        Self { accesses: limit.saturating_add(1), moves, left_over: Some(element) }
    }
}
