//! A point of an experiment as a figure shows it.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};

use super::figure::Measured;
use crate::estimate::comparison::Subject;

/// Where a point stands in a figure.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Parameter(f64),
    Metric(Metric),
}

/// A point, where it stands, and the metric that is drawn of it.
pub(super) struct Spot<'s> {
    pub(super) subject: &'s Subject,
    pub(super) x: Place,
    pub(super) y: Metric,
    /// The limit of y, where its distance from that is drawn.
    pub(super) limit: Option<f64>,
}

/// The kinds that are drawn as lines, the most certain first.
const KINDS: [Kind; 3] = [Kind::Exact, Kind::Asymptotic, Kind::Approximate];

impl Spot<'_> {
    /// What was measured.
    pub(super) fn measured(&self) -> Option<Measured> {
        let x = match self.x {
            Place::Parameter(x) => x,
            Place::Metric(metric) => self.subject.moments(metric)?.mean()?,
        };
        let moments = self.subject.moments(self.y)?;
        let interval = self.subject.interval(self.y);
        let (low, high) = interval.map_or((f64::NAN, f64::NAN), |i| (i.low, i.high));
        let [y, low, high] = [moments.mean()?, low, high].map(|value| self.measured_from(value));
        Some(Measured { x, y, low: low.min(high), high: low.max(high) })
    }

    /// The prediction of this kind; of distances from the limit, the exact ones alone.
    pub(super) fn predicted(&self, kind: Kind) -> Option<f64> {
        let value = self.subject.predicted(self.y, kind)?;
        (self.limit.is_none() || kind == Kind::Exact).then(|| self.measured_from(value))
    }

    /// The approximate prediction beside a better one, and where it comes from.
    pub(super) fn approximation(&self) -> Option<(f64, &'static str)> {
        let of_metric = |p: &&Prediction| p.metric == self.y && p.kind == Kind::Approximate;
        let found = self.subject.predictions.iter().find(of_metric)?;
        let better = KINDS.iter().any(|&kind| {
            kind != Kind::Approximate && self.subject.predicted(self.y, kind).is_some()
        });
        (better && self.limit.is_none()).then_some((found.value, found.source))
    }

    /// The value itself, or its distance from the limit, positive on the side of the exact
    /// prediction.
    fn measured_from(&self, value: f64) -> f64 {
        let Some(limit) = self.limit else { return value };
        let exact = self.subject.predicted(self.y, Kind::Exact);
        if exact.is_some_and(|exact| exact < limit) { limit - value } else { value - limit }
    }

    /// Where theory puts the spot.
    pub(super) fn predicted_x(&self) -> Option<f64> {
        match self.x {
            Place::Parameter(x) => Some(x),
            Place::Metric(metric) => {
                KINDS.into_iter().find_map(|kind| self.subject.predicted(metric, kind))
            }
        }
    }
}

/// The kind of prediction that most of the spots have, exact before asymptotic.
pub(super) fn kind_of_line(spots: &[Spot<'_>]) -> Option<Kind> {
    let with = |kind| spots.iter().filter(|spot| spot.predicted(kind).is_some()).count();
    let mut kinds = KINDS.to_vec();
    kinds.retain(|&kind| with(kind) > 0);
    kinds.into_iter().rev().max_by_key(|&kind| with(kind))
}
