//! From the sums of one trial to its value of each metric.

use super::multilevel::by_level::{Number, Passed};
use super::static_fill::StaticFill;
use super::trial::Sums;
use super::workloads::course::Averages;
use super::{Process, SubTableUse, Table, metrics};
use crate::metric::{Metric, common};

/// What one trial measured.
pub(crate) struct Readings<'s> {
    pub(crate) sums: &'s Sums,
    /// Averages over time, where the process is not one of rounds.
    pub(crate) averages: Option<&'s Averages<'s>>,
    pub(crate) process: &'s Process,
    /// n.
    pub(crate) elements: u32,
    /// Whether the elements had keys of a trace.
    pub(crate) with_keys: bool,
}

/// A table as a trial left it, and what may happen in such a table.
pub(crate) struct Outcome {
    /// Elements on the overflow list.
    pub(crate) overflow: u32,
    /// How full each sub-table is.
    pub(crate) sub_tables: Vec<SubTableUse>,
    /// How many buckets hold 0, 1, … elements.
    pub(crate) occupancy: Vec<u64>,
    moves: bool,
    moves_on_deletion: bool,
    moves_back: bool,
    can_lose: bool,
}

/// Whether elements may move from bucket to bucket upon an insertion, and back from the overflow list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moving {
    pub(crate) upon_insertion: bool,
    pub(crate) back: bool,
}

impl Outcome {
    pub(crate) fn of<T: Table>(table: &T) -> Self {
        Self {
            overflow: table.overflow(),
            sub_tables: table.sub_tables(),
            occupancy: table.occupancy(),
            moves: T::MOVES,
            moves_on_deletion: T::MOVES_ON_DELETION,
            moves_back: T::MOVES_BACK,
            can_lose: table.can_lose(),
        }
    }

    /// The same of a table that is passed sub-table by sub-table.
    pub(in crate::tables) fn by_level<N: Number>(table: &Passed<N>) -> Self {
        Self {
            overflow: table.overflow(),
            sub_tables: table.sub_tables(),
            occupancy: table.occupancy(),
            moves: table.moves(),
            moves_on_deletion: false,
            moves_back: false,
            can_lose: false,
        }
    }

    /// The same where buckets are told apart by their loads alone.
    pub(crate) fn by_load(
        overflow: u32,
        sub_tables: Vec<SubTableUse>,
        occupancy: Vec<u64>,
        Moving { upon_insertion, back }: Moving,
    ) -> Self {
        Self {
            overflow,
            sub_tables,
            occupancy,
            moves: upon_insertion,
            moves_on_deletion: false,
            moves_back: back,
            can_lose: false,
        }
    }

    /// The outcome of a static fill that was made without a table.
    pub(crate) fn of_fill(fill: &StaticFill, overflow: u32) -> Self {
        Self {
            overflow,
            sub_tables: fill.sub_tables(),
            occupancy: fill.occupancy(),
            moves: fill.moves(),
            moves_on_deletion: false,
            moves_back: false,
            can_lose: false,
        }
    }
}

/// A metric, and its value if there was something to measure.
pub(crate) type Reading = (Metric, Option<f64>);

impl Readings<'_> {
    /// Each metric with its value, in the same order for every trial.
    pub(crate) fn of(&self, outcome: &Outcome) -> Vec<Reading> {
        let Outcome { occupancy, sub_tables, .. } = outcome;
        let mut readings = self.overflow();
        if outcome.moves {
            readings.push((metrics::MOVES_PER_INSERTION, self.per_arrival(self.sums.moves)));
        }
        if outcome.moves_on_deletion {
            let moves = ratio(self.sums.moves_on_deletion, self.sums.departures);
            readings.push((metrics::MOVES_PER_DELETION, moves));
        }
        if outcome.can_lose {
            readings.extend(self.losses());
        }
        if outcome.moves_back {
            readings.extend(self.moves_back());
        }
        readings.push((metrics::MAX_LOAD, Some(max_load(occupancy))));
        if self.with_keys {
            readings.push((common::REPEATED_KEY_FRACTION, self.per_arrival(self.sums.repeated)));
        }
        let buckets: u64 = occupancy.iter().sum();
        let shares = occupancy.iter().map(|&count| Some(count as f64 / buckets as f64));
        readings.extend((0..).map(metrics::occupancy).zip(shares));
        let loads = sub_tables.iter().map(|sub_table| Some(sub_table.load()));
        readings.extend((1..).map(metrics::sub_table_load).zip(loads));
        readings.extend(self.averages.map(Averages::by_number).unwrap_or_default());
        readings
    }

    fn overflow(&self) -> Vec<Reading> {
        let overflow = match self.averages {
            Some(averages) => averages.overflow(),
            None => ratio(self.sums.overflow, self.sums.readings),
        };
        let system = self.averages.and_then(Averages::system);
        let all = match self.process {
            Process::OnOff { .. } => system.filter(|&mean| mean > 0.0),
            _ => Some(f64::from(self.elements)),
        };
        let mut readings = vec![
            (metrics::OVERFLOW_FRACTION, overflow.zip(all).map(|(overflow, all)| overflow / all)),
            (metrics::OVERFLOW_ELEMENTS, overflow),
            (metrics::ARRIVAL_OVERFLOW_FRACTION, self.per_arrival(self.sums.overflowed)),
            (metrics::ACCESSES_PER_INSERTION, self.per_arrival(self.sums.accesses)),
        ];
        if let Process::OnOff { slots, .. } = self.process {
            readings.push((metrics::ARRIVALS_PER_SLOT, ratio(self.sums.arrivals, *slots)));
        }
        if matches!(self.process, Process::Open | Process::OnOff { .. }) {
            readings.push((metrics::SYSTEM_ELEMENTS, system));
        }
        readings
    }

    fn losses(&self) -> [Reading; 2] {
        let Sums { lost, arrivals, .. } = *self.sums;
        let failed = (arrivals > 0).then(|| f64::from(u8::from(lost > 0)));
        [(metrics::LOST_FRACTION, self.per_arrival(lost)), (metrics::FAILURE_FRACTION, failed)]
    }

    fn moves_back(&self) -> [Reading; 4] {
        let Sums { moves_back, lookups, cam_extent, departures, .. } = *self.sums;
        let entries = match self.averages {
            Some(averages) => averages.cam_entries(),
            None => ratio(self.sums.cam_entries, self.sums.readings),
        };
        [
            (metrics::MOVES_BACK_PER_DELETION, ratio(moves_back, departures)),
            (metrics::CAM_LOOKUPS_PER_DELETION, ratio(lookups, departures)),
            (metrics::CAM_ENTRIES, entries),
            (metrics::CAM_EXTENT, Some(f64::from(cam_extent))),
        ]
    }

    fn per_arrival(&self, sum: u64) -> Option<f64> {
        ratio(sum, self.sums.arrivals)
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

fn max_load(occupancy: &[u64]) -> f64 {
    occupancy.iter().rposition(|&count| count > 0).unwrap_or(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Buckets that could hold more do not count.
    #[test]
    fn the_greatest_load_is_that_of_some_bucket() {
        assert_eq!([&[3, 0, 2, 0, 0][..], &[5, 0], &[0, 1]].map(max_load), [2.0, 0.0, 1.0]);
    }
}
