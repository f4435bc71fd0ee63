//! Derived quantities of measurements and predictions that are written down here.

use std::sync::Arc;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::Prediction;
use loadfactor_schemes::tables::metrics;

use super::*;
use crate::estimate::comparison::compare;
use crate::estimate::verdict::Verdict;

const METRIC: Metric = metrics::OVERFLOW_FRACTION;

/// Two series with loads 0.5 and 1.0 each.
fn experiment(derived: &str) -> Experiment {
    let text = format!(
        "title = \"t\"\ntrials = 10\n[workload]\nkind = \"static-fill\"\n\
         [point]\nbuckets = 64\nload = [0.5, 1.0]\n\
         [[series]]\nlabel = \"A\"\nscheme = \"single\"\n\
         [[series]]\nlabel = \"B\"\nscheme = \"multiple\"\nchoices = 2\n\
         [[derived]]\nname = \"it\"\n{derived}"
    );
    Experiment::from_text("test", &text).unwrap()
}

/// The rows, where these are the means at the four points and these the limits; NaN stands for none.
fn derived(derived: &str, means: [f64; 4], limits: [f64; 4]) -> Vec<DerivedRow> {
    let experiment = experiment(derived);
    let subject = |point: usize| Subject {
        point,
        identity: Default::default(),
        case: Arc::clone(&experiment.points[point].case),
        // Intervals of ± 0.011.
        measured: vec![(
            METRIC,
            [-0.014, 0.014].repeat(5).into_iter().map(|x| means[point] + x).collect(),
        )],
        batches: Vec::new(),
        predictions: Some(limits[point])
            .filter(|limit| !limit.is_nan())
            .map(|limit| Prediction::asymptotic(METRIC, limit, "test", 0.0))
            .into_iter()
            .collect(),
    };
    let subjects: Vec<Subject> = (0..4).map(subject).collect();
    derive(&experiment, &subjects, &compare(&subjects, experiment.largest_room)).0
}

const MEANS: [f64; 4] = [0.2, 0.4, 0.1, 0.3];
const LIMITS: [f64; 4] = [0.2, 0.4, 0.08, 0.32];

fn value(row: &DerivedRow) -> f64 {
    row.measured.unwrap().value
}

/// The first load with a limit of 0.2 might be the one that has no limit: that the theory says 1.0 would be untrue.
#[test]
fn an_extreme_behind_a_gap_in_the_predictions_is_not_predicted() {
    let least = "least = \"load\"\nseries = \"A\"\nwhere = \"overflow_fraction >= 0.2\"";
    let limit = |limits| derived(least, MEANS, limits)[0].prediction(Kind::Asymptotic);
    assert_eq!(limit([0.1, 0.4, 0.08, 0.32]), Some(1.0));
    assert_eq!(limit([f64::NAN, 0.4, 0.08, 0.32]), None);
    assert_eq!(limit([0.2, f64::NAN, 0.08, 0.32]), Some(0.5));
}

#[test]
fn a_ratio_is_of_means_and_of_predictions() {
    let ratio = "ratio = [\"A\", \"B\"]\nof = \"overflow_fraction\"\nat = { load = 0.5 }";
    let rows = derived(ratio, MEANS, LIMITS);
    assert!((value(&rows[0]) - 2.0).abs() < 1e-12);
    assert_eq!(rows[0].prediction(Kind::Asymptotic), Some(0.2 / 0.08));
}

/// The rooms of the two are some 0.045 each: by their slopes 1/0.08 and 0.2/0.08², 1.9 for the ratio, which
/// is far too much to decide anything of 2.5.
#[test]
fn a_ratio_is_judged_by_the_rooms_of_its_parts() {
    let ratio = "ratio = [\"A\", \"B\"]\nof = \"overflow_fraction\"\nat = { load = 0.5 }";
    let verdict = |means, limits| {
        let rows = derived(ratio, means, limits);
        let predicted = &rows[0].predicted[0];
        (predicted.room.unwrap().room, rows[0].verdict(predicted).unwrap())
    };
    let (room, close) = verdict(MEANS, LIMITS);
    assert!((1.8..2.1).contains(&room), "{room}");
    assert_eq!(close, Verdict::Undecided);
    let (_, far) = verdict([0.5, 0.4, 0.1, 0.3], LIMITS);
    assert_eq!(far, Verdict::Differs);
}

#[test]
fn an_order_holds_by_steps() {
    let order = "order = [\"B\", \"A\"]\nof = \"overflow_fraction\"\nat = { load = 1 }";
    let rows = derived(order, MEANS, LIMITS);
    assert_eq!((value(&rows[0]), rows[0].prediction(Kind::Asymptotic)), (0.0, Some(0.0)));
}

#[test]
fn the_largest_error_tells_where_it_is() {
    let largest = derived("largest_error = \"overflow_fraction\"", MEANS, LIMITS);
    let relative = derived("largest_relative_error = \"overflow_fraction\"", MEANS, LIMITS);
    let few = "largest_relative_error = \"overflow_fraction\"\nwhere = \"predicted > 0.1\"";
    let few = derived(few, MEANS, LIMITS);
    for (rows, error, load) in [(largest, 0.02, 1.0), (relative, 0.25, 0.5), (few, 0.0625, 1.0)] {
        assert!((value(&rows[0]) - error).abs() < 1e-9, "{rows:?}");
        assert_eq!((rows[1].quantity.as_str(), value(&rows[1])), ("load", load));
    }
}

#[test]
fn the_least_x_with_a_property_moves_with_its_means() {
    let least = "least = \"load\"\nseries = \"B\"\nwhere = \"overflow_fraction >= 0.09\"";
    let rows = derived(least, MEANS, LIMITS);
    assert_eq!((value(&rows[0]), rows[0].prediction(Kind::Asymptotic)), (0.5, Some(1.0)));
    assert_eq!(rows[0].measured.unwrap().half_width, Some(0.5));
}

#[test]
fn a_poisson_tail_is_exact() {
    let rows = derived("poisson_tail = [20, 64]", MEANS, LIMITS);
    let tail = rows[0].prediction(Kind::Exact).unwrap();
    assert!((tail / 1.3193e-15 - 1.0).abs() < 1e-4, "{tail}");
}

#[test]
fn a_family_that_computes_no_optimum_says_so() {
    let text = "optimum = \"space\"\nseries = \"A\"\nwhere = \"overflow_fraction <= 0.01\"";
    let (rows, failures) = derive(&experiment(text), &[subject_of(&experiment(text))], &[]);
    assert!(rows.is_empty());
    assert_eq!(failures, ["it: `single` has no sub-tables to be sized"]);
}

fn subject_of(experiment: &Experiment) -> Subject {
    let case = Arc::clone(&experiment.points[0].case);
    Subject {
        point: 0,
        identity: Default::default(),
        case,
        measured: Vec::new(),
        batches: Vec::new(),
        predictions: Vec::new(),
    }
}
