//! Definitions as users write them.

mod derived;
mod fuzz;
mod mistakes;
mod reading;
mod reference;

use std::path::Path;

use loadfactor_schemes::families;
use loadfactor_schemes::hash::HASHES;
use loadfactor_schemes::metric::Metric;

use super::suggestion::quoted;
use super::vocabulary::{owners, scheme_names};
use super::{Diagnostics, Experiment, File, Input, Options, Scale, parse};

/// A definition without mistakes.
const GOOD: &str = r#"title = "Overflow against accesses"
document = "kanizo-deletions"
place = "Figure 4"
trials = { smoke = 2, quick = 40, paper = 200 }

[workload]
kind = "alternation"
rounds = { smoke = 20_000, paper = 1_000_000 }

[point]
elements = 4096
buckets = 1024
bucket_size = 4
choices = 4

[[series]]
label = "MULTIPLE"
scheme = "multiple"
insertion_probability = { from = 0.05, to = 1.0, steps = 20 }

[[series]]
label = "SINGLE, static"
scheme = "single"
load = [0.5, 0.9]
bucket_size = [1, 4]
hash = ["random", "xxh3"]
zip = [["load", "bucket_size"]]
workload = { kind = "static-fill", keys = "sequential" }

[[figure]]
x = "accesses_per_insertion"
y = "overflow_fraction"
y_scale = "log"
lines = ["lower_bound"]
series = ["MULTIPLE"]
"#;

const DOCUMENTS: &str = r#"[kanizo-deletions]
title = "Hash Tables With Finite Buckets Are Less Resistant to Deletions"
authors = "Yossi Kanizo, David Hay, Isaac Keslassy"
year = 2010
"#;

/// The header of `published.csv`.
const HEADER: &str = "id,experiment,place,series,at,metric,value,compare,note\n";

/// The files of one experiment, `fig4.toml` and those beside it.
struct Files<'a> {
    definition: &'a str,
    published: &'a str,
    documents: &'a str,
    scale: Scale,
}

impl<'a> Files<'a> {
    fn new(definition: &'a str) -> Self {
        Self { definition, published: HEADER, documents: DOCUMENTS, scale: Scale::Quick }
    }

    fn parse(&self) -> Result<Experiment, Diagnostics> {
        parse(&Input {
            name: "deletions/fig4",
            definition: File { path: Path::new("fig4.toml"), text: self.definition },
            published: Some(File { path: Path::new("published.csv"), text: self.published }),
            documents: Some(File { path: Path::new("documents.toml"), text: self.documents }),
            options: &Options::at(self.scale),
            exists: &|path| path == Path::new("trace.pcap"),
        })
    }
}

/// The experiment that a definition means.
fn read(definition: &str, scale: Scale) -> Experiment {
    Files { scale, ..Files::new(definition) }
        .parse()
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// What the user sees of a definition with mistakes.
fn mistakes(definition: &str) -> String {
    shown(&Files::new(definition).parse().unwrap_err())
}

/// What the user sees of mistakes, but for the lists of names that grow with each scheme, hash function
/// and metric.
fn shown(mistakes: &Diagnostics) -> String {
    let hashes: Vec<String> = HASHES.iter().map(|hash| format!("\"{}\"", hash.name)).collect();
    let metrics = Metric::names();
    let metrics: Vec<&str> = metrics.iter().map(String::as_str).collect();
    let tables: Vec<_> = families::family("tables").into_iter().collect();
    let owners = quoted(&owners(&tables, "choices"));
    let text = mistakes.to_string().replace(&hashes.join(", "), "[hash functions]");
    // The longest list first: it may hold the others.
    let text = text.replace(&quoted(&metrics), "[metrics]");
    let text = text.replace(&quoted(&scheme_names()), "[schemes]");
    text.replace(&owners, "[schemes with `choices`]")
}

/// [`GOOD`] with one passage exchanged for another.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "`{from}` is not in the definition");
    GOOD.replacen(from, to, 1)
}
