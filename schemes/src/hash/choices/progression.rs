//! Double hashing and its kin.

use super::{Choices, Source, reduce};
use crate::hash::{Derivation, HashFamily, HashSpec, Increment, Steps, derive_seed};

/// Choices in a progression: choice j = 0, 1, ... among m buckets is (h1 + j·h2 + f(j)) mod m.
///
/// With f = 0 it is double hashing, with f(j) a polynomial of j enhanced double hashing, and with
/// f(j) = j(j−1)/2·h3 triple hashing. The conventions are those of *Less Hashing, Same Performance*: h1 and
/// h2 are both uniform in 0..m, so that h2 may be 0 (and all choices of double hashing the same), and m need
/// not be prime; [`Steps`] says otherwise. If m changes from choice to choice, the values are reduced to each
/// m anew.
///
/// A family of more than 32 bits gives h1 from the upper half of one value and
/// h2 from the lower; one of 32 bits, and values that are drawn, have a second member for h2. A third value is
/// that of another member.
pub struct Progression<F> {
    first: F,
    second: Option<F>,
    third: Option<F>,
    rule: Rule,
}

/// What is the same for every key.
#[derive(Debug, Clone, Copy)]
struct Rule {
    increment: Increment,
    steps: Steps,
}

impl<F: HashFamily> Source for Progression<F> {
    const LOOKS_AT_KEYS: bool = F::LOOKS_AT_KEYS;

    type Element<'e>
        = ProgressionChoices
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let member = |j| F::with_seed(derive_seed(seed, j), spec.max_key_bytes());
        let increment = match spec.derivation() {
            Derivation::Progression(increment) => increment,
            Derivation::Seeds | Derivation::Slices { .. } => Increment::None,
        };
        Self {
            first: member(0),
            second: (F::INFO.bits <= 32 || !F::LOOKS_AT_KEYS).then(|| member(1)),
            third: (increment == Increment::Third).then(|| member(2)),
            rule: Rule { increment, steps: spec.steps() },
        }
    }

    #[inline]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> ProgressionChoices {
        let value = self.first.hash(key);
        let [h1, h2] = match &self.second {
            None => [value & !u64::from(u32::MAX), value << 32],
            Some(second) => [value, second.hash(key)],
        };
        let h3 = self.third.as_ref().map_or(0, |third| third.hash(key));
        ProgressionChoices::new([h1, h2, h3], self.rule)
    }
}

/// The progression of one key.
///
/// As a polynomial of the third degree at most, it is added up from its differences, modulo m.
pub struct ProgressionChoices {
    values: [u64; 3],
    rule: Rule,
    /// The choices made so far, j.
    made: u32,
    /// The m that `place` and `differences` are for.
    buckets: u32,
    place: u32,
    /// Those of the first, second and third order at `place`.
    differences: [u32; 3],
}

impl ProgressionChoices {
    #[inline]
    fn new(values: [u64; 3], rule: Rule) -> Self {
        Self { values, rule, made: 0, buckets: 0, place: 0, differences: [0; 3] }
    }

    /// Choice j among so many buckets, by way of those before it.
    fn reduce_to(&mut self, buckets: u32) {
        let [h1, h2, h3] = self.values;
        let step = self.rule.steps.reduce(h2, buckets);
        let add = |by: u32| ((u64::from(step) + u64::from(by)) % u64::from(buckets)) as u32;
        self.buckets = buckets;
        self.place = reduce(h1, buckets);
        self.differences = match self.rule.increment {
            Increment::None => [step, 0, 0],
            Increment::Triangular => [step, 1 % buckets, 0],
            Increment::Square => [add(1), 2 % buckets, 0],
            Increment::Cube => [add(1), 6 % buckets, 6 % buckets],
            Increment::Third => [step, reduce(h3, buckets), 0],
        };
        (0..self.made).for_each(|_| self.step());
    }

    #[inline]
    fn step(&mut self) {
        let [first, second, third] = self.differences;
        self.place = sum(self.place, first, self.buckets);
        self.differences =
            [sum(first, second, self.buckets), sum(second, third, self.buckets), third];
    }
}

/// The sum of two numbers below m, modulo m.
#[inline]
fn sum(a: u32, b: u32, buckets: u32) -> u32 {
    let left = buckets - a;
    if b >= left { b - left } else { a + b }
}

impl Choices for ProgressionChoices {
    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        if buckets == 0 {
            self.made += 1;
            return 0;
        }
        if buckets != self.buckets {
            self.reduce_to(buckets);
        }
        let place = self.place;
        self.step();
        self.made += 1;
        place
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::{Crc32c, HashKind, Wang};

    fn spec(hash: HashKind) -> HashSpec {
        HashSpec::new(hash, Derivation::Progression(Increment::None), 4, 8).unwrap()
    }

    fn rule(increment: Increment) -> Rule {
        Rule { increment, steps: Steps::Any }
    }

    /// The value that reduces to `bucket` of `buckets`.
    fn value_of(bucket: u64, buckets: u64) -> u64 {
        (((bucket << 32) + buckets / 2) / buckets) << 32 | 1 << 31
    }

    fn choices(values: [u64; 3], increment: Increment) -> ProgressionChoices {
        ProgressionChoices::new(values, rule(increment))
    }

    #[test]
    fn an_arithmetic_progression() {
        let mut choices = choices([value_of(3, 10), value_of(4, 10), 0], Increment::None);
        let seen: Vec<u32> = (0..5).map(|_| choices.next(10)).collect();
        assert_eq!(seen, [3, 7, 1, 5, 9]);
    }

    #[test]
    fn a_step_of_zero_repeats_the_choice() {
        let mut choices = choices([value_of(3, 10), 0, 0], Increment::None);
        assert_eq!([choices.next(10), choices.next(10)], [3, 3]);
    }

    #[test]
    fn each_size_reduces_the_same_values() {
        let (half, quarter) = (1 << 63, 1 << 62);
        let mut choices = choices([half, quarter, 0], Increment::None);
        let seen = [8, 16, 4, 100].map(|buckets| choices.next(buckets));
        assert_eq!(seen, [4, 8 + 4, 0, (50 + 3 * 25) % 100]);
    }

    proptest! {
        /// Differences are an optimisation: the definition has a product and a power.
        #[test]
        fn every_progression_is_its_polynomial(
            values in any::<[u64; 3]>(),
            sizes in prop::collection::vec(1_u32..=u32::MAX, 1..4),
            many in 1_u32..5000,
        ) {
            for increment in Increment::ALL {
                let mut made = choices(values, increment);
                for j in 0..20_u32 {
                    let m = if j < 10 { many } else { sizes[j as usize % sizes.len()] };
                    let [h1, h2, h3] = values.map(|value| u128::from(reduce(value, m)));
                    let j = u128::from(j);
                    let triangle = j * j.saturating_sub(1) / 2;
                    let added = match increment {
                        Increment::None => 0,
                        Increment::Triangular => triangle,
                        Increment::Square => j * j,
                        Increment::Cube => j * j * j,
                        Increment::Third => triangle * h3,
                    };
                    let expected = (h1 + j * h2 + added) % u128::from(m);
                    prop_assert_eq!(u128::from(made.next(m)), expected, "{:?} {} {}", increment, j, m);
                }
            }
        }
    }

    #[test]
    fn a_wide_value_is_halved() {
        let value = Wang::with_seed(derive_seed(6, 0), 8).hash(b"key");
        let (h1, h2) = (value >> 32, value & 0xffff_ffff);
        let mut source = Progression::<Wang>::new(&spec(HashKind::Wang), 6);
        let mut choices = source.element(b"key");
        for j in 0..4 {
            let expected = (((h1 * 1000) >> 32) + j * ((h2 * 1000) >> 32)) % 1000;
            assert_eq!(u64::from(choices.next(1000)), expected);
        }
    }

    #[test]
    fn a_narrow_family_has_a_second_member() {
        let value = |j| Crc32c::with_seed(derive_seed(6, j), 8).hash(b"key") >> 32;
        let mut source = Progression::<Crc32c>::new(&spec(HashKind::Crc32c), 6);
        let mut choices = source.element(b"key");
        choices.next(1 << 16);
        let expected = ((value(0) >> 16) + (value(1) >> 16)) % (1 << 16);
        assert_eq!(u64::from(choices.next(1 << 16)), expected);
    }
}
