//! Which choices of the elements in the way a rule may ask for.

use super::answers::Answers;
use super::rule::MultilevelRule;

/// The choices that a rule for `D` sub-tables may ask for, beside those of the element that arrives, each with a bit in the
/// combinations of [`Answers`].
pub(crate) trait Asked<const D: usize>: Clone + Send + 'static {
    /// Bits of all choices.
    const BITS: u32;

    /// Whether no other choice in the last sub-table is looked at where that of the element itself is empty. The rule must put it
    /// there before it asks others for theirs.
    const SKIPS_LAST: bool;

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
    // It could, but that would save no more than one look-up.
    const SKIPS_LAST: bool = false;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level == way + 1).then_some(D + way)
    }
}

impl<const D: usize> Asked<D> for InLater {
    const BITS: u32 = (D * (D + 1) / 2) as u32;
    const SKIPS_LAST: bool = true;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level > way).then(|| D + level * level.saturating_sub(1) / 2 + way)
    }
}

impl<const D: usize> Asked<D> for InOthers {
    const BITS: u32 = (D * D) as u32;
    const SKIPS_LAST: bool = true;

    #[inline(always)]
    fn bit(way: usize, level: usize) -> Option<usize> {
        (level != way).then(|| D + way * (D - 1) + level - usize::from(level > way))
    }
}

/// A rule's answers to each combination of these.
pub(super) fn answers<A: Asked<D>, const D: usize>(rule: &mut impl MultilevelRule) -> Answers {
    // A rule asks for no others.
    let bit = |way, level| A::bit(way, level).unwrap_or_default();
    Answers::of(rule, D, A::BITS, bit)
}

/// Which of an element's `own` choices, and of those of the elements there, are full: the combination that [`Answers`] has. A row
/// has the choices of the element in a bucket, and any buckets where there is none: then no rule asks for them.
#[inline(always)]
pub(super) fn fullness<A: Asked<D>, N: Copy, const D: usize>(
    own: [N; D],
    is_full: impl Fn(N) -> bool,
    row: impl Fn(N) -> [N; D],
) -> usize {
    // The last sub-table is nearly empty in most tables.
    match A::SKIPS_LAST && !is_full(own[D - 1]) {
        true => fullness_of_first::<A, N, D>(D - 1, own, is_full, row),
        false => fullness_of_first::<A, N, D>(D, own, is_full, row),
    }
}

/// The same, where choices in sub-tables after the first `number` are taken for empty.
#[inline(always)]
fn fullness_of_first<A: Asked<D>, N: Copy, const D: usize>(
    number: usize,
    own: [N; D],
    is_full: impl Fn(N) -> bool,
    row: impl Fn(N) -> [N; D],
) -> usize {
    let mut full = 0;
    for (way, &bucket) in own[..number].iter().enumerate() {
        full |= usize::from(is_full(bucket)) << way;
        for (level, &other) in row(bucket)[..number].iter().enumerate() {
            if let Some(bit) = A::bit(way, level) {
                full |= usize::from(is_full(other)) << bit;
            }
        }
    }
    full
}
