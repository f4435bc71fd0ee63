//! `loadfactor check`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::exit::{BAD_INPUT, BadInput};
use super::format::{Printed, print_json};
use super::selection::{Names, Overrides, color};
use crate::count::counted;
use crate::definition::{Diagnostics, Experiment, Scale, Told};
use crate::terminal::tell;
use crate::timing::{TimingError, check_definition};

/// Check definitions at every scale without running anything
///
/// Points are counted at the scale that is named. Where it has no mistake, the other scales are looked at.
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
    let (mistakes, scale) = mistakes_elsewhere(args)?;
    if !mistakes.is_empty() {
        let texts: Vec<String> = mistakes.iter().map(|of_one| of_one.render(color())).collect();
        let text = format!("at the scale `{scale}`:\n\n{}", texts.join("\n\n"));
        return Err(BadInput(text).into());
    }
    let untimed: Vec<String> = untimed(&experiments).map(|(_, title)| title).collect();
    if !untimed.is_empty() {
        let texts: Vec<String> = untimed.iter().map(|title| format!("error: {title}")).collect();
        return Err(BadInput(texts.join("\n")).into());
    }
    let points: usize = experiments.iter().map(|experiment| experiment.points.len()).sum();
    let (definitions, points) =
        (counted(experiments.len(), "definition"), counted(points, "point"));
    tell!("{definitions} with {points}: no mistake found");
    Ok(ExitCode::SUCCESS)
}

/// The mistakes that the definitions have only at another scale than the one asked for, and which that is.
fn mistakes_elsewhere(args: &CheckArgs) -> Result<(Vec<Diagnostics>, Scale)> {
    let asked = args.overrides.asked_scale();
    for scale in Scale::ALL.into_iter().filter(|&other| other != asked) {
        let (_, mistakes) = args.names.read(&args.overrides.at(scale))?;
        if !mistakes.is_empty() {
            return Ok((mistakes, scale));
        }
    }
    Ok((Vec::new(), asked))
}

/// The timed definitions of which a point cannot be timed, with the reason.
fn untimed(experiments: &[Experiment]) -> impl Iterator<Item = (&Experiment, String)> {
    let of_one = |experiment| {
        let reason: TimingError = check_definition(experiment).err()?;
        Some((experiment, format!("{}: {reason}", experiment.name)))
    };
    experiments.iter().filter_map(of_one)
}

fn as_json(args: &CheckArgs) -> Result<ExitCode> {
    let (experiments, mut found) = args.names.read(&args.overrides)?;
    let mut scale = args.overrides.asked_scale();
    if found.is_empty() {
        (found, scale) = mistakes_elsewhere(args)?;
    }
    let definitions: Vec<Value> = experiments.iter().map(definition).collect();
    let of_files = found.iter().flat_map(Diagnostics::told).map(|told| mistake(told, scale));
    let mistakes: Vec<Value> =
        of_files.chain(untimed(&experiments).map(|(of, title)| not_timed(of, &title))).collect();
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

fn mistake(told: Told<'_>, scale: Scale) -> Value {
    let Told { file, line, column, title, label, help } = told;
    json!({
        "file": file,
        "scale": scale.name(),
        "line": line,
        "column": column,
        "title": title,
        "label": label,
        "help": help,
    })
}

/// The mistake of a definition as a whole that it cannot be timed.
fn not_timed(experiment: &Experiment, title: &str) -> Value {
    json!({
        "file": experiment.path.display().to_string(),
        "scale": null,
        "line": null,
        "column": null,
        "title": title,
        "label": "",
        "help": [],
    })
}
