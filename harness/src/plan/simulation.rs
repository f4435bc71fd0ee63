//! Simulations against exact results, and against themselves.

use std::sync::Arc;

use loadfactor_schemes::keys::TraceKeys;
use loadfactor_schemes::math::poisson;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::metric::common;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;

use super::{KeySource, Plan, PointPlan};
use crate::definition::Experiment;
use crate::estimate::moments::Moments;

/// Standard errors that a mean of independent trials may be away from an exact prediction. Each
/// experiment below has up to 200 rows and a fixed seed.
const STANDARD_ERRORS: f64 = 4.5;

fn experiment(text: &str) -> Experiment {
    Experiment::from_text("exact", text).unwrap()
}

fn moments(measured: &[(Metric, Moments)], metric: Metric) -> Moments {
    measured.iter().find(|(found, _)| *found == metric).unwrap_or_else(|| panic!("{metric}")).1
}

/// Runs every point and holds what it measures against its predictions of this kind, but for those
/// of what is too rare to be seen; how many.
fn meets(text: &str, trials: u64, kind: Kind) -> usize {
    let experiment = experiment(text);
    let plan = Plan::new(&experiment, None).unwrap();
    let mut rows = 0;
    for point in &plan.points {
        let measured = point.run_trials(0..trials);
        let seen =
            |p: &&Prediction| p.kind == kind && (p.value == 0.0 || p.value * trials as f64 > 1.0);
        for prediction in point.outlook().predictions.iter().filter(seen) {
            agrees(point, &measured, prediction);
            rows += 1;
        }
    }
    rows
}

fn agrees(point: &PointPlan, measured: &[(Metric, Moments)], prediction: &Prediction) {
    let Prediction { metric, value, allowance, .. } = *prediction;
    let moments = moments(measured, metric);
    let (mean, error) = (moments.mean().unwrap(), moments.std_error().unwrap());
    let room = STANDARD_ERRORS * error + allowance + 1e-9;
    let case = &point.case;
    assert!((mean - value).abs() <= room, "{case:?}: {metric} {mean} ± {error}, not {value}");
}

const SCHEMES: &str = r#"
[[series]]
label = "SINGLE"
scheme = "single"
bucket_size = [1, 3]
insertion_probability = [1.0, 0.7]
[[series]]
label = "single slots"
scheme = "multiple"
choices = 3
[[series]]
label = "least loaded"
scheme = "d-random"
choices = 2
"#;

fn with_schemes(workload: &str) -> String {
    format!(
        "title = \"t\"\ntrials = 10\n[workload]\n{workload}\n[point]\nbuckets = 8\nelements = 12\n{SCHEMES}"
    )
}

/// Theorem 2: the same stationary law as alternation, from lifetimes of each element's own.
#[test]
fn continuous_time_has_the_law_of_alternation() {
    let text = with_schemes("kind = \"continuous\"\nduration = 20\nwarm_up = 10");
    assert!(meets(&text, 400, Kind::Exact) > 30);
}

#[test]
fn an_open_system_is_erlangs() {
    for start in ["filled", "empty"] {
        let workload = format!("kind = \"open\"\nduration = 20\nwarm_up = 15\nstart = \"{start}\"");
        assert!(meets(&with_schemes(&workload), 400, Kind::Exact) > 30);
    }
}

/// One element on average: the table has room for more than it was made for.
#[test]
fn an_open_system_grows_beyond_its_mean() {
    let text =
        with_schemes("kind = \"open\"\nduration = 50").replace("elements = 12", "elements = 1");
    assert!(meets(&text, 400, Kind::Exact) > 30);
}

#[test]
fn relaxation_follows_the_exact_chains() {
    for start in ["filled", "overflow-list"] {
        let workload =
            format!("kind = \"relaxation\"\ntime = [0, 0.25, 1, 4]\nstart = \"{start}\"");
        // With five trials element by element, with ten in lockstep.
        let text = with_schemes(&workload);
        for text in [text.replace("trials = 10", "trials = 5"), text] {
            assert_eq!(meets(&text, 4000, Kind::Exact), 96);
        }
    }
}

#[test]
fn relaxation_follows_the_fluid_limits() {
    let text = with_schemes(
        "kind = \"relaxation\"\ntime = [0, 0.5, 2]\nstart = [\"filled\", \"overflow-list\"]",
    )
    .replace("buckets = 8\nelements = 12", "buckets = 128\nload = 0.9\nbucket_size = 2");
    assert_eq!(meets(&text, 1000, Kind::Asymptotic), 60);
}

/// At a single moment nothing arrives: quantities per arrival have no value, rather than a wrong one.
#[test]
fn a_single_moment_has_no_arrivals() {
    let experiment = experiment(&with_schemes("kind = \"relaxation\"\ntime = 1"));
    let plan = Plan::new(&experiment, None).unwrap();
    for (metric, moments) in plan.points[0].run_trials(0..3) {
        assert_eq!((moments.count(), moments.mean().unwrap().is_finite()), (3, true), "{metric}");
    }
}

const QUEUE: &str = r#"
title = "t"
trials = 10
[workload]
kind = "on-off"
flows = 6
rate = 0.12
burst = 2.5
warm_up = 500
slots = 20_000
bin_width = 3
largest = 11
[point]
buckets = 6
bucket_size = 2
[[series]]
label = "SINGLE"
scheme = "single"
[[series]]
label = "MULTIPLE"
scheme = "multiple"
choices = 2
"#;

#[test]
fn the_number_in_the_system_has_the_law_of_the_queue() {
    assert_eq!(meets(QUEUE, 300, Kind::Exact), 2 * (2 + 4));
}

/// The measured heuristic weighs the same constant loads with what chance made of the law.
#[test]
fn the_measured_heuristic_has_the_mean_of_the_predicted_one() {
    let experiment = experiment(QUEUE);
    let plan = Plan::new(&experiment, None).unwrap();
    for point in &plan.points {
        let measured = point.run_trials(0..300);
        let outlook = point.outlook();
        let heuristic = |p: &&Prediction| p.metric == metrics::HEURISTIC_OVERFLOW_ELEMENTS;
        agrees(point, &measured, outlook.predictions.iter().find(heuristic).unwrap());
    }
}

/// Whoever never tries the table is on the list: its length is the number in the system.
#[test]
fn without_insertions_all_elements_overflow() {
    let text = QUEUE.replace("buckets = 6", "buckets = 6\ninsertion_probability = 0.0");
    let experiment = experiment(&text);
    let plan = Plan::new(&experiment, None).unwrap();
    let measured = plan.points[0].run_trials(0..5);
    let mean = |metric| moments(&measured, metric).mean().unwrap();
    assert_eq!(mean(metrics::OVERFLOW_ELEMENTS), mean(metrics::SYSTEM_ELEMENTS));
    for metric in [metrics::OVERFLOW_FRACTION, metrics::overflow_fraction_at(3)] {
        assert_eq!((mean(metric), moments(&measured, metric).variance()), (1.0, Some(0.0)));
    }
    let predicted = plan.points[0].outlook().predictions;
    let heuristic = predicted.iter().find(|p| p.metric == metrics::OVERFLOW_ELEMENTS).unwrap();
    let exact = predicted.iter().find(|p| p.metric == metrics::SYSTEM_ELEMENTS).unwrap();
    assert!((heuristic.value / exact.value - 1.0).abs() < 1e-9);
}

/// Numbers that no trial came to have no overflow fraction, and a share of 0.
#[test]
fn a_number_never_visited_has_no_overflow_fraction() {
    let experiment = experiment(&QUEUE.replace("largest = 11", "largest = 600"));
    let plan = Plan::new(&experiment, None).unwrap();
    let measured = plan.points[0].run_trials(0..5);
    assert_eq!(moments(&measured, metrics::system_share(600)).mean(), Some(0.0));
    assert!(measured.iter().all(|(metric, _)| *metric != metrics::overflow_fraction_at(600)));
}

/// Packets as keys, more elements than the table was made for, and the trace again and again.
#[test]
fn keys_of_a_trace_serve_a_varying_number_of_elements() {
    for text in [
        with_schemes("kind = \"open\"\nduration = 30").replace("elements = 12", "elements = 2"),
        QUEUE.replace("buckets = 6", "buckets = 1"),
    ] {
        let experiment = experiment(&text.replace("[point]", "[point]\nhash = \"xxh3\""));
        let plan = Plan::new(&experiment, None).unwrap();
        let keys: TraceKeys = [b"a", b"b", b"a", b"c"].map(|key| &key[..]).into_iter().collect();
        let mut point = plan.points.into_iter().next().unwrap();
        point.keys = KeySource::Trace { keys: Arc::new(keys), renew: false, shuffled: false };
        let measured = point.run_trials(0..5);
        let repeated = moments(&measured, common::REPEATED_KEY_FRACTION).mean().unwrap();
        assert!(repeated > 0.1 && repeated < 1.0, "{repeated}");
    }
}

/// Whoever never tries the table is on the list: of an open system it holds a Poisson number.
#[test]
fn the_law_of_a_poisson_number_is_measured() {
    let experiment = experiment(
        "title = \"t\"\ntrials = 10\n[workload]\nkind = \"open\"\nstart = \"empty\"\nwarm_up = 12\n\
         duration = 1\noverflow_law = 12\n[point]\nelements = 4\nbuckets = 1\n\
         insertion_probability = 0\n[[series]]\nlabel = \"SINGLE\"\nscheme = \"single\"",
    );
    let plan = Plan::new(&experiment, None).unwrap();
    let measured = plan.points[0].run_trials(0..4001);
    let variance = moments(&measured, metrics::OVERFLOW_VARIANCE);
    assert_eq!((variance.count(), plan.points[0].trials_per_batch % 2), (2000, 0));
    let law = (0..=12).map(metrics::overflow_at_most).zip(poisson::cumulative(4.0));
    for (metric, expected) in law.chain([(metrics::OVERFLOW_VARIANCE, 4.0)]) {
        let found = moments(&measured, metric);
        let room = STANDARD_ERRORS * found.std_error().unwrap() + 1e-3;
        assert!((found.mean().unwrap() - expected).abs() < room, "{metric}: not {expected}");
    }
}

const LEVELS: &str = r#"
title = "t"
trials = 10
[workload]
kind = "static-fill"
[point]
elements = 30
buckets = 24
choices = 3
[[series]]
label = "second chance"
scheme = "second-chance"
[[series]]
label = "MULTIPLE"
scheme = "multiple"
sub_tables = true
[[series]]
label = "cuckoo"
scheme = "cuckoo"
sub_tables = true
"#;

/// A mean is the sum of the shares of trials with more than 0, 1, … elements, and all sub-tables
/// with the overflow list hold all elements. Means do not depend on whether laws are asked for.
#[test]
fn laws_are_those_of_the_same_trials() {
    let laws =
        "kind = \"static-fill\"\noverflow_law = 30\nsub_table_law = 2\nlaw_from = 0\nlaw_to = 24";
    let with = experiment(&LEVELS.replace("kind = \"static-fill\"", laws));
    let without = experiment(LEVELS);
    let [with, without] = [&with, &without].map(|both| Plan::new(both, None).unwrap());
    for (with, without) in with.points.iter().zip(&without.points) {
        let (measured, plain) = (with.run_trials(0..50), without.run_trials(0..50));
        assert_eq!(measured[..plain.len()], plain);
        let mean = |metric| moments(&measured, metric).mean().unwrap();
        let above = |metric| 1.0 - mean(metric);
        let overflow: f64 = (0..=30).map(|k| above(metrics::overflow_at_most(k))).sum();
        let second: f64 = (0..=24).map(|x| above(metrics::sub_table_elements_at_most(x))).sum();
        let stored: f64 = (1..=3).map(|i| mean(metrics::sub_table_elements(i))).sum();
        assert!((overflow - mean(metrics::OVERFLOW_ELEMENTS)).abs() < 1e-9);
        assert!((second - mean(metrics::sub_table_elements(2))).abs() < 1e-9);
        assert!((stored + overflow - 30.0).abs() < 1e-9);
        assert!(mean(metrics::sub_table_variance(2)) > 0.0);
    }
}

const FILTERS: &str = r#"
title = "t"
trials = 10
[workload]
kind = "membership"
queries = 500
[point]
bits = 96
choices = 3
[[series]]
label = "standard"
scheme = "bloom-filter"
elements = [12, 40]
[[series]]
label = "partitioned"
scheme = "partitioned-bloom-filter"
bits_per_element = 4
[[series]]
label = "real hash"
scheme = "bloom-filter"
elements = 24
hash = ["xxh3", "siphash"]
workload = { keys = ["random", "sequential"] }
"#;

/// Drawn and counted keys, fully random and real hash functions.
#[test]
fn filters_are_as_exact_as_their_predictions() {
    assert_eq!(meets(FILTERS, 3000, Kind::Exact), 3 * 7);
}

/// What is in the filter is never asked for, and each absent packet once.
#[test]
fn filters_ask_for_the_packets_of_a_trace_that_are_absent() {
    let experiment = experiment(FILTERS);
    let plan = Plan::new(&experiment, None).unwrap();
    let names: Vec<[u8; 2]> = (0..30_u16).map(|key| (key % 20).to_be_bytes()).collect();
    let keys: Arc<TraceKeys> = Arc::new(names.iter().map(|name| &name[..]).collect());
    let mut point = plan.points.into_iter().next_back().unwrap();
    point.keys = KeySource::Trace { keys, renew: true, shuffled: false };
    let measured = point.run_trials(0..200);
    // The first 24 packets have all 20 keys: nothing is absent.
    assert!(measured.iter().all(|(metric, _)| metric.to_string() != "false_positive_rate"));
    let repeated = moments(&measured, common::REPEATED_KEY_FRACTION);
    assert_eq!(repeated.mean(), Some(4.0 / 24.0));
}

/// Families stand beside each other in one experiment, with a figure of a curve that one of them has.
#[test]
fn points_of_two_families_are_of_one_experiment() {
    let text = "title = \"t\"\ntrials = 10\n[workload]\nkind = \"alternation\"\nrounds = 100\n\
        [[series]]\nlabel = \"table\"\nscheme = \"single\"\nelements = 8\nbuckets = [4, 8]\n\
        [[series]]\nlabel = \"filter\"\nscheme = \"bloom-filter\"\nelements = 8\nbits = 64\nchoices = 2\n\
        workload = { kind = \"membership\", queries = 10 }\n";
    let experiment = experiment(text);
    let plan = Plan::new(&experiment, None).unwrap();
    let names = |point: &PointPlan| -> Vec<String> {
        point.run_trials(0..2).iter().map(|(metric, _)| metric.to_string()).collect()
    };
    assert!(names(&plan.points[0]).contains(&"overflow_fraction".to_owned()));
    let of_filters = ["false_positive_rate", "false_positive_rate_given_bits", "bits_set_fraction"];
    assert_eq!(names(&plan.points[2]), of_filters);
}
