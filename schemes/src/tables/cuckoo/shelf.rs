//! Buckets that elements evict each other from.

/// Buckets with elements in their slots, which a random walk goes through: those of trials hold numbers, those that
/// are timed hold keys.
pub(super) trait Shelf {
    /// What is in a slot.
    type Element: Copy;

    /// d.
    fn choices(&self) -> u32;

    /// h.
    fn bucket_size(&self) -> u8;

    /// The bucket that is the choice with this number, counted from 0, of the element that is to be placed.
    fn choice(&self, element: Self::Element, number: u32) -> u32;

    /// The number of the first choice of an element that is the bucket from which it was just evicted.
    fn current_choice(&mut self, element: Self::Element) -> u32;

    /// Whether the bucket has no room.
    fn is_full(&self, bucket: u32) -> bool;

    /// Takes a free slot of the bucket, which is not full, into use; an element has to follow.
    fn open(&mut self, bucket: u32) -> u8;

    /// Writes the element into a slot that is in use; what was there.
    fn replace(&mut self, bucket: u32, slot: u8, element: Self::Element) -> Self::Element;
}
