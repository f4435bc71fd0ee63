//! A perfect hash table that stores keys, to be timed.

mod fks;
#[cfg(test)]
mod tests;

use self::fks::FksKeys;
use super::point::Point;
use crate::hash::{FamilyVisitor, HashFamily, Hashed};
use crate::keys::{KeySource, Seeds};
use crate::timed::{Timed, TimedKeys, Untimed, WithKeys};

pub(super) use fks::most_bytes;

/// The table of a point with the keys, at most so many absent ones, and the functions of a trial of these seeds.
///
/// # Errors
/// Where values are drawn, or the keys of a trace are too few or do not fit.
pub(super) fn table(
    point: &Point,
    absent: u64,
    keys: &KeySource,
    seeds: Seeds,
) -> Result<Box<dyn Timed>, Untimed> {
    let (keys, width) = TimedKeys::in_slots(keys, point.elements, absent, seeds.keys)?;
    point.hash.hash().visit(Untyped { point, keys, width, seeds }).map_err(|_| Untimed::NO_KEYS)
}

/// A table whose hash function has no type yet.
struct Untyped<'p> {
    point: &'p Point,
    keys: TimedKeys,
    width: usize,
    seeds: Seeds,
}

impl FamilyVisitor for Untyped<'_> {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { point, keys, width, seeds } = self;
        let structure = FksKeys::<Hashed<H>>::new(point, width, seeds);
        Box::new(WithKeys { structure, keys })
    }
}
