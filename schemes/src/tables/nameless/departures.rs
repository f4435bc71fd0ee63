//! Which places are tried for an element that departs.

use crate::Rng;
use crate::uniform::{Ranges, Uniform};

/// Places or elements that are drawn at a time.
pub(super) const BLOCK: usize = 128;

/// A slot of a row; rows are the m buckets, and behind them those of the overflow list's entries, h in each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) row: u32,
    pub(super) slot: u32,
}

/// A block of places, each as likely as any other.
#[derive(Debug, Clone)]
pub(super) struct Departures {
    rng: Rng,
    buckets: u32,
    bucket_size: u32,
    /// How many are drawn at a time.
    number: usize,
    places: [Place; BLOCK],
    elements: [u32; BLOCK],
}

impl Departures {
    pub(super) fn new(rng: Rng, buckets: u32, bucket_size: u32) -> Self {
        // The list can become longer by as many elements as are drawn, so that few are drawn of a small table.
        let few = buckets.saturating_mul(bucket_size) as usize / 32;
        let number = few.clamp(8, BLOCK).next_multiple_of(2);
        Self {
            rng,
            buckets,
            bucket_size,
            number,
            places: [Place::default(); BLOCK],
            elements: [0; BLOCK],
        }
    }

    /// Draws a block of elements, each as likely as any other.
    #[inline]
    pub(super) fn elements(&mut self, number: u32) -> &[u32; BLOCK] {
        Uniform::new(number).fill(&mut self.rng, &mut self.elements);
        &self.elements
    }

    /// Draws a block of places, where the overflow list has so many entries. It has them all in it, also after as many
    /// insertions as there are places in the block.
    #[inline]
    pub(super) fn places(&mut self, entries: u32) -> &[Place] {
        let h = self.bucket_size;
        let listed = (entries + self.number as u32).div_ceil(h);
        let rows = self.buckets + listed;
        let ranges = Ranges::new([rows, h, rows, h]);
        let places = &mut self.places[..self.number];
        for [first, second] in places.as_chunks_mut().0 {
            let [row, slot, other, its_slot] = ranges.draw(&mut self.rng);
            *first = Place { row, slot };
            *second = Place { row: other, slot: its_slot };
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Rows of 3 buckets and of a list with 20 entries, 8 more to come: each of the 3 + 14 rows of two. Fair by
    /// chi-squared: 33 degrees of freedom, five standard deviations.
    #[test]
    fn every_place_is_as_likely() {
        let mut departures = Departures::new(Rng::seed_from_u64(3), 3, 2);
        let mut counts = [0_u32; 34];
        for _ in 0..10_000 {
            for place in departures.places(20) {
                counts[(place.row * 2 + place.slot) as usize] += 1;
            }
        }
        let expected = 80_000.0 / 34.0;
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        assert!((chi - 33.0).abs() < 5.0 * 66f64.sqrt(), "{chi}");
    }
}
