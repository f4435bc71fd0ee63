//! Which lanes something concerns.

use crate::tables::by_load::AT_ONCE;
use crate::tables::by_load::moving_back::Ones;

/// Some of the lanes: a bit for each.
///
/// What is done for these is one loop, and how long that is a processor guesses once; a branch in each lane it would guess wrong in
/// many of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SomeLanes(u32);

impl SomeLanes {
    /// Adds a lane, if it is concerned; without a branch.
    #[inline(always)]
    pub(super) fn add_if(&mut self, concerned: bool, lane: usize) {
        self.0 |= u32::from(concerned) << lane;
    }

    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        Ones(self.0.into()).map(|lane| lane % AT_ONCE)
    }
}
