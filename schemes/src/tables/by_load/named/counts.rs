//! What happens in a window.

use crate::tables::by_load::AT_ONCE;
use crate::tables::trial::Sums;

/// Of the trial in each lane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Elements on the list, and those of them that have no choices, before the block.
    pub(super) listed: [u32; AT_ONCE],
    pub(super) without_choices: [u32; AT_ONCE],
    /// The greatest extent of the CAM after a round of the window.
    pub(super) extents: [u32; AT_ONCE],
    /// In the block: buckets looked at, look-ups, elements that moved back.
    pub(super) accesses: [u32; AT_ONCE],
    pub(super) lookups: [u32; AT_ONCE],
    pub(super) moves: [u32; AT_ONCE],
    /// Elements that came on the list, that left it, and those of these without choices.
    came: [Changes; AT_ONCE],
    left: [Changes; AT_ONCE],
    left_without_choices: [Changes; AT_ONCE],
}

/// So many rounds of the block are left, with this one: after each of them an element that comes now is on the list, and one that
/// leaves now is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundsLeft(pub(super) u32);

/// A number of changes in the upper half, and the sum of the rounds that were left in the lower: both in one addition.
#[derive(Debug, Clone, Copy, Default)]
struct Changes(u64);

impl Changes {
    #[inline(always)]
    fn add(&mut self, left: RoundsLeft) {
        self.0 += (1 << 32) + u64::from(left.0);
    }

    fn number(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn sum(self) -> u64 {
        self.0 % (1 << 32)
    }
}

impl Counts {
    /// An element comes on the list, in this entry.
    #[inline(always)]
    pub(super) fn comes(&mut self, lane: usize, left: RoundsLeft, entry: u16) {
        self.came[lane].add(left);
        self.extents[lane] = self.extents[lane].max(u32::from(entry) + 1);
    }

    /// One leaves it, which waited for a bucket or had no choices.
    #[inline(always)]
    pub(super) fn leaves(&mut self, lane: usize, left: RoundsLeft, waited: bool) {
        self.left[lane].add(left);
        if !waited {
            self.left_without_choices[lane].add(left);
        }
    }

    /// Adds what was counted in a block of so many rounds to the sums of each lane, with D choices for each element, and counts
    /// anew.
    pub(super) fn add_to(&mut self, rounds: u64, choices: u64, sums: &mut [Sums]) {
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.accesses += u64::from(self.accesses[lane]);
            sums.lookups += u64::from(self.lookups[lane]);
            sums.moves_back += u64::from(self.moves[lane]);
            let (came, left, others) =
                (self.came[lane], self.left[lane], self.left_without_choices[lane]);
            let of_rounds = |listed: u32| rounds * u64::from(listed);
            let lengths = of_rounds(self.listed[lane]) + came.sum() - left.sum();
            let without_choices = of_rounds(self.without_choices[lane]) - others.sum();
            sums.overflowed += u64::from(came.number());
            sums.overflow += lengths;
            sums.cam_entries += choices * (lengths - without_choices);
            self.listed[lane] = self.listed[lane] + came.number() - left.number();
            self.without_choices[lane] -= others.number();
        }
        let Self { listed, without_choices, extents, .. } = *self;
        *self = Self { listed, without_choices, extents, ..Self::default() };
    }
}
