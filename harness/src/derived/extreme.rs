//! The least or greatest x of a series with a property.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::Kind;

use super::Sources;
use super::row::{DerivedRow, Estimate, Predicted};
use super::value::measured;
use crate::definition::{Extreme, abscissa};
use crate::estimate::comparison::Subject;

impl Sources<'_> {
    pub(super) fn extreme(&self, name: &str, extreme: &Extreme) -> DerivedRow {
        let row = DerivedRow::empty(name, &extreme.x);
        let Ok(metric) = extreme.condition.quantity.parse::<Metric>() else { return row };
        let found = |value: &dyn Fn(&Subject) -> Option<f64>| self.find(extreme, value);
        let shifted = |sign: f64| {
            found(&|subject| {
                let estimate = measured(subject, metric)?;
                Some(estimate.value + sign * estimate.half_width?)
            })
        };
        let points: Vec<usize> = self.experiment.points_at(extreme.series, &extreme.at).collect();
        let at_mean =
            self.are_measured(&points).then(|| found(&|subject| subject.mean(metric))).flatten();
        let measured = at_mean.map(|value| Estimate {
            value,
            std_error: None,
            half_width: farthest(value, [shifted(-1.0), shifted(1.0)]),
        });
        let of_kinds = Kind::ALL.into_iter().filter_map(|kind| {
            let value = self.predicted_extreme(extreme, metric, kind);
            Some(Predicted::unjudged(kind, value?))
        });
        DerivedRow { measured, predicted: of_kinds.collect(), ..row }
    }

    /// The x that predictions of this kind give; nothing where a point before it lacks one, as it might be there.
    fn predicted_extreme(&self, extreme: &Extreme, metric: Metric, kind: Kind) -> Option<f64> {
        let predicted = |subject: &Subject| subject.predicted(metric, kind);
        let found = self.find(extreme, &predicted)?;
        let is_before = |x: f64| if extreme.greatest { x > found } else { x < found };
        let mut before = self.experiment.points_at(extreme.series, &extreme.at).filter(|&point| {
            abscissa(&self.experiment.points[point], &extreme.x).is_some_and(is_before)
        });
        let is_predicted = |point| self.subjects.get(point).and_then(predicted).is_some();
        before.all(is_predicted).then_some(found)
    }

    /// The least or greatest x at which the condition holds of the value.
    fn find(&self, extreme: &Extreme, value: &dyn Fn(&Subject) -> Option<f64>) -> Option<f64> {
        let points = self.experiment.points_at(extreme.series, &extreme.at);
        let holds = |&point: &usize| {
            let value = self.subjects.get(point).and_then(value);
            value.is_some_and(|value| extreme.condition.holds(value))
        };
        let x = |point: usize| abscissa(&self.experiment.points[point], &extreme.x);
        let found = points.filter(holds).filter_map(x);
        match extreme.greatest {
            true => found.max_by(f64::total_cmp),
            false => found.min_by(f64::total_cmp),
        }
    }
}

/// How far the x moves where every measurement is at one end of its interval; nothing where there is no x
/// then.
fn farthest(value: f64, ends: [Option<f64>; 2]) -> Option<f64> {
    let [low, high] = ends;
    Some((low? - value).abs().max((high? - value).abs()))
}
