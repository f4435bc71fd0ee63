//! Eviction without a look ahead.

use std::ops::ControlFlow::{Break, Continue};

use rand::Rng as _;

use super::params::Shape;
use super::shelf::{Insertion, Shelf};
use crate::Rng;
use crate::hash::reduce;

/// An element without room takes the place of a random element in a random one of the buckets that it has just read;
/// that element reads its other choices in order, and so on.
///
/// With two choices and buckets of one this is Algorithm 7.1 of the lecture notes, in which chance has no part: a new
/// element starts at its first choice without a look at the second, and an evicted one goes to its other choice.
#[derive(Debug)]
pub(super) struct RandomWalk {
    /// d.
    choices: u32,
    /// Choices that a new element reads before it evicts.
    first_reads: u32,
    limit: u32,
    /// The buckets that the element on hand has read, all of them full.
    full: Vec<u32>,
}

impl RandomWalk {
    /// A walk of at most `limit` evictions.
    pub(super) fn new(shape: &Shape, limit: u32) -> Self {
        let choices = shape.choices;
        let first_reads = if shape.is_graph() { 1 } else { choices };
        Self { choices, first_reads, limit, full: Vec::with_capacity(choices as usize) }
    }

    #[inline]
    pub(super) fn insert<B: Shelf>(
        &mut self,
        shelf: &mut B,
        element: B::Element,
        rng: &mut Rng,
    ) -> Insertion<B::Element> {
        let (mut on_hand, mut left, mut count) = (element, None, self.first_reads);
        let mut accesses = 0;
        for moves in 0..=self.limit {
            let free = self.first_free(shelf, on_hand, left, count);
            accesses += self.full.len() as u64 + u64::from(free.is_some());
            if let Some(bucket) = free {
                shelf.add(bucket, on_hand);
                return Insertion { accesses, moves, left_over: None };
            }
            if moves < self.limit {
                let bucket = self.full[one_of(count, rng) as usize];
                let slot = one_of(shelf.bucket_size().into(), rng);
                on_hand = shelf.replace(bucket, slot as u8, on_hand);
                (left, count) = (Some(bucket), self.choices - 1);
            }
        }
        // The last one evicted did not get to a bucket.
        Insertion { accesses, moves: self.limit.saturating_sub(1), left_over: Some(on_hand) }
    }

    /// The first of `count` choices of the element that is not full, without the one that it just left.
    #[inline]
    fn first_free<B: Shelf>(
        &mut self,
        shelf: &mut B,
        element: B::Element,
        mut left: Option<u32>,
        count: u32,
    ) -> Option<u32> {
        let (full, mut free) = (&mut self.full, None);
        full.clear();
        shelf.each_choice(element, |bucket, is_full| {
            // Another choice may be the same bucket, which is read again.
            if left == Some(bucket) {
                left = None;
                return Continue(());
            }
            if !is_full {
                free = Some(bucket);
                return Break(());
            }
            full.push(bucket);
            if full.len() == count as usize { Break(()) } else { Continue(()) }
        });
        free
    }
}

/// A random number below `count`, without a draw where there is only one.
#[inline]
fn one_of(count: u32, rng: &mut Rng) -> u32 {
    if count == 1 { 0 } else { reduce(rng.next_u64(), count) }
}
