//! The value of one operand.

use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};

use super::Sources;
use super::row::{Estimate, Predicted};
use crate::definition::{Coordinates, Operand};
use crate::estimate::comparison::{Comparison, Subject};

/// What is known of a quantity.
#[derive(Debug, Clone, Default)]
pub(super) struct Value<'s> {
    pub(super) measured: Option<Estimate>,
    pub(super) predicted: Vec<Predicted>,
    /// The point and the metric that it is the mean of, if it is one.
    pub(super) mean_of: Option<(&'s Subject, Metric)>,
}

impl Value<'_> {
    /// What predictions of this kind make of it.
    pub(super) fn of_kind(&self, kind: Kind) -> Option<&Predicted> {
        self.predicted.iter().find(|own| own.kind == kind)
    }

    /// The prediction of this kind.
    pub(super) fn prediction(&self, kind: Kind) -> Option<f64> {
        self.of_kind(kind).map(|own| own.value)
    }
}

/// The mean of a metric at a point, with its error.
pub(super) fn measured(subject: &Subject, metric: Metric) -> Option<Estimate> {
    let moments = subject.moments(metric)?;
    let (std_error, half_width) = (moments.std_error(), subject.half_width(metric));
    Some(Estimate { value: moments.mean()?, std_error, half_width })
}

impl<'s> Sources<'s> {
    /// The values of the operands: of points at the coordinates, of curves at the x of the first point
    /// among them, of derived quantities as they are.
    pub(super) fn values(
        &self,
        operands: &[Operand],
        of: &str,
        at: &Coordinates,
    ) -> Vec<Value<'s>> {
        let first = operands.iter().find_map(|operand| match operand {
            Operand::Series(series) => self.subject(*series, at),
            Operand::Curve(_) | Operand::Derived(_) => None,
        });
        let value = |operand: &Operand| match operand {
            Operand::Series(series) => {
                Some(self.mean(self.subject(*series, at)?, of.parse().ok()?))
            }
            Operand::Curve(curve) => Some(on_curve(curve.0, first?)),
            Operand::Derived(name) => self.derived(name, of),
        };
        operands.iter().map(|operand| value(operand).unwrap_or_default()).collect()
    }

    /// The one point of a series at the coordinates.
    fn subject(&self, series: usize, at: &Coordinates) -> Option<&'s Subject> {
        let point = self.experiment.points_at(series, at).next()?;
        self.subjects.get(point)
    }

    /// The mean of a metric at a point, with its predictions.
    fn mean(&self, subject: &'s Subject, metric: Metric) -> Value<'s> {
        let own = self.comparisons_of(subject).filter(|own| own.prediction.metric == metric);
        let predicted = own.map(|Comparison { prediction, room, .. }| Predicted {
            kind: prediction.kind,
            value: prediction.value,
            room: *room,
        });
        Value {
            measured: measured(subject, metric),
            predicted: predicted.collect(),
            mean_of: Some((subject, metric)),
        }
    }

    fn comparisons_of(&self, subject: &Subject) -> impl Iterator<Item = &'s Comparison> {
        let point = subject.point;
        let first = self.comparisons.partition_point(|own| own.point < point);
        self.comparisons[first..].iter().take_while(move |own| own.point == point)
    }

    fn derived(&self, name: &str, of: &str) -> Option<Value<'s>> {
        let is_meant = |row: &&super::DerivedRow| row.name == name && row.quantity == of;
        let row = self.earlier.iter().find(is_meant)?;
        let (measured, predicted) = (row.measured, row.predicted.clone());
        Some(Value { measured, predicted, mean_of: None })
    }
}

/// A curve has no error of its own; what it inherits from the x of the point is left out.
fn on_curve<'s>(curve: &CurveInfo, subject: &Subject) -> Value<'s> {
    let at = |x: f64| subject.case.curve(curve.name, x);
    let metric = curve.x.parse().ok();
    let columns = subject.case.columns();
    let of_point = columns.iter().find(|(name, _)| *name == curve.x);
    let x = match metric {
        Some(metric) => subject.mean(metric),
        None => of_point.and_then(|(_, value)| value.as_ref()?.as_number()),
    };
    let value = x.and_then(at);
    let measured =
        value.map(|value| Estimate { value, std_error: Some(0.0), half_width: Some(0.0) });
    let of_x = subject.predictions.iter().filter(|prediction| Some(prediction.metric) == metric);
    let at = |x: &Prediction| Some(Predicted::unjudged(x.kind, at(x.value)?));
    Value { measured, predicted: of_x.filter_map(at).collect(), mean_of: None }
}
