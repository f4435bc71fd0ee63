//! Exact values that a stream gives away by drawing its counts.
//!
//! The flow of each packet of a stream is drawn by default, so that counts differ from trial to trial; of the errors of a
//! sketch only bounds are then known. With the expected counts their law is known exactly.

use std::collections::BTreeSet;

use loadfactor_schemes::families;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use rayon::prelude::*;

use crate::count::counted;
use crate::definition::Point;
use crate::estimate::comparison::Subject;

/// The parameter, the value by which only bounds are known, and the other one.
const COUNTS: [&str; 3] = ["counts", "drawn", "expected"];

/// The hints at the other value, one for each metric that would be predicted exactly with it at points of which nothing
/// but bounds is judged.
pub(super) fn hints(points: &[Point], subjects: &[Subject]) -> Vec<String> {
    let exact: Vec<Metric> = subjects
        .par_iter()
        .filter_map(|subject| exact_otherwise(&points[subject.point], subject))
        .collect();
    let metrics: BTreeSet<Metric> = exact.iter().copied().collect();
    let points_of = |metric| exact.iter().filter(|&&own| own == metric).count();
    metrics.into_iter().map(|metric| hint(metric, points_of(metric))).collect()
}

fn hint(metric: Metric, points: usize) -> String {
    let [name, drawn, expected] = COUNTS;
    format!(
        "only bounds are known of {} with `{name} = \"{drawn}\"`: with `{name} = \"{expected}\"` under [workload], {metric} is predicted exactly",
        counted(points, "point")
    )
}

fn has_only_bounds(subject: &Subject) -> bool {
    let is_bound = |kind: Kind| matches!(kind, Kind::LowerBound | Kind::UpperBound);
    !subject.predictions.is_empty() && subject.predictions.iter().all(|own| is_bound(own.kind))
}

/// A metric that has an exact prediction with the other value, at a point of which only bounds are known.
fn exact_otherwise(point: &Point, subject: &Subject) -> Option<Metric> {
    let [name, drawn, expected] = COUNTS;
    let is_drawn = point.params.word(name).is_ok_and(|word| word == drawn);
    if !(is_drawn && has_only_bounds(subject)) {
        return None;
    }
    let with_expected = |(own, value): (&'_ str, &Scalar)| match own == name {
        true => (own.to_owned(), Scalar::Word(expected.to_owned())),
        false => (own.to_owned(), value.clone()),
    };
    let params: Vec<(String, Scalar)> = point.params.iter().map(with_expected).collect();
    let given: Vec<(&str, Scalar)> =
        params.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let case = families::case(&point.scheme, &point.workload, &point.hash, &given).ok()?;
    let predictions = case.outlook(&|_| None).predictions;
    let of_subject = |metric: Metric| subject.predictions.iter().any(|own| own.metric == metric);
    let exact =
        predictions.into_iter().find(|one| one.kind == Kind::Exact && of_subject(one.metric));
    exact.map(|prediction| prediction.metric)
}
