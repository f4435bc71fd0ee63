//! What theory says between two neighbouring points of a sweep.
//!
//! There is something between two points when all parameters in which they differ are continuous: real
//! numbers, lists of as many of them, and whole numbers that count many things. A line of predictions is
//! drawn through what is computed there, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use loadfactor_schemes::families;
use loadfactor_schemes::family::AxisKind;
use loadfactor_schemes::params::{Params, Scalar};

use crate::definition::{Experiment, Point, declared};
use crate::estimate::comparison::Subject;
use crate::run::Identity;

/// Predictions between points that an experiment may cost, about. Some take tens of milliseconds.
const COMPUTED: usize = 360;

/// Steps between two points, at least and at most.
const STEPS: (usize, usize) = (3, 12);

/// From so many points on, a sweep is as dense as a line needs it to be.
const DENSE: usize = 2_000;

/// How the values between two others are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spacing {
    /// Equal differences.
    Even,
    /// Equal ratios.
    Geometric,
}

/// A point that nothing was measured at.
#[derive(Debug, Clone)]
pub(super) struct Between {
    pub(super) point: Point,
    pub(super) subject: Subject,
}

/// Two points, and how what lies between them is spaced.
type Gap = (usize, usize, Spacing);

/// The predictions between the points of an experiment, each computed once, although several figures show it.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    asked: Mutex<BTreeSet<Gap>>,
    known: BTreeMap<Gap, Option<Vec<Between>>>,
}

impl Gaps {
    /// All gaps that `ask` asks for, computed in parallel. While it asks, nothing is known yet; were they computed as
    /// they are met, one figure would wait for what another computes.
    pub(super) fn new(experiment: &Experiment, ask: impl FnOnce(&Self)) -> Self {
        let asking = Self::default();
        ask(&asking);
        let asked = asking.asked.into_inner().unwrap_or_else(PoisonError::into_inner);
        let steps = steps(experiment.points.len());
        let known = asked.into_par_iter().map(|gap| (gap, computed(experiment, gap, steps)));
        Self { asked: Mutex::default(), known: known.collect() }
    }

    /// What lies between two points, from the first to the second; `None` where nothing does.
    pub(super) fn between(&self, a: usize, b: usize, spacing: Spacing) -> Option<&[Between]> {
        let gap = (a, b, spacing);
        if let Some(known) = self.known.get(&gap) {
            return known.as_deref();
        }
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(gap);
        None
    }
}

/// Into how many steps the gap between two of so many points is divided.
fn steps(points: usize) -> usize {
    let (least, most) = STEPS;
    match points {
        DENSE.. => 1,
        points => (COMPUTED / points.max(1)).clamp(least, most),
    }
}

fn computed(experiment: &Experiment, (a, b, spacing): Gap, steps: usize) -> Option<Vec<Between>> {
    let (a, b) = (&experiment.points[a], &experiment.points[b]);
    let same = (&a.scheme, &a.hash, &a.workload) == (&b.scheme, &b.hash, &b.workload);
    if !same || !is_continuous(&a.scheme, &a.params, &b.params) {
        return None;
    }
    let at = |share| {
        let params = between(&a.params, &b.params, share, spacing);
        (params != a.params && params != b.params).then_some(params)
    };
    // Nothing lies between two neighbouring whole numbers.
    at(0.5)?;
    let shares = (1..steps).map(|step| step as f64 / steps as f64);
    let points: Vec<Params> = shares.filter_map(at).collect();
    Some(points.into_par_iter().filter_map(|params| predicted(a, params)).collect())
}

/// The point with these parameters, if they go together, and its predictions.
fn predicted(like: &Point, params: Params) -> Option<Between> {
    let given: Vec<(&str, Scalar)> = params.iter().map(|(name, x)| (name, x.clone())).collect();
    let case = families::case(&like.scheme, &like.workload, &like.hash, &given).ok()?.into();
    let point = Point { params, case, ..like.clone() };
    let predictions = point.case.outlook(&|_| None).predictions;
    let case = point.case.clone();
    // No point of the experiment: its number is that of none.
    let (identity, measured) = (Identity::default(), Vec::new());
    let subject =
        Subject { point: usize::MAX, identity, case, measured, batches: Vec::new(), predictions };
    Some(Between { point, subject })
}

/// Whether there is something between each two values of parameters that differ.
fn is_continuous(scheme: &str, a: &Params, b: &Params) -> bool {
    let names =
        |params: &Params| params.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    names(a) == names(b)
        && a.iter().all(|(name, from)| b.get(name).is_some_and(|to| joins(scheme, name, from, to)))
}

fn joins(scheme: &str, name: &str, from: &Scalar, to: &Scalar) -> bool {
    let counts_many = || declared(scheme, name).is_some_and(|axis| axis.kind != AxisKind::Discrete);
    match (from, to) {
        _ if from == to => true,
        (Scalar::Number(_), Scalar::Number(_)) => true,
        (Scalar::Integer(_), Scalar::Integer(_)) => counts_many(),
        (Scalar::Word(from), Scalar::Word(to)) => {
            let [from, to] = [from, to].map(|text| numbers(text));
            from.zip(to).is_some_and(|(from, to)| from.len() == to.len())
        }
        _ => false,
    }
}

/// The parameters so far from the first to the second.
fn between(a: &Params, b: &Params, share: f64, spacing: Spacing) -> Params {
    let mut params = a.clone();
    for (name, from) in a.iter() {
        if let Some(to) = b.get(name).filter(|to| *to != from) {
            params.set(name, value(from, to, share, spacing));
        }
    }
    params
}

fn value(from: &Scalar, to: &Scalar, share: f64, spacing: Spacing) -> Scalar {
    let between = |from: f64, to: f64| match spacing {
        Spacing::Geometric if from > 0.0 && to > 0.0 => from * (to / from).powf(share),
        _ => from + (to - from) * share,
    };
    match (from, to) {
        (Scalar::Integer(from), Scalar::Integer(to)) => {
            Scalar::Integer(between(*from as f64, *to as f64).round() as i64)
        }
        (Scalar::Number(from), Scalar::Number(to)) => Scalar::Number(between(*from, *to)),
        (Scalar::Word(from), Scalar::Word(to)) => {
            let [from, to] = [from, to].map(|text| numbers(text).unwrap_or_default());
            let list = from.iter().zip(&to).map(|(&from, &to)| between(from, to).to_string());
            Scalar::Word(list.collect::<Vec<_>>().join(" "))
        }
        _ => from.clone(),
    }
}

/// The numbers of a list in one text; `None` for any other word, and for whole numbers, which are sizes
/// that must come out even.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let is_decimal = text.contains('.');
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    numbers.filter(|numbers| is_decimal && !numbers.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;

    fn experiment(point: &str) -> Experiment {
        let text = format!(
            "title = \"t\"\ntrials = 10\n[workload]\nkind = \"static-fill\"\n[point]\n{point}\n\
             [[series]]\nlabel = \"a\"\nscheme = \"multiple\"\n"
        );
        Experiment::from_text("test", &text).unwrap()
    }

    fn gaps(experiment: &Experiment, asked: &[Gap]) -> Gaps {
        Gaps::new(experiment, |gaps| {
            for &(a, b, spacing) in asked {
                assert!(gaps.between(a, b, spacing).is_none(), "nothing is known yet");
            }
        })
    }

    fn is_empty(experiment: &Experiment, (a, b, spacing): Gap) -> bool {
        gaps(experiment, &[(a, b, spacing)]).between(a, b, spacing).is_none()
    }

    /// The overflow falls with the load: between two points it lies between theirs, and no two are equal.
    #[test]
    fn a_real_number_has_predictions_between_its_values() {
        let experiment = experiment("buckets = 1024\nchoices = 2\nload = [0.5, 0.9]");
        let gaps = gaps(&experiment, &[(0, 1, Spacing::Even)]);
        let inner = gaps.between(0, 1, Spacing::Even).unwrap();
        let overflow = |predictions: &[loadfactor_schemes::prediction::Prediction]| {
            predictions.iter().find(|p| p.metric == OVERFLOW_FRACTION).unwrap().value
        };
        let ends = [0, 1]
            .map(|i: usize| overflow(&experiment.points[i].case.outlook(&|_| None).predictions));
        let mut all: Vec<f64> = inner.iter().map(|b| overflow(&b.subject.predictions)).collect();
        assert_eq!(all.len(), STEPS.1 - 1);
        all.insert(0, ends[0]);
        all.push(ends[1]);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
    }

    #[test]
    fn choices_bucket_sizes_and_words_have_nothing_between_them() {
        for sweep in ["choices = [2, 4]\nbucket_size = 1", "choices = 2\nbucket_size = [1, 4]"] {
            let experiment = experiment(&format!("buckets = 1024\nload = 0.9\n{sweep}"));
            assert!(is_empty(&experiment, (0, 1, Spacing::Even)), "{sweep}");
        }
        let experiment =
            experiment("buckets = 1024\nload = 0.9\nchoices = 2\nsub_tables = [false, true]");
        assert!(is_empty(&experiment, (0, 1, Spacing::Even)));
    }

    #[test]
    fn neighbouring_whole_numbers_have_nothing_between_them() {
        let experiment = experiment("choices = 2\nload = 0.5\nbuckets = [2, 3, 8]");
        assert!(is_empty(&experiment, (0, 1, Spacing::Geometric)));
        assert!(!is_empty(&experiment, (1, 2, Spacing::Geometric)));
    }

    #[test]
    fn counts_of_many_things_and_lists_go_from_one_value_to_the_next() {
        let [from, to] = [100, 10_000].map(Scalar::Integer);
        assert_eq!(value(&from, &to, 0.5, Spacing::Geometric), Scalar::Integer(1000));
        let lists = ["0.2 0.1", "0.4 0.1"].map(Scalar::from);
        assert!(joins("multiple", "buckets_per_element", &lists[0], &lists[1]));
        let Scalar::Word(text) = value(&lists[0], &lists[1], 0.5, Spacing::Even) else { panic!() };
        let middle = numbers(&text).unwrap();
        assert!((middle[0] - 0.3).abs() < 1e-12 && (middle[1] - 0.1).abs() < 1e-12);
        assert!(!joins("multiple", "sub_table_buckets", &"20 10".into(), &"40 10".into()));
    }
}
