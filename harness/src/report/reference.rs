//! The reference of schemes, hash functions and workloads, as Markdown: what `loadfactor schemes`
//! prints and docs/SCHEMES.md holds.

use std::fmt::Write;

use loadfactor_schemes::families;
use loadfactor_schemes::family::Family;
use loadfactor_schemes::hash::{HASH_PARAMS, HASHES, HashInfo};
use loadfactor_schemes::info::{SchemeInfo, WorkloadInfo};
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::{Metric, MetricInfo, Unit, common};
use loadfactor_schemes::params::{Absent, Param};
use loadfactor_schemes::rare::metrics::METRICS as RARE_METRICS;
use loadfactor_schemes::rare::params::RARE_PARAMS;

/// Everything.
pub fn all() -> String {
    let mut text = String::from(
        "# Schemes, hash functions, workloads and metrics\n\n\
         Made by `loadfactor schemes` from the code; each name stands in a definition as it stands here.\n",
    );
    families::families().for_each(|one| text += &family(one));
    text += "\n## Hash functions\n\nA real hash function works on the bytes of the arriving element's key, with a fresh seed per trial.\n\n";
    text += &parameters(HASH_PARAMS);
    HASHES.iter().for_each(|info| text += &hash(info));
    text +=
        "\n## Keys\n\nEvery workload has these parameters for the keys of arriving elements:\n\n";
    text += &parameters(KEY_PARAMS);
    text += "\nOf keys that come again, as those of a trace, this is measured:\n\n";
    text += &metrics(common::METRICS);
    text += "\n## Rare events\n\nEvery workload has these parameters for the probability of a rare event:\n\n";
    text += &parameters(RARE_PARAMS);
    text += "\nTrials then measure this instead of the metrics of their family:\n\n";
    text += &metrics(RARE_METRICS);
    text
}

/// The schemes, workloads and metrics of a family.
fn family(family: &Family) -> String {
    let mut text = format!("\n## {}\n\n{}\n", capitalised(family.name), family.summary);
    family.schemes().iter().for_each(|entry| text += &scheme(entry.info));
    text += &format!("\n### Workloads of {}\n", family.name);
    if !family.shared_params.is_empty() {
        text += &format!("\nAll of them have these parameters, {}:\n\n", family.shared_params_are);
        text += &parameters(family.shared_params);
    }
    family.workloads.iter().for_each(|info| text += &workload(info));
    text += &format!("\n### Metrics of {}\n\n", family.name);
    text += &metrics(family.metrics);
    text
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn metrics(all: &[&'static MetricInfo]) -> String {
    let mut text = String::from("| metric | unit | |\n|---|---|---|\n");
    for &info in all {
        let (name, unit) = (metric_name(info), unit_name(info.unit));
        text += &format!("| `{name}` | {unit} | {} |\n", info.doc.trim());
    }
    text
}

/// A metric's name, with `<k>` for the number of one that has numbers.
pub(super) fn metric_name(info: &'static MetricInfo) -> String {
    match &info.numbers {
        Some(numbers) => format!("{}<k>{}", info.name, numbers.suffix),
        None => Metric::new(info, 0).to_string(),
    }
}

/// A unit in words.
pub(super) fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "share",
        Unit::Count => "number",
        Unit::PerEvent => "number per event",
        Unit::Square => "number²",
    }
}

/// The entry of this name.
pub fn one(name: &str) -> Option<String> {
    let of_scheme = families::schemes().find(|entry| entry.info.name == name);
    let hash = || HASHES.iter().find(|info| info.name == name).map(hash);
    let workload = || families::workloads().find(|info| info.name == name).map(workload);
    of_scheme.map(|entry| scheme(entry.info)).or_else(hash).or_else(workload)
}

/// Every name that has an entry.
pub fn names() -> Vec<&'static str> {
    let schemes = families::schemes().map(|entry| entry.info.name);
    let hashes = HASHES.iter().map(|info| info.name);
    schemes.chain(hashes).chain(families::workloads().map(|info| info.name)).collect()
}

fn scheme(info: &SchemeInfo) -> String {
    let SchemeInfo { name, summary, source, params, predictions } = info;
    let mut text = format!("\n### `{name}`\n\n{summary}\n\nSource: {source}.\n\n");
    text += &parameters(params);
    text += "\nPredictions:\n\n";
    predictions.iter().for_each(|prediction| text += &format!("- {prediction}\n"));
    text
}

fn hash(info: &HashInfo) -> String {
    let HashInfo { name, bits, summary, source, guarantee } = info;
    format!(
        "\n### `{name}`\n\n{summary} {bits} bits.\n\nSource: {source}. Guarantee: {guarantee}\n"
    )
}

fn workload(info: &WorkloadInfo) -> String {
    let WorkloadInfo { name, summary, params, .. } = info;
    let mut text = format!("\n### `{name}`\n\n{summary}\n");
    if !params.is_empty() {
        text += "\n";
        text += &parameters(params);
    }
    text
}

fn parameters(params: &[Param]) -> String {
    let mut text = String::from("| parameter | value | default | |\n|---|---|---|---|\n");
    for Param { name, domain, absent, doc } in params {
        let default = match absent {
            Absent::Required => "required".to_owned(),
            Absent::Optional => "–".to_owned(),
            Absent::Word(word) => format!("`\"{word}\"`"),
            other => other.value().map_or(String::new(), |value| format!("`{value}`")),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {domain} | {default} | {doc} |");
    }
    text
}
