//! The reference, docs/FORMAT.md, says what the reader does.

use std::collections::BTreeSet;

use loadfactor_schemes::families;
use loadfactor_schemes::hash::HASH_PARAMS;
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::rare::params::RARE_PARAMS;
use toml::{Table, Value};

use super::Files;
use crate::definition::Scale;
use crate::definition::keys::TABLES;

const REFERENCE: &str = include_str!("../../../../docs/FORMAT.md");

/// What an example that is no whole experiment is completed with.
const FRAME: &str = r#"
title = "Example"
trials = 1

[workload]
kind = "alternation"
rounds = 1000
trace = "trace.pcap"

[point]
elements = 1000
buckets = 1000
choices = 2
"#;

const SERIES: &str = "label = \"A\"\nscheme = \"multiple\"\n";
const OWN_SERIES: &str = "label = \"own\"\nscheme = \"multiple\"\n";
const LAST_SERIES: &str =
    "label = \"last\"\nscheme = \"multiple\"\nworkload = { kind = \"alternation\" }";

/// The text of every fenced TOML example.
fn examples() -> Vec<&'static str> {
    REFERENCE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// The example with the keys of the frame that it does not give itself, and two more series: one
/// with its own workload, and one to which every parameter of the frame is known.
fn completed(example: &str) -> String {
    let mut example: Table = example.parse().unwrap_or_else(|error| panic!("{error}\n{example}"));
    complete(&mut example, &FRAME.parse().unwrap());
    if ["precision", "time"].iter().any(|key| example.contains_key(*key)) {
        example.remove("trials");
    }
    let series = example.entry("series").or_insert(Value::Array(Vec::new()));
    let series = series.as_array_mut().unwrap();
    for own in series.iter_mut().filter_map(Value::as_table_mut) {
        complete(own, &SERIES.parse().unwrap());
    }
    series.push(Value::Table(OWN_SERIES.parse().unwrap()));
    series.push(Value::Table(LAST_SERIES.parse().unwrap()));
    let point = example["point"].as_table_mut().unwrap();
    if point.contains_key("load") {
        point.remove("elements");
    }
    let workload = example["workload"].as_table_mut().unwrap();
    let rounds = workload.contains_key("time").then(|| workload.remove("rounds")).flatten();
    let series = example["series"].as_array_mut().unwrap().iter_mut();
    for own in series.filter_map(|series| series.get_mut("workload")?.as_table_mut()) {
        own.extend(rounds.iter().map(|rounds| ("rounds".to_owned(), rounds.clone())));
    }
    example.to_string()
}

fn complete(table: &mut Table, frame: &Table) {
    for (key, value) in frame {
        match (table.get_mut(key), value) {
            (Some(Value::Table(own)), Value::Table(frame)) => complete(own, frame),
            (Some(_), _) => {}
            (None, value) => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

#[test]
fn every_example_is_a_definition_or_part_of_one() {
    let mut read = 0;
    for example in examples().into_iter().filter(|example| !example.contains("authors =")) {
        let whole = if example.contains("title =") && example.contains("[[series]]") {
            example.to_owned()
        } else {
            completed(example)
        };
        for scale in Scale::ALL {
            let files = Files { scale, ..Files::new(&whole) };
            if let Err(mistakes) = files.parse() {
                panic!("{mistakes}\nin the example\n{example}");
            }
        }
        read += 1;
    }
    assert!(read > 40, "only {read} examples");
}

/// The keys that have a heading, such as ``### `series.label` ``.
fn headings() -> BTreeSet<&'static str> {
    REFERENCE.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect()
}

/// The reference that `loadfactor schemes` writes, with a row for every parameter and metric.
const SCHEMES: &str = include_str!("../../../../docs/SCHEMES.md");

/// The parameters of every scheme, hash and workload, as keys of a definition.
fn parameters() -> BTreeSet<String> {
    let of_points = families::schemes().flat_map(|entry| entry.info.params).chain(HASH_PARAMS);
    let of_workloads = families::workloads().flat_map(|workload| workload.params);
    let shared = families::families().flat_map(|family| family.shared_params);
    let of_workloads = of_workloads.chain(KEY_PARAMS).chain(RARE_PARAMS).chain(shared);
    of_points
        .map(|param| format!("point.{}", param.name))
        .chain(of_workloads.map(|param| format!("workload.{}", param.name)))
        .chain(["point.hash".to_owned()])
        .collect()
}

#[test]
fn every_key_has_a_heading_and_every_heading_is_a_key() {
    let of_tables = TABLES
        .iter()
        .flat_map(|table| table.keys.iter().map(|key| format!("{}{}", table.prefix, key.name)));
    let own: BTreeSet<String> = of_tables.collect();
    let parameters = parameters();
    let headings: BTreeSet<String> = headings().into_iter().map(str::to_owned).collect();
    assert_eq!(own.difference(&headings).collect::<Vec<_>>(), Vec::<&String>::new());
    let unknown = headings.difference(&own).filter(|key| !parameters.contains(*key));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// A parameter without a heading of its own is explained by the generated reference.
#[test]
fn every_parameter_metric_and_name_is_listed() {
    for key in parameters() {
        let name = key.split('.').next_back().unwrap_or_default();
        let listed = headings().contains(&*key) || SCHEMES.contains(&format!("| `{name}` |"));
        assert!(listed, "{key}");
    }
    let numbered = |name: String| name.split('1').next().unwrap_or_default().to_owned();
    let names = Metric::names().into_iter().map(numbered);
    let names = names
        .chain(families::schemes().map(|entry| entry.info.name.to_owned()))
        .chain(families::workloads().map(|workload| workload.name.to_owned()));
    for name in names {
        assert!(SCHEMES.contains(&format!("`{name}")), "{name}");
    }
}
