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
    insta::assert_snapshot!(error, @"");
}

#[test]
fn a_structure_without_keys_is_not_timed() {
    let experiment = Experiment::from_text("drawn", &DEFINITION.replace("xxh3", "random")).unwrap();
    let error = TimedPlan::new(&experiment, None).unwrap_err();
    insta::assert_snapshot!(error, @"");
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
            sampled(
                loadfactor_schemes::timed::Operation::Insert,
                [8.0, 9.0, 8.5].map(|t| factor * t),
            ),
            sampled(
                loadfactor_schemes::timed::Operation::Miss,
                [4.0, 4.0, 4.0].map(|t| factor * t),
            ),
        ],
        elements: 200,
        bytes: 256,
        answers: loadfactor_schemes::timed::Answers { asked: 2000, positive: 17 },
    };
    let all = rows(&plan, &plan.places[1], &[of(1.0), of(1.5)]);
    insta::assert_snapshot!(text(&all), @"");
    let folder = tempfile::tempdir().unwrap();
    let circumstances = Circumstances { scale: "quick", started: 1, ended: 2 };
    for _ in 0..2 {
        let (files, undrawn) = write(&plan, &all, &circumstances, folder.path()).unwrap();
        let names: Vec<_> = files.iter().filter_map(|path| path.file_name()).collect();
        insta::assert_snapshot!(format!("{names:?} {undrawn:?}"), @"");
    }
    assert_eq!(read(&folder.path().join(TIMINGS)).unwrap(), all);
    let history = std::fs::read_to_string(folder.path().join("timings-history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 2 * all.len());
    std::fs::write(folder.path().join(TIMINGS), "a,b\n1,2\n").unwrap();
    let error = write(&plan, &all, &circumstances, folder.path()).unwrap_err();
    assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
}
