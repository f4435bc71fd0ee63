//! The standard scheme with many elements, whose choices in a sub-table are made at once.

use super::SubTableUse;
use super::throws::SubTable;
use crate::Rng;
use crate::occupancy::Occupancy;

/// One sub-table.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    buckets: u32,
    /// How often they were chosen.
    occupancy: Occupancy,
}

impl Chosen {
    /// Empty buckets.
    pub(super) fn new(buckets: u32) -> Self {
        Self { buckets, occupancy: Occupancy::new(buckets) }
    }

    /// How many buckets of h hold exactly k elements, for k = 0..=h.
    pub(super) fn occupancy(&self, h: u8) -> Vec<u64> {
        let mut occupancy = vec![0; usize::from(h) + 1];
        for (buckets, often) in self.occupancy.equally_often() {
            occupancy[often.min(h.into()) as usize] += buckets.len() as u64;
        }
        occupancy
    }

    /// How full buckets of h are.
    pub(super) fn in_use(&self, h: u8) -> SubTableUse {
        let places = u64::from(self.buckets) * u64::from(h);
        SubTableUse { elements: self.stored(h).into(), places }
    }

    /// Elements for which buckets of h have room.
    fn stored(&self, h: u8) -> u32 {
        let of_class = |(buckets, often): (std::ops::Range<u32>, u64)| {
            buckets.len() as u32 * often.min(h.into()) as u32
        };
        self.occupancy.equally_often().map(of_class).sum()
    }
}

impl SubTable for Chosen {
    fn throw(&mut self, elements: u32, bucket_size: u8, rng: &mut Rng) -> u32 {
        self.occupancy.choose(elements.into(), rng);
        self.stored(bucket_size)
    }
}
