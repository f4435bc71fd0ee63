//! Open addressing with keys in the slots, to be timed. Each table puts its keys where that of a trial with the same seed
//! puts its elements.

mod first_free;
mod hopscotch;
mod robin_hood;
mod slots;
#[cfg(test)]
mod tests;

use self::slots::KeySlots;
use super::table::Deletion;
use crate::metric::Metric;
use crate::summaries::metrics::PROBES_PER_HIT;

pub(super) use first_free::FirstFreeKeys;
pub(super) use hopscotch::HopscotchKeys;
pub(super) use robin_hood::RobinHoodKeys;

/// Bytes of a slot of the widest table, that of hopscotch hashing with its bitmaps.
pub(super) const MOST_BYTES_OF_SLOT: u64 = KeySlots::BYTES + size_of::<u64>() as u64;

/// What a table that stores keys is given beside the parameters of its scheme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyed {
    /// How keys are deleted.
    pub(super) deletion: Deletion,
    /// Bytes of a key, at most 16.
    pub(super) width: usize,
}

/// Slots read per look-up of a stored key, given those of each.
fn per_hit(slots: &KeySlots, mut probes: impl FnMut(&[u8]) -> u32) -> Option<(Metric, f64)> {
    let (mut keys, mut read) = (0_u64, 0_u64);
    slots.each_key(|bytes| {
        keys += 1;
        read += u64::from(probes(bytes));
    });
    (keys > 0).then(|| (PROBES_PER_HIT, read as f64 / keys as f64))
}
