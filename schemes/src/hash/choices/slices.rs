//! One value per element, cut into slices.

use super::{Choices, Source, reduce};
use crate::hash::{HashFamily, HashSpec, derive_seed};

/// One member of the family `F`; choice j is the j-th slice of its value.
///
/// Slices are taken from the top: the first is the most significant.
pub struct Slices<F> {
    member: F,
    bits: u32,
}

impl<F: HashFamily> Source for Slices<F> {
    type Element<'e>
        = SlicesChoices
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        Self { member: spec.member(derive_seed(seed, 0)), bits: spec.choice_bits() }
    }

    #[inline]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> SlicesChoices {
        SlicesChoices { rest: self.member.hash(key), bits: self.bits }
    }
}

/// The slices of one value.
pub struct SlicesChoices {
    /// The next slice is on top.
    rest: u64,
    bits: u32,
}

impl Choices for SlicesChoices {
    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        let below = u64::MAX.checked_shr(self.bits).unwrap_or(0);
        let slice = self.rest & !below;
        self.rest = self.rest.rotate_left(self.bits);
        reduce(slice, buckets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Derivation, HashKind, TwoIndependent, Wang};

    fn spec(hash: HashKind, bits: u32, choices: u32) -> HashSpec {
        HashSpec::new(hash, Derivation::Slices { bits }, choices, 8).unwrap()
    }

    /// The way of the paper on deletions: 16-bit functions from one 64-bit mix.
    #[test]
    fn slices_of_wangs_mix() {
        let mut source = Slices::<Wang>::new(&spec(HashKind::Wang, 16, 4), 8);
        let value = Wang::with_seed(derive_seed(8, 0), 8).hash(b"10 bytes..");
        let mut choices = source.element(b"10 bytes..");
        for j in 0..4 {
            let slice = (value >> (48 - 16 * j)) & 0xffff;
            assert_eq!(choices.next(10_000), (slice * 10_000 / 65_536) as u32);
        }
    }

    #[test]
    fn slices_of_61_bits() {
        let mut source = Slices::<TwoIndependent>::new(&spec(HashKind::TwoIndependent, 20, 3), 8);
        let value = TwoIndependent::with_seed(derive_seed(8, 0), 8).hash(b"key") >> 3;
        let mut choices = source.element(b"key");
        for shift in [41, 21, 1] {
            assert_eq!(u64::from(choices.next(1 << 20)), (value >> shift) & 0xf_ffff);
        }
    }

    #[test]
    fn one_slice_may_be_the_whole_value() {
        let mut source = Slices::<Wang>::new(&spec(HashKind::Wang, 64, 1), 8);
        let value = Wang::with_seed(derive_seed(8, 0), 8).hash(b"key");
        assert_eq!(source.element(b"key").next(99_999), reduce(value, 99_999));
    }
}
