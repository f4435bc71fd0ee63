//! Double hashing and its kin.

use super::{Choices, Source, Together, reduce};
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
/// that of another member. Values that are drawn [`together`](Source::together) come from one generator.
///
/// Whoever knows the [degree](Increment::degree) of the polynomial in j beforehand gives it as `DEGREE`, and pays for
/// no more than it has.
pub struct Progression<F, const DEGREE: usize = 3> {
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

impl<F: HashFamily, const DEGREE: usize> Source for Progression<F, DEGREE> {
    const LOOKS_AT_KEYS: bool = F::LOOKS_AT_KEYS;

    type Element<'e>
        = ProgressionChoices<DEGREE>
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let member = |j| spec.member(derive_seed(seed, j));
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

    #[inline(always)]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> ProgressionChoices<DEGREE> {
        let value = self.first.hash(key);
        let [h1, h2] = match &self.second {
            None => [value & !u64::from(u32::MAX), value << 32],
            Some(second) => [value, second.hash(key)],
        };
        let h3 = self.third.as_ref().map_or(0, |third| third.hash(key));
        ProgressionChoices::new([h1, h2, h3], self.rule)
    }

    fn together(&mut self) -> Option<Together<'_>> {
        let Rule { increment, steps } = self.rule;
        let rng = self.first.generator().filter(|_| steps == Steps::Any)?;
        Some(Together::Progressions { rng, increment })
    }
}

/// The progression of one key.
///
/// As a polynomial of the third degree at most, it is added up from its differences, modulo m.
pub struct ProgressionChoices<const DEGREE: usize = 3> {
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

impl<const DEGREE: usize> ProgressionChoices<DEGREE> {
    #[inline]
    fn new(values: [u64; 3], rule: Rule) -> Self {
        Self { values, rule, made: 0, buckets: 0, place: 0, differences: [0; 3] }
    }

    /// Choice j among so many buckets, by way of those before it.
    #[inline(always)]
    fn reduce_to(&mut self, buckets: u32) {
        let [h1, h2, h3] = self.values;
        let step = self.rule.steps.reduce(h2, buckets);
        self.buckets = buckets;
        self.place = reduce(h1, buckets);
        let increment = if DEGREE == 1 { Increment::None } else { self.rule.increment };
        let own = if increment == Increment::Third { reduce(h3, buckets) } else { 0 };
        let [plus, second, third] = differences(increment, own, buckets);
        self.differences = [sum(step, plus, buckets), second, third];
        (0..self.made).for_each(|_| self.step());
    }

    #[inline(always)]
    fn step(&mut self) {
        let [first, second, third] = self.differences;
        self.place = sum(self.place, first, self.buckets);
        if DEGREE > 1 {
            self.differences[0] = sum(first, second, self.buckets);
        }
        if DEGREE > 2 {
            self.differences[1] = sum(second, third, self.buckets);
        }
    }
}

/// What an increment adds to the difference of the first order, h2, at the first choice, and its differences of the second and
/// third order there. That of triple hashing has a value of the key's `own`.
#[inline(always)]
pub(super) fn differences(increment: Increment, own: u32, buckets: u32) -> [u32; 3] {
    let small = |number: u32| if number < buckets { number } else { number % buckets };
    match increment {
        Increment::None => [0; 3],
        Increment::Triangular => [0, small(1), 0],
        Increment::Square => [small(1), small(2), 0],
        Increment::Cube => [small(1), small(6), small(6)],
        Increment::Third => [0, own, 0],
    }
}

/// The sum of two numbers below m, modulo m. The number taken away is the same for all choices of double hashing.
#[inline(always)]
pub fn sum(a: u32, b: u32, buckets: u32) -> u32 {
    let (difference, is_below) = a.overflowing_sub(buckets - b);
    if is_below { difference.wrapping_add(buckets) } else { difference }
}

impl<const DEGREE: usize> Choices for ProgressionChoices<DEGREE> {
    #[inline(always)]
    fn next(&mut self, buckets: u32) -> u32 {
        if buckets == 0 {
            self.made += 1;
            return 0;
        }
        self.among(buckets);
        let place = self.place;
        self.step();
        self.made += 1;
        place
    }

    #[inline(always)]
    fn among(&mut self, buckets: u32) {
        if buckets != self.buckets && buckets > 0 {
            self.reduce_to(buckets);
        }
    }

    /// The values are mixed into one, which is halved.
    #[inline(always)]
    fn anew(&mut self) {
        let [h1, h2, h3] = self.values;
        let mixed = derive_seed(h1 ^ h2.rotate_right(32), h3);
        *self = Self::new([mixed, mixed << 32, derive_seed(mixed, 0)], self.rule);
    }

    /// The first choice has no step behind it, and none is worked out that nobody takes.
    #[inline(always)]
    fn block(&mut self, blocks: u32) -> u32 {
        let block = if self.made == 0 { reduce(self.values[0], blocks) } else { self.next(blocks) };
        self.anew();
        block
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

    fn choices<const DEGREE: usize>(
        values: [u64; 3],
        increment: Increment,
    ) -> ProgressionChoices<DEGREE> {
        ProgressionChoices::new(values, rule(increment))
    }

    #[test]
    fn an_arithmetic_progression() {
        let mut choices = choices::<1>([value_of(3, 10), value_of(4, 10), 0], Increment::None);
        let seen: Vec<u32> = (0..5).map(|_| choices.next(10)).collect();
        assert_eq!(seen, [3, 7, 1, 5, 9]);
    }

    #[test]
    fn a_step_of_zero_repeats_the_choice() {
        let mut choices = choices::<1>([value_of(3, 10), 0, 0], Increment::None);
        assert_eq!([choices.next(10), choices.next(10)], [3, 3]);
    }

    #[test]
    fn each_size_reduces_the_same_values() {
        let (half, quarter) = (1 << 63, 1 << 62);
        let mut choices = choices::<1>([half, quarter, 0], Increment::None);
        let seen = [8, 16, 4, 100].map(|buckets| choices.next(buckets));
        assert_eq!(seen, [4, 8 + 4, 0, (50 + 3 * 25) % 100]);
    }

    fn drain(mut choices: impl Choices, sizes: &[u32]) -> Vec<u32> {
        sizes.iter().map(|&buckets| choices.next(buckets)).collect()
    }

    fn of_polynomial(values: [u64; 3], increment: Increment, j: u128, m: u32) -> u128 {
        let [h1, h2, h3] = values.map(|value| u128::from(reduce(value, m)));
        let triangle = j * j.saturating_sub(1) / 2;
        let added = match increment {
            Increment::None => 0,
            Increment::Triangular => triangle,
            Increment::Square => j * j,
            Increment::Cube => j * j * j,
            Increment::Third => triangle * h3,
        };
        (h1 + j * h2 + added) % u128::from(m)
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
                let of = sizes.iter().cycle().copied();
                let sizes: Vec<u32> = [many; 10].into_iter().chain(of.take(10)).collect();
                let own = increment.degree();
                let by_degree = [
                    drain(choices::<1>(values, increment), &sizes),
                    drain(choices::<2>(values, increment), &sizes),
                    drain(choices::<3>(values, increment), &sizes),
                ];
                for (j, &m) in (0..).zip(&sizes) {
                    let expected = of_polynomial(values, increment, j as u128, m);
                    for seen in &by_degree[own - 1..] {
                        let seen = u128::from(seen[j]);
                        prop_assert_eq!(seen, expected, "{:?} {} {}", increment, j, m);
                    }
                }
            }
        }
    }

    #[test]
    fn choices_anew_do_not_follow_from_those_before() {
        let (blocks, bits) = (64_u32, 4_u32);
        let mut source = Progression::<Wang, 1>::new(&spec(HashKind::Wang), 6);
        let mut seen = vec![0_u32; (blocks * bits * bits) as usize];
        for key in 0..64_000_u32 {
            let bytes = key.to_le_bytes();
            let mut choices = source.element(&bytes);
            let block = choices.next(blocks);
            choices.anew();
            let pair = bits * choices.next(bits) + choices.next(bits);
            seen[(block * bits * bits + pair) as usize] += 1;
        }
        let expected = 64_000.0 / seen.len() as f64;
        let deviation = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi: f64 = seen.iter().map(deviation).sum();
        // 1023 degrees of freedom, and five standard deviations.
        assert!(chi < 1023.0 + 5.0 * (2.0_f64 * 1023.0).sqrt(), "{chi}");
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
