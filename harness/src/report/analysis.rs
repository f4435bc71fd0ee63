//! The prose of a definition with its numbers filled in.

use loadfactor_schemes::metric::Metric;

use super::number::{number, with_error};
use super::results::Results;
use crate::definition::{Meant, Placeholder, fill};

/// The prose with each placeholder replaced by what was measured or predicted; by `not run` where nothing was.
pub(super) fn filled(results: &Results<'_>) -> String {
    let experiment = results.experiment;
    let names = experiment.names();
    fill(experiment.analysis.trim(), |text| match Placeholder::parse(text, &names) {
        Some(placeholder) => value(results, &placeholder).unwrap_or_else(|| "not run".to_owned()),
        None => format!("{{{text}}}"),
    })
}

fn value(results: &Results<'_>, placeholder: &Placeholder) -> Option<String> {
    let (value, half_width) = match results.experiment.series_of(&placeholder.of) {
        Some(series) => at_point(results, series, placeholder)?,
        None => derived(results, placeholder)?,
    };
    let unit = if placeholder.percent { 100.0 } else { 1.0 };
    let text = match half_width {
        Some(half_width) => with_error(unit * value, unit * half_width),
        None => number(unit * value),
    };
    Some(if placeholder.percent { text + " %" } else { text })
}

/// A value, and its half-width where it was measured.
type Told = (f64, Option<f64>);

fn at_point(results: &Results<'_>, series: usize, placeholder: &Placeholder) -> Option<Told> {
    let point = results.experiment.points_at(series, &placeholder.at).next()?;
    let subject = results.subjects.get(point)?;
    let metric: Metric = placeholder.quantity.parse().ok()?;
    if placeholder.value != Meant::Measured {
        let is_meant = |kind| placeholder.value.is(kind);
        let mut predictions = subject.predictions.iter().filter(|p| p.metric == metric);
        return predictions.find(|p| is_meant(p.kind)).map(|prediction| (prediction.value, None));
    }
    Some((subject.mean(metric)?, subject.half_width(metric)))
}

fn derived(results: &Results<'_>, placeholder: &Placeholder) -> Option<Told> {
    let is_meant = |row: &&crate::derived::DerivedRow| {
        row.name == placeholder.of && row.quantity == placeholder.quantity
    };
    let row = results.derived.iter().find(is_meant)?;
    if placeholder.value != Meant::Measured {
        let meant = row.predicted.iter().find(|own| placeholder.value.is(own.kind));
        return meant.map(|own| (own.value, None));
    }
    row.measured.map(|estimate| (estimate.value, estimate.half_width))
}
