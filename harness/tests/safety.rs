//! Results that a command could spoil, and gates that could be green for no reason.

#![expect(clippy::unwrap_used, reason = "the place is part of the tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

const DEFINITION: &str = r#"
title  = "One choice or two?"
trials = 12
seed   = 5

[workload]
kind   = "alternation"
rounds = 200

[point]
buckets     = 32
bucket_size = 2
load        = [0.5, 1.0]

[[series]]
label  = "one"
scheme = "single"

[[series]]
label   = "two"
scheme  = "multiple"
choices = 2

[[figure]]
x = "load"
y = "overflow_fraction"
"#;

/// A folder with a definition, in which commands run.
struct Place(TempDir);

impl Place {
    fn new(definition: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("choice.toml", definition);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a command line of words.
    fn loadfactor(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loadfactor"));
        command.current_dir(&self.0).args(line.split_whitespace()).output().unwrap()
    }

    /// Runs a command line, and demands its exit status; returns what it said on standard error.
    fn expect(&self, status: i32, line: &str) -> String {
        let output = self.loadfactor(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{line}: {said}");
        said
    }

    fn is_file(&self, name: &str) -> bool {
        Path::is_file(&self.path(name))
    }
}

const TABLE: &str = "results/choice/table.csv";

#[test]
fn a_part_run_again_leaves_the_whole_table() {
    let place = Place::new(DEFINITION);
    place.expect(0, "run choice.toml");
    let whole = place.read(TABLE);
    for options in ["--only one", "--only two --fresh", "--fresh"] {
        place.expect(0, &format!("run choice.toml {options}"));
        assert_eq!(place.read(TABLE), whole, "{options}");
    }
    assert!(place.read("results/choice/manifest.json").contains(r#""only": null"#));
}

#[test]
fn a_part_run_first_is_completed_by_the_rest() {
    let place = Place::new(DEFINITION);
    place.expect(0, "run choice.toml --only one --strict");
    assert!(place.read("results/choice/manifest.json").contains(r#""only": "one""#));
    let part = place.read(TABLE);
    place.expect(0, "run choice.toml");
    let whole = place.read(TABLE);
    assert_eq!(part.lines().count(), whole.lines().count() - occupancies(&whole, "two"));
    let rows = |table: &str| -> Vec<String> {
        table.lines().filter(|row| row.contains(",one,")).map(str::to_owned).collect()
    };
    assert_eq!(rows(&part).len(), rows(&whole).len());
}

/// Rows of a series that stand in the table only where it was run: nothing predicts them.
fn occupancies(table: &str, series: &str) -> usize {
    let rows = table.lines().filter(|row| row.contains(&format!(",{series},")));
    rows.filter(|row| row.ends_with(",no_prediction")).count()
}

#[test]
fn a_report_of_what_was_not_run_leaves_the_table() {
    let place = Place::new(DEFINITION);
    let said = place.expect(1, "report choice.toml");
    assert!(said.contains("run the experiment first"), "{said}");
    place.expect(0, "run choice.toml --seed 7");
    let table = place.read(TABLE);
    let said = place.expect(1, "report choice.toml");
    assert!(said.contains("--seed") && said.contains("scale quick, seed 7"), "{said}");
    assert_eq!(place.read(TABLE), table);
    place.expect(0, "report choice.toml --seed 7");
    assert_eq!(place.read(TABLE), table);
}

#[test]
fn predictions_do_not_take_the_place_of_results() {
    let place = Place::new(DEFINITION);
    place.expect(0, "run choice.toml");
    let table = place.read(TABLE);
    let said = place.expect(1, "predict choice.toml --out results");
    assert!(said.contains("name another --out"), "{said}");
    assert_eq!(place.read(TABLE), table);
}

#[test]
fn two_files_of_one_name_do_not_share_a_folder() {
    let place = Place::new(DEFINITION);
    place.write("a/x.toml", DEFINITION);
    place.write("b/x.toml", DEFINITION);
    let said = place.expect(2, "run a/x.toml b/x.toml");
    assert!(said.contains("a/x.toml") && said.contains("b/x.toml"), "{said}");
    place.expect(0, "check a/x.toml a/../a/x.toml");
}

#[test]
fn strict_is_not_content_with_nothing() {
    let place = Place::new(&DEFINITION.replace("trials = 12", "trials = 1"));
    let said = place.expect(3, "run choice.toml --strict");
    assert!(said.contains("nothing was judged"), "{said}");
    place.write("choice.toml", DEFINITION);
    let said = place.expect(3, "run choice.toml --strict --shard 1/2 --out part");
    assert!(said.contains("2 points lack trials"), "{said}");
    place.expect(0, "run choice.toml --strict");
}

#[test]
fn an_experiment_that_vanished_is_no_agreement() {
    let place = Place::new(DEFINITION);
    place.write("second.toml", DEFINITION);
    place.expect(0, "run choice.toml second.toml --out old");
    place.expect(0, "run choice.toml --out new");
    let output = place.loadfactor("compare old new");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.starts_with("second as a whole, 32 measurements, missing from the new results\n"),
        "{said}"
    );
    assert!(said.contains(" 0 moved; "), "{said}");
    place.expect(0, "compare new old");
}

#[test]
fn a_measurement_counts_once_however_many_predictions_it_has() {
    let place = Place::new(DEFINITION);
    place.expect(0, "run choice.toml");
    let said = String::from_utf8(place.loadfactor("compare results results").stdout).unwrap();
    let table = place.read(TABLE);
    let mut columns = table.lines().next().unwrap().split(',');
    let metric = columns.position(|name| name == "metric").unwrap();
    let mut measurements: Vec<Vec<&str>> =
        table.lines().skip(1).map(|row| row.split(',').take(metric + 1).collect()).collect();
    measurements.sort();
    let rows = measurements.len();
    measurements.dedup();
    assert!(measurements.len() < rows, "no quantity has two predictions");
    assert!(said.starts_with(&format!("{} measurements", measurements.len())), "{said}");
}

#[test]
fn a_trace_that_is_too_short_is_bad_input_and_stops_no_other_experiment() {
    let place = Place::new(DEFINITION);
    let keys = "keys = \"trace\"\ntrace = { packets = 10 }\ntrace_end = \"error\"";
    let short = DEFINITION.replace("[point]", &format!("{keys}\n\n[point]\nhash = \"h3\""));
    place.write("a.toml", &short);
    let said = place.expect(2, "run a.toml choice.toml");
    assert!(said.contains("the trace has"), "{said}");
    assert!(place.is_file(TABLE));
    place.expect(2, "plan a.toml choice.toml");
    place.expect(2, "predict a.toml choice.toml --out predicted");
    assert!(place.is_file("predicted/choice/table.csv"));
    fs::remove_dir_all(place.path("results/choice")).unwrap();
    let said = place.expect(2, "run a.toml choice.toml --fail-fast");
    assert!(said.contains("--fail-fast: 1 experiment was not run"), "{said}");
    assert!(!place.is_file(TABLE));
}
