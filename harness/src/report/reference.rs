//! The reference of schemes, hash functions and workloads, as Markdown: what `loadfactor schemes`
//! prints and docs/SCHEMES.md holds.

use std::fmt::Write;

use loadfactor_schemes::hash::{HASHES, HashInfo};
use loadfactor_schemes::params::{Absent, Param};
use loadfactor_schemes::tables::{SCHEMES, SchemeInfo};

use crate::workloads::{HASH_PARAMS, KEY_PARAMS, LAW_PARAMS, WORKLOADS, WorkloadInfo};

/// Everything.
pub fn all() -> String {
    let mut text = String::from(
        "# Schemes, hash functions and workloads\n\n\
         Made by `loadfactor schemes` from the code; each name stands in a definition as it stands here.\n\n\
         ## Schemes\n",
    );
    SCHEMES.iter().for_each(|info| text += &scheme(info));
    text += "\n## Hash functions\n\nA real hash function works on the bytes of the arriving element's key, with a fresh seed per trial.\n\n";
    text += &parameters(HASH_PARAMS);
    HASHES.iter().for_each(|info| text += &hash(info));
    text += "\n## Workloads\n\nEvery workload also has these parameters:\n\n";
    text += &parameters(KEY_PARAMS);
    text += "\nand these, for laws of what a trial ends with:\n\n";
    text += &parameters(LAW_PARAMS);
    WORKLOADS.iter().for_each(|info| text += &workload(info));
    text
}

/// The entry of this name.
pub fn one(name: &str) -> Option<String> {
    let scheme = SCHEMES.iter().find(|info| info.name == name).map(scheme);
    let hash = || HASHES.iter().find(|info| info.name == name).map(hash);
    let workload = || WORKLOADS.iter().find(|info| info.name == name).map(workload);
    scheme.or_else(hash).or_else(workload)
}

/// Every name that has an entry.
pub fn names() -> Vec<&'static str> {
    let schemes = SCHEMES.iter().map(|info| info.name);
    let hashes = HASHES.iter().map(|info| info.name);
    schemes.chain(hashes).chain(WORKLOADS.iter().map(|info| info.name)).collect()
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
