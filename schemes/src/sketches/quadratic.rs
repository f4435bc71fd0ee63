//! A pairwise independent family of functions under which collisions of many keys come together.

use rand::RngExt as _;

use crate::Rng;

/// x ↦ a + c·x + x² mod w, for a prime w and keys below w.
///
/// With a and c uniform and independent, the values of any two keys x ≠ y are independent and uniform: their difference
/// c·(x − y) + x² − y² decides c, and then either of them decides a. Three values are not independent: x and y have the same
/// value where x + y = −c mod w, so that of consecutive keys nearly all have a partner with their value, or none has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quadratic {
    offset: u64,
    slope: u64,
    modulus: u64,
    /// ⌊2⁶⁴ / `modulus`⌋, or 1 less.
    inverse: u64,
}

impl Quadratic {
    /// A function drawn from the family of this modulus.
    pub fn drawn(modulus: u32, rng: &mut Rng) -> Self {
        let mut coefficient = || u64::from(rng.random_range(0..modulus));
        Self::new(coefficient(), coefficient(), modulus)
    }

    fn new(offset: u64, slope: u64, modulus: u32) -> Self {
        let modulus = modulus.into();
        Self { offset, slope, modulus, inverse: u64::MAX / modulus }
    }

    /// The value of a key.
    #[inline]
    pub fn of(&self, key: u32) -> u32 {
        let key = u64::from(key);
        self.remainder(self.offset + (self.slope + key) * key)
    }

    /// Of a division by the modulus. The product with its inverse is the quotient or 1 less, as `number` is below 2⁶² and the inverse
    /// too small by less than 2: a product takes less time than a division.
    #[inline]
    fn remainder(&self, number: u64) -> u32 {
        let quotient = (u128::from(number) * u128::from(self.inverse)) >> 64;
        let rest = number - quotient as u64 * self.modulus;
        (if rest >= self.modulus { rest - self.modulus } else { rest }) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Over all functions of the family, any two keys have each pair of values once; three keys do not have each triple.
    #[test]
    fn pairs_of_values_are_independent_and_triples_are_not() {
        const W: u32 = 7;
        let family: Vec<Quadratic> =
            (0..u64::from(W * W)).map(|i| Quadratic::new(i / 7, i % 7, W)).collect();
        for x in 0..W {
            for y in (0..W).filter(|y| *y != x) {
                let pairs: BTreeSet<_> = family.iter().map(|own| (own.of(x), own.of(y))).collect();
                assert_eq!(pairs.len() as u32, W * W, "{x} {y}");
            }
        }
        let equal = |own: &&Quadratic| own.of(0) == own.of(1) && own.of(1) == own.of(2);
        assert_eq!(family.iter().filter(equal).count(), 0, "of independent triples 1/49 are equal");
    }

    /// Products of numbers close to the greatest modulus do not overflow.
    #[test]
    fn values_are_below_the_modulus() {
        let modulus = (1 << 28) - 57;
        let own = Quadratic::new(u64::from(modulus) - 1, u64::from(modulus) - 1, modulus);
        let expected = (i128::from(modulus) - 1) + (-1 - 2) * -2;
        assert_eq!(i128::from(own.of(modulus - 2)), expected % i128::from(modulus));
    }

    /// Products with an inverse are remainders of divisions, up to the greatest numbers that there are.
    #[test]
    fn remainders_are_those_of_divisions() {
        for modulus in [2_u32, 3, 7, 5_003, (1 << 28) - 57, (1 << 30) - 35] {
            let own = Quadratic::new(0, 0, modulus);
            let most = 2 * u64::from(modulus) * u64::from(modulus);
            for number in (0..20).chain(most - 20..most).chain((0..64).map(|i| most / 64 * i)) {
                assert_eq!(u64::from(own.remainder(number)), number % u64::from(modulus));
            }
        }
    }
}
