//! Twisted tabulation.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::xor_tables::XorTables;
use super::{HashFamily, HashInfo};

/// Twisted tabulation: simple tabulation of 64-bit words, in which the last byte of the key is first combined by XOR
/// with the lowest byte of what the other bytes and the length select; the value is the upper 56 bits.
///
/// With the lowest bytes fixed, the combination is a bijection of keys, so that the values are as independent as those
/// of simple tabulation. What the last byte adds are the concentration of sums and minima beyond 3-independence
/// (Theorems 1.1 and 1.2 of the source): the keys of a cross product no longer cancel.
pub struct TwistedTabulation {
    tables: XorTables,
}

/// The bits of a word that twist, and that are no part of a value.
const TWISTER: u64 = 0xff;

impl HashFamily for TwistedTabulation {
    const INFO: HashInfo = HashInfo {
        name: "twisted-tabulation",
        bits: 56,
        summary: "simple tabulation whose last byte is first combined with eight bits of the others' words",
        source: "Patrascu and Thorup, \"Twisted Tabulation Hashing\", SODA 2013",
        guarantee: "3-independent over all keys up to the declared length",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let words = |rng: &mut Xoshiro256PlusPlus| std::array::from_fn(|_| rng.next_u64());
        Self { tables: XorTables::new(&mut rng, max_key_bytes, words) }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        self.tables.twisted(key) & !TWISTER
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{
        assert_even_on_counters, assert_pairs_independent, assert_triples_independent,
    };
    use super::*;

    /// The corners of a rectangle, which cancel under every member of simple tabulation, do so here only where the two
    /// first bytes twist alike, or so that the last bytes are exchanged: two members in 256.
    #[test]
    fn corners_of_a_rectangle_rarely_cancel() {
        let corners = [[3, 200], [3, 7], [90, 200], [90, 7]];
        let cancels = |seed: &u64| {
            let hash = TwistedTabulation::with_seed(*seed, 2);
            corners.iter().fold(0, |sum, key| sum ^ hash.hash(key)) == 0
        };
        // 40 expected, within 3.5 standard deviations.
        let cancelling = (0..5120).filter(cancels).count();
        assert!((18..=62).contains(&cancelling), "{cancelling}");
    }

    /// Values of a separate implementation with the whole numbers of Python.
    #[test]
    fn known_values() {
        let hash = TwistedTabulation::with_seed(2024, 3);
        assert_eq!(hash.hash(b""), 0x8641_253f_8fed_8200);
        assert_eq!(hash.hash(b"a"), 0xadad_fd76_bde0_3500);
        assert_eq!(hash.hash(b"abc"), 0x8084_0d5d_3b66_8a00);
        assert_eq!(hash.hash(b"abcd"), 0x8084_0d5d_3b66_8a00);
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<TwistedTabulation>();
    }

    #[test]
    fn triples_are_independent() {
        assert_triples_independent::<TwistedTabulation>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<TwistedTabulation>();
    }
}
