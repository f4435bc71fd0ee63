//! Whether an experiment fits in memory and in a lifetime.

use loadfactor_schemes::params::Params;
use loadfactor_schemes::tables::{AnyScheme, Geometry, Scheme, SchemeVisitor};

use super::diagnostics::{Errors, Mistake, Span};
use super::experiment::{Point, Stopping};
use super::series::Series;

/// The most bytes that one trial may take.
const MAX_BYTES: u64 = 16 << 30;

/// The most insertions of an experiment: 10⁹ seconds at 10 ns each.
const MAX_INSERTIONS: f64 = 1e17;

/// Bytes of one key beside its element.
const KEY_BYTES: u64 = 16;

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
        let geometry = scheme.visit(GeometryOf);
        check_memory(&series[point.series], point, geometry, errors);
        let insertions = trials(stopping) * insertions(point, geometry);
        total += insertions;
        if heaviest.is_none_or(|(most, _)| insertions > most) {
            heaviest = Some((insertions, point));
        }
    }
    if let Some((most, point)) = heaviest.filter(|_| total > MAX_INSERTIONS) {
        let label = format!(
            "the longest point of the series `{}` alone makes {most:.1e}",
            series[point.series].label
        );
        let title = format!("the experiment makes {total:.1e} insertions: longer than a lifetime");
        let place = place(&series[point.series], &["rounds", "warm_up", "elements", "buckets"]);
        errors.push(Mistake::at(&place, title).label(label));
    }
}

struct GeometryOf;

impl SchemeVisitor for GeometryOf {
    type Output = Geometry;

    fn visit<S: Scheme>(self, scheme: &S) -> Geometry {
        scheme.geometry()
    }
}

fn check_memory(series: &Series<'_>, point: &Point, geometry: Geometry, errors: &mut Errors) {
    let keys = if point.hash == "random" { 0 } else { KEY_BYTES };
    let bytes = u64::from(geometry.elements) * (4 + keys) + u64::from(geometry.buckets);
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

/// Insertions of one trial: the fill, the warm-up and the measuring window.
fn insertions(point: &Point, geometry: Geometry) -> f64 {
    let elements = f64::from(geometry.elements);
    elements + number(&point.params, "warm_up") * elements + number(&point.params, "rounds")
}

fn number(params: &Params, name: &str) -> f64 {
    params.number(name).unwrap_or(0.0)
}
