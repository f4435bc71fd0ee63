//! Journals looked at and mended apart from any run.

use std::fs;

use super::*;
use crate::run::{inspect, repair};

/// A journal whose header and fourth record are damaged, with its first record twice.
fn damaged() -> Folder {
    let folder = Folder::new();
    folder.run(&Toy::new(), &RULE, &threads(1)).unwrap();
    let mut bytes = fs::read(folder.journal()).unwrap();
    let frame = (bytes.len() - 21) / 30;
    let first = bytes[21..21 + frame].to_vec();
    bytes.extend(first);
    bytes[3] ^= 1;
    bytes[21 + 3 * frame + 20] ^= 1;
    fs::write(folder.journal(), bytes).unwrap();
    folder
}

#[test]
fn a_damaged_journal_is_seen_and_mended() {
    let folder = damaged();
    let path = folder.journal();
    let found = inspect(path.parent().unwrap()).unwrap();
    assert_eq!((found.batches, found.repeated, found.unknown), (30, 1, 0));
    assert!(matches!(found.damage[..], [Damage::Header { .. }, Damage::Corrupted { .. }]));
    assert_eq!(repair(path.parent().unwrap()).unwrap(), found);
    let mended = inspect(path.parent().unwrap()).unwrap();
    assert_eq!((mended.batches, mended.repeated, mended.damage), (29, 0, Vec::new()));
}

/// Damage is met once: the run that meets it leaves a whole journal behind.
#[test]
fn a_run_mends_the_journal_that_it_takes_up() {
    let folder = damaged();
    let outcome = folder.run(&Toy::new(), &RULE, &threads(1)).unwrap();
    assert_eq!((outcome.batches_run, outcome.damage.len()), (1, 2));
    let again = folder.run(&Toy::new(), &RULE, &threads(1)).unwrap();
    assert_eq!((again.batches_run, again.damage.len()), (0, 0));
}
