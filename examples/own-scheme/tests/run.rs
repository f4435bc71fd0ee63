//! The program runs its own experiments, and their tables say what they should.

#![expect(clippy::unwrap_used, reason = "they are tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_own-scheme");

fn run(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(BINARY).args(arguments).current_dir(folder).output().unwrap()
}

/// The rows of a table, each as the values of these columns.
fn rows(table: &Path, columns: &[&str]) -> Vec<Vec<String>> {
    let text = fs::read_to_string(table).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let places: Vec<usize> =
        columns.iter().map(|name| header.iter().position(|own| own == name).unwrap()).collect();
    lines.map(|line| places.iter().map(|&i| line[i].to_owned()).collect()).collect()
}

fn verdicts(out: &Path, experiment: &str, scheme: &str, metric: &str) -> Vec<String> {
    let rows = rows(&out.join(experiment).join("table.csv"), &["scheme", "metric", "verdict"]);
    let wanted = rows.into_iter().filter(|row| row[0] == scheme && row[1] == metric);
    wanted.map(|row| row[2].clone()).collect()
}

#[test]
fn own_experiments_run_and_their_exact_predictions_hold() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let done = run(&["run", "--scale", "smoke", "--strict", "--out", out]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let of_tables = verdicts(folder.path(), "random-choice", "random-choice", "overflow_fraction");
    assert_eq!(of_tables.iter().filter(|verdict| *verdict == "agrees").count(), 6);
    let of_bitmaps = verdicts(folder.path(), "linear-counting", "bitmap", "zero_bits_fraction");
    assert_eq!(of_bitmaps, vec!["agrees"; 12]);
}

#[test]
fn own_names_stand_beside_the_others() {
    let text = |arguments: &[&str]| String::from_utf8(run(arguments).stdout).unwrap();
    let reference = text(&["schemes"]);
    for name in ["### `random-choice`", "### `d-random`", "## Bitmaps", "`relative_estimate`"] {
        assert!(reference.contains(name), "{name}");
    }
    assert!(text(&["schemes", "bitmap"]).contains("Whang"));
}
