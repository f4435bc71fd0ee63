//! Polynomials of degree 4 modulo a Mersenne prime.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::two_independent::{TwoIndependent, below_prime, modulo_prime, product};
use super::{HashFamily, HashInfo};

/// Polynomials of degree 4 modulo p = 2^61 − 1, of a key that is first made one number.
///
/// h(x) = (c₀ + c₁·y + c₂·y² + c₃·y³ + c₄·y⁴) mod p with all coefficients uniform in 0..p, where y is the value of x
/// under a member of [`TwoIndependent`] with coefficients of its own. The values of five different y are independent
/// and uniform in 0..p, as a polynomial of degree 4 takes any five values at five places exactly once. Two keys have
/// one y with probability 1/p, so that the joint law of five keys is within 10/p < 2^−57 of that of independent
/// values.
///
/// Independence of five values is what linear probing needs for a constant expected number of probes (Pagh, Pagh and
/// Ružić, 2007), and what no 4-independent family gives for certain (Pătraşcu and Thorup, 2010).
pub struct Polynomial5 {
    number: TwoIndependent,
    /// c₄ to c₀, as Horner's rule takes them.
    coefficients: [u64; 5],
}

impl HashFamily for Polynomial5 {
    const INFO: HashInfo = HashInfo {
        name: "polynomial5",
        bits: 61,
        summary: "a polynomial of degree 4 modulo 2^61 - 1, of the key's value under `two-independent`",
        source: "Wegman and Carter, \"New Hash Functions and Their Use in Authentication and Set \
                 Equality\", Journal of Computer and System Sciences 22, 1981",
        guarantee: "5-independent over all keys up to the declared length, up to 2^-57 for keys that \
                    two-independent makes one number; uniform in 0..2^61 - 1",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let coefficients = std::array::from_fn(|_| below_prime(&mut rng));
        let number = TwoIndependent::with_seed(super::derive_seed(seed, 0), max_key_bytes);
        Self { number, coefficients }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let unused = u64::BITS - Self::INFO.bits;
        let y = self.number.hash(key) >> unused;
        let [first, rest @ ..] = self.coefficients;
        let horner = |value, c: u64| modulo_prime(product(value, y) + u128::from(c));
        rest.into_iter().fold(first, horner) << unused
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{
        assert_even_on_counters, assert_pairs_independent, assert_triples_independent,
    };
    use super::super::two_independent::PRIME;
    use super::*;

    /// Against whole powers of y, each reduced by the remainder.
    #[test]
    fn equals_the_formula() {
        let hash = Polynomial5 {
            coefficients: [PRIME - 1, 2, PRIME - 3, 4, 5],
            ..Polynomial5::with_seed(7, 16)
        };
        for key in [&b"flow"[..], b"", b"a key of 16 byte"] {
            let p = u128::from(PRIME);
            let y = u128::from(hash.number.hash(key) >> 3);
            let square = y * y % p;
            let (cube, fourth) = (square * y % p, square * square % p);
            let sum = (p - 1) * fourth % p + 2 * cube + (p - 3) * square % p + 4 * y + 5;
            assert_eq!(u128::from(hash.hash(key) >> 3), sum % p);
        }
    }

    /// Values of a separate implementation with the whole numbers of Python.
    #[test]
    fn known_values() {
        let hash = Polynomial5::with_seed(2024, 16);
        assert_eq!(hash.hash(b""), 0x6b60_0c52_161d_4e88);
        assert_eq!(hash.hash(b"flow"), 0x50b4_b5fe_abb4_6ca8);
        assert_eq!(hash.hash(b"a key of 16 byte"), 0xede6_d024_23ea_9880);
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<Polynomial5>();
    }

    #[test]
    fn triples_are_independent() {
        assert_triples_independent::<Polynomial5>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Polynomial5>();
    }
}
