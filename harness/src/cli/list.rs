//! `loadfactor list`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Names, Only, Overrides};

/// List experiments with their titles, points and trials
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    only: Only,
}

/// Runs the command.
pub(super) fn run(args: &ListArgs) -> Result<ExitCode> {
    let selected = args.only.select(args.names.load(&args.overrides)?)?;
    let width = selected.iter().map(|one| one.experiment.name.len()).max().unwrap_or(0);
    let mut out = stdout().lock();
    for one in &selected {
        let experiment = &one.experiment;
        let (points, title) = (one.points(), &experiment.title);
        let place = match experiment.place.as_str() {
            "" => String::new(),
            place => format!(" ({place})"),
        };
        writeln!(out, "{:width$}  {points:4} points  {title}{place}", experiment.name)?;
    }
    Ok(ExitCode::SUCCESS)
}
