//! Buckets in which room is made.

use std::ops::ControlFlow;

use crate::cuckoo_graph::Placement;

/// Buckets with elements in their slots: those of trials hold numbers, those that are timed hold keys.
pub(super) trait Shelf {
    /// What is in a slot.
    type Element: Copy;

    /// h.
    fn bucket_size(&self) -> u8;

    /// The element in a slot that is in use.
    fn element(&self, bucket: u32, slot: u8) -> Self::Element;

    /// Puts the element into the bucket, which is not full.
    fn add(&mut self, bucket: u32, element: Self::Element);

    /// Writes the element into a slot that is in use; the element that was there.
    fn replace(&mut self, bucket: u32, slot: u8, element: Self::Element) -> Self::Element;

    /// Calls `read` with the choices of the element in order, and with whether each of these buckets is full, until it
    /// breaks off: a choice that nobody reads need not be made.
    fn each_choice(
        &mut self,
        element: Self::Element,
        read: impl FnMut(u32, bool) -> ControlFlow<()>,
    );
}

/// What became of an insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Insertion<E> {
    /// Buckets read.
    pub(super) accesses: u64,
    /// Elements moved from bucket to bucket.
    pub(super) moves: u32,
    /// The element that no bucket took: the new one or one that was evicted.
    pub(super) left_over: Option<E>,
}

impl From<Placement> for Insertion<u32> {
    fn from(placement: Placement) -> Self {
        let Placement { accesses, moves, left_over } = placement;
        Self { accesses: accesses.into(), moves, left_over }
    }
}
