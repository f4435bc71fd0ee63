//! What theory says a quantity is, and how strictly it means it.

use std::fmt;

use crate::metric::Metric;
use crate::theory::on_off::OnOff;
use crate::theory::relaxation::Start;

/// How strictly a prediction holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Holds for these finite n and m.
    Exact,
    /// Holds as n → ∞ at fixed load: a fluid limit or a Poisson limit.
    Asymptotic,
    /// The paper itself calls it a model or a heuristic: expect it to differ by a few per cent.
    Approximate,
    /// The quantity cannot be smaller.
    LowerBound,
    /// The quantity cannot be larger.
    UpperBound,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] =
        [Kind::Exact, Kind::Asymptotic, Kind::Approximate, Kind::LowerBound, Kind::UpperBound];

    /// The kind as it stands in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Exact => "exact",
            Kind::Asymptotic => "asymptotic",
            Kind::Approximate => "approximate",
            Kind::LowerBound => "lower_bound",
            Kind::UpperBound => "upper_bound",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A value that theory gives for a quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The quantity.
    pub metric: Metric,
    /// Its predicted value, in the quantity's own unit.
    pub value: f64,
    /// How strictly it holds.
    pub kind: Kind,
    /// Where it comes from, such as `"Theorem 1"`.
    pub source: &'static str,
    /// Distance from the true value that the theory itself leaves open, in the quantity's unit:
    /// 0 for an exact result, of order 1/n for a fluid limit.
    pub allowance: f64,
    /// The measured quantity at which the value was computed, and the derivative of the value with
    /// respect to it: the value inherits the error of that measurement. `None` where the value rests
    /// on parameters alone.
    pub rests_on: Option<(Metric, f64)>,
}

impl Prediction {
    /// A value that holds for these finite n and m.
    pub fn exact(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { metric, value, kind: Kind::Exact, source, allowance: 0.0, rests_on: None }
    }

    /// A limit for n → ∞; `allowance` is the distance to expect at this n.
    pub fn asymptotic(metric: Metric, value: f64, source: &'static str, allowance: f64) -> Self {
        Self { metric, value, kind: Kind::Asymptotic, source, allowance, rests_on: None }
    }

    /// A value of what the paper itself calls a model or a heuristic: nothing is allowed for its
    /// error, so that a measurement of enough trials differs from it.
    pub fn approximate(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { metric, value, kind: Kind::Approximate, source, allowance: 0.0, rests_on: None }
    }
}

/// What theory says of one point.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outlook {
    /// Every prediction that was computed.
    pub predictions: Vec<Prediction>,
    /// Why a limit that theory knows was not computed.
    pub missing: Option<String>,
}

impl Outlook {
    /// Adds a limit, or why there is none.
    pub(crate) fn add_limit<E: fmt::Display>(&mut self, limit: Result<Vec<Prediction>, E>) {
        match limit {
            Ok(limit) => self.predictions.extend(limit),
            Err(error) => self.missing = Some(error.to_string()),
        }
    }
}

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

impl Process {
    /// Whether a trial measures the quantity: what is counted per arrival or per departure has no
    /// value at a single moment.
    pub fn measures(&self, metric: Metric) -> bool {
        let per_event = matches!(
            metric,
            Metric::ArrivalOverflowFraction
                | Metric::AccessesPerInsertion
                | Metric::MovesPerInsertion
                | Metric::MovesPerDeletion
                | Metric::LostFraction
                | Metric::FailureFraction
                | Metric::MovesBackPerDeletion
                | Metric::CamLookupsPerDeletion
                | Metric::RepeatedKeyFraction
        );
        !(per_event && matches!(self, Process::Relaxation { .. }))
    }
}

/// Intervals of the number of elements in the system: `width` numbers each, from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bins {
    /// Numbers in one interval, at least 1.
    pub width: u16,
    /// The last interval is the one that this number is in; what is above is in none.
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
