//! Dietzfelbinger's multiply-shift, in its vector form.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::words::for_each_word;
use super::{HashFamily, HashInfo};

/// Strongly universal multiply-shift on vectors of 64-bit words.
///
/// h(x) = ((b + a₀·length + Σ aᵢ·xᵢ) mod 2^128) >> 64 with all coefficients
/// uniform in 0..2^128 and xᵢ the key's little-endian words, the last padded
/// with zeros. Padding and length together tell all keys apart, so that the
/// values of any two different keys are independent and uniform (w = 64,
/// l = 64, and 128 >= w + l − 1).
pub struct MultiplyShift {
    offset: u128,
    of_length: u128,
    of_words: Vec<u128>,
}

impl HashFamily for MultiplyShift {
    const INFO: HashInfo = HashInfo {
        name: "multiply-shift",
        bits: 64,
        summary: "the upper half of a sum of products of the key's words, modulo 2^128",
        source: "Dietzfelbinger, \"Universal Hashing and k-wise Independent Random Variables \
                 via Integer Arithmetic without Primes\", STACS 1996, Theorem 3",
        guarantee: "2-independent over all keys up to the declared length",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut coefficient = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        Self {
            offset: coefficient(),
            of_length: coefficient(),
            of_words: (0..max_key_bytes.div_ceil(8)).map(|_| coefficient()).collect(),
        }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let length = self.of_length.wrapping_mul(key.len() as u128);
        let mut sum = self.offset.wrapping_add(length);
        let mut coefficients = self.of_words.iter();
        for_each_word(key, |word| {
            if let Some(a) = coefficients.next() {
                sum = sum.wrapping_add(a.wrapping_mul(u128::from(word)));
            }
        });
        (sum >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{assert_even_on_counters, assert_pairs_independent};
    use super::*;

    #[test]
    fn equals_the_formula() {
        let hash =
            MultiplyShift { offset: 5 << 64, of_length: 1 << 64, of_words: vec![3 << 64, 1 << 63] };
        let mut key = [0; 9];
        key[0] = 2;
        key[8] = 4;
        assert_eq!(hash.hash(&key), 5 + 9 + 3 * 2 + 2);
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<MultiplyShift>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<MultiplyShift>();
    }
}
