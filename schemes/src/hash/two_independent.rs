//! Linear functions modulo a Mersenne prime.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::words::for_each_word;
use super::{HashFamily, HashInfo};

/// The prime p = 2^61 − 1.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// Linear functions modulo p = 2^61 − 1: (a·x + b) mod p for keys of one
/// 32-bit word, and its vector form for longer ones.
///
/// h(x) = (b + a₀·length + Σ aᵢ·xᵢ) mod p with all coefficients uniform in 0..p
/// and xᵢ the key's little-endian words of 32 bits, padded with zeros to a
/// multiple of eight bytes. Padding and length together tell all keys apart, so
/// that the values of any two different keys, of whatever length, are
/// independent and uniform in 0..p. Of three keys nothing is promised: among keys
/// of one word, the values of two determine a and b, and with them all others.
///
/// A sum of products below 2^93 cannot overflow 128 bits for any key that fits
/// in memory, so one reduction at the end is enough.
pub struct TwoIndependent {
    offset: u64,
    of_length: u64,
    /// A pair for each eight bytes of the key.
    of_halves: Vec<[u64; 2]>,
}

impl HashFamily for TwoIndependent {
    const INFO: HashInfo = HashInfo {
        name: "two-independent",
        bits: 61,
        summary: "(a x + b) mod 2^61 - 1, in vector form over the key's 32-bit words",
        source: "Carter and Wegman, \"Universal Classes of Hash Functions\", \
                 Journal of Computer and System Sciences 18, 1979 (the class H1)",
        guarantee: "2-independent over all keys up to the declared length, uniform in 0..2^61 - 1",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut coefficient = || below_prime(&mut rng);
        Self {
            offset: coefficient(),
            of_length: coefficient(),
            of_halves: (0..max_key_bytes.div_ceil(8))
                .map(|_| [coefficient(), coefficient()])
                .collect(),
        }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let mut sum = u128::from(self.offset) + product(self.of_length, key.len() as u64);
        let mut coefficients = self.of_halves.iter();
        for_each_word(key, |word| {
            if let Some([low, high]) = coefficients.next() {
                sum += product(*low, word & 0xffff_ffff) + product(*high, word >> 32);
            }
        });
        modulo_prime(sum) << (64 - Self::INFO.bits)
    }
}

/// A value uniform in 0..p, by rejection of the one value too many.
pub(super) fn below_prime(rng: &mut impl Rng) -> u64 {
    loop {
        let value = rng.next_u64() >> 3;
        if value < PRIME {
            return value;
        }
    }
}

#[inline]
pub(super) fn product(a: u64, x: u64) -> u128 {
    u128::from(a) * u128::from(x)
}

/// `value` mod p, using 2^61 = 1 (mod p).
#[inline]
pub(super) fn modulo_prime(value: u128) -> u64 {
    let folded = (value & u128::from(PRIME)) + (value >> 61);
    let folded = (folded as u64 & PRIME) + (folded >> 61) as u64;
    let folded = (folded & PRIME) + (folded >> 61);
    if folded == PRIME { 0 } else { folded }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::statistics::{assert_even_on_counters, assert_pairs_independent};
    use super::*;

    #[test]
    fn equals_the_formula() {
        let hash =
            TwoIndependent { offset: PRIME - 1, of_length: 7, of_halves: vec![[PRIME - 2, 3]] };
        let key = [2, 0, 0, 0, 5];
        let by_hand = (PRIME - 1) as i128 + 7 * 5 - 2 * 2 + 3 * 5;
        assert_eq!(hash.hash(&key) >> 3, (by_hand % i128::from(PRIME)) as u64);
    }

    proptest! {
        #[test]
        fn reduction_is_the_remainder(value: u128) {
            prop_assert_eq!(u128::from(modulo_prime(value)), value % u128::from(PRIME));
        }
    }

    #[test]
    fn reduction_at_the_edges() {
        let p = u128::from(PRIME);
        for value in [0, p - 1, p, p + 1, 2 * p, p * p, p * p - 1, u128::MAX] {
            assert_eq!(u128::from(modulo_prime(value)), value % p);
        }
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<TwoIndependent>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<TwoIndependent>();
    }
}
