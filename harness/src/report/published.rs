//! What the document printed, beside what was found here.

use std::fmt;

use loadfactor_schemes::families;
use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::prediction::Prediction;

use super::points::points_of;
use super::results::Results;
use crate::definition::{Counterpart, Published};
use crate::estimate::comparison::Subject;
use crate::estimate::interval::half_width;

/// Distance below which two numbers are the same but for rounding, as 1/3 and its decimals.
const ROUNDING: f64 = 1e-9;

/// Whether a printed value is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Within half a unit of the last printed digit and, for a measurement, the confidence
    /// interval.
    Agrees,
    /// Further away.
    Differs,
    /// Nothing to compare with in this run.
    Missing,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "differs",
            Agreement::Missing => "not run",
        })
    }
}

/// One printed value and ours.
#[derive(Debug, Clone)]
pub struct PublishedRow<'r> {
    /// What was printed.
    pub published: &'r Published,
    /// Ours.
    pub ours: Option<f64>,
    /// Half-width of our 95 % confidence interval, for a measurement.
    pub half_width: Option<f64>,
    /// Whether the two are the same at the printed precision.
    pub verdict: Agreement,
    /// The parameters that it speaks of, as text.
    pub at: String,
}

/// Every printed value with its counterpart, in the order of the file.
pub fn published_rows<'r>(results: &'r Results<'_>) -> Vec<PublishedRow<'r>> {
    results.experiment.published.iter().map(|published| row(results, published)).collect()
}

fn row<'r>(results: &'r Results<'_>, published: &'r Published) -> PublishedRow<'r> {
    let curve = families::families().find_map(|family| family.curve(&published.series));
    let (ours, half_width) = match curve {
        Some(curve) => (on_curve(results, published, curve), None),
        None => at_point(results, published),
    };
    let slack = published.half_unit + half_width.unwrap_or(0.0);
    let verdict = match ours {
        None => Agreement::Missing,
        Some(ours) if (ours - published.value).abs() <= slack + ROUNDING => Agreement::Agrees,
        Some(_) => Agreement::Differs,
    };
    let at = published.at.iter().map(|(name, value)| format!("{name} = {value}"));
    PublishedRow { published, ours, half_width, verdict, at: at.collect::<Vec<_>>().join(", ") }
}

fn on_curve(results: &Results<'_>, published: &Published, curve: &CurveInfo) -> Option<f64> {
    let x = published.at.number(&curve.x.to_string()).ok()?;
    results.subjects.iter().find_map(|subject| subject.case.curve(curve.name, x))
}

/// The first point that the value speaks of.
fn subject<'r>(results: &'r Results<'_>, published: &Published) -> Option<&'r Subject> {
    let experiment = results.experiment;
    let series = experiment.series.iter().position(|label| *label == published.series)?;
    let speaks = |&point: &usize| published.speaks_of(&published.series, &experiment.points[point]);
    points_of(experiment, series).find(speaks).map(|point| &results.subjects[point])
}

fn at_point(results: &Results<'_>, published: &Published) -> (Option<f64>, Option<f64>) {
    let Some(subject) = subject(results, published) else { return (None, None) };
    match published.counterpart {
        Counterpart::Measured => {
            let moments = subject.moments(published.metric);
            (moments.and_then(|m| m.mean()), moments.and_then(half_width))
        }
        Counterpart::Predicted(kind) => {
            let same = |p: &&Prediction| p.metric == published.metric && p.kind == kind;
            (subject.predictions.iter().find(same).map(|prediction| prediction.value), None)
        }
    }
}
