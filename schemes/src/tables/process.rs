//! What a table is subjected to, as far as predictions depend on it.

use super::metrics;
use crate::metric::{Metric, common};
use crate::tables::theory::on_off::OnOff;
use crate::tables::theory::relaxation::Start;

/// The process that the table is subjected to; predictions depend on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Process {
    /// n insertions into an empty table, no deletions: the paper's static model.
    StaticFill,
    /// A uniformly random one of n elements departs and a new one arrives, again and again,
    /// until the table is stationary: the paper's dynamic model.
    Alternation,
    /// Each of n elements departs after an exponential time of mean 1, a new one arriving at once,
    /// until the table is stationary: the paper's dynamic model in continuous time.
    Continuous,
    /// Elements arrive as a Poisson process of rate n and depart after exponential times of mean 1
    /// each, until the table is stationary.
    Open,
    /// Alternation, looked at once.
    Relaxation {
        /// What it begins with.
        start: Start,
        /// Rounds up to that moment.
        rounds: u64,
    },
    /// On-off flows bring elements, and in each slot one leaves.
    OnOff {
        /// The flows.
        flows: OnOff,
        /// How the numbers in the system are grouped.
        bins: Bins,
        /// Slots of the measuring window.
        slots: u64,
    },
}

/// What is counted per arrival or per departure, and has no value at a single moment.
const PER_EVENT: [Metric; 9] = [
    metrics::ARRIVAL_OVERFLOW_FRACTION,
    metrics::ACCESSES_PER_INSERTION,
    metrics::MOVES_PER_INSERTION,
    metrics::MOVES_PER_DELETION,
    metrics::LOST_FRACTION,
    metrics::FAILURE_FRACTION,
    metrics::MOVES_BACK_PER_DELETION,
    metrics::CAM_LOOKUPS_PER_DELETION,
    common::REPEATED_KEY_FRACTION,
];

impl Process {
    /// Whether a trial measures the quantity.
    pub fn measures(&self, metric: Metric) -> bool {
        !(PER_EVENT.contains(&metric) && matches!(self, Process::Relaxation { .. }))
    }

    /// Whether a trial looks at its table once, at its end.
    pub fn at_one_moment(&self) -> bool {
        matches!(self, Process::StaticFill | Process::Relaxation { .. })
    }

    /// How often the number in the system begins anew in a trial, about: slots that are closer together
    /// than its relaxation time say little more than one. `None` where that number is given.
    pub(super) fn excursions(&self) -> Option<f64> {
        match self {
            Process::OnOff { flows, slots, .. } => Some(*slots as f64 / flows.relaxation_time()),
            _ => None,
        }
    }

    /// Whether elements leave.
    pub fn has_departures(&self) -> bool {
        !matches!(self, Process::StaticFill)
    }
}

/// Intervals of the number of elements in the system: `width` numbers each, from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bins {
    /// Numbers in one interval, at least 1.
    pub width: u16,
    /// A number in the last interval; numbers above that interval are not counted.
    pub largest: u16,
}

impl Bins {
    /// How many intervals there are.
    pub fn count(&self) -> usize {
        usize::from(self.largest / self.width.max(1)) + 1
    }

    /// The numbers at which the intervals begin.
    pub fn starts(&self) -> impl Iterator<Item = u16> {
        (0..=self.largest).step_by(self.width.max(1).into())
    }

    /// The interval that holds this number, if one does.
    pub fn of(&self, elements: u32) -> Option<usize> {
        let bin = elements as usize / usize::from(self.width.max(1));
        (bin < self.count()).then_some(bin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_numbers_up_to_the_last() {
        let bins = Bins { width: 10, largest: 25 };
        assert_eq!(bins.starts().collect::<Vec<_>>(), [0, 10, 20]);
        assert_eq!(
            [0, 9, 10, 29, 30].map(|n| bins.of(n)),
            [Some(0), Some(0), Some(1), Some(2), None]
        );
        assert_eq!(bins.starts().count(), bins.count());
        let every = Bins { width: 1, largest: u16::MAX };
        assert_eq!((every.starts().count(), every.of(65_535)), (every.count(), Some(65_535)));
    }
}
