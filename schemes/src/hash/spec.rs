//! Which hash function, and how its values become choices: checked parameters.

use super::{
    Derivation, Drawn, FamilyVisitor, HashFamily, HashKind, Hashed, Increment, Progression,
    RandomSource, Source, Steps,
};

/// Most choices an element can have.
pub const MAX_CHOICES: u32 = 1024;

/// Longest key, in bytes: a tabulation hash has 2 KiB of tables per byte and choice.
pub const MAX_KEY_BYTES: usize = 4096;

/// Parameters of a hash that cannot be had together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashSpecError {
    /// The slices of all choices do not fit into one value.
    #[error("{choices} slices of {slice_bits} bits do not fit into the {bits} bits of `{hash}`")]
    SlicesTooWide {
        /// The hash function.
        hash: HashKind,
        /// Bits of its values.
        bits: u32,
        /// Choices per element.
        choices: u32,
        /// Bits of a slice.
        slice_bits: u32,
    },
    /// A slice of no bits.
    #[error("a slice must have at least one bit")]
    EmptySlice,
    /// A number of choices out of range.
    #[error("an element must have 1 to {MAX_CHOICES} choices, not {0}")]
    Choices(u32),
    /// A key length out of range.
    #[error("keys of {0} bytes are longer than {MAX_KEY_BYTES} bytes")]
    KeyTooLong(usize),
}

/// A hash function together with the way it gives an element its d choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSpec {
    hash: HashKind,
    derivation: Derivation,
    choices: u32,
    max_key_bytes: usize,
    steps: Steps,
}

/// Work to be done with a source chosen at run time, its type fixed while it is done.
pub trait SourceVisitor {
    /// What the work yields.
    type Output;

    /// Does the work with sources of type `S`.
    fn visit<S: Source>(self) -> Self::Output;
}

impl HashSpec {
    /// `choices` choices per element by `hash` and `derivation`, on keys of at
    /// most `max_key_bytes` bytes. With the random hash, a progression is one of values that are drawn, and
    /// other derivations are left aside: every choice is a draw.
    ///
    /// # Errors
    ///
    /// If a number is out of range, or the slices do not fit into a value.
    pub fn new(
        hash: HashKind,
        derivation: Derivation,
        choices: u32,
        max_key_bytes: usize,
    ) -> Result<Self, HashSpecError> {
        if !(1..=MAX_CHOICES).contains(&choices) {
            return Err(HashSpecError::Choices(choices));
        }
        if max_key_bytes > MAX_KEY_BYTES {
            return Err(HashSpecError::KeyTooLong(max_key_bytes));
        }
        if let Derivation::Slices { bits } = derivation {
            check_slices(hash, choices, bits)?;
        }
        Ok(Self { hash, derivation, choices, max_key_bytes, steps: Steps::Any })
    }

    /// The fully random hash, for elements of `choices` choices.
    ///
    /// # Errors
    ///
    /// If the number of choices is out of range.
    pub fn random(choices: u32) -> Result<Self, HashSpecError> {
        Self::new(HashKind::Random, Derivation::Seeds, choices, 0)
    }

    /// The hash function.
    pub fn hash(&self) -> HashKind {
        self.hash
    }

    /// How choices are derived from its values.
    pub fn derivation(&self) -> Derivation {
        self.derivation
    }

    /// Choices per element, d.
    pub fn choices(&self) -> u32 {
        self.choices
    }

    /// The same with these steps in progressions.
    #[must_use]
    pub fn with_steps(self, steps: Steps) -> Self {
        Self { steps, ..self }
    }

    /// Whether choices follow from two or three values, so that they are not independent.
    pub fn is_progression(&self) -> bool {
        matches!(self.derivation, Derivation::Progression(_))
    }

    /// The steps that progressions may take.
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// The longest key, in bytes.
    pub fn max_key_bytes(&self) -> usize {
        self.max_key_bytes
    }

    /// Random bits behind one choice: in a table of more than 2^bits buckets,
    /// some buckets are never chosen.
    pub fn choice_bits(&self) -> u32 {
        match (self.hash, self.derivation) {
            (HashKind::Random, _) => 64,
            (_, Derivation::Slices { bits }) => bits,
            (_, Derivation::Progression(_)) => 32,
            (hash, Derivation::Seeds) => hash.info().bits,
        }
    }

    /// The member of `seed`, of the type of family that [`visit`](Self::visit) fixes.
    pub(super) fn member<F: HashFamily>(&self, seed: u64) -> F {
        F::with_independence(self.hash.independence(), seed, self.max_key_bytes)
    }

    /// Lets `visitor` work with the type of source that is specified here.
    pub fn visit<V: SourceVisitor>(&self, visitor: V) -> V::Output {
        match (self.hash.visit(WithFamily(visitor)), self.derivation) {
            (Ok(output), _) => output,
            // Drawn values of double hashing are what many trials spend all of their time on.
            (Err(WithFamily(visitor)), Derivation::Progression(Increment::None)) => {
                visitor.visit::<Progression<Drawn, 1>>()
            }
            (Err(WithFamily(visitor)), Derivation::Progression(_)) => {
                visitor.visit::<Progression<Drawn>>()
            }
            (Err(WithFamily(visitor)), _) => visitor.visit::<RandomSource>(),
        }
    }
}

fn check_slices(hash: HashKind, choices: u32, slice_bits: u32) -> Result<(), HashSpecError> {
    let bits = hash.info().bits;
    if slice_bits == 0 {
        return Err(HashSpecError::EmptySlice);
    }
    if u64::from(choices) * u64::from(slice_bits) > u64::from(bits) {
        return Err(HashSpecError::SlicesTooWide { hash, bits, choices, slice_bits });
    }
    Ok(())
}

/// Goes from the type of the family to the type of the source.
struct WithFamily<V>(V);

impl<V: SourceVisitor> FamilyVisitor for WithFamily<V> {
    type Output = V::Output;

    fn visit<F: HashFamily>(self) -> V::Output {
        self.0.visit::<Hashed<F>>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::{Choices, DEFAULT_SLICE_BITS};

    const SLICES: Derivation = Derivation::Slices { bits: DEFAULT_SLICE_BITS };

    #[test]
    fn slices_must_fit() {
        assert!(HashSpec::new(HashKind::Wang, SLICES, 4, 8).is_ok());
        assert!(HashSpec::new(HashKind::TwoIndependent, SLICES, 3, 8).is_ok());
        let error = HashSpec::new(HashKind::Crc32c, SLICES, 3, 8).unwrap_err();
        let expected = "3 slices of 16 bits do not fit into the 32 bits of `crc32c`";
        assert_eq!(error.to_string(), expected);
        let empty = Derivation::Slices { bits: 0 };
        assert_eq!(HashSpec::new(HashKind::Wang, empty, 1, 8), Err(HashSpecError::EmptySlice));
    }

    #[test]
    fn numbers_must_be_in_range() {
        assert_eq!(HashSpec::random(0), Err(HashSpecError::Choices(0)));
        assert_eq!(HashSpec::random(1025), Err(HashSpecError::Choices(1025)));
        let long = HashSpec::new(HashKind::Wang, Derivation::Seeds, 1, 4097);
        assert_eq!(long, Err(HashSpecError::KeyTooLong(4097)));
    }

    /// The choices of one key among tables of the given sizes.
    struct ChoicesOf<'k> {
        spec: HashSpec,
        seed: u64,
        key: &'k [u8],
        tables: &'k [u32],
    }

    impl SourceVisitor for ChoicesOf<'_> {
        type Output = Vec<u32>;

        fn visit<S: Source>(self) -> Vec<u32> {
            let mut source = S::new(&self.spec, self.seed);
            let mut choices = source.element(self.key);
            self.tables.iter().map(|&buckets| choices.next(buckets)).collect()
        }
    }

    fn any_spec() -> impl Strategy<Value = HashSpec> {
        let derivation = prop_oneof![
            Just(Derivation::Seeds),
            (1..=32_u32).prop_map(|bits| Derivation::Slices { bits }),
            prop::sample::select(&[Increment::None, Increment::Cube, Increment::Third][..])
                .prop_map(Derivation::Progression),
        ];
        let hash = prop::sample::select(HashKind::ALL);
        (hash, derivation, 1..=8_u32, 0..=16_usize)
            .prop_filter_map("must fit", |(h, by, d, l)| HashSpec::new(h, by, d, l).ok())
    }

    proptest! {
        /// Also for keys that are too long, and when asked for too many choices.
        #[test]
        fn every_choice_is_a_bucket(
            spec in any_spec(),
            seed: u64,
            key: Vec<u8>,
            tables in prop::collection::vec(1_u32.., 1..10),
        ) {
            let choices = spec.visit(ChoicesOf { spec, seed, key: &key, tables: &tables });
            for (choice, buckets) in choices.iter().zip(&tables) {
                prop_assert!(choice < buckets);
            }
            let again = spec.visit(ChoicesOf { spec, seed, key: &key, tables: &tables });
            prop_assert_eq!(choices, again);
        }

        #[test]
        fn no_buckets_is_no_panic(spec in any_spec(), seed: u64) {
            let choices = spec.visit(ChoicesOf { spec, seed, key: b"key", tables: &[0] });
            prop_assert_eq!(choices, [0]);
        }
    }

    #[test]
    fn bits_behind_a_choice() {
        let bits = |hash, derivation| HashSpec::new(hash, derivation, 2, 8).unwrap().choice_bits();
        assert_eq!(bits(HashKind::Wang, SLICES), 16);
        assert_eq!(bits(HashKind::Random, SLICES), 64);
        assert_eq!(bits(HashKind::Crc32c, Derivation::Seeds), 32);
        assert_eq!(bits(HashKind::Wang, Derivation::Progression(Increment::None)), 32);
    }
}
