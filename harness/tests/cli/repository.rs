//! The experiments and the documentation of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use loadfactor_schemes::tables::sizing::{Goal, Model, SizedFor, optimise};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use crate::sandbox::{BINARY, Done, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs the binary at the root of the repository.
fn at_root(arguments: &[&str]) -> Done {
    let sandbox = Sandbox::new(&[]);
    Done::run(sandbox.command(BINARY).current_dir(ROOT).args(arguments)).exits(0)
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
fn the_numbers_printed_in_the_one_move_paper_are_all_there() {
    let text =
        fs::read_to_string(Path::new(ROOT).join("experiments/one-move/published.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut per_experiment: BTreeMap<String, usize> = BTreeMap::new();
    for record in reader.records() {
        *per_experiment.entry(record.unwrap()[1].to_owned()).or_default() += 1;
    }
    // The overflow of 18 cells and the moves of the 12 that move anything; sizes are in the definition.
    assert_eq!(per_experiment["table5-1"], 30);
    assert_eq!(per_experiment["table5-2"], 6);
}

/// Label and sizes of each series of a definition that says them in one line.
fn labels_and_sizes(definition: &str) -> Vec<(String, Vec<f64>)> {
    let text = fs::read_to_string(Path::new(ROOT).join(definition)).unwrap();
    let value = |block: &str, key: &str| {
        let line = block.lines().find(|line| line.starts_with(key))?;
        Some(line.split('"').nth(1)?.to_owned())
    };
    let series = text.split("[[series]]").skip(1).filter_map(|block| {
        let sizes = value(block, "buckets_per_element")?;
        Some((
            value(block, "label")?,
            sizes.split_whitespace().map(|size| size.parse().unwrap()).collect(),
        ))
    });
    series.collect()
}

/// What Table 5.1 calls best is what the optimiser finds today.
#[test]
fn the_best_sizes_are_the_best() {
    let best: Vec<_> = labels_and_sizes("experiments/one-move/table5-1.toml")
        .into_iter()
        .filter(|(label, _)| label.ends_with(", best"))
        .collect();
    assert_eq!(best.len(), 18);
    for (label, sizes) in best {
        let rule = match label.split(',').next().unwrap() {
            "Std" => InsertionRule::Standard { bucket_size: 1 },
            "Cons" => InsertionRule::Conservative,
            "SC" => InsertionRule::SecondChance,
            "SCExt" => InsertionRule::ExtremeSecondChance,
            "Std2" => InsertionRule::Standard { bucket_size: 2 },
            "SC2" => InsertionRule::SecondChanceOfTwo,
            other => panic!("{other}"),
        };
        let overflow = rule.static_fill(&sizes).unwrap().overflow;
        assert!((overflow / 0.002 - 1.0).abs() < 2e-3, "{label}: {overflow}");
        let model = Model { rule, workload: SizedFor::StaticFill };
        let design = optimise(model, sizes.len(), Goal::Overflow(0.002), 2, 1).unwrap();
        let space = f64::from(rule.bucket_size()) * sizes.iter().sum::<f64>();
        assert!((space / design.best.space - 1.0).abs() < 2e-4, "{label}: {design:?}");
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
