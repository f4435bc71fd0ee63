//! The experiments and the documentation of this repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::sandbox::{BINARY, Done, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs the binary at the root of the repository.
fn at_root(arguments: &[&str]) -> Done {
    let sandbox = Sandbox::new(&[]);
    Done::of(sandbox.command(BINARY).current_dir(ROOT).args(arguments)).exits(0)
}

#[test]
fn every_experiment_can_be_planned_at_every_scale() {
    let sandbox = Sandbox::new(&[]);
    let out = sandbox.path("results");
    let names: BTreeSet<String> = at_root(&["list"])
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(names.contains("deletions/fig4"));
    for scale in ["smoke", "quick", "paper"] {
        at_root(&["check", "--scale", scale]);
        let plan = at_root(&["plan", "--scale", scale, "--out", &out.to_string_lossy()]).stdout;
        for name in &names {
            assert!(plan.contains(&format!("{name}: ")), "{name} at {scale}");
        }
    }
}

#[test]
fn the_numbers_printed_in_the_deletions_paper_are_all_there() {
    let text =
        fs::read_to_string(Path::new(ROOT).join("experiments/deletions/published.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let ids: BTreeSet<String> = reader.records().map(|record| record.unwrap()[0].into()).collect();
    let printed = [9..=14, 16..=24, 27..=29, 38..=39].into_iter().flatten();
    for id in printed.map(|number| format!("004-P{number:02}")) {
        // A letter behind the number tells apart the values of one sentence.
        let there = ids.iter().any(|other| other.trim_end_matches(char::is_lowercase) == id);
        assert!(there, "{id}");
    }
}

#[test]
fn the_reference_of_schemes_is_up_to_date() {
    let path = Path::new(ROOT).join("docs/SCHEMES.md");
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == at_root(&["schemes"]).stdout,
        "docs/SCHEMES.md is out of date: write it again with `loadfactor schemes > docs/SCHEMES.md`"
    );
}
