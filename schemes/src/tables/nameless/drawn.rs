//! The choices of one element, drawn together.

use crate::Rng;
use crate::hash::Choices;
use crate::uniform::Ranges;

/// `R` numbers, of which the first are choices; where the element has a coin, the last is that.
pub(super) struct Drawn<const R: usize> {
    numbers: [u32; R],
    asked: usize,
}

impl<const R: usize> Drawn<R> {
    #[inline(always)]
    pub(super) fn new(ranges: &Ranges<R>, rng: &mut Rng) -> Self {
        Self::of(ranges.draw(rng))
    }

    #[inline(always)]
    pub(super) fn of(numbers: [u32; R]) -> Self {
        Self { numbers, asked: 0 }
    }
}

impl<const R: usize> Choices for Drawn<R> {
    const CHEAP: bool = true;
    const NUMBER: Option<u32> = Some(R as u32);

    #[inline(always)]
    fn next(&mut self, _buckets: u32) -> u32 {
        let number = self.numbers[self.asked];
        self.asked += 1;
        number
    }

    #[inline(always)]
    fn coin(&mut self, _rng: &mut Rng) -> bool {
        self.numbers[R - 1] == 0
    }
}
