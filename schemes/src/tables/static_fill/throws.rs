//! The standard scheme: into the first sub-table with room.

use super::{Filled, Level, StaticFill};
use crate::Rng;

impl StaticFill {
    /// What a sub-table holds in the end does not depend on the order of the elements thrown at it.
    pub(super) fn throw(&mut self, bucket_size: u8, rng: &mut Rng) -> Filled {
        let mut filled = Filled { overflow: self.elements, ..Filled::default() };
        for level in &mut self.levels {
            filled.accesses += u64::from(filled.overflow);
            match bucket_size {
                1 => level.throw(filled.overflow, rng, |_| 1),
                h => level.throw(filled.overflow, rng, |count| count + u8::from(count < h)),
            }
            filled.overflow -= level.stored();
        }
        filled
    }
}

impl Level {
    /// Throws so many elements at the buckets, with `add` what one of them makes of a count: with buckets of
    /// one that is 1 whatever it was before, which saves the comparison.
    fn throw(&mut self, elements: u32, rng: &mut Rng, add: impl Fn(u8) -> u8) {
        let counts = &mut self.counts[..];
        self.uniform.each(elements as usize, rng, |bucket| {
            let count = &mut counts[bucket as usize];
            *count = add(*count);
        });
    }
}
