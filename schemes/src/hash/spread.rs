//! How a choice of few bits falls on buckets: on some of them more often than on others.

use super::{Derivation, HashSpec};

/// Buckets that are all chosen equally often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Their share of the buckets.
    pub share: f64,
    /// How often one of them is chosen, relative to the mean over all buckets.
    pub weight: f64,
}

/// Choices that do not fall on all buckets alike: of 2^w values, some buckets have ⌊2^w/m⌋ and the others one
/// more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The buckets with fewer values, and those with more.
    pub groups: [Group; 2],
}

/// The variance of the weights up to which buckets count as alike. It is about the relative difference that they
/// make to the overflow.
const NEGLIGIBLE: f64 = 1e-6;

impl Spread {
    /// That of choices of so many bits, or `None` where they fall on all buckets alike, or nearly so.
    pub fn of_bits(bits: u32, buckets: u32) -> Option<Self> {
        let values = 1_u64.checked_shl(bits)?;
        let buckets = u64::from(buckets);
        let (fewer, rest) = (values.checked_div(buckets)?, values.checked_rem(buckets)?);
        let group = |count: u64, values_each: u64| Group {
            share: count as f64 / buckets as f64,
            weight: values_each as f64 * buckets as f64 / values as f64,
        };
        let spread = Self { groups: [group(buckets - rest, fewer), group(rest, fewer + 1)] };
        (spread.variance() > NEGLIGIBLE).then_some(spread)
    }

    /// The mean over all buckets of what `value` says of those with a weight.
    pub fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.groups.iter().map(|group| group.share * value(group.weight)).sum()
    }

    /// The probabilities that a choice falls into each group.
    pub fn chances(&self) -> [f64; 2] {
        self.groups.map(|group| group.share * group.weight)
    }

    fn variance(&self) -> f64 {
        self.mean(|weight| (weight - 1.0) * (weight - 1.0))
    }
}

impl HashSpec {
    /// How its choices fall on so many buckets, or `None` where all are chosen alike. Double hashing adds two
    /// values, which evens them out.
    pub fn spread(&self, buckets: u32) -> Option<Spread> {
        match self.derivation() {
            Derivation::Progression(_) => None,
            Derivation::Seeds | Derivation::Slices { .. } => {
                Spread::of_bits(self.choice_bits(), buckets)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{HashKind, reduce};

    /// The values of a slice counted one by one.
    #[test]
    fn groups_are_those_of_all_values() {
        for buckets in [3_u32, 1000, 10_000, 60_000] {
            let mut values = vec![0_u32; buckets as usize];
            for value in 0..1_u64 << 16 {
                values[reduce(value << 48, buckets) as usize] += 1;
            }
            let Some(spread) = Spread::of_bits(16, buckets) else {
                assert_eq!(buckets, 3, "65,536 values are not even on {buckets} buckets");
                continue;
            };
            let mean = 65_536.0 / f64::from(buckets);
            for Group { share, weight } in spread.groups {
                let have = values.iter().filter(|&&n| (f64::from(n) / mean - weight).abs() < 1e-12);
                assert!((share - have.count() as f64 / f64::from(buckets)).abs() < 1e-12);
            }
            assert!((spread.mean(|weight| weight) - 1.0).abs() < 1e-12);
            assert!((spread.chances().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn many_bits_and_powers_of_two_are_even() {
        let slices = |bits| {
            let derivation = Derivation::Slices { bits };
            HashSpec::new(HashKind::Wang, derivation, 1, 8).unwrap()
        };
        assert_eq!(slices(16).spread(8192), None);
        assert_eq!(slices(32).spread(10_000), None);
        assert_eq!(HashSpec::random(2).unwrap().spread(10_000), None);
        assert!(slices(16).spread(10_000).is_some());
    }
}
