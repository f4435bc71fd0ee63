//! Which choices of the elements in the way a rule may ask for.

use super::rows;

/// The choices that a rule for `D` sub-tables may ask for, beside those of the element that arrives, each with a bit in the
/// combinations of [`Answers`](super::answers::Answers).
pub(crate) trait Asked<const D: usize>: Clone + Send + 'static {
    /// Bits of all choices.
    const BITS: u32;
    /// Whether a rule puts an element into an empty choice of its own before it asks others for theirs in that sub-table. Then no
    /// other choice matters in the last one if that is empty.
    const OWN_FIRST: bool;

    /// The bit of the choice in sub-table `level` of the element that is in choice `way`, if that may be asked for.
    fn bit(way: usize, level: usize) -> Option<usize>;
}

/// Those in the next sub-table.
#[derive(Debug, Clone)]
pub(crate) struct InNext;

/// Those in later sub-tables.
#[derive(Debug, Clone)]
pub(crate) struct InLater;

/// Those in all other sub-tables.
#[derive(Debug, Clone)]
pub(crate) struct InOthers;

impl<const D: usize> Asked<D> for InNext {
    const BITS: u32 = 2 * D as u32 - 1;
    const OWN_FIRST: bool = false;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level == way + 1).then_some(D + way)
    }
}

impl<const D: usize> Asked<D> for InLater {
    const BITS: u32 = (D * (D + 1) / 2) as u32;
    const OWN_FIRST: bool = true;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level > way).then(|| rows::bit::<true>(D, way, level))
    }
}

impl<const D: usize> Asked<D> for InOthers {
    const BITS: u32 = (D * D) as u32;
    const OWN_FIRST: bool = true;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level != way).then(|| rows::bit::<false>(D, way, level))
    }
}
