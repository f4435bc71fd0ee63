//! A definition that is timed.

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
    insta::assert_snapshot!(error, @r#"the series `standard` has nothing to time: with `hash = "random"`, its structure keeps no keys; give it a hash function of keys, such as `hash = "xxh3"`, or another scheme"#);
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
            sampled(loadfactor_schemes::timed::Operation::Insert, [8.5; 3].map(|t| factor * t)),
            sampled(loadfactor_schemes::timed::Operation::Miss, [4.0; 3].map(|t| factor * t)),
        ],
        elements: 200,
        bytes: 256,
        answers: loadfactor_schemes::timed::Answers { asked: 2000, positive: 17 },
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
