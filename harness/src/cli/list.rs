//! `loadfactor list`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Changes, Names};

/// List experiments with their titles, points and trials
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    changes: Changes,
}

/// Runs the command.
pub(super) fn run(args: &ListArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.changes)?;
    let width = experiments.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut out = stdout().lock();
    for experiment in &experiments {
        let (points, title) = (experiment.points.len(), &experiment.title);
        let place = match experiment.place.as_str() {
            "" => String::new(),
            place => format!(" ({place})"),
        };
        writeln!(out, "{:width$}  {points:4} points  {title}{place}", experiment.name)?;
    }
    Ok(ExitCode::SUCCESS)
}
