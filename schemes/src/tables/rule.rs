//! Insertion rules that look at the loads of buckets alone.

use super::Insertion;
use super::buckets::Buckets;
use super::sub_tables::SubTables;
use crate::Rng;
use crate::hash::Choices;

/// Where an element goes, given how full its buckets are; which elements they hold does not matter.
pub trait Rule: Clone + Send + 'static {
    /// Whether every element tries the table: insertion probability α = 1.
    fn is_certain(&self) -> bool;

    /// The sub-tables, where their loads are of interest.
    fn sub_tables(&self) -> Option<&SubTables> {
        None
    }

    /// Whether [`place`](Self::place) is there, for as many choices as tables without names draw.
    const PLACES: bool = false;

    /// Where an element that tries the table would go, m being the overflow list, and the buckets read to know.
    fn place(&self, buckets: &Buckets, _choices: impl Choices) -> (u32, u32) {
        (buckets.overflow_list(), 0)
    }

    /// Puts the element into one of its buckets or on the overflow list, and tells `reads` each
    /// bucket that it reads.
    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> Insertion;
}

/// Takes note of the buckets that an insertion reads, as moving back does. Where all choices of an element are drawn together
/// ([`Choices::number`]) they may all be told, also those behind the bucket that took the element.
pub trait Reads {
    /// Whether the notes are used at all; where not, nothing need be passed on.
    const WANTED: bool = true;
    /// This bucket was read.
    fn read(&mut self, bucket: u32);
}

/// For tables that do not need to know.
impl Reads for () {
    const WANTED: bool = false;

    #[inline(always)]
    fn read(&mut self, _bucket: u32) {}
}
