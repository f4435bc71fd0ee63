//! Eviction without a look ahead.

use rand::Rng as _;

use super::params::Shape;
use super::slots::{Elements, Insertion, Slots};
use crate::Rng;
use crate::hash::reduce;

/// An element without room takes the place of a random element in a random one of the buckets that it has just read;
/// that element reads its other choices in order, and so on.
///
/// With two choices and buckets of one this is Algorithm 7.1 of the lecture notes, in which chance has no part: a new
/// element starts at its first choice without a look at the second, and an evicted one goes to its other choice.
#[derive(Debug)]
pub(super) struct RandomWalk {
    /// Choices that a new element reads before it evicts.
    first_reads: u32,
    limit: u32,
}

/// Choices of one element: the first `count` of those that are left without the one numbered `without`.
#[derive(Debug, Clone, Copy)]
struct Candidates<'c> {
    choices: &'c [u32],
    count: u32,
    without: u32,
}

impl Candidates<'_> {
    #[inline]
    fn bucket(&self, position: u32) -> u32 {
        self.choices[(position + u32::from(position >= self.without)) as usize]
    }

    /// The first one that is not full, and the buckets read.
    #[inline]
    fn first_free(&self, slots: &Slots) -> (Option<u32>, u32) {
        for position in 0..self.count {
            let bucket = self.bucket(position);
            if !slots.is_full(bucket) {
                return (Some(bucket), position + 1);
            }
        }
        (None, self.count)
    }
}

impl RandomWalk {
    /// A walk of at most `limit` evictions.
    pub(super) fn new(shape: &Shape, limit: u32) -> Self {
        let first_reads = if shape.is_graph() { 1 } else { shape.choices };
        Self { first_reads, limit }
    }

    #[inline]
    pub(super) fn insert(
        &self,
        slots: &mut Slots,
        elements: Elements<'_>,
        element: u32,
        rng: &mut Rng,
    ) -> Insertion {
        let d = elements.each;
        let mut on_hand = element;
        let mut candidates =
            Candidates { choices: elements.of(element), count: self.first_reads, without: d };
        let mut accesses = 0;
        for moves in 0..=self.limit {
            let (free, reads) = candidates.first_free(slots);
            accesses += reads;
            if let Some(bucket) = free {
                slots.add(bucket, on_hand);
                return Insertion { accesses, moves, left_over: None };
            }
            if moves < self.limit {
                let bucket = candidates.bucket(one_of(candidates.count, rng));
                let slot = one_of(slots.bucket_size().into(), rng);
                on_hand = slots.replace(bucket, slot as u8, on_hand);
                let choices = elements.of(on_hand);
                let current = choices.iter().position(|&choice| choice == bucket);
                let without = current.map_or(d, |number| number as u32);
                candidates = Candidates { choices, count: d - 1, without };
            }
        }
        // The last one evicted did not get to a bucket.
        Insertion { accesses, moves: self.limit.saturating_sub(1), left_over: Some(on_hand) }
    }
}

/// A random number below `count`, without a draw where there is only one.
#[inline]
fn one_of(count: u32, rng: &mut Rng) -> u32 {
    if count == 1 { 0 } else { reduce(rng.next_u64(), count) }
}
