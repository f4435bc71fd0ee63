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
    insta::assert_snapshot!(error, @r#"
    the series `standard` has nothing to time: with `hash = "random"` no key decides where an element goes; give it a hash function of keys, such as `hash = "xxh3"`
    "#);
}

/// Rows as a person, a program and a file have them, with made samples.
#[test]
fn rows_are_written_and_read_back() {
    let experiment = Experiment::from_text("timed", DEFINITION).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let sampled = |operation, times: [f64; 3]| Sampled {
        operation,
        count: 1000,
        layouts: vec![times.to_vec(), times.to_vec()],
    };
    let of = |factor: f64| Measured {
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
    };
    let all = rows(&plan, &plan.places[1], &[of(1.0), of(1.5)]);
    insta::assert_snapshot!(text(&all), @r"
    insert, 200 elements: ns per operation
      standard                  8.5            baseline  0.85 % yes to absent keys
      partitioned             12.75               × 1.5  0.85 % yes to absent keys

    miss, 200 elements: ns per operation
      standard                    4            baseline  0.85 % yes to absent keys
      partitioned                 6               × 1.5  0.85 % yes to absent keys
    ");
    let folder = tempfile::tempdir().unwrap();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2 };
    let written = || write(&plan, &all, &circumstances, folder.path()).unwrap();
    written();
    let (files, undrawn) = written();
    let names: Vec<_> = files.iter().filter_map(|path| path.file_name()).collect();
    insta::assert_snapshot!(format!("{names:?} {undrawn:?}"), @r#"["timings.csv", "timings.json", "figure-time.svg", "figure-time.pdf", "figure-time.png"] None"#);
    assert_eq!(read(&folder.path().join(TIMINGS)).unwrap(), all);
    let history = std::fs::read_to_string(folder.path().join("timings-history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 2 * all.len());
    std::fs::write(folder.path().join(TIMINGS), "a,b\n1,2\n").unwrap();
    let error = write(&plan, &all, &circumstances, folder.path()).unwrap_err();
    assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("timings.json"), "mine").unwrap();
    let error = write(&plan, &all, &circumstances, other.path()).unwrap_err();
    assert!(error.to_string().contains("the folder has no timings"), "{error}");
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
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
    insta::assert_snapshot!(text(&all), @r"
    miss, 180 elements: ns per operation
      d-random         6.0 ± 1.0            baseline  overflow_fraction 0.01
      MULTIPLE         6.0 ± 1.0                 × 1  overflow_fraction 0.04
    ");
    let folder = tempfile::tempdir().unwrap();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2 };
    let (_, undrawn) = write(&plan, &all, &circumstances, folder.path()).unwrap();
    assert_eq!(undrawn, None);
    let drawn = std::fs::read_to_string(folder.path().join("figure-time.svg")).unwrap();
    assert!(drawn.contains("Overflow fraction") && !drawn.contains("error bars"));
    let timings = std::fs::read_to_string(folder.path().join(TIMINGS)).unwrap();
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let last: Vec<String> = timings.lines().filter_map(|line| columns(line).pop()).collect();
    assert_eq!(last, ["value", "0.01", "0.04"]);
}

/// A file of before there were `metric` and `value` is one of timings all the same, and `compare` takes it.
#[test]
fn a_file_without_the_latest_columns_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(TIMINGS);
    let row = compare::made::row("A", 1.5);
    let text = String::from_utf8(table::csv(std::slice::from_ref(&row)).unwrap()).unwrap();
    let before: Vec<&str> = text.lines().filter_map(|line| line.rsplitn(3, ',').nth(2)).collect();
    assert!(before[0].ends_with(",false_positive_rate") && before[1].ends_with(",0.01"));
    std::fs::write(&path, before.join("\n")).unwrap();
    assert_eq!(read(&path).unwrap(), [row]);
}
