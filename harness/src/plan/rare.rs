//! Rare events as points of an experiment.

use loadfactor_schemes::rare::metrics::EVENT_PROBABILITY;

use super::Plan;
use crate::definition::Experiment;
use crate::estimate::comparison::{Subject, compare};
use crate::estimate::verdict::Verdict;

const TABLE: &str = r#"
title = "t"
trials = 10
[workload]
kind = "static-fill"
estimator = "splitting"
event = "overflow_elements"
beyond = 18
particles = 2
[point]
elements = 20
buckets = 20
bucket_size = 1
[[series]]
label = "SINGLE"
scheme = "single"
"#;

/// What the first point measures and how it compares with its predictions.
fn verdicts(text: &str, trials: u64) -> (Subject, Vec<Verdict>) {
    let experiment = Experiment::from_text("rare", text).unwrap();
    let plan = Plan::new(&experiment, None).unwrap();
    let point = &plan.points[0];
    let subject = Subject {
        point: 0,
        identity: point.identity,
        case: std::sync::Arc::clone(&point.case),
        measured: point.run_trials(0..trials),
        batches: Vec::new(),
        predictions: point.outlook().predictions,
    };
    let rows = compare(std::slice::from_ref(&subject), 0.5);
    (subject, rows.iter().map(|row| row.verdict).collect())
}

/// All 20 elements in one bucket: two particles do not come to that, and nothing is said of it.
#[test]
fn a_level_that_nothing_reaches_decides_nothing() {
    let (subject, verdicts) = verdicts(TABLE, 10);
    assert_eq!(subject.mean(EVENT_PROBABILITY), Some(0.0));
    assert!(subject.predictions[0].value > 0.0);
    assert_eq!(verdicts, [Verdict::Undecided]);
    let interval = subject.interval(EVENT_PROBABILITY).unwrap();
    assert!(interval.low == 0.0 && interval.high > 0.1, "{interval:?}");
}

#[test]
fn a_probability_of_one_in_a_million_meets_the_exact_tail() {
    let text =
        TABLE.replace("beyond = 18", "beyond = 13").replace("particles = 2", "particles = 300");
    let (subject, verdicts) = verdicts(&text, 60);
    let exact = subject.predictions[0].value;
    assert!((1e-7..1e-5).contains(&exact), "{exact}");
    assert_eq!(verdicts, [Verdict::Agrees]);
}

/// Points without an estimator have neither its parameters nor its metrics.
#[test]
fn trials_without_an_event_are_as_they_were() {
    let plain: String = TABLE
        .lines()
        .filter(|line| {
            !["estimator", "event", "beyond", "particles"].iter().any(|key| line.starts_with(key))
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let experiment = Experiment::from_text("plain", &plain).unwrap();
    let params = &experiment.points[0].params;
    assert!(
        ["estimator", "event", "beyond", "ever", "particles"]
            .iter()
            .all(|key| params.get(key).is_none())
    );
    let (subject, _) = verdicts(&plain, 2);
    assert!(subject.moments(EVENT_PROBABILITY).is_none());
}

/// A parameter of the estimator that stands alone, or an event that is none, is a mistake in its place.
#[test]
fn what_asks_for_no_event_is_refused() {
    let mistake = |from: &str, to: &str| {
        Experiment::from_text("rare", &TABLE.replace(from, to)).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("estimator = \"splitting\"\n", "", "has no effect without `estimator`"),
        ("beyond = 18\n", "", "`beyond`: missing"),
        ("\"splitting\"", "\"plain\"", "has no effect with `estimator = \"plain\"`"),
        ("overflow_elements", "overflow_elemnts", "`overflow_elemnts` is not the name of a metric"),
    ] {
        let error = mistake(from, to);
        assert!(error.contains(expected), "{error}");
    }
}
