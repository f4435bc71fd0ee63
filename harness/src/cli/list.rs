//! `loadfactor list`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::format::{Printed, print_json};
use super::selection::{Selected, Selection};

/// List experiments with their titles and points
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &ListArgs) -> Result<ExitCode> {
    let selected = args.selection.load_all()?;
    if args.printed.as_json() {
        print_json(&selected.iter().map(entry).collect())?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = selected.iter().map(|one| one.experiment.name.len()).max().unwrap_or(0);
    let mut out = stdout().lock();
    for one in &selected {
        let experiment = &one.experiment;
        let (points, title) = (one.points(), &experiment.title);
        let place = match experiment.place.as_str() {
            "" => String::new(),
            place => format!(" ({place})"),
        };
        let unit = if experiment.timing.is_some() { "timed " } else { "points" };
        writeln!(out, "{:width$}  {points:4} {unit}  {title}{place}", experiment.name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// An experiment as JSON has it.
fn entry(selected: &Selected) -> Value {
    let experiment = &selected.experiment;
    json!({
        "name": experiment.name,
        "title": experiment.title,
        "document": experiment.document.as_ref().map(|document| &document.key),
        "place": experiment.place,
        "definition": experiment.path.display().to_string(),
        "series": experiment.series,
        "points": selected.points(),
    })
}
