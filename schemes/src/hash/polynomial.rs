//! Polynomials modulo a Mersenne prime.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::two_independent::{TwoIndependent, below_prime, modulo_prime, product};
use super::{HashFamily, HashInfo, derive_seed};

/// Polynomials of degree k − 1 modulo p = 2^61 − 1, of a key that is first made one number.
///
/// h(x) = (c₀ + c₁·y + … + cₖ₋₁·y^(k−1)) mod p with all coefficients uniform in 0..p, where y is the value of x under a
/// member of [`TwoIndependent`] with coefficients of its own. The values of k different y are independent and uniform
/// in 0..p, as exactly one polynomial of degree below k takes any k values at k places (Wegman and Carter, 1981). Two
/// keys have one y with probability 1/p, so that the joint law of k keys is within k(k − 1)/2p of that of independent
/// values.
///
/// Independence of five values gives linear probing a constant expected number of probes (Pagh, Pagh and Ružić, "Linear
/// Probing with Constant Independence", SIAM Journal on Computing 39, 2009). For k of 2 to 4 there are k-independent
/// families with which it is not constant (Pătraşcu and Thorup, "On the k-Independence Required by Linear Probing and
/// Minwise Independence", 2010).
///
/// All k are one type, so that the loops of trials are not compiled once for each.
pub struct Polynomial {
    number: TwoIndependent,
    /// cₖ₋₁ to c₀, as Horner's rule takes them.
    coefficients: Box<[u64]>,
}

macro_rules! info {
    ($k:literal, $degree:literal, $error:literal) => {
        HashInfo {
            name: concat!("polynomial", $k),
            bits: 61,
            summary: concat!(
                "a polynomial of degree ",
                $degree,
                " modulo 2^61 - 1, of the key's value under `two-independent`"
            ),
            source: "Wegman and Carter, \"New Hash Functions and Their Use in Authentication and Set \
                     Equality\", Journal of Computer and System Sciences 22, 1981",
            guarantee: concat!(
                $k,
                "-independent over all keys up to the declared length, up to 2^-",
                $error,
                " for keys that two-independent makes one number; uniform in 0..2^61 - 1"
            ),
        }
    };
}

impl Polynomial {
    pub(super) const OF_2: HashInfo = info!(2, 1, 60);
    pub(super) const OF_3: HashInfo = info!(3, 2, 59);
    pub(super) const OF_4: HashInfo = info!(4, 3, 58);
    pub(super) const OF_6: HashInfo = info!(6, 5, 57);
    pub(super) const OF_7: HashInfo = info!(7, 6, 56);
    pub(super) const OF_8: HashInfo = info!(8, 7, 56);
}

impl HashFamily for Polynomial {
    const INFO: HashInfo = info!(5, 4, 57);

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        Self::with_independence(5, seed, max_key_bytes)
    }

    fn with_independence(k: u32, seed: u64, max_key_bytes: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let coefficients = (0..k).map(|_| below_prime(&mut rng)).collect();
        let number = TwoIndependent::with_seed(derive_seed(seed, 0), max_key_bytes);
        Self { number, coefficients }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let unused = u64::BITS - Self::INFO.bits;
        let y = self.number.hash(key) >> unused;
        horner(&self.coefficients, y, modulo_prime) << unused
    }
}

/// The polynomial's value at y; the coefficient of the highest power is the first.
#[inline]
fn horner(coefficients: &[u64], y: u64, modulo: impl Fn(u128) -> u64) -> u64 {
    coefficients.iter().fold(0, |value, &c| modulo(product(value, y) + u128::from(c)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::statistics::{
        assert_even_on_counters, assert_pairs_independent, assert_triples_independent,
    };
    use super::super::two_independent::PRIME;
    use super::super::{HashKind, reduce};
    use super::*;

    const P: u128 = PRIME as u128;
    const KEYS: [&[u8]; 9] =
        [b"", b"flow", b"flox", b"\0", b"\0\0", b"1", b"2", b"3", b"a key of 16 byte"];

    /// Against whole powers of y, each reduced by the remainder.
    #[test]
    fn equals_the_formula() {
        let hash = Polynomial {
            coefficients: Box::new([PRIME - 1, 2, PRIME - 3, 4, 5]),
            ..Polynomial::with_seed(7, 16)
        };
        for key in [&b"flow"[..], b"", b"a key of 16 byte"] {
            let y = u128::from(hash.number.hash(key) >> 3);
            let square = y * y % P;
            let (cube, fourth) = (square * y % P, square * square % P);
            let sum = (P - 1) * fourth % P + 2 * cube + (P - 3) * square % P + 4 * y + 5;
            assert_eq!(u128::from(hash.hash(key) >> 3), sum % P);
        }
    }

    /// Values of a separate implementation with the whole numbers of Python.
    #[test]
    fn known_values() {
        let hash = Polynomial::with_seed(2024, 16);
        assert_eq!(hash.hash(b""), 0x6b60_0c52_161d_4e88);
        assert_eq!(hash.hash(b"flow"), 0x50b4_b5fe_abb4_6ca8);
        assert_eq!(hash.hash(b"a key of 16 byte"), 0xede6_d024_23ea_9880);
    }

    /// All lists of so many numbers below `p`.
    fn lists(p: u64, length: u32) -> impl Iterator<Item = Vec<u64>> {
        (0..p.pow(length)).map(move |number| (0..length).map(|i| number / p.pow(i) % p).collect())
    }

    /// Modulo a small prime, all polynomials of degree below k together take each list of k values at k places exactly
    /// once. At k + 1 places they do not take all lists.
    #[test]
    fn values_are_k_independent_modulo_small_primes() {
        for (p, k) in [(5, 2), (5, 3), (5, 4), (7, 5)] {
            let taken = |places: &[u64]| -> BTreeSet<Vec<u64>> {
                let at = |c: &[u64], y| horner(c, y, |value| (value % u128::from(p)) as u64);
                lists(p, k).map(|c| places.iter().map(|&y| at(&c, y)).collect()).collect()
            };
            let all = p.pow(k) as usize;
            for first in 0..p - u64::from(k) {
                let places: Vec<u64> = (first..=first + u64::from(k)).collect();
                assert_eq!(taken(&places[..k as usize]).len(), all, "{p}, {k}, {places:?}");
                assert_eq!(taken(&places).len(), all, "{p}, {k}: one more value follows");
            }
        }
    }

    /// Two keys whose numbers are a·x + b collide for a share 1/p + (1 − 1/p)/p of all members: where the numbers are
    /// equal, and for one in p polynomials where they are not.
    #[test]
    fn collisions_have_their_probability_modulo_a_small_prime() {
        let (p, k) = (5, 3);
        let modulo = |value: u128| (value % u128::from(p)) as u64;
        let members = lists(p, 2).flat_map(|ab| lists(p, k).map(move |c| (ab.clone(), c)));
        let hash = |(ab, c): &(Vec<u64>, Vec<u64>), x| horner(c, horner(ab, x, modulo), modulo);
        let collisions = members.filter(|member| hash(member, 1) == hash(member, 3)).count();
        assert_eq!(collisions as u64, p.pow(2 + k) / p + (p - 1) * p.pow(k));
    }

    /// The power of `base` modulo p.
    fn power(base: u128, exponent: u128) -> u128 {
        (0..61).rev().fold(1, |value, bit| {
            let square = value * value % P;
            if (exponent >> bit) & 1 == 1 { square * base % P } else { square }
        })
    }

    /// The value at `y` of the polynomial of least degree through these points: Lagrange's formula.
    fn through(points: &[(u128, u128)], y: u128) -> u128 {
        let term = |i: usize| {
            let (own, value) = points[i];
            let others = points.iter().filter(|(other, _)| *other != own);
            let ratio = |product: u128, (other, _): &(u128, u128)| {
                product * ((y + P - other) % P) % P * power((own + P - other) % P, P - 2) % P
            };
            others.fold(value, ratio)
        };
        (0..points.len()).map(term).sum::<u128>() % P
    }

    /// The values of k keys determine that of any other, and those of k − 1 keys do not.
    #[test]
    fn degree_is_below_k() {
        for k in 2..=8 {
            let hash = Polynomial::with_independence(k as u32, 2024, 16);
            let point = |key: &&[u8]| {
                let value = |hash| u128::from(hash >> 3);
                (value(hash.number.hash(key)), value(hash.hash(key)))
            };
            let points: Vec<_> = KEYS.iter().map(point).collect();
            let (y, value) = points[8];
            assert_eq!(through(&points[..k], y), value, "{k}");
            assert_ne!(through(&points[..k - 1], y), value, "{k}");
        }
    }

    /// Under one in 64 of 20,000 members two keys fall into the same of 64 cells, within four standard errors.
    #[test]
    fn keys_collide_as_often_as_random_values() {
        let members = 20_000;
        for k in 2..=8 {
            let collide = |member: &u64| {
                let hash = Polynomial::with_independence(k, derive_seed(9, *member), 13);
                reduce(hash.hash(b"flow 1"), 64) == reduce(hash.hash(b"flow 2"), 64)
            };
            let found = (0..members).filter(collide).count() as f64;
            let expected = members as f64 / 64.0;
            assert!((found - expected).abs() < 4.0 * expected.sqrt(), "{k}: {found}, {expected}");
        }
    }

    /// What the guarantee gives away is no less than the probability that two of k keys are one number.
    #[test]
    fn guarantee_covers_equal_numbers() {
        let polynomials =
            HashKind::ALL.iter().filter(|kind| kind.info().name.starts_with("polynomial"));
        let mut seen = Vec::new();
        for kind in polynomials {
            let (_, behind) = kind.info().guarantee.split_once("2^-").unwrap();
            let exponent: u32 = behind.split_once(' ').unwrap().0.parse().unwrap();
            let k = u128::from(kind.independence());
            assert!(k * (k - 1) / 2 <= P >> exponent, "{kind}");
            assert_eq!(kind.info().name, format!("polynomial{k}"));
            assert!(kind.info().summary.contains(&format!("degree {} ", k - 1)));
            seen.push(k);
        }
        seen.sort_unstable();
        assert_eq!(seen, [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn pairs_are_independent() {
        assert_pairs_independent::<Polynomial>();
    }

    #[test]
    fn triples_are_independent() {
        assert_triples_independent::<Polynomial>();
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Polynomial>();
    }
}
