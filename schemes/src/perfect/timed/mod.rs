//! A perfect hash table that stores keys, to be timed.

mod fks;
#[cfg(test)]
mod tests;

use self::fks::FksKeys;
use super::case::PerfectCase;
use crate::hash::{FamilyVisitor, HashFamily, Hashed};
use crate::keys::{KeySource, Seeds};
use crate::timed::{Timed, TimedKeys, Untimed, WithKeys};

pub(super) use fks::most_bytes;

/// The table with the keys and the functions of a trial of these seeds.
///
/// # Errors
/// Where values are drawn, or the keys of a trace are too few or do not fit.
pub(super) fn table(
    case: &PerfectCase,
    keys: &KeySource,
    seeds: Seeds,
) -> Result<Box<dyn Timed>, Untimed> {
    let (keys, width) = TimedKeys::in_slots(keys, case.elements, case.absent(), seeds.keys)?;
    case.hash.hash().visit(Untyped { case, keys, width, seeds }).map_err(|_| Untimed::NO_KEYS)
}

/// A table whose hash function has no type yet.
struct Untyped<'c> {
    case: &'c PerfectCase,
    keys: TimedKeys,
    width: usize,
    seeds: Seeds,
}

impl FamilyVisitor for Untyped<'_> {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { case, keys, width, seeds } = self;
        let structure = FksKeys::<Hashed<H>>::new(case, width, seeds);
        Box::new(WithKeys { structure, keys })
    }
}
