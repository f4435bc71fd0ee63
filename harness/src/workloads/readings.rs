//! From the sums of one trial to its value of each metric.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::tables::Table;

use super::trial::Sums;

/// What one trial measured.
pub(crate) struct Readings<'s> {
    pub(crate) sums: &'s Sums,
    /// n.
    pub(crate) elements: u32,
    /// Whether the elements had keys of a trace.
    pub(crate) with_keys: bool,
}

impl Readings<'_> {
    /// Each metric with its value, in the same order for every trial; `table` is as the trial
    /// left it.
    pub(crate) fn of<T: Table>(&self, table: &T) -> Vec<(Metric, f64)> {
        let occupancy = table.occupancy();
        let mut readings = self.overflow();
        if T::MOVES {
            readings.push((Metric::MovesPerInsertion, self.per_arrival(self.sums.moves)));
        }
        if T::MOVES_ON_DELETION {
            let moves = self.per_arrival(self.sums.moves_on_deletion);
            readings.push((Metric::MovesPerDeletion, moves));
        }
        if table.can_lose() {
            readings.extend(self.losses());
        }
        if T::MOVES_BACK {
            readings.extend(self.moves_back());
        }
        readings.push((Metric::MaxLoad, max_load(&occupancy)));
        if self.with_keys {
            readings.push((Metric::RepeatedKeyFraction, self.per_arrival(self.sums.repeated)));
        }
        let buckets: u64 = occupancy.iter().sum();
        let shares = occupancy.iter().map(|&count| count as f64 / buckets as f64);
        readings.extend((0..).map(Metric::Occupancy).zip(shares));
        readings.extend((1..).map(Metric::SubTableLoad).zip(table.sub_table_loads()));
        readings
    }

    fn overflow(&self) -> Vec<(Metric, f64)> {
        let overflow = self.per_reading(self.sums.overflow);
        vec![
            (Metric::OverflowFraction, overflow / f64::from(self.elements)),
            (Metric::OverflowElements, overflow),
            (Metric::ArrivalOverflowFraction, self.per_arrival(self.sums.overflowed)),
            (Metric::AccessesPerInsertion, self.per_arrival(self.sums.accesses)),
        ]
    }

    fn losses(&self) -> [(Metric, f64); 2] {
        let lost = self.sums.lost;
        [
            (Metric::LostFraction, self.per_arrival(lost)),
            (Metric::FailureFraction, f64::from(u8::from(lost > 0))),
        ]
    }

    fn moves_back(&self) -> [(Metric, f64); 4] {
        // In each round one element departs.
        let Sums { moves_back, lookups, cam_entries, cam_extent, .. } = *self.sums;
        [
            (Metric::MovesBackPerDeletion, self.per_arrival(moves_back)),
            (Metric::CamLookupsPerDeletion, self.per_arrival(lookups)),
            (Metric::CamEntries, self.per_reading(cam_entries)),
            (Metric::CamExtent, f64::from(cam_extent)),
        ]
    }

    fn per_arrival(&self, sum: u64) -> f64 {
        sum as f64 / self.sums.arrivals as f64
    }

    fn per_reading(&self, sum: u64) -> f64 {
        sum as f64 / self.sums.readings as f64
    }
}

fn max_load(occupancy: &[u64]) -> f64 {
    occupancy.iter().rposition(|&count| count > 0).unwrap_or(0) as f64
}
