//! The experiments and the documentation of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use loadfactor::definition::{Options, Scale, Stopping, load};
use loadfactor_schemes::tables::sizing::{Goal, Model, SizedFor, optimise};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use crate::sandbox::{BINARY, Done, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs the binary at the root of the repository.
fn at_root(arguments: &[&str]) -> Done {
    let sandbox = Sandbox::new(&[]);
    Done::run(sandbox.command(BINARY).current_dir(ROOT).args(arguments)).exits(0)
}

/// The names of all experiments that have trials.
fn names() -> BTreeSet<String> {
    let list = at_root(&["list"]).stdout;
    let of_trials =
        |line: &&str| matches!(line.split_whitespace().nth(2), Some("point" | "points"));
    let lines = list.lines().filter(of_trials);
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

/// Planned at the largest scale alone: a plan runs part of every series, and the other scales have the same ones.
#[test]
fn every_experiment_is_sound_at_every_scale_and_can_be_planned() {
    let sandbox = Sandbox::new(&[]);
    let out = sandbox.path("results");
    let names = names();
    assert!(names.contains("deletions/fig4"));
    for scale in ["smoke", "quick", "paper"] {
        at_root(&["check", "--scale", scale]);
    }
    let plan = at_root(&["plan", "--scale", "paper", "--out", &out.to_string_lossy()]).stdout;
    let told = plan.lines().filter_map(|line| line.split_once(": "));
    let told: Vec<&str> = told.map(|(name, _)| name).filter(|name| names.contains(*name)).collect();
    assert_eq!(told, names.iter().map(String::as_str).collect::<Vec<_>>(), "in the order of names");
}

/// The experiment at the scale `quick`: how many points it has, and how many trials each of them.
fn extent(name: &str) -> Option<(usize, Vec<u64>)> {
    let path = Path::new(ROOT).join("experiments").join(format!("{name}.toml"));
    let options = Options::at(Scale::Quick);
    let experiment = path.is_file().then(|| load(&path, name, &options).unwrap())?;
    let trials = experiment.stopping.iter().map(|rule| match rule {
        Stopping::Trials(trials) => *trials,
        Stopping::Precision { .. } => panic!("{name} has no number of trials to list"),
    });
    Some((experiment.points.len(), trials.collect()))
}

/// Points and trials in the tables of experiments/README.md, and the sum in README.md.
#[test]
fn the_pages_list_every_experiment_with_its_points_and_trials() {
    let page = fs::read_to_string(Path::new(ROOT).join("experiments/README.md")).unwrap();
    let (mut folder, mut listed, mut points) = ("", 0, 0);
    for line in page.lines() {
        folder = line.strip_prefix("## ").unwrap_or(folder);
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = format!("{folder}/{}", cells[0].trim_matches('`'));
        let Some(own) = extent(&name) else { continue };
        assert_eq!(cells[2], own.0.to_string(), "points of {name}");
        if let Some(trials) = cells.get(3) {
            assert!(own.1.iter().all(|own| own.to_string() == *trials), "trials of {name}");
        }
        (listed, points) = (listed + 1, points + own.0);
    }
    assert_eq!(listed, names().len());
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let (thousands, rest) = (points / 1000, points % 1000);
    assert!(readme.contains(&format!("{thousands},{rest:03} points")), "{points} points");
}

/// An experiment that is timed has no row of trials, but its page tells how to run it.
#[test]
fn the_pages_tell_every_experiment_that_is_timed() {
    let list = at_root(&["list"]).stdout;
    let is_timed = |line: &&str| line.split_whitespace().nth(2) == Some("timed");
    let page = fs::read_to_string(Path::new(ROOT).join("experiments/README.md")).unwrap();
    let timed: Vec<&str> = list.lines().filter(is_timed).collect();
    assert!(timed.len() > 1, "{list}");
    for line in timed {
        let name = line.split_whitespace().next().unwrap();
        let (folder, own) = name.split_once('/').unwrap();
        let section = page.split("\n## ").find(|section| section.starts_with(folder)).unwrap();
        let told = format!("`{own}` has no trials: `loadfactor bench {name}`");
        assert!(section.contains(&told), "experiments/README.md has not: {told}");
    }
}

/// Every fact of the reference tables with its verdict: of several, the one that counts first.
fn verdicts_of_the_reference() -> BTreeMap<String, &'static str> {
    const BY_RANK: [&str; 6] =
        ["undecided", "agrees", "bound_holds", "off", "differs", "bound_violated"];
    let mut verdicts = BTreeMap::<String, usize>::new();
    for name in names() {
        let path = Path::new(ROOT).join("results/reference").join(name).join("table.csv");
        let mut reader = csv::Reader::from_path(path).unwrap();
        let header = reader.headers().unwrap().clone();
        let place = |column: &str| header.iter().position(|own| own == column).unwrap();
        let (fact, verdict) = (place("fact"), place("verdict"));
        for row in reader.records().map(Result::unwrap) {
            let Some(rank) = BY_RANK.iter().position(|own| *own == &row[verdict]) else { continue };
            let of_fact = verdicts.entry(row[fact].to_owned()).or_insert(rank);
            *of_fact = rank.max(*of_fact);
        }
    }
    verdicts.into_iter().map(|(fact, rank)| (fact, BY_RANK[rank])).collect()
}

#[test]
fn the_summary_in_the_readme_is_that_of_the_reference() {
    let verdicts = verdicts_of_the_reference();
    let count =
        |wanted: &[&str]| verdicts.values().filter(|verdict| wanted.contains(verdict)).count();
    let summary = format!(
        "{} experiments, {} facts judged: {} contradict a prediction, {} models are off, {} are undecided",
        names().len(),
        verdicts.len(),
        count(&["differs", "bound_violated"]),
        count(&["off"]),
        count(&["undecided"]),
    );
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    assert!(readme.contains(&summary), "README.md has not: {summary}");
}

/// The ids of a `published.csv`, in the order of the file.
fn published_ids(folder: &str) -> Vec<String> {
    let path = Path::new(ROOT).join("experiments").join(folder).join("published.csv");
    let text = fs::read_to_string(path).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap()[0].to_owned()).collect()
}

/// The numbers in ids such as `004-P35a`, each once.
fn numbers(ids: &[String]) -> BTreeSet<u32> {
    let number = |id: &String| {
        let digits: String =
            id.split("-P").nth(1)?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    ids.iter().filter_map(number).collect()
}

#[test]
fn the_numbers_printed_in_the_deletions_paper_are_all_there() {
    let ids = published_ids("deletions");
    assert_eq!(numbers(&ids), (1..=42).collect());
    // 51 values, and of three sentences the second half.
    assert_eq!(ids.len(), 54);
}

#[test]
fn the_numbers_printed_in_the_one_move_paper_are_all_there() {
    let ids = published_ids("one-move");
    assert_eq!(ids.len(), 182);
    let tables: BTreeSet<u32> = (2..=152).collect();
    assert!(numbers(&ids).is_superset(&tables));
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

/// A page that no other leads to is found by nobody.
#[test]
fn the_readme_links_every_page_of_the_documentation() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let pages = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
    let pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    assert!(pages.len() > 5, "{pages:?}");
    for page in pages {
        assert!(readme.contains(&format!("(docs/{page})")), "README.md does not link docs/{page}");
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

#[test]
fn the_schema_of_definitions_is_up_to_date() {
    let path = Path::new(ROOT).join("docs/definition.schema.json");
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == at_root(&["schema"]).stdout,
        "docs/definition.schema.json is out of date: write it again with `make docs`"
    );
}
