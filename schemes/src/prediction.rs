//! What theory says a quantity is, and how strictly it means it.

use std::fmt;

use crate::metric::Metric;

/// How strictly a prediction holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Holds for these finite n and m.
    Exact,
    /// Holds as n → ∞ at fixed load: a fluid limit or a Poisson limit.
    Asymptotic,
    /// The paper itself calls it a model or a heuristic.
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
    /// For a bound that depends on the accesses per insertion: its slope dγ/da, else 0.
    pub slope: f64,
}

impl Prediction {
    /// A value that holds for these finite n and m.
    pub fn exact(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { metric, value, kind: Kind::Exact, source, allowance: 0.0, slope: 0.0 }
    }

    /// A limit for n → ∞; `allowance` is the distance to expect at this n.
    pub fn asymptotic(metric: Metric, value: f64, source: &'static str, allowance: f64) -> Self {
        Self { metric, value, kind: Kind::Asymptotic, source, allowance, slope: 0.0 }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// n insertions into an empty table, no deletions: the paper's static model.
    StaticFill,
    /// A uniformly random one of n elements departs and a new one arrives, again and again,
    /// until the table is stationary: the paper's dynamic model.
    Alternation,
}
