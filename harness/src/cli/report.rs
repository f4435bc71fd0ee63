//! `loadfactor report`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Changes, Names, Out, folder};
use super::status::{FAILED, one_line};
use super::summary::Summary;
use crate::definition::Experiment;
use crate::pipeline::{PipelineError, conduct_recorded, load_trace};
use crate::plan::Plan;

/// Write tables, figures and reports again from the journals, without running anything
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    out: Out,
}

/// Runs the command.
pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let mut summary = Summary::default();
    for experiment in &args.names.load(&args.changes)? {
        if let Err(error) = one(args, experiment, &mut summary) {
            summary.fail(&experiment.name, &one_line(&error.into()));
        }
    }
    eprint!("{summary}");
    Ok(if summary.failed() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn one(
    args: &ReportArgs,
    experiment: &Experiment,
    summary: &mut Summary,
) -> Result<(), PipelineError> {
    let plan = Plan::new(experiment, load_trace(experiment, &args.out.out)?)?;
    let folder = folder(&args.out.out, experiment);
    let conducted = conduct_recorded(&plan, &folder, args.changes.scale())?;
    summary.add(&conducted.results, &conducted.outcome, &conducted.files);
    Ok(())
}
