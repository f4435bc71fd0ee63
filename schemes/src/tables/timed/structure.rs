//! A table between the operations that are timed.

use super::table::{KeyTable, KeyTableVisitor};
use crate::hash::{
    Derivation, FamilyVisitor, HashFamily, HashSpec, Hashed, Seeds as OfSeeds, Source,
};
use crate::keys::Seeds;
use crate::metric::Metric;
use crate::tables::{Scheme, metrics};
use crate::timed::{Operation, Timed, TimedKeys, Untimed};

/// Absent keys that a table is asked for in turn, unless it has fewer elements: their buckets fill the caches.
pub(in crate::tables) const ABSENT: u32 = 1_000_000;

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
        let hashed = hash.hash().visit(Hashing { table, hash, keys, seeds });
        hashed.map_err(|_| Untimed::NO_KEYS)
    }
}

/// A table whose hash function has no type yet.
struct Hashing<T> {
    table: T,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
}

impl<T: KeyTable> FamilyVisitor for Hashing<T> {
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

impl<T: KeyTable> Hashing<T> {
    fn with_source<S: Source>(self) -> Box<dyn Timed> {
        let Self { mut table, hash, keys, seeds } = self;
        table.clear(seeds.scheme);
        Box::new(TimedTable { table, source: S::new(&hash, seeds.hash), keys, seed: seeds.scheme })
    }
}

/// A table with its keys.
struct TimedTable<T, S> {
    table: T,
    source: S,
    keys: TimedKeys,
    seed: u64,
}

impl<T: KeyTable, S: Source> Timed for TimedTable<T, S> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.table.clear(self.seed);
        self.keys.clear();
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { table, source, keys, .. } = self;
        let mut yes = 0;
        match operation {
            Operation::Insert => {
                yes = keys.arrive(count);
                for _ in 0..yes {
                    table.insert(keys.next_arriving(), source);
                }
            }
            Operation::Hit => {
                for _ in 0..count {
                    yes += u64::from(table.contains(keys.next_element(), source));
                }
            }
            Operation::Miss => {
                for _ in 0..count {
                    yes += u64::from(table.contains(keys.next_absent(), source));
                }
            }
            Operation::Delete => {
                yes = keys.leave(count);
                for _ in 0..yes {
                    table.delete(keys.next_leaving(), source);
                }
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn measured(&self) -> Option<(Metric, f64)> {
        let share = self.table.overflow() as f64 / self.keys.elements() as f64;
        Some((metrics::OVERFLOW_FRACTION, share))
    }
}
