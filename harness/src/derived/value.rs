//! The value of one operand.

use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::Kind;

use super::Sources;
use super::row::Estimate;
use crate::definition::{Coordinates, Operand};
use crate::estimate::comparison::Subject;

/// What is known of a quantity.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub(super) measured: Option<Estimate>,
    pub(super) predicted: Vec<(Kind, f64)>,
}

impl Value {
    /// The mean of a metric at a point, with its predictions.
    pub(super) fn of(subject: &Subject, metric: Metric) -> Self {
        let own = subject.predictions.iter().filter(|p| p.metric == metric);
        Self {
            measured: measured(subject, metric),
            predicted: own.map(|prediction| (prediction.kind, prediction.value)).collect(),
        }
    }

    /// The prediction of this kind.
    pub(super) fn prediction(&self, kind: Kind) -> Option<f64> {
        self.predicted.iter().find(|(own, _)| *own == kind).map(|(_, value)| *value)
    }
}

/// The mean of a metric at a point, with its error.
pub(super) fn measured(subject: &Subject, metric: Metric) -> Option<Estimate> {
    let moments = subject.moments(metric)?;
    let (std_error, half_width) = (moments.std_error(), subject.half_width(metric));
    Some(Estimate { value: moments.mean()?, std_error, half_width })
}

impl Sources<'_> {
    /// The values of the operands: of points at the coordinates, of curves at the x of the first point
    /// among them, of derived quantities as they are.
    pub(super) fn values(&self, operands: &[Operand], of: &str, at: &Coordinates) -> Vec<Value> {
        let first = operands.iter().find_map(|operand| match operand {
            Operand::Series(series) => self.subject(*series, at),
            Operand::Curve(_) | Operand::Derived(_) => None,
        });
        let value = |operand: &Operand| match operand {
            Operand::Series(series) => {
                Some(Value::of(self.subject(*series, at)?, of.parse().ok()?))
            }
            Operand::Curve(curve) => Some(on_curve(curve.0, first?)),
            Operand::Derived(name) => self.derived(name, of),
        };
        operands.iter().map(|operand| value(operand).unwrap_or_default()).collect()
    }

    /// The one point of a series at the coordinates.
    fn subject(&self, series: usize, at: &Coordinates) -> Option<&Subject> {
        let point = self.experiment.points_at(series, at).next()?;
        self.subjects.get(point)
    }

    fn derived(&self, name: &str, of: &str) -> Option<Value> {
        let is_meant = |row: &&super::DerivedRow| row.name == name && row.quantity == of;
        let row = self.earlier.iter().find(is_meant)?;
        Some(Value { measured: row.measured, predicted: row.predicted.clone() })
    }
}

/// A curve has no error of its own; what it inherits from the x of the point is left out.
fn on_curve(curve: &CurveInfo, subject: &Subject) -> Value {
    let at = |x: f64| subject.case.curve(curve.name, x);
    let value = subject.mean(curve.x).and_then(at);
    let measured =
        value.map(|value| Estimate { value, std_error: Some(0.0), half_width: Some(0.0) });
    let of_x = subject.predictions.iter().filter(|prediction| prediction.metric == curve.x);
    let predicted = of_x.filter_map(|x| Some((x.kind, at(x.value)?))).collect();
    Value { measured, predicted }
}
