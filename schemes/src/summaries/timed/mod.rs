//! Tables that store keys, to be timed: multilevel ones with their summaries, and the fast hash table.

mod buckets;
mod pruned;
mod summarised;

use self::pruned::PrunedKeys;
use self::summarised::Summarised;
use super::keyed::Functions;
use super::pruned::PrunedTable;
use super::{Multilevel, Summary};
use crate::hash::{FamilyVisitor, HashFamily, HashSpec, Hashed, Source as _};
use crate::keys::{KeySource, Seeds};
use crate::timed::{Timed, TimedKeys, Untimed, WithKeys};

/// A bucket has room for a key of one width.
const ONE_WIDTH: Untimed = Untimed("the keys of the trace are not all of one width");

/// Keys of one width, with the seeds that made them.
struct Keys {
    keys: TimedKeys,
    width: usize,
    seeds: Seeds,
}

impl Keys {
    /// Those of a trial of this seed, and at most so many absent ones.
    fn of(source: &KeySource, elements: u32, (absent, seed): (u64, u64)) -> Result<Self, Untimed> {
        let seeds = Seeds::of(seed, 0);
        let keys = TimedKeys::of(source, elements, absent, seeds.keys);
        let keys = keys.ok_or(Untimed::TOO_FEW_KEYS)?;
        let width = keys.width().ok_or(ONE_WIDTH)?;
        Ok(Self { keys, width, seeds })
    }
}

/// A multilevel table with the keys and the hash functions of a trial of this seed, and with at most so many absent
/// keys.
///
/// # Errors
/// Where choices are drawn, a trace has too few different keys, or these are not of one width.
pub(super) fn summarised<S: Summary>(
    table: Multilevel,
    summary: S,
    hashes: &[HashSpec],
    keys: &KeySource,
    asked: (u64, u64),
) -> Result<Box<dyn Timed>, Untimed> {
    let keys = Keys::of(keys, table.elements(), asked)?;
    let kind = hashes[0].hash();
    kind.visit(OfSummary { table, summary, hashes, keys }).map_err(|_| Untimed::NO_KEYS)
}

/// The fast hash table, likewise: `table` is empty, for so many elements and buckets.
///
/// # Errors
/// As those of [`summarised`].
pub(super) fn pruned(
    table: PrunedTable,
    size: (u32, u32),
    hash: HashSpec,
    keys: &KeySource,
    asked: (u64, u64),
) -> Result<Box<dyn Timed>, Untimed> {
    let keys = Keys::of(keys, size.0, asked)?;
    hash.hash().visit(OfPruned { table, size, hash, keys }).map_err(|_| Untimed::NO_KEYS)
}

/// A table with a summary whose hash function has no type yet.
struct OfSummary<'h, S> {
    table: Multilevel,
    summary: S,
    hashes: &'h [HashSpec],
    keys: Keys,
}

impl<S: Summary> FamilyVisitor for OfSummary<'_, S> {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { table, summary, hashes, keys: Keys { keys, width, seeds } } = self;
        let functions = Functions::<Hashed<H>>::new(hashes, seeds.hash);
        let table = Summarised::new(table, summary, functions, width);
        Box::new(WithKeys { structure: table, keys })
    }
}

/// A fast hash table, likewise.
struct OfPruned {
    table: PrunedTable,
    size: (u32, u32),
    hash: HashSpec,
    keys: Keys,
}

impl FamilyVisitor for OfPruned {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { table, size, hash, keys: Keys { keys, width, seeds } } = self;
        let source = Hashed::<H>::new(&hash, seeds.hash);
        let table = PrunedKeys::new(table, size, source, width);
        Box::new(WithKeys { structure: table, keys })
    }
}

#[cfg(test)]
mod tests;
