//! A definition that is timed.

use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
use loadfactor_schemes::timed::{Answers, Operation};

use super::measure::Full;
use super::*;
use crate::definition::Experiment;

/// Two filters at two sizes.
pub(super) const DEFINITION: &str = r#"
title = "Two filters"
[workload]
kind    = "membership"
queries = 1000
[point]
hash    = "xxh3"
choices = 3
bits    = [1000, 2000]
bits_per_element = 10
[[series]]
label  = "standard"
scheme = "bloom-filter"
[[series]]
label  = "partitioned"
scheme = "partitioned-bloom-filter"
[time]
operations   = ["miss", "insert"]
samples      = 6
layouts      = 2
milliseconds = 0.02
"#;

/// A table whose ties are broken by chance, of which every operation is timed, and one without chance.
pub(super) const TABLES: &str = r#"
title = "Two tables"
[workload]
kind = "static-fill"
[point]
hash        = "xxh3"
choices     = 2
load        = 0.9
buckets     = 100
bucket_size = 2
[[series]]
label  = "d-random"
scheme = "d-random"
[[series]]
label  = "MULTIPLE"
scheme = "multiple"
[time]
samples      = 6
layouts      = 2
milliseconds = 0.02
"#;

#[test]
fn a_definition_of_trials_is_not_timed() {
    let text = DEFINITION.split("[time]").next().unwrap().replacen("title", "trials = 3\ntitle", 1);
    let experiment = Experiment::from_text("untimed", &text).unwrap();
    let error = TimedPlan::new(&experiment, None).unwrap_err();
    insta::assert_snapshot!(error, @"untimed has no `[time]`: its trials are run with `loadfactor run untimed`");
}

#[test]
fn a_structure_without_keys_is_not_timed() {
    let experiment = Experiment::from_text("drawn", &DEFINITION.replace("xxh3", "random")).unwrap();
    let error = TimedPlan::new(&experiment, None).unwrap_err();
    insta::assert_snapshot!(error, @r#"the series `standard` has nothing to time: with `hash = "random"` no key decides where an element goes; give it a hash function of keys, such as `hash = "xxh3"`"#);
}

#[test]
fn misses_of_nothing_are_refused() {
    let text = DEFINITION.replace("queries = 1000", "queries = 0");
    let experiment = Experiment::from_text("unasked", &text).unwrap();
    let error = TimedPlan::new(&experiment, None).unwrap_err();
    insta::assert_snapshot!(error, @"the series `standard`: `miss` cannot be timed: there is no absent key to ask for: set `workload.queries`, with a trace store fewer elements than it has distinct keys, or leave `miss` out of `time.operations`");
    let text = text.replace("[\"miss\", \"insert\"]", "[\"hit\"]");
    let experiment = Experiment::from_text("unasked", &text).unwrap();
    TimedPlan::new(&experiment, None).unwrap();
}

/// Layouts of one seed are not those of the next seed, one place further.
#[test]
fn each_seed_has_layouts_of_its_own() {
    let answers = |seed: u64, layout| {
        let text = format!("seed = {seed}\n{DEFINITION}").replace("1000, 2000", "4000");
        let experiment = Experiment::from_text("timed", &text).unwrap();
        let plan = TimedPlan::new(&experiment, None).unwrap();
        let mut structure = plan.structure(0, layout).unwrap();
        structure.run(Operation::Insert, structure.elements());
        structure.answers().positive
    };
    let of = |seed| (0..8).map(|layout| answers(seed, layout)).collect::<Vec<_>>();
    assert_eq!(of(1), of(1));
    assert_ne!(of(1)[1..], of(2)[..7]);
}

/// What is measured where one operation of a structure takes this long.
pub(super) fn measured(factor: f64) -> Measured {
    let sampled = |operation, times: [f64; 3]| Sampled {
        operation,
        count: 1000,
        layouts: vec![times.to_vec(), times.map(|time| 1.01 * time).to_vec()],
    };
    Measured {
        sampled: vec![
            sampled(Operation::Insert, [8.5; 3].map(|t| factor * t)),
            sampled(Operation::Miss, [4.0; 3].map(|t| factor * t)),
        ],
        elements: 200,
        full: Full {
            bytes: 256,
            answers: Answers { asked: 2000, positive: 17 },
            measured: Vec::new(),
        },
    }
}

/// The rows of two made structures at the second place of a plan.
fn made_rows(plan: &TimedPlan<'_>) -> Vec<Row> {
    rows(plan, &plan.places[1], &[measured(1.0), measured(1.5)])
}

/// Rows as a person, a program and a file have them, with made samples.
#[test]
fn rows_are_written_and_read_back() {
    let experiment = Experiment::from_text("timed", DEFINITION).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let all = made_rows(&plan);
    insta::assert_snapshot!(text(&all), @"
    insert, 200 elements, bits = 2000: ns per operation
      standard     8.5 (8.0 to 9.1)     baseline            0.85 % yes to absent keys
      partitioned  12.8 (12.0 to 13.6)  × 1.5 (1.5 to 1.5)  0.85 % yes to absent keys

    miss, 200 elements, bits = 2000: ns per operation
      standard     4.0 (3.8 to 4.3)  baseline            0.85 % yes to absent keys
      partitioned  6.0 (5.7 to 6.4)  × 1.5 (1.5 to 1.5)  0.85 % yes to absent keys
    ");
    let sandbox = tempfile::tempdir().unwrap();
    let path = |name| sandbox.path().join(name);
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2, beside: None };
    let both = [[1.0, 1.5], [1.0, 1.0]].map(|times| times.map(measured).into());
    for beside in [Some(paired_rows(&plan, &plan.places[1], &both)), None] {
        let folder = MeasurementFolder::take(sandbox.path()).unwrap();
        let timings = Timings { rows: all.clone(), beside };
        folder.write(&plan, &timings, &circumstances).unwrap();
        assert_eq!(path(BESIDE).exists(), timings.beside.is_some());
        assert!(!path("figure-time.svg").exists(), "it shows an earlier measurement");
        assert_eq!(folder.finish(&plan, &all, &circumstances).unwrap(), None);
        assert!(path("figure-time.svg").exists());
    }
    assert_eq!(read(&path(TIMINGS)).unwrap(), all);
    let history = std::fs::read_to_string(path("timings-history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 2 * all.len());
}

/// Tables are held against each other by what overflows, and a column tells which metric that is.
#[test]
fn what_is_measured_of_full_structures_is_told() {
    let experiment = Experiment::from_text("timed", TABLES).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let of = |overflow: f64| Measured {
        sampled: vec![Sampled {
            operation: Operation::Miss,
            count: 1000,
            layouts: vec![vec![5.0; 3], vec![7.0; 3]],
        }],
        elements: 180,
        full: Full {
            bytes: 4096,
            answers: Answers { asked: 360, positive: 0 },
            measured: vec![(OVERFLOW_FRACTION, overflow), (OVERFLOW_FRACTION, 3.0 * overflow)],
        },
    };
    let all = rows(&plan, &plan.places[0], &[of(0.005), of(0.02)]);
    insta::assert_snapshot!(text(&all), @"
    miss, 180 elements: ns per operation
      d-random  6 (1 to 50)  baseline      overflow_fraction 0.01
      MULTIPLE  6 (1 to 50)  × 1 (1 to 1)  overflow_fraction 0.04
    ");
    let sandbox = tempfile::tempdir().unwrap();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2, beside: None };
    let folder = MeasurementFolder::take(sandbox.path()).unwrap();
    let timings = Timings { rows: all.clone(), beside: None };
    folder.write(&plan, &timings, &circumstances).unwrap();
    assert_eq!(folder.finish(&plan, &all, &circumstances).unwrap(), None);
    let drawn = std::fs::read_to_string(sandbox.path().join("figure-time.svg")).unwrap();
    assert!(drawn.contains("Overflow fraction") && !drawn.contains("error bars"));
    let timings = std::fs::read_to_string(sandbox.path().join(TIMINGS)).unwrap();
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let last: Vec<String> = timings.lines().filter_map(|line| columns(line).pop()).collect();
    assert_eq!(last, ["value", "0.01", "0.04"]);
}

#[test]
fn the_record_says_what_was_measured() {
    let mut experiment = Experiment::from_text("timed", DEFINITION).unwrap();
    experiment.timing.as_mut().unwrap().samples = 9;
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2, beside: None };
    let record = record::record(&plan, &circumstances);
    insta::assert_snapshot!(record["time"], @r#"{"baseline":"standard","layouts":2,"milliseconds":0.02,"operations":["insert","miss"],"samples":9}"#);
}

/// Places of the same size that differ in something else.
#[test]
fn each_place_has_its_words_in_the_figure() {
    let text =
        DEFINITION.replace("choices = 3", "choices = [3, 7]").replace("[1000, 2000]", "2000");
    let experiment = Experiment::from_text("timed", &text).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let of_place = |place: &Place| rows(&plan, place, &[measured(1.0), measured(1.5)]);
    let all: Vec<Row> = plan.places.iter().flat_map(of_place).collect();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2, beside: None };
    let [(_, svg), ..] = figure::pictures(&plan, &all, &circumstances).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    for label in ["standard, choices = 3", "standard, choices = 7", "partitioned, choices = 7"] {
        assert!(svg.contains(label), "{label}");
    }
}
