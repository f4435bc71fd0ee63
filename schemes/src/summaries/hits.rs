//! How many different places draws hit.

use crate::Rng;
use crate::filters::Bits;
use crate::uniform::{Uniform, with_own};

/// Places up to which each has a byte of its own: a part of a second-level cache.
const MOST_BYTES: u32 = 1 << 17;

/// The places of a range, and which of them were hit.
#[derive(Debug, Clone)]
pub(super) struct Hits {
    places: Uniform,
    hit: Hit,
}

/// Whether each place was hit.
///
/// A byte is written and never read while places are drawn. A bit shares its word with its neighbours, for one of which
/// the processor may have to wait; but bits stay near it where bytes would not.
#[derive(Debug, Clone)]
enum Hit {
    Bytes(Vec<u8>),
    Bits(Bits),
}

impl Hits {
    /// Of so many places, which are not 0.
    pub(super) fn new(places: u32) -> Self {
        let hit = match places <= MOST_BYTES {
            true => Hit::Bytes(vec![0; places as usize]),
            false => Hit::Bits(Bits::new(places)),
        };
        Self { places: Uniform::dense(places), hit }
    }

    /// Draws so many places, each of which may be any: how many different ones they are.
    pub(super) fn distinct(&mut self, draws: usize, rng: &mut Rng) -> u32 {
        if draws == 0 {
            return 0;
        }
        let Self { places, hit } = self;
        match hit {
            Hit::Bytes(hit) => {
                hit.fill(0);
                let hit = &mut hit[..];
                with_own(rng, |rng| places.each(draws, rng, |place| hit[place as usize] = 1));
                ones(hit)
            }
            Hit::Bits(bits) => {
                bits.clear();
                let mut hit = bits.words();
                with_own(rng, |rng| places.each(draws, rng, |place| hit.set(place)));
                bits.count() as u32
            }
        }
    }
}

/// Bytes that are counted in a byte before they are in a wider number.
const PIECE: usize = 192;

/// How many of these bytes are 1, where the others are 0.
pub(super) fn ones(bytes: &[u8]) -> u32 {
    bytes.chunks(PIECE).map(|piece| u32::from(piece.iter().sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Four draws among three places hit 1, 2 or 3 of them in 3, 42 and 36 of 81 cases; in bytes and in bits.
    #[test]
    fn the_number_of_different_places_has_its_law() {
        let in_bits = Hits { hit: Hit::Bits(Bits::new(3)), ..Hits::new(3) };
        for mut hits in [Hits::new(3), in_bits] {
            let mut rng = Rng::seed_from_u64(8);
            let (trials, mut seen) = (40_000, [0_u32; 4]);
            for _ in 0..trials {
                seen[hits.distinct(4, &mut rng) as usize] += 1;
            }
            for (seen, cases) in seen.into_iter().zip([0.0, 3.0, 42.0, 36.0]) {
                let (share, expected) = (f64::from(seen) / f64::from(trials), cases / 81.0);
                let error = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
                assert!((share - expected).abs() <= 4.5 * error, "{share} {expected}");
            }
            assert_eq!(hits.distinct(0, &mut rng), 0);
        }
    }

    /// What is kept in bytes and what in bits are the same places.
    #[test]
    fn bytes_and_bits_count_alike() {
        let places = 50_000;
        let mut bytes = Hits::new(places);
        let mut bits = Hits { hit: Hit::Bits(Bits::new(places)), ..bytes.clone() };
        assert!(matches!(bytes.hit, Hit::Bytes(_)));
        assert!(matches!(Hits::new(MOST_BYTES + 1).hit, Hit::Bits(_)));
        for draws in [1, 700, 40_000, 300_000] {
            let [a, b] = [&mut bytes, &mut bits]
                .map(|hits| hits.distinct(draws, &mut Rng::seed_from_u64(draws as u64)));
            assert_eq!(a, b);
        }
    }
}
