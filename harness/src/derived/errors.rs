//! The largest distance of measurements from predictions.

use loadfactor_schemes::params::Params;

use super::Sources;
use super::row::{DerivedRow, Estimate};
use super::value::measured;
use crate::definition::{LargestError, PREDICTED, Point};
use crate::estimate::comparison::Subject;

impl Sources<'_> {
    /// The largest distance, and each number that tells where along its series it was found.
    pub(super) fn largest_error(&self, name: &str, largest: &LargestError) -> Vec<DerivedRow> {
        let row = DerivedRow::empty(name, &largest.of.to_string());
        let of_series = |&series: &usize| self.experiment.points_at(series, &largest.at);
        let points: Vec<usize> = largest.series.iter().flat_map(of_series).collect();
        // The largest of some of them would be told as the largest of all.
        if !self.are_measured(&points) {
            return vec![row];
        }
        let errors = points
            .into_iter()
            .filter_map(|point| Some((point, error(self.subjects.get(point)?, largest)?)));
        let mut errors: Vec<(usize, Estimate)> = errors.collect();
        errors.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        let Some(&(point, error)) = errors.first() else { return vec![row] };
        // Where another one is no further below than both errors, the place may be that.
        let is_sure = errors[1..].iter().all(|(_, next)| is_above(&error, next));
        let half_width = is_sure.then_some(0.0);
        let found_at = Some(self.describe(point));
        let error = DerivedRow { measured: Some(error), found_at: found_at.clone(), ..row };
        let place = |(parameter, value)| DerivedRow {
            measured: Some(Estimate { value, std_error: None, half_width }),
            found_at: found_at.clone(),
            ..DerivedRow::empty(name, parameter)
        };
        let mut rows = vec![error];
        rows.extend(self.numbers(point).into_iter().map(place));
        rows
    }

    /// The label of the point's series and the parameters that vary in it.
    fn describe(&self, point: usize) -> String {
        let Point { series, params, .. } = &self.experiment.points[point];
        let varying = self.varying(*series);
        let values =
            varying.iter().filter_map(|name| Some(format!("{name} = {}", params.get(name)?)));
        let label = self.experiment.series[*series].clone();
        std::iter::once(label).chain(values).collect::<Vec<_>>().join(", ")
    }

    /// The parameters of the point that vary in its series and are numbers.
    fn numbers(&self, point: usize) -> Vec<(&str, f64)> {
        let Point { series, params, .. } = &self.experiment.points[point];
        let number = |name| Some((name, params.get(name)?.as_number()?));
        self.varying(*series).into_iter().filter_map(number).collect()
    }

    fn varying(&self, series: usize) -> Vec<&str> {
        let points = &self.experiment.points;
        let all: Vec<&Params> =
            points.iter().filter(|p| p.series == series).map(|p| &p.params).collect();
        let Some((first, others)) = all.split_first() else { return Vec::new() };
        let varies = |name: &&str| others.iter().any(|params| params.get(name) != first.get(name));
        first.iter().map(|(name, _)| name).filter(varies).collect()
    }
}

fn is_above(error: &Estimate, next: &Estimate) -> bool {
    let widths = error.half_width.zip(next.half_width);
    widths.is_some_and(|(a, b)| error.value - next.value > libm::hypot(a, b))
}

/// The distance at one point; nothing where it was not measured, or its prediction is left out.
fn error(subject: &Subject, largest: &LargestError) -> Option<Estimate> {
    let predicted = subject.predicted(largest.of, largest.against)?;
    let counts = largest.condition.as_ref().is_none_or(|condition| {
        let own = condition.quantity.parse().ok().and_then(|metric| subject.mean(metric));
        let quantity = if condition.quantity == PREDICTED { Some(predicted) } else { own };
        quantity.is_some_and(|quantity| condition.holds(quantity))
    });
    let measured = measured(subject, largest.of).filter(|_| counts)?;
    let unit = if largest.relative { predicted.abs() } else { 1.0 };
    // Trials that all saw the same, such as no rare event at all, do not tell their own error.
    let scaled = |width: Option<f64>| width.filter(|width| *width > 0.0).map(|width| width / unit);
    let estimate = Estimate {
        value: (measured.value - predicted).abs() / unit,
        std_error: scaled(measured.std_error),
        half_width: scaled(measured.half_width),
    };
    Some(estimate).filter(|estimate| estimate.value.is_finite())
}
