//! A table with its hash functions, to be timed.

use super::table::{KeyTable, KeyTableVisitor};
use crate::hash::{
    Derivation, FamilyVisitor, HashFamily, HashSpec, Hashed, Seeds as OfSeeds, Source,
};
use crate::keys::Seeds;
use crate::metric::Metric;
use crate::tables::{Scheme, metrics};
use crate::timed::{Structure, Timed, TimedKeys, Untimed, WithKeys};

/// The scheme's table with these keys and the hash functions of a trial of these seeds.
///
/// # Errors
/// Where the scheme has no table that stores keys, or choices are drawn.
pub(in crate::tables) fn structure<S: Scheme>(
    scheme: &S,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
) -> Result<Box<dyn Timed>, Untimed> {
    let made = scheme.key_table(WithHash { hash, keys, seeds });
    made.ok_or(Untimed::NO_STRUCTURE)?
}

/// What a table is to be timed with.
struct WithHash {
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
}

impl KeyTableVisitor for WithHash {
    type Output = Result<Box<dyn Timed>, Untimed>;

    fn visit<T: KeyTable>(self, table: T) -> Self::Output {
        let Self { hash, keys, seeds } = self;
        let hashed = hash.hash().visit(Untyped { table, hash, keys, seeds });
        hashed.map_err(|_| Untimed::NO_KEYS)
    }
}

/// A table whose hash function has no type yet.
struct Untyped<T> {
    table: T,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
}

impl<T: KeyTable> FamilyVisitor for Untyped<T> {
    type Output = Box<dyn Timed>;

    /// The usual derivation has loops of its own, as it would have in a program.
    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        match self.hash.derivation() {
            Derivation::Seeds => self.with_source::<OfSeeds<H>>(),
            Derivation::Slices { .. } | Derivation::Progression(_) => {
                self.with_source::<Hashed<H>>()
            }
        }
    }
}

impl<T: KeyTable> Untyped<T> {
    fn with_source<S: Source>(self) -> Box<dyn Timed> {
        let Self { mut table, hash, keys, seeds } = self;
        table.clear(seeds.scheme);
        let structure = Hashing { table, source: S::new(&hash, seeds.hash), seed: seeds.scheme };
        Box::new(WithKeys { structure, keys })
    }
}

/// A table with its hash functions.
struct Hashing<T, S> {
    table: T,
    source: S,
    seed: u64,
}

impl<T: KeyTable, S: Source> Structure for Hashing<T, S> {
    fn clear(&mut self) {
        self.table.clear(self.seed);
    }

    #[inline(always)]
    fn insert(&mut self, key: &[u8]) {
        self.table.insert(key, &mut self.source);
    }

    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        self.table.contains(key, &mut self.source)
    }

    #[inline(always)]
    fn delete(&mut self, key: &[u8]) {
        self.table.delete(key, &mut self.source);
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn measured(&mut self, elements: u64) -> Option<(Metric, f64)> {
        let share = self.table.overflow() as f64 / elements as f64;
        Some((metrics::OVERFLOW_FRACTION, share))
    }
}
