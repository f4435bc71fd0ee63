//! What an insertion rule sees of a multilevel table.

/// Sub-tables of buckets with `H` slots, as they are before an element is put into them.
///
/// An element that is in a bucket has a number: in trials its own, in a table that stores keys that of its slot, as
/// nothing else names it there. Its choices are then found from its key.
pub(crate) trait View<const H: usize = 1> {
    /// Whether the bucket has no room.
    fn is_full(&self, bucket: u32) -> bool;

    /// The element in a slot of the bucket, the first of which is 0.
    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32>;

    /// The bucket that an element in some bucket has in the sub-table `level`, counted from 0.
    fn choice(&mut self, element: u32, level: usize) -> u32;
}
