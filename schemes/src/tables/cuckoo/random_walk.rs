//! Eviction without a look ahead.

use rand::Rng as _;

use super::eviction::{Eviction, Placement};
use super::shelf::Shelf;
use crate::Rng;
use crate::hash::reduce;

/// An element without room takes the place of a random element in a random one of the buckets that
/// it has just read; that element reads its other choices in order, and so on.
///
/// With two choices and buckets of one this is the cuckoo hashing of Pagh and Rodler, in which
/// chance has no part: a new element starts at its first choice without a look at the second, and an
/// evicted one goes to its other bucket.
#[derive(Debug, Clone)]
pub(super) struct RandomWalk {
    /// Whether each element evicts at the first bucket that it reads.
    by_turns: bool,
    limit: u32,
}

/// Choices of one element: the first `count` of those that are left without the one numbered
/// `without`.
#[derive(Debug, Clone, Copy)]
struct Candidates {
    count: u32,
    without: u32,
}

impl Candidates {
    #[inline]
    fn number(self, position: u32) -> u32 {
        position + u32::from(position >= self.without)
    }
}

impl RandomWalk {
    /// A walk of at most `limit` evictions; of none with one choice, as an evicted element could only
    /// return.
    pub(super) fn new(choices: u32, single_slots: bool, limit: u32) -> Self {
        Self { by_turns: choices == 2 && single_slots, limit: if choices == 1 { 0 } else { limit } }
    }

    /// With two choices and buckets of one, where each that is evicted goes to its other bucket.
    #[inline]
    fn place_by_turns<S: Shelf>(
        &self,
        slots: &mut S,
        element: S::Element,
    ) -> Placement<S::Element> {
        let mut on_hand = element;
        let mut bucket = slots.choice(element, 0);
        for evictions in 0..=self.limit {
            if !slots.is_full(bucket) {
                let slot = slots.open(bucket);
                slots.replace(bucket, slot, on_hand);
                return Placement { accesses: evictions + 1, moves: evictions, left_over: None };
            }
            if evictions < self.limit {
                on_hand = slots.replace(bucket, 0, on_hand);
                slots.look_at(on_hand);
                bucket ^= slots.choice(on_hand, 0) ^ slots.choice(on_hand, 1);
            }
        }
        // The last one evicted did not get to a bucket.
        let moves = self.limit.saturating_sub(1);
        Placement { accesses: self.limit + 1, moves, left_over: Some(on_hand) }
    }
}

impl Eviction for RandomWalk {
    #[inline]
    fn place<S: Shelf>(
        &mut self,
        slots: &mut S,
        element: S::Element,
        rng: &mut Rng,
    ) -> Placement<S::Element> {
        if self.by_turns {
            return self.place_by_turns(slots, element);
        }
        let mut on_hand = element;
        let mut candidates = Candidates { count: slots.choices(), without: u32::MAX };
        let mut accesses = 0;
        for evictions in 0..=self.limit {
            let (free, reads) = first_free(slots, on_hand, candidates);
            accesses += reads;
            if let Some(bucket) = free {
                let slot = slots.open(bucket);
                slots.replace(bucket, slot, on_hand);
                return Placement { accesses, moves: evictions, left_over: None };
            }
            if evictions < self.limit {
                on_hand = evict(slots, on_hand, candidates, rng);
                let without = slots.current_choice(on_hand);
                candidates = Candidates { count: slots.choices() - 1, without };
            }
        }
        // The last one evicted did not get to a bucket.
        Placement { accesses, moves: self.limit.saturating_sub(1), left_over: Some(on_hand) }
    }
}

/// The first candidate that is not full, and the buckets read.
#[inline]
fn first_free<S: Shelf>(
    slots: &S,
    element: S::Element,
    candidates: Candidates,
) -> (Option<u32>, u32) {
    for position in 0..candidates.count {
        let bucket = slots.choice(element, candidates.number(position));
        if !slots.is_full(bucket) {
            return (Some(bucket), position + 1);
        }
    }
    (None, candidates.count)
}

/// Puts the element in the place of a random one in a random candidate, all of which are full; the
/// one that was there.
#[inline]
fn evict<S: Shelf>(
    slots: &mut S,
    element: S::Element,
    candidates: Candidates,
    rng: &mut Rng,
) -> S::Element {
    let position = one_of(candidates.count, rng);
    let bucket = slots.choice(element, candidates.number(position));
    let slot = one_of(slots.bucket_size().into(), rng);
    slots.replace(bucket, slot as u8, element)
}

/// A random number below `count`, without a draw where there is only one.
#[inline]
fn one_of(count: u32, rng: &mut Rng) -> u32 {
    if count == 1 { 0 } else { reduce(rng.next_u64(), count) }
}
