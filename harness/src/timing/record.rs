//! `timings.json`: what was measured, on which machine, when, and of which sources the times are.

use serde_json::{Value, json};

use super::plan::TimedPlan;
use super::program::Program;
use crate::definition::{Experiment, Timing};
use crate::machine;
use crate::report::manifest::{COMPILER, REVISION, of_trace, sha256};

/// What surrounds a measurement and is no part of its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// The scale.
    pub scale: &'static str,
    /// Seconds since 1970 at the start, UTC.
    pub started: u64,
    /// Seconds since 1970 at the end, UTC.
    pub ended: u64,
    /// The other program that measured the same layouts, if any.
    pub beside: Option<Program>,
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
        "time": time(experiment, plan.timing),
        "trace": plan.trace.map(of_trace),
        "seed": experiment.seed,
        "scale": circumstances.scale,
        "version": env!("CARGO_PKG_VERSION"),
        "compiler": COMPILER,
        "revision": REVISION,
        "beside": circumstances.beside.as_ref().map(Program::json),
        "machine": machine::described(),
        "started_unix": circumstances.started,
        "ended_unix": circumstances.ended,
    })
}

/// `[time]` as it was measured, whatever the definition and the command line have.
fn time(experiment: &Experiment, timing: &Timing) -> Value {
    let operations: Vec<&str> = timing.operations.iter().map(|own| own.name()).collect();
    json!({
        "operations": operations,
        "samples": timing.samples,
        "layouts": timing.layouts,
        "milliseconds": timing.milliseconds,
        "baseline": experiment.series[timing.baseline],
    })
}

/// Refuses JSON that is no such record.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let record: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match record["experiment"].is_string() && record["started_unix"].is_u64() {
        true => Ok(()),
        false => Err("it names no experiment and no start".to_owned()),
    }
}
