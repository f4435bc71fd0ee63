//! `loadfactor report`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Names, Out, Overrides, folder};
use super::summary::Summary;
use crate::definition::Experiment;
use crate::pipeline::{PipelineError, conduct_recorded, load_trace};
use crate::plan::Plan;
use crate::report::Request;

/// Write tables, figures and reports again from the journals, without running anything
///
/// Name the --scale, --seed, --trace and --set of the run: they decide which batches belong to the
/// experiment.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    out: Out,
}

/// Runs the command.
pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let mut summary = Summary::default();
    for experiment in &args.names.load(&args.overrides)? {
        let request = Request { scale: args.overrides.scale(), only: None, shard: None };
        if let Err(error) = one(&args.out.out, experiment, &request, &mut summary) {
            summary.fail(&experiment.name, error);
        }
    }
    summary.tell();
    Ok(summary.failure().map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Writes what the journal of an experiment holds, whose results are below `out`.
fn one(
    out: &Path,
    experiment: &Experiment,
    request: &Request,
    summary: &mut Summary,
) -> Result<(), PipelineError> {
    let plan = Plan::new(experiment, load_trace(experiment, out)?)?;
    let conducted = conduct_recorded(&plan, &folder(out, experiment), request)?;
    summary.add(&conducted, |_| true);
    Ok(())
}
