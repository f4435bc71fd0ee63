//! `loadfactor list`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::format::{Printed, print_json};
use super::selection::{Selected, Selection};
use crate::definition::Experiment;

/// List experiments with their points, titles, documents and places in them
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
        let unit = match (experiment.timing.is_some(), points) {
            (true, _) => "timed ",
            (false, 1) => "point ",
            (false, _) => "points",
        };
        let origin = origin(experiment);
        writeln!(out, "{:width$}  {points:4} {unit}  {title}{origin}", experiment.name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The key of the document and the place in it, in brackets.
fn origin(experiment: &Experiment) -> String {
    let document = experiment.document.as_ref().map_or("", |document| &document.key);
    let told = [document, &experiment.place].into_iter().filter(|part| !part.is_empty());
    match told.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        told => format!(" ({told})"),
    }
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
