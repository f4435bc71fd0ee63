//! `loadfactor check`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::exit::BAD_INPUT;
use super::format::{Printed, print_json};
use super::selection::{Names, Overrides};
use crate::definition::{Diagnostics, Experiment, Told};
use crate::terminal::tell;

/// Check definitions without running anything
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs) -> Result<ExitCode> {
    if args.printed.as_json() {
        return as_json(args);
    }
    let experiments = args.names.load_all(&args.overrides)?;
    let points: usize = experiments.iter().map(|experiment| experiment.points.len()).sum();
    let plural = if experiments.len() == 1 { "definition" } else { "definitions" };
    tell!("{} {plural} with {points} points: no mistake found", experiments.len());
    Ok(ExitCode::SUCCESS)
}

fn as_json(args: &CheckArgs) -> Result<ExitCode> {
    let (experiments, mistakes) = args.names.read(&args.overrides)?;
    let definitions: Vec<Value> = experiments.iter().map(definition).collect();
    let mistakes: Vec<Value> = mistakes.iter().flat_map(Diagnostics::told).map(mistake).collect();
    let status = if mistakes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(BAD_INPUT) };
    print_json(&json!({ "definitions": definitions, "mistakes": mistakes }))?;
    Ok(status)
}

fn definition(experiment: &Experiment) -> Value {
    json!({
        "name": experiment.name,
        "definition": experiment.path.display().to_string(),
        "points": experiment.points.len(),
    })
}

fn mistake(told: Told<'_>) -> Value {
    let Told { file, line, column, title, label, help } = told;
    json!({
        "file": file,
        "line": line,
        "column": column,
        "title": title,
        "label": label,
        "help": help,
    })
}
