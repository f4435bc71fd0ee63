//! Which steps a progression of choices may take.

use super::{derive_seed, reduce};
use crate::math::divisors::gcd;

/// The values that h2 of double hashing may have among m buckets.
///
/// With a step of 0 all choices of double hashing are the same bucket, and with one that shares a factor with
/// m they come round before they have seen every bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Steps {
    /// 0 to m − 1.
    #[default]
    Any,
    /// 1 to m − 1.
    Nonzero,
    /// Those without a factor in common with m.
    Coprime,
}

impl Steps {
    /// Their names in definitions.
    pub const NAMES: &[&str] = &["any", "nonzero", "coprime"];

    /// Those of this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Any, Self::Nonzero, Self::Coprime];
        all.into_iter().zip(Self::NAMES).find(|(_, own)| **own == name).map(|(steps, _)| steps)
    }

    /// The step of this value, uniform as the value is; of one bucket it is 0.
    #[inline(always)]
    pub(super) fn reduce(self, value: u64, buckets: u32) -> u32 {
        match self {
            Self::Any => reduce(value, buckets),
            Self::Nonzero if buckets < 2 => 0,
            Self::Nonzero => 1 + reduce(value, buckets - 1),
            Self::Coprime => coprime(value, buckets),
        }
    }
}

/// The first of the values that follow from this one whose bucket has no factor in common with their number.
/// There is always one: below 2^31 at least one bucket of seven is such.
#[inline(never)]
fn coprime(value: u64, buckets: u32) -> u32 {
    let mut values = std::iter::successors(Some(value), |&value| Some(derive_seed(value, 0)));
    loop {
        let step = reduce(values.next().unwrap_or(value), buckets);
        if gcd(step.into(), buckets.into()) == 1 {
            return step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chi-squared statistic of the steps that there may be, and none beside them.
    #[test]
    fn allowed_steps_are_equally_likely() {
        for (steps, allowed) in [
            (Steps::Any, (0..12).collect::<Vec<_>>()),
            (Steps::Nonzero, (1..12).collect()),
            (Steps::Coprime, vec![1, 5, 7, 11]),
        ] {
            let mut seen = [0_u32; 12];
            (0..60_000).for_each(|i| seen[steps.reduce(derive_seed(3, i), 12) as usize] += 1);
            let expected = 60_000.0 / allowed.len() as f64;
            let chi: f64 = allowed
                .iter()
                .map(|&i: &usize| (f64::from(seen[i]) - expected).powi(2) / expected)
                .sum();
            assert_eq!(allowed.iter().map(|&i| seen[i]).sum::<u32>(), 60_000, "{seen:?}");
            assert!(chi < 35.0, "{steps:?} {chi} {seen:?}");
        }
    }

    #[test]
    fn one_bucket_has_a_step() {
        for steps in [Steps::Any, Steps::Nonzero, Steps::Coprime] {
            assert_eq!(steps.reduce(u64::MAX, 1), 0);
        }
    }
}
