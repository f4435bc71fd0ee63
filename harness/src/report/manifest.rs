//! `manifest.json`: how a result was made, so that it can be made again.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::results::Results;
use crate::plan::SIMULATION_VERSION;

/// What surrounds a run and is no part of its numbers.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The scale asked for.
    pub scale: &'static str,
    /// Seconds since 1970 at the start, UTC.
    pub started: u64,
    /// Seconds since 1970 at the end, UTC.
    pub ended: u64,
    /// Trials run now, those resumed from the journal left out.
    pub trials_run: u64,
}

/// Revision of the sources that this binary was built from.
const REVISION: &str = env!("LOADFACTOR_REVISION");

/// The manifest as JSON.
pub(super) fn manifest(results: &Results<'_>, circumstances: &Circumstances) -> String {
    let experiment = results.experiment;
    let trace = results
        .trace
        .map(|trace| json!({ "file": trace.path.display().to_string(), "sha256": trace.digest }));
    let manifest = json!({
        "experiment": experiment.name,
        "definition": experiment.path.display().to_string(),
        "definition_sha256": sha256(&experiment.text),
        "seed": experiment.seed,
        "scale": circumstances.scale,
        "version": env!("CARGO_PKG_VERSION"),
        "revision": REVISION,
        "simulation_version": SIMULATION_VERSION,
        "machine": {
            "system": std::env::consts::OS,
            "architecture": std::env::consts::ARCH,
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
    });
    format!("{manifest:#}\n")
}

/// One line below each figure: what it takes to make it again.
pub(super) fn footer(results: &Results<'_>, circumstances: &Circumstances) -> String {
    let experiment = results.experiment;
    let trace = results.trace.map_or(String::new(), |trace| {
        format!(", trace {}", trace.digest.get(..12).unwrap_or_default())
    });
    format!(
        "{} (definition {}), seed {}, scale {}, {} trials{trace}; error bars: 95 % confidence; \
         loadfactor {} ({})",
        experiment.name,
        sha256(&experiment.text).get(..12).unwrap_or_default(),
        experiment.seed,
        circumstances.scale,
        results.trials,
        env!("CARGO_PKG_VERSION"),
        REVISION,
    )
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
