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
    /// A limit with its deviation of first order in 1/m: what is left is of order 1/m².
    Refined,
    /// The paper itself calls it a model or a heuristic: expect it to differ by a few per cent.
    Approximate,
    /// The quantity cannot be smaller.
    LowerBound,
    /// The quantity cannot be larger.
    UpperBound,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 6] = [
        Kind::Exact,
        Kind::Asymptotic,
        Kind::Refined,
        Kind::Approximate,
        Kind::LowerBound,
        Kind::UpperBound,
    ];

    /// Whether it says on which side the quantity is, and not what it is.
    pub fn is_bound(&self) -> bool {
        matches!(self, Kind::LowerBound | Kind::UpperBound)
    }

    /// The kind as it stands in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Exact => "exact",
            Kind::Asymptotic => "asymptotic",
            Kind::Refined => "refined",
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
    /// Standard deviation of the quantity in one trial, or somewhat more, where theory knows it; else 0. Where few events
    /// carry a mean, trials that saw none of them show less.
    pub scatter: f64,
}

impl Prediction {
    /// A value that holds for these finite n and m.
    pub fn exact(metric: Metric, value: f64, source: &'static str) -> Self {
        let (kind, allowance) = (Kind::Exact, 0.0);
        Self { metric, value, kind, source, allowance, rests_on: None, scatter: 0.0 }
    }

    /// A value that the quantity is not below, for these finite n and m.
    pub fn lower_bound(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { kind: Kind::LowerBound, ..Self::exact(metric, value, source) }
    }

    /// A value that the quantity is not above, for these finite n and m.
    pub fn upper_bound(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { kind: Kind::UpperBound, ..Self::exact(metric, value, source) }
    }

    /// A limit for n → ∞; `allowance` is the distance to expect at this n.
    pub fn asymptotic(metric: Metric, value: f64, source: &'static str, allowance: f64) -> Self {
        Self { kind: Kind::Asymptotic, allowance, ..Self::exact(metric, value, source) }
    }

    /// A limit with its deviation of first order; `allowance` is what may be left.
    pub fn refined(metric: Metric, value: f64, source: &'static str, allowance: f64) -> Self {
        Self { kind: Kind::Refined, allowance, ..Self::exact(metric, value, source) }
    }

    /// A value of what the paper itself calls a model or a heuristic: nothing is allowed for its
    /// error, so that a measurement of enough trials differs from it.
    pub fn approximate(metric: Metric, value: f64, source: &'static str) -> Self {
        Self { kind: Kind::Approximate, ..Self::exact(metric, value, source) }
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

/// How a quantity counts events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Events {
    /// Events per trial that make 1 of the quantity: n for an overflow fraction.
    pub per_unit: f64,
    /// Whether one trial counts a whole number of them, as at its end, and not an average over
    /// its length.
    pub whole: bool,
    /// Whether the quantity is an average over that many things, each of which counts a whole number. What
    /// scatters is then how many are off the nearest whole number: those that are not in a share that is
    /// close to 1, as those that are in one that is close to 0.
    pub average: bool,
}
