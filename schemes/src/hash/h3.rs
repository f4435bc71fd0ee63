//! H3: the XOR of random rows.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::xor_tables::{XorTables, span};
use super::{HashFamily, HashInfo};

/// Carter and Wegman's class H3: a random row per bit of the key, and the value
/// is the XOR of the rows whose bit is set.
///
/// A random row per key length is XORed in as well, so that the all-zero key has
/// a random value and keys of different lengths are told apart. On keys of one
/// length a member is then affine over GF(2), h(x ^ y ^ z) = h(x) ^ h(y) ^ h(z),
/// which is 3-independent and not 4-independent.
///
/// XOR is linear, so the eight rows of a byte are combined beforehand into one
/// table of 256 words: the same function, one lookup per byte.
pub struct H3 {
    tables: XorTables,
}

impl HashFamily for H3 {
    const INFO: HashInfo = HashInfo {
        name: "h3",
        bits: 64,
        summary: "XOR of a random row per set bit of the key",
        source: "Carter and Wegman, \"Universal Classes of Hash Functions\", \
                 Journal of Computer and System Sciences 18, 1979 (the class H3)",
        guarantee: "3-independent over all keys up to the declared length",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rows = |rng: &mut Xoshiro256PlusPlus| span(std::array::from_fn(|_| rng.next_u64()));
        Self { tables: XorTables::new(&mut rng, max_key_bytes, rows) }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        self.tables.xor(key)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::statistics::{assert_pairs_independent, assert_triples_independent};
    use super::*;

    proptest! {
        #[test]
        fn affine_over_gf2(seed: u64, x: [u8; 13], y: [u8; 13], z: [u8; 13]) {
            let h3 = H3::with_seed(seed, 13);
            let sum: [u8; 13] = std::array::from_fn(|i| x[i] ^ y[i] ^ z[i]);
            prop_assert_eq!(h3.hash(&sum), h3.hash(&x) ^ h3.hash(&y) ^ h3.hash(&z));
        }
    }

    #[test]
    fn trailing_zeros_matter() {
        let h3 = H3::with_seed(1, 8);
        assert_ne!(h3.hash(&[1]), h3.hash(&[1, 0]));
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<H3>();
    }

    #[test]
    fn triples_are_independent() {
        assert_triples_independent::<H3>();
    }
}
