//! Structures that are told the choices of a key, and the hash functions that make these.

use super::{Structure, Timed, TimedKeys, Untimed, WithKeys};
use crate::hash::{FamilyVisitor, HashFamily, HashKind, HashSpec, Hashed, Source};
use crate::keys::Seeds;
use crate::metric::Metric;

/// A [`Structure`] without its hash functions: `source` makes choices of the bytes of a key.
pub(crate) trait ByChoices: Send + 'static {
    /// Makes it hold nothing, without giving up its memory. `seed` decides what is left to chance from now on.
    fn clear(&mut self, seed: u64);

    /// Stores a key that is not there.
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S);

    /// Whether the key is there, or may be.
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool;

    /// Takes out a key, if it is there.
    fn delete<S: Source>(&mut self, _bytes: &[u8], _source: &mut S) {}

    /// Bytes of memory that it takes now.
    fn bytes(&self) -> u64;

    /// What [`Timed::measured`] is to tell of a structure that so many elements were given to.
    fn measured<S: Source>(&mut self, _elements: u64, _source: &mut S) -> Option<(Metric, f64)> {
        None
    }
}

/// Refuses choices that no key decides.
///
/// # Errors
/// [`Untimed::NO_KEYS`].
pub(crate) fn check_keys(hash: &HashSpec) -> Result<(), Untimed> {
    if hash.hash() == HashKind::Random { Err(Untimed::NO_KEYS) } else { Ok(()) }
}

/// The structure with these keys and the hash functions of a trial of these seeds.
///
/// # Errors
/// Where choices are drawn.
pub(crate) fn with_hash<T: ByChoices>(
    structure: T,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
) -> Result<Box<dyn Timed>, Untimed> {
    let untyped = Untyped { structure, hash, keys, seeds };
    hash.hash().visit(untyped).map_err(|_| Untimed::NO_KEYS)
}

/// A structure whose hash function has no type yet.
struct Untyped<T> {
    structure: T,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
}

impl<T: ByChoices> FamilyVisitor for Untyped<T> {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { mut structure, hash, keys, seeds } = self;
        structure.clear(seeds.scheme);
        let source = Hashed::<H>::new(&hash, seeds.hash);
        let structure = Hashing { structure, source, seed: seeds.scheme };
        Box::new(WithKeys { structure, keys })
    }
}

/// A structure with its hash functions.
struct Hashing<T, S> {
    structure: T,
    source: S,
    seed: u64,
}

impl<T: ByChoices, S: Source> Structure for Hashing<T, S> {
    fn clear(&mut self) {
        self.structure.clear(self.seed);
    }

    #[inline(always)]
    fn insert(&mut self, key: &[u8]) {
        self.structure.insert(key, &mut self.source);
    }

    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        self.structure.contains(key, &mut self.source)
    }

    #[inline(always)]
    fn delete(&mut self, key: &[u8]) {
        self.structure.delete(key, &mut self.source);
    }

    fn bytes(&self) -> u64 {
        self.structure.bytes()
    }

    fn measured(&mut self, elements: u64) -> Option<(Metric, f64)> {
        self.structure.measured(elements, &mut self.source)
    }
}
