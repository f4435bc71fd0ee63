//! The ways from the values of one family to choices, as one type.

use super::{Choices, Double, DoubleChoices, Seeds, SeedsChoices, Slices, SlicesChoices, Source};
use crate::hash::{Derivation, HashFamily, HashSpec};

/// Choices from members of the family `F` by the derivation of the spec.
///
/// The derivation is looked up for each element, always with the same outcome, which costs next to
/// nothing; a type for each would make the compiler build every loop three times as often. The
/// usual one stands beside the others, not among them, so that its choices stay in registers.
pub struct Hashed<F> {
    seeds: Seeds<F>,
    other: Option<OneValue<F>>,
}

/// The derivations that start from one value per element.
enum OneValue<F> {
    Slices(Slices<F>),
    Double(Double<F>),
}

impl<F: HashFamily> Source for Hashed<F> {
    type Element<'e>
        = HashedChoices<'e, F>
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let other = match spec.derivation() {
            Derivation::Seeds => return Self { seeds: Seeds::new(spec, seed), other: None },
            Derivation::Slices { .. } => OneValue::Slices(Slices::new(spec, seed)),
            Derivation::Double => OneValue::Double(Double::new(spec, seed)),
        };
        Self { seeds: Seeds::none(), other: Some(other) }
    }

    #[inline(always)]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> HashedChoices<'e, F> {
        let other = self.other.as_mut().map(|source| source.element(key));
        HashedChoices { seeds: self.seeds.element(key), other }
    }
}

impl<F: HashFamily> OneValue<F> {
    #[inline(never)]
    fn element(&mut self, key: &[u8]) -> OneValueChoices {
        match self {
            Self::Slices(source) => OneValueChoices::Slices(source.element(key)),
            Self::Double(source) => OneValueChoices::Double(source.element(key)),
        }
    }
}

/// The choices of one key.
pub struct HashedChoices<'e, F> {
    seeds: SeedsChoices<'e, F>,
    other: Option<OneValueChoices>,
}

enum OneValueChoices {
    Slices(SlicesChoices),
    Double(DoubleChoices),
}

impl<F: HashFamily> Choices for HashedChoices<'_, F> {
    #[inline(always)]
    fn next(&mut self, buckets: u32) -> u32 {
        match &mut self.other {
            None => self.seeds.next(buckets),
            Some(OneValueChoices::Slices(choices)) => choices.next(buckets),
            Some(OneValueChoices::Double(choices)) => choices.next(buckets),
        }
    }
}
