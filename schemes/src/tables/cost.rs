//! What a trial takes.

use super::setup::Setup;
use super::{Geometry, Scheme};
use crate::case::Cost;
use crate::keys::KeySource;
use crate::occupancy;

/// Buckets that a pass over the structure handles in the time of one bucket read: they are
/// consecutive bytes.
const BUCKETS_PER_OPERATION: f64 = 8.0;

impl<S: Scheme> Setup<S> {
    /// Operations and memory of a trial.
    pub(super) fn cost(&self, keys: &KeySource) -> Cost {
        if !self.fills_at_once(keys) {
            return self.cost_one_by_one(keys);
        }
        let in_sub_table = occupancy::operations(self.scheme.geometry().elements.into());
        let operations = f64::from(self.scheme.choices()) * in_sub_table;
        Cost { operations, bytes: keys.bytes() }
    }

    /// The same where no choices are made at once.
    pub(super) fn cost_one_by_one(&self, keys: &KeySource) -> Cost {
        Cost { operations: self.operations(), bytes: self.bytes(keys) }
    }

    fn operations(&self) -> f64 {
        let Geometry { elements, buckets, .. } = self.scheme.geometry();
        let arrivals = self.workload.arrivals(elements) as f64;
        let passes = match self.lockstep {
            true => 0.0,
            false => 2.0 * f64::from(buckets) / BUCKETS_PER_OPERATION,
        };
        arrivals * f64::from(1 + self.scheme.choices()) + self.workload.slots() + passes
    }

    fn bytes(&self, keys: &KeySource) -> u64 {
        if self.lockstep
            && let Some((by_load, steps)) = self.by_load(keys)
        {
            return by_load.bytes(&steps);
        }
        let Geometry { elements, buckets, .. } = self.scheme.geometry();
        let by_level = self.by_level(keys);
        let footprint = by_level.map_or_else(|| self.scheme.footprint(), |it| it.footprint());
        let (elements, of_workload) = self.workload.room(elements.into());
        let each = footprint.element + of_workload + keys.bytes_per_element();
        elements * each + u64::from(buckets) * footprint.bucket + keys.bytes()
    }
}
