//! Hash functions on the bytes of a key, and how a key obtains its choices from them.
//!
//! A [`HashFamily`] is a set of functions, one per seed; a trial draws fresh
//! members. A [`Source`] turns members into the [`Choices`] of one element, or
//! draws them without any key ([`RandomSource`], the papers' fully random
//! hash). Which families there are is one list, in [`HashKind`].
//!
//! Everything in the hot loop is statically dispatched and allocates nothing:
//! [`HashSpec::visit`] fixes the source's type once, outside the loop over trials.

mod choices;
mod crc32c;
mod derivation;
mod drawn;
mod h3;
mod independence;
mod md5;
mod multiply_shift;
mod murmur3;
mod of_params;
mod polynomial;
mod registry;
mod seed;
mod simple_tabulation;
mod siphash;
mod spec;
mod spread;
#[cfg(test)]
mod statistics;
mod steps;
mod toeplitz;
mod twisted_tabulation;
mod two_independent;
mod wang;
mod words;
mod xor_tables;
mod xxh3;

pub use self::choices::{
    Abreast, Choices, Hashed, HashedChoices, Progression, ProgressionChoices, RandomChoices,
    RandomSource, Seeds, SeedsChoices, Slices, SlicesChoices, Source, Together, reduce, sum,
};
pub use self::crc32c::Crc32c;
pub use self::derivation::{
    DEFAULT_SLICE_BITS, DERIVATIONS, Derivation, DerivationInfo, Increment, UnknownDerivation,
};
pub use self::drawn::Drawn;
pub use self::h3::H3;
pub use self::md5::Md5;
pub use self::multiply_shift::MultiplyShift;
pub use self::murmur3::Murmur3;
pub use self::of_params::HASH_PARAMS;
pub use self::polynomial::Polynomial;
pub use self::registry::{FamilyVisitor, HASHES, HashInfo, HashKind, UnknownHash};
pub use self::seed::derive_seed;
pub use self::simple_tabulation::SimpleTabulation;
pub use self::siphash::SipHash;
pub use self::spec::{HashSpec, HashSpecError, MAX_CHOICES, MAX_KEY_BYTES, SourceVisitor};
pub use self::spread::{Group, Spread};
pub use self::steps::Steps;
pub use self::toeplitz::Toeplitz;
pub use self::twisted_tabulation::TwistedTabulation;
pub use self::two_independent::TwoIndependent;
pub use self::wang::Wang;
pub use self::xxh3::Xxh3;

use crate::Rng;

/// A family of hash functions on byte strings; one member per seed.
///
/// A hash value is a binary fraction in [0, 1): the topmost [`bits`](HashInfo::bits)
/// bits of the `u64` carry it, the others are zero. A family of fewer than 64
/// bits therefore needs no care from the code that reduces values to buckets.
pub trait HashFamily: Sized + Send + 'static {
    /// What the family is, where it comes from, and what is proved about it.
    const INFO: HashInfo;

    /// Whether a value depends on the key; where it does not, any key will do.
    const LOOKS_AT_KEYS: bool = true;

    /// The member of `seed`, for keys of at most `max_key_bytes` bytes.
    ///
    /// A family whose description grows with the key (a coefficient per word, a
    /// table per byte) ignores the bytes of a longer key that lie past `max_key_bytes`.
    fn with_seed(seed: u64, max_key_bytes: usize) -> Self;

    /// As [`with_seed`](Self::with_seed). A type that has a family for each of several k gives the member of the
    /// k-independent one; `with_seed` and [`INFO`](Self::INFO) are then of one of them.
    fn with_independence(_k: u32, seed: u64, max_key_bytes: usize) -> Self {
        Self::with_seed(seed, max_key_bytes)
    }

    /// The hash value of `key`, left-aligned.
    fn hash(&self, key: &[u8]) -> u64;

    /// What values are drawn from, where they are.
    fn generator(&mut self) -> Option<&mut Rng> {
        None
    }
}
