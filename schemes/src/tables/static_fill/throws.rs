//! The standard scheme: into the first sub-table with room.

use super::{Filled, SubTableUse};
use crate::Rng;
use crate::tables::buckets::buckets_with;
use crate::uniform::Uniform;

/// One sub-table.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    uniform: Uniform,
    /// Elements in each bucket.
    counts: Vec<u8>,
    /// Their sum.
    stored: u32,
}

/// A sub-table at which elements are thrown.
pub(super) trait SubTable {
    /// Throws so many elements at empty buckets of this size; how many they have room for.
    fn throw(&mut self, elements: u32, bucket_size: u8, rng: &mut Rng) -> u32;
}

/// What a sub-table holds in the end does not depend on the order of the elements thrown at it.
pub(super) fn throw(
    levels: &mut [impl SubTable],
    elements: u32,
    bucket_size: u8,
    rng: &mut Rng,
) -> Filled {
    let mut filled = Filled { overflow: elements, ..Filled::default() };
    for level in levels {
        filled.accesses += u64::from(filled.overflow);
        filled.overflow -= level.throw(filled.overflow, bucket_size, rng);
    }
    filled
}

impl SubTable for Counts {
    fn throw(&mut self, elements: u32, bucket_size: u8, rng: &mut Rng) -> u32 {
        self.counts.fill(0);
        match bucket_size {
            1 => self.throw_each(elements, rng, |_| 1),
            h => self.throw_each(elements, rng, |count| count + u8::from(count < h)),
        }
        self.stored = sum(&self.counts);
        self.stored
    }
}

impl Counts {
    /// Empty buckets.
    pub(super) fn new(buckets: u32) -> Self {
        Self { uniform: Uniform::new(buckets), counts: vec![0; buckets as usize], stored: 0 }
    }

    /// Throws so many elements at the buckets, with `add` what one of them makes of a count: with buckets of
    /// one that is 1 whatever it was before, which saves the comparison.
    fn throw_each(&mut self, elements: u32, rng: &mut Rng, add: impl Fn(u8) -> u8) {
        let counts = &mut self.counts[..];
        self.uniform.each(elements as usize, rng, |bucket| {
            let count = &mut counts[bucket as usize];
            *count = add(*count);
        });
    }

    /// How many buckets of h hold exactly k elements, for k = 0..=h. The last two numbers come from those of all
    /// buckets and of all elements, as each number takes a pass over the buckets.
    pub(super) fn occupancy(&self, h: u8) -> Vec<u64> {
        let mut occupancy: Vec<u64> =
            (0..h - 1).map(|load| buckets_with(&self.counts, load)).collect();
        let rest = self.counts.len() as u64 - occupancy.iter().sum::<u64>();
        let in_others: u64 = (0..).zip(&occupancy).map(|(load, buckets)| load * buckets).sum();
        let full = u64::from(self.stored) - in_others - u64::from(h - 1) * rest;
        occupancy.extend([rest - full, full]);
        occupancy
    }

    /// How full buckets of h are.
    pub(super) fn in_use(&self, h: u8) -> SubTableUse {
        let places = self.counts.len() as u64 * u64::from(h);
        SubTableUse { elements: self.stored.into(), places }
    }
}

fn sum(counts: &[u8]) -> u32 {
    // Sums of 16 bits are added many at a time; 255 full buckets of 255 still fit.
    let blocks = counts.chunks(u8::MAX.into());
    blocks.map(|block| u32::from(block.iter().map(|&count| u16::from(count)).sum::<u16>())).sum()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::tables::buckets::occupancy;

    #[test]
    fn occupancy_is_what_a_pass_for_each_load_counts() {
        let mut rng = Rng::seed_from_u64(6);
        for h in 1..=5 {
            let mut levels = [Counts::new(200), Counts::new(50)];
            throw(&mut levels, 600, h, &mut rng);
            for level in &levels {
                assert_eq!(level.occupancy(h), occupancy(&level.counts, h));
            }
        }
    }
}
