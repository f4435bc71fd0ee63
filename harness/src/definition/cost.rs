//! Whether an experiment fits in memory and in a lifetime.

use loadfactor_schemes::tables::{AnyScheme, Shape};

use super::diagnostics::{Errors, Mistake, Span};
use super::experiment::{Point, Stopping};
use super::series::Series;
use crate::workloads::{self, KeySource, Process};

/// The most bytes that one trial may take.
const MAX_BYTES: u64 = 8 << 30;

/// The most operations of an experiment: 10⁸ seconds, three years, at 1 ns each.
const MAX_OPERATIONS: f64 = 1e17;

/// Reports points that are too large, and an experiment that is too long.
pub(crate) fn check(
    series: &[Series<'_>],
    points: &[(Point, AnyScheme)],
    stopping: Stopping,
    errors: &mut Errors,
) {
    let mut total = 0.0;
    let mut heaviest: Option<(f64, &Point)> = None;
    for (point, scheme) in points {
        let shape = scheme.shape();
        // Parameters that are wrong are reported elsewhere.
        let elements = shape.geometry.elements;
        let process = Process::from_params(&point.workload, &point.params, elements);
        let Some(Ok(process)) = process else { continue };
        check_memory(&series[point.series], &process, &shape, errors);
        let operations = trials(stopping) * workloads::operations(&process, &shape);
        total += operations;
        if heaviest.is_none_or(|(most, _)| operations > most) {
            heaviest = Some((operations, point));
        }
    }
    if let Some((most, point)) = heaviest.filter(|_| total > MAX_OPERATIONS) {
        let label = format!(
            "the longest point of the series `{}` alone reads {most:.1e}",
            series[point.series].label
        );
        let title = format!("the experiment reads {total:.1e} buckets: longer than a lifetime");
        let place = place(
            &series[point.series],
            &["rounds", "duration", "slots", "time", "warm_up", "elements", "buckets"],
        );
        errors.push(Mistake::at(&place, title).label(label));
    }
}

fn check_memory(series: &Series<'_>, process: &Process, shape: &Shape, errors: &mut Errors) {
    let bytes = workloads::memory(process, shape, &KeySource::Random);
    if bytes > MAX_BYTES {
        let place = place(series, &["elements", "buckets", "load"]);
        let label =
            format!("the series `{}` needs {} GiB for one trial", series.label, bytes >> 30);
        let title = format!("the table is too large: a trial may take {} GiB", MAX_BYTES >> 30);
        errors.push(Mistake::at(&place, title).label(label));
    }
}

/// The first of these parameters that the definition sets, one that it sweeps before any other.
fn place(series: &Series<'_>, names: &[&str]) -> Span {
    let named = |name: &&str| series.given.iter().find(|given| given.param.name == *name);
    let given: Vec<_> = names.iter().filter_map(named).collect();
    let swept = given.iter().find(|given| given.values.swept);
    swept.or(given.first()).map_or(series.span.clone(), |given| given.values.span.clone())
}

fn trials(stopping: Stopping) -> f64 {
    match stopping {
        Stopping::Trials(trials) => trials as f64,
        Stopping::Precision { max_trials, .. } => max_trials as f64,
    }
}
