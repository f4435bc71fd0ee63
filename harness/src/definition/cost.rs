//! Whether an experiment fits in memory and in a lifetime.

use loadfactor_schemes::case::Cost;
use loadfactor_schemes::keys::KeySource;

use super::diagnostics::{Errors, Mistake, Span};
use super::experiment::Stopping;
use super::point::Point;
use super::series::Series;

/// The most bytes that one trial may take.
const MAX_BYTES: u64 = 8 << 30;

/// The most operations of an experiment: 10⁸ seconds, three years, at 1 ns each.
const MAX_OPERATIONS: f64 = 1e17;

/// Reports points that are too large, and an experiment that is too long.
pub(crate) fn check(
    series: &[Series<'_>],
    points: &[Point],
    stopping: &[Stopping],
    errors: &mut Errors,
) {
    let mut total = 0.0;
    let mut heaviest: Option<(f64, &Point)> = None;
    for point in points {
        let cost = point.case.cost(&KeySource::Random);
        check_memory(&series[point.series], &cost, errors);
        let operations = stopping.get(point.series).map_or(0.0, trials) * cost.operations;
        total += operations;
        if heaviest.is_none_or(|(most, _)| operations > most) {
            heaviest = Some((operations, point));
        }
    }
    if let Some((most, point)) = heaviest.filter(|_| total > MAX_OPERATIONS) {
        let series = &series[point.series];
        let label =
            format!("the longest point of the series `{}` alone makes {most:.1e}", series.label);
        let title = format!("the experiment makes {total:.1e} accesses: longer than a lifetime");
        let place = place(series, series.family.long);
        errors.push(Mistake::at(&place, title).label(label));
    }
}

fn check_memory(series: &Series<'_>, cost: &Cost, errors: &mut Errors) {
    if cost.bytes > MAX_BYTES {
        let place = place(series, series.family.large);
        let label =
            format!("the series `{}` needs {} GiB for one trial", series.label, cost.bytes >> 30);
        let title = format!("the structure is too large: a trial may take {} GiB", MAX_BYTES >> 30);
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

fn trials(stopping: &Stopping) -> f64 {
    match *stopping {
        Stopping::Trials(trials) => trials as f64,
        Stopping::Precision { max_trials, .. } => max_trials as f64,
    }
}
