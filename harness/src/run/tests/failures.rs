//! A batch that fails takes its point with it and nothing else.

use loadfactor_schemes::tables::metrics;
use std::fs::{self, File};

use super::*;
use crate::run::journal::{Record, Scan, Writer};
use crate::run::records::Records;
use crate::run::tally::Tally;

fn failing(incident: fn() -> String) -> Toy {
    Toy { incident: Some((1, 3, incident)), ..Toy::new() }
}

fn explode() -> String {
    panic!("no room for element {}", 7)
}

#[test]
fn a_failed_point_keeps_what_came_before_and_leaves_the_others_alone() {
    let expected = undisturbed(&RULE);
    for count in [1, 2, 4] {
        let toy = failing(|| "no such trace".into());
        let outcome = Folder::new().run(&toy, &RULE, &threads(count)).unwrap();
        assert_eq!(
            (outcome.failed(), outcome.points[1].error.as_deref()),
            (1, Some("no such trace"))
        );
        assert_eq!((outcome.points[1].trials, outcome.points[1].complete), (30, false));
        assert_eq!(outcome.points[0], expected[0]);
        assert_eq!(outcome.points[2], expected[2]);
    }
}

#[test]
fn batches_before_the_failed_one_run_even_where_it_failed_first() {
    let (toy, folder) = (Toy::new(), Folder::new());
    let (mut records, _) = Records::read(&folder.journal()).unwrap();
    let mut tally = Tally::new(&Under(&toy, RULE), 1, &mut records).unwrap();
    tally.put(0, toy.run(1, 0, 10).unwrap());
    tally.fail(3, "no such trace".into());
    let skipped: Vec<u64> = (0..10).filter(|&batch| tally.has_failed_before(batch)).collect();
    assert_eq!(skipped, [4, 5, 6, 7, 8, 9]);
    tally.put(2, toy.run(1, 2, 10).unwrap());
    tally.put(1, toy.run(1, 1, 10).unwrap());
    assert_eq!(tally.outcome().trials, 30);
}

#[test]
fn a_panic_is_the_points_error_and_a_repaired_run_completes_it() {
    let folder = Folder::new();
    let points = folder.points(&failing(explode), &RULE);
    let error = "the simulation panicked: no room for element 7";
    assert_eq!(points[1].error.as_deref(), Some(error));
    assert_eq!(folder.points(&Toy::new(), &RULE), undisturbed(&RULE));
}

#[test]
fn fail_fast_ends_the_run() {
    let toy = failing(explode);
    let options = RunOptions { fail_fast: true, ..threads(1) };
    let outcome = Folder::new().run(&toy, &RULE, &options).unwrap();
    assert_eq!(toy.calls().len(), 4);
    assert!(!outcome.interrupted && outcome.failed() == 1);
}

#[test]
fn a_result_that_contradicts_itself_is_an_error() {
    let moments: Moments = [1.0, 2.0].into_iter().collect();
    let result = |trials, metrics| BatchResult { trials, metrics };
    let twice = vec![(metrics::OVERFLOW_FRACTION, moments); 2];
    assert!(result(3, Vec::new()).fault(2).is_some());
    assert!(result(1, twice[..1].to_vec()).fault(1).is_some());
    assert!(result(2, twice.clone()).fault(2).is_some());
    assert!(result(2, twice[..1].to_vec()).fault(2).is_none());
}

#[test]
fn a_precision_of_what_is_not_measured_is_an_error() {
    let rule = Stopping::Precision {
        metric: metrics::ACCESSES_PER_INSERTION,
        relative: 0.1,
        min_trials: 20,
        max_trials: 2000,
    };
    for point in Folder::new().points(&Toy::new(), &rule) {
        let error = point.error.unwrap();
        assert!(error.contains("accesses_per_insertion"), "{error}");
    }
}

#[test]
fn a_journal_that_cannot_be_read_ends_the_run() {
    let folder = Folder::new();
    fs::create_dir(folder.journal()).unwrap();
    let error = folder.run(&Toy::new(), &RULE, &threads(1)).unwrap_err();
    assert!(matches!(error, RunError::Read { .. }), "{error}");
    let fresh = RunOptions { fresh: true, ..threads(1) };
    let error = folder.run(&Toy::new(), &RULE, &fresh).unwrap_err();
    assert!(matches!(error, RunError::Read { .. }), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_what_is_saved() {
    let record = Record { identity: [0; 16], batch: 0, result: Toy::new().run(0, 0, 10).unwrap() };
    let folder = Folder::new();
    let mut writer = Writer::open(&folder.journal(), &Scan::default()).unwrap();
    writer.append(&record).unwrap();
    writer.replace_file(File::options().append(true).open("/dev/full").unwrap());
    let error = writer.append(&record).unwrap_err().to_string();
    assert!(error.contains("it holds 1 finished batches"), "{error}");
    assert_eq!(journal::read(&folder.journal()).unwrap().records, [record]);
}
