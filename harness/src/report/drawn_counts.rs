//! Exact values that a stream gives away by drawing its counts.
//!
//! The flow of each packet of a stream is drawn by default, so that counts differ from trial to trial; of the errors of a
//! sketch only bounds are then known. With the expected counts their law is known exactly.

use loadfactor_schemes::families;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;

use super::results::Results;
use crate::definition::Point;
use crate::estimate::comparison::Subject;

/// The parameter, the value by which only bounds are known, and the other one.
const COUNTS: [&str; 3] = ["counts", "drawn", "expected"];

/// The hint at the other value, where nothing but bounds is judged of a point that would have an exact prediction with it.
pub(super) fn hint(results: &Results<'_>) -> Option<String> {
    let [name, drawn, expected] = COUNTS;
    let points = &results.experiment.points;
    let subjects = results.subjects.iter();
    let of_bounds: Vec<(&Point, &Subject)> = subjects
        .map(|subject| (&points[subject.point], subject))
        .filter(|(point, subject)| {
            point.params.word(name).is_ok_and(|word| word == drawn) && has_only_bounds(subject)
        })
        .collect();
    let metric = of_bounds.first().and_then(|(point, subject)| exact_otherwise(point, subject))?;
    Some(format!(
        "only bounds are known of {} points with `{name} = \"{drawn}\"`: with `{name} = \"{expected}\"` under [workload], {metric} is predicted exactly",
        of_bounds.len()
    ))
}

fn has_only_bounds(subject: &Subject) -> bool {
    let is_bound = |kind: Kind| matches!(kind, Kind::LowerBound | Kind::UpperBound);
    !subject.predictions.is_empty() && subject.predictions.iter().all(|own| is_bound(own.kind))
}

/// A metric of the point that has an exact prediction with the other value.
fn exact_otherwise(point: &Point, subject: &Subject) -> Option<Metric> {
    let [name, _, expected] = COUNTS;
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
