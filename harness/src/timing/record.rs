//! `timings.json`: on which machine, when, and of which sources the times are.

use serde_json::{Value, json};

use super::plan::TimedPlan;
use crate::machine;
use crate::report::manifest::{COMPILER, REVISION, sha256};

/// What surrounds a measurement and is no part of its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// The scale.
    pub scale: &'static str,
    /// Seconds since 1970 at the start, UTC.
    pub started: u64,
    /// Seconds since 1970 at the end, UTC.
    pub ended: u64,
}

/// The record of a measurement.
pub(super) fn record(plan: &TimedPlan<'_>, circumstances: &Circumstances) -> Value {
    let experiment = plan.experiment;
    json!({
        "experiment": experiment.name,
        "definition": experiment.path.display().to_string(),
        "definition_text": experiment.text,
        "definition_sha256": sha256(&experiment.text),
        "settings": experiment.settings,
        "seed": experiment.seed,
        "scale": circumstances.scale,
        "version": env!("CARGO_PKG_VERSION"),
        "compiler": COMPILER,
        "revision": REVISION,
        "machine": machine::described(),
        "started_unix": circumstances.started,
        "ended_unix": circumstances.ended,
    })
}
