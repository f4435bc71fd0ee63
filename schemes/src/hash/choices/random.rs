//! Choices that are drawn.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Choices, Source, Together, reduce};
use crate::hash::{HashSpec, derive_seed};

/// The papers' fully random hash: every choice is a draw, no key is looked at.
///
/// It has a generator of its own, so that what else a trial draws (which element
/// to delete, a scheme's coin) leaves the choices as they are; its seed is
/// derived, so that a trial may start its own generator from the same one.
#[derive(Debug, Clone)]
pub struct RandomSource {
    rng: Xoshiro256PlusPlus,
}

impl Source for RandomSource {
    const LOOKS_AT_KEYS: bool = false;

    type Element<'e> = RandomChoices<'e>;

    fn new(_spec: &HashSpec, seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(derive_seed(seed, 0)) }
    }

    #[inline]
    fn element<'e>(&'e mut self, _key: &'e [u8]) -> RandomChoices<'e> {
        RandomChoices { rng: &mut self.rng }
    }

    fn together(&mut self) -> Option<Together<'_>> {
        Some(Together::Choices(&mut self.rng))
    }
}

/// Independent uniform choices from a generator.
pub struct RandomChoices<'e> {
    rng: &'e mut Xoshiro256PlusPlus,
}

impl Choices for RandomChoices<'_> {
    const CHEAP: bool = true;

    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        reduce(self.rng.next_u64(), buckets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_draw_per_choice_whatever_the_key() {
        let mut source = RandomSource::new(&HashSpec::random(2).unwrap(), 5);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(derive_seed(5, 0));
        for key in [&b"a"[..], b"a", b""] {
            let mut choices = source.element(key);
            assert_eq!(choices.next(1000), reduce(rng.next_u64(), 1000));
            assert_eq!(choices.next(7), reduce(rng.next_u64(), 7));
        }
    }
}
