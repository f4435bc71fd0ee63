//! Buckets in which elements make room for each other.

/// Buckets with elements in their slots, in which room is made: those of trials hold numbers, those that are timed hold
/// keys.
pub(super) trait Shelf {
    /// What is in a slot.
    type Element: Copy;

    /// d.
    fn choices(&self) -> u32;

    /// h.
    fn bucket_size(&self) -> u8;

    /// The bucket that is the choice with this number, counted from 0, of the element that was
    /// [looked at](Self::look_at) last, or else of the one that is to be placed.
    fn choice(&self, element: Self::Element, number: u32) -> u32;

    /// Says that the choices of this element are asked for next.
    fn look_at(&mut self, _element: Self::Element) {}

    /// Looks at an element that was just evicted: the number of its first choice that is the bucket that it was in.
    fn current_choice(&mut self, element: Self::Element) -> u32;

    /// Whether the bucket has no room.
    fn is_full(&self, bucket: u32) -> bool;

    /// Takes a free slot of the bucket, which is not full, into use; an element has to follow.
    fn open(&mut self, bucket: u32) -> u8;

    /// The element in a slot that is in use.
    fn element(&self, bucket: u32, slot: u8) -> Self::Element;

    /// Writes the element into a slot that is in use; what was there.
    fn replace(&mut self, bucket: u32, slot: u8, element: Self::Element) -> Self::Element;
}
