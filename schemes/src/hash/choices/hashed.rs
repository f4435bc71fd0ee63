//! The ways from the values of one family to choices, as one type.

use super::{
    Choices, Progression, ProgressionChoices, Seeds, SeedsChoices, Slices, SlicesChoices, Source,
};
use crate::hash::{Derivation, HashFamily, HashSpec};

/// Choices from members of the family `F` by the derivation of the spec.
///
/// The derivation is looked up for each element, always with the same outcome, which costs next to
/// nothing; a type for each would make the compiler build every loop three times as often. The
/// usual one stands beside the others, not among them, so that its choices stay in registers.
pub struct Hashed<F> {
    seeds: Seeds<F>,
    other: Option<FewValues<F>>,
}

/// The derivations that start from one value per element, or from a few.
enum FewValues<F> {
    Slices(Slices<F>),
    Progression(Progression<F>),
}

impl<F: HashFamily> Source for Hashed<F> {
    type Element<'e>
        = HashedChoices<'e, F>
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let other = match spec.derivation() {
            Derivation::Seeds => return Self { seeds: Seeds::new(spec, seed), other: None },
            Derivation::Slices { .. } => FewValues::Slices(Slices::new(spec, seed)),
            Derivation::Progression(_) => FewValues::Progression(Progression::new(spec, seed)),
        };
        Self { seeds: Seeds::none(), other: Some(other) }
    }

    #[inline(always)]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> HashedChoices<'e, F> {
        let other = self.other.as_mut().map(|source| source.element(key));
        HashedChoices { seeds: self.seeds.element(key), other }
    }
}

impl<F: HashFamily> FewValues<F> {
    #[inline(never)]
    fn element(&mut self, key: &[u8]) -> FewValuesChoices {
        match self {
            Self::Slices(source) => FewValuesChoices::Slices(source.element(key)),
            Self::Progression(source) => FewValuesChoices::Progression(source.element(key)),
        }
    }
}

/// The choices of one key.
pub struct HashedChoices<'e, F> {
    seeds: SeedsChoices<'e, F>,
    other: Option<FewValuesChoices>,
}

enum FewValuesChoices {
    Slices(SlicesChoices),
    Progression(ProgressionChoices),
}

impl<F: HashFamily> Choices for HashedChoices<'_, F> {
    #[inline(always)]
    fn next(&mut self, buckets: u32) -> u32 {
        match &mut self.other {
            None => self.seeds.next(buckets),
            Some(FewValuesChoices::Slices(choices)) => choices.next(buckets),
            Some(FewValuesChoices::Progression(choices)) => choices.next(buckets),
        }
    }

    #[inline(always)]
    fn pass_over(&mut self, choices: usize) {
        match &mut self.other {
            None => self.seeds.pass_over(choices),
            Some(FewValuesChoices::Slices(own)) => own.pass_over(choices),
            Some(FewValuesChoices::Progression(own)) => own.pass_over(choices),
        }
    }

    #[inline(always)]
    fn anew(&mut self) {
        if let Some(FewValuesChoices::Progression(choices)) = &mut self.other {
            choices.anew();
        }
    }
    #[inline(always)]
    fn block(&mut self, blocks: u32) -> u32 {
        match &mut self.other {
            Some(FewValuesChoices::Progression(choices)) => choices.block(blocks),
            _ => self.next(blocks),
        }
    }
}
