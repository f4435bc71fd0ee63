//! Reading ahead what is far from the processor.

use std::hint::black_box;
use std::ops::BitOr;

/// Elements from which on the record of where they are does not fit in a second-level cache.
pub(super) const BEYOND_CACHE: u32 = 1 << 19;

/// Reads these values, so that memory brings all of them at once.
#[inline(always)]
pub(super) fn read_ahead<N: Default + BitOr<Output = N>>(values: impl Iterator<Item = N>) {
    black_box(values.fold(N::default(), |all, value| all | value));
}
