//! Double hashing.

use super::{Choices, Source, reduce};
use crate::hash::{HashFamily, HashSpec, derive_seed};

/// Double hashing: choice j = 0, 1, ... among m buckets is (h1 + j·h2) mod m.
///
/// The conventions are those of *Less Hashing, Same Performance*: h1 and h2 are
/// both uniform in 0..m, so that h2 may be 0 (and all choices the same), and m
/// need not be prime. If m changes from choice to choice, h1 and h2 are reduced
/// to each m anew, from the same values.
///
/// A family of more than 32 bits gives h1 from the upper half of one value and
/// h2 from the lower; one of 32 bits has a second member for h2.
pub struct Double<F> {
    first: F,
    second: Option<F>,
}

impl<F: HashFamily> Source for Double<F> {
    type Element<'e>
        = DoubleChoices
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let member = |j| F::with_seed(derive_seed(seed, j), spec.max_key_bytes());
        Self { first: member(0), second: (F::INFO.bits <= 32).then(|| member(1)) }
    }

    #[inline]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> DoubleChoices {
        let value = self.first.hash(key);
        match &self.second {
            None => DoubleChoices::new(value & !u64::from(u32::MAX), value << 32),
            Some(second) => DoubleChoices::new(value, second.hash(key)),
        }
    }
}

/// The arithmetic progression of two values.
pub struct DoubleChoices {
    h1: u64,
    h2: u64,
    j: u64,
}

impl DoubleChoices {
    #[inline]
    fn new(h1: u64, h2: u64) -> Self {
        Self { h1, h2, j: 0 }
    }
}

impl Choices for DoubleChoices {
    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        let start = u64::from(reduce(self.h1, buckets));
        let step = u64::from(reduce(self.h2, buckets));
        let place = start + self.j * step;
        self.j += 1;
        place.checked_rem(u64::from(buckets)).unwrap_or(0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Crc32c, Derivation, HashKind, Wang};

    fn spec(hash: HashKind) -> HashSpec {
        HashSpec::new(hash, Derivation::Double, 4, 8).unwrap()
    }

    /// The value that reduces to `bucket` of `buckets`.
    fn value_of(bucket: u64, buckets: u64) -> u64 {
        (((bucket << 32) + buckets / 2) / buckets) << 32 | 1 << 31
    }

    #[test]
    fn an_arithmetic_progression() {
        let mut choices = DoubleChoices::new(value_of(3, 10), value_of(4, 10));
        let seen: Vec<u32> = (0..5).map(|_| choices.next(10)).collect();
        assert_eq!(seen, [3, 7, 1, 5, 9]);
    }

    #[test]
    fn a_step_of_zero_repeats_the_choice() {
        let mut choices = DoubleChoices::new(value_of(3, 10), 0);
        assert_eq!([choices.next(10), choices.next(10)], [3, 3]);
    }

    #[test]
    fn each_size_reduces_the_same_values() {
        let (half, quarter) = (1 << 63, 1 << 62);
        let mut choices = DoubleChoices::new(half, quarter);
        let seen = [8, 16, 4, 100].map(|buckets| choices.next(buckets));
        assert_eq!(seen, [4, 8 + 4, 0, (50 + 3 * 25) % 100]);
    }

    #[test]
    fn a_wide_value_is_halved() {
        let value = Wang::with_seed(derive_seed(6, 0), 8).hash(b"key");
        let (h1, h2) = (value >> 32, value & 0xffff_ffff);
        let mut source = Double::<Wang>::new(&spec(HashKind::Wang), 6);
        let mut choices = source.element(b"key");
        for j in 0..4 {
            let expected = (((h1 * 1000) >> 32) + j * ((h2 * 1000) >> 32)) % 1000;
            assert_eq!(u64::from(choices.next(1000)), expected);
        }
    }

    #[test]
    fn a_narrow_family_has_a_second_member() {
        let value = |j| Crc32c::with_seed(derive_seed(6, j), 8).hash(b"key") >> 32;
        let mut source = Double::<Crc32c>::new(&spec(HashKind::Crc32c), 6);
        let mut choices = source.element(b"key");
        choices.next(1 << 16);
        let expected = ((value(0) >> 16) + (value(1) >> 16)) % (1 << 16);
        assert_eq!(u64::from(choices.next(1 << 16)), expected);
    }
}
