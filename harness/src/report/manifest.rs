//! `manifest.json`: how a result was made, so that it can be made again.

use std::fmt;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::results::Results;
use crate::escape::terminal;
use crate::machine;
use crate::plan::SIMULATION_VERSION;
use crate::trace::LoadedTrace;

/// Name of the manifest in a folder of results.
pub const MANIFEST: &str = "manifest.json";

/// What it tells of a run, and keeps where a report is written anew and nothing is run.
const OF_THE_RUN: [&str; 6] =
    ["only", "shard", "command_line", "started_unix", "ended_unix", "trials_run"];

/// Where it lists the pictures.
const PICTURES: &str = "pictures";

/// What the command line asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// The scale.
    pub scale: &'static str,
    /// The regular expression that chose the points to run; all where it is absent.
    pub only: Option<String>,
    /// The share of the batches, as K/N; all where it is absent.
    pub shard: Option<String>,
}

/// What surrounds a run and is no part of its numbers.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// What was asked for.
    pub request: Request,
    /// Seconds since 1970 at the start, UTC.
    pub started: u64,
    /// Seconds since 1970 at the end, UTC.
    pub ended: u64,
    /// Trials run now, those resumed from the journal left out; `None` where only a report is written.
    pub trials_run: Option<u64>,
    /// The program and its arguments.
    pub command_line: Vec<String>,
}

/// Revision of the sources that this binary was built from.
pub(crate) const REVISION: &str = env!("LOADFACTOR_REVISION");
/// The compiler that built it.
pub(crate) const COMPILER: &str = env!("LOADFACTOR_COMPILER");

/// The manifest in a folder; nothing where it is missing or not to be read.
pub(super) fn read(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Whether JSON under the name of a manifest is one.
pub(super) fn is_ours(manifest: &Value) -> bool {
    manifest["simulation_version"].is_u64()
}

/// The file of the definition that was run, and its text.
pub(super) fn definition(manifest: &Value) -> Option<(&str, &str)> {
    Some((manifest["definition"].as_str()?, manifest["definition_text"].as_str()?))
}

/// The names of the pictures that a manifest lists.
pub(super) fn pictures_of(manifest: &Value) -> Vec<String> {
    texts(&manifest[PICTURES])
}

/// The manifest as JSON; `last` is the one that it replaces.
pub(super) fn manifest(
    results: &Results<'_>,
    circumstances: &Circumstances,
    pictures: &[String],
    last: Option<&Value>,
) -> String {
    let experiment = results.experiment;
    let trace = results.trace.map(of_trace);
    let mut manifest = json!({
        "experiment": experiment.name,
        "definition": experiment.path.display().to_string(),
        "definition_text": experiment.text,
        "definition_sha256": sha256(&experiment.text),
        "settings": experiment.settings,
        "published_sha256": experiment.published_text.as_deref().map(sha256),
        "seed": experiment.seed,
        "scale": circumstances.request.scale,
        "only": circumstances.request.only,
        "shard": circumstances.request.shard,
        "command_line": circumstances.command_line,
        "version": env!("CARGO_PKG_VERSION"),
        "compiler": COMPILER,
        "revision": REVISION,
        "simulation_version": SIMULATION_VERSION,
        "machine": {
            "system": std::env::consts::OS,
            "architecture": std::env::consts::ARCH,
            "processor": machine::processor(),
            "cores": std::thread::available_parallelism().map(usize::from).ok(),
        },
        "trace": trace,
        "started_unix": circumstances.started,
        "ended_unix": circumstances.ended,
        "trials": results.trials,
        "trials_run": circumstances.trials_run,
        "points": experiment.points.len(),
        "points_failed": results.failures.len(),
        "points_unfinished": results.unfinished,
        PICTURES: pictures,
    });
    if let Some(last) = last.filter(|_| circumstances.trials_run.is_none()) {
        OF_THE_RUN.into_iter().for_each(|key| manifest[key] = last[key].clone());
    }
    format!("{manifest:#}\n")
}

/// Which trace was read, and how.
pub(crate) fn of_trace(trace: &LoadedTrace) -> Value {
    json!({
        "file": trace.label(),
        "sha256": trace.digest,
        "layout": trace.reading.layout.map(|layout| layout.to_string()),
        "selection": trace.reading.selection(),
    })
}

/// What the manifest of a folder says of the last run there, as a terminal may show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    scale: String,
    seed: u64,
    trace: Option<String>,
    settings: Vec<String>,
}

impl LastRun {
    /// The last run in `folder`; `None` where its manifest is missing or not to be read.
    pub fn read(folder: &Path) -> Option<Self> {
        let manifest = read(folder)?;
        Some(Self {
            scale: terminal(manifest["scale"].as_str()?).into_owned(),
            seed: manifest["seed"].as_u64()?,
            trace: trace(&manifest["trace"]).map(|trace| terminal(&trace).into_owned()),
            settings: texts(&manifest["settings"]).iter().map(|set| terminal(set).into()).collect(),
        })
    }
}

impl fmt::Display for LastRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scale {}, seed {}", self.scale, self.seed)?;
        if let Some(trace) = &self.trace {
            write!(f, ", trace {trace}")?;
        }
        self.settings.iter().try_for_each(|setting| write!(f, ", --set {setting}"))
    }
}

/// The file of a trace, and which of its packets were read.
fn trace(trace: &Value) -> Option<String> {
    let file = trace["file"].as_str()?;
    match trace["selection"].as_str() {
        None | Some("") => Some(file.to_owned()),
        Some(selection) => Some(format!("{file} ({selection})")),
    }
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// One line below each figure: what it takes to make it again.
pub(super) fn footer(results: &Results<'_>, circumstances: &Circumstances) -> String {
    let experiment = results.experiment;
    let trace = results.trace.map_or(String::new(), |trace| {
        let selection = trace.reading.selection();
        let part = if selection.is_empty() { selection } else { format!(" ({selection})") };
        format!(", trace {}{part}", trace.digest.get(..12).unwrap_or_default())
    });
    format!(
        "{} (definition {}), seed {}, scale {}, {} trials{trace}; error bars: 95 % confidence; \
         loadfactor {} ({})",
        experiment.name,
        sha256(&experiment.text).get(..12).unwrap_or_default(),
        experiment.seed,
        circumstances.request.scale,
        results.trials,
        env!("CARGO_PKG_VERSION"),
        REVISION,
    )
}

pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes.as_ref()).iter().map(|byte| format!("{byte:02x}")).collect()
}
