//! Simple tabulation.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::xor_tables::XorTables;
use super::{HashFamily, HashInfo};

/// Simple tabulation: a table of 256 random words per byte of the key, and the
/// value is the XOR of the words the bytes select.
///
/// The key's length selects one word more, as a further character of the key.
pub struct SimpleTabulation {
    tables: XorTables,
}

impl HashFamily for SimpleTabulation {
    const INFO: HashInfo = HashInfo {
        name: "simple-tabulation",
        bits: 64,
        summary: "XOR of a random word per byte of the key",
        source: "Zobrist, 1970; analysed by Patrascu and Thorup, \
                 \"The Power of Simple Tabulation Hashing\", Journal of the ACM 59, 2012",
        guarantee: "3-independent over all keys up to the declared length, not 4-independent",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let words = |rng: &mut Xoshiro256PlusPlus| std::array::from_fn(|_| rng.next_u64());
        Self { tables: XorTables::new(&mut rng, max_key_bytes, words) }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        self.tables.xor(key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{
        assert_even_on_counters, assert_pairs_independent, assert_triples_independent,
    };
    use super::*;

    /// The four corners of a rectangle, the known dependence of order four.
    #[test]
    fn corners_of_a_rectangle_cancel() {
        let hash = SimpleTabulation::with_seed(9, 2);
        let corners = [[3, 200], [3, 7], [90, 200], [90, 7]];
        assert_eq!(corners.iter().fold(0, |sum, key| sum ^ hash.hash(key)), 0);
    }

    /// Unlike H3, a table is not the span of its rows.
    #[test]
    fn not_linear_within_a_byte() {
        let hash = SimpleTabulation::with_seed(9, 1);
        assert_ne!(hash.hash(&[1]) ^ hash.hash(&[2]) ^ hash.hash(&[3]), hash.hash(&[0]));
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<SimpleTabulation>();
    }

    #[test]
    fn triples_are_independent() {
        assert_triples_independent::<SimpleTabulation>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<SimpleTabulation>();
    }
}
