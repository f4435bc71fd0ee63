//! `loadfactor check`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Names, Overrides};
use crate::terminal::tell;

/// Check definitions without running anything
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.overrides)?;
    let points: usize = experiments.iter().map(|experiment| experiment.points.len()).sum();
    let plural = if experiments.len() == 1 { "definition" } else { "definitions" };
    tell!("{} {plural} with {points} points: no mistake found", experiments.len());
    Ok(ExitCode::SUCCESS)
}
