//! What is done with the elements of a multilevel table.

/// Sub-tables of buckets with `H` slots, numbered through as those of [`Levels`](super::Levels) are, in which elements
/// are put and moved. Their numbers are those of a [`View`](super::View).
pub(crate) trait Shelf<const H: usize = 1> {
    /// The buckets of the element that arrives, from the first sub-table to the last.
    fn choices_of_arriving(&self, element: u32) -> &[u32];

    /// The first empty slot of a bucket that is not full.
    fn free_slot(&self, bucket: u32) -> u32;

    /// Puts the element that arrives into an empty slot.
    fn put(&mut self, element: u32, slot: u32);

    /// Puts the element that arrives on the overflow list; its number there.
    fn overflow_with(&mut self, element: u32) -> u32;

    /// Moves an element out of its slot into an empty one, and returns the one that it left.
    fn relocate(&mut self, element: u32, slot: u32) -> u32;

    /// Moves an element of the overflow list into an empty slot.
    fn move_back(&mut self, element: u32, slot: u32);

    /// The element in a slot.
    fn element_at(&self, slot: u32) -> Option<u32>;

    /// The slot that the element is in.
    fn place(&self, element: u32) -> Option<u32>;

    /// Whether the bucket is among the choices of an element that is in some bucket.
    fn may_be_in(&mut self, element: u32, bucket: u32) -> bool;
}
