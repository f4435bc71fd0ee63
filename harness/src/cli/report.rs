//! `loadfactor report`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::abreast::{Load, in_order};
use super::selection::{Names, Out, Overrides, Threads, folder};
use super::summary::{Entry, Summary};
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
    #[command(flatten)]
    threads: Threads,
}

/// Runs the command.
pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let mut summary = Summary::default();
    let experiments = args.names.load(&args.overrides)?;
    let loads: Vec<Load> = experiments.iter().map(Load::of).collect();
    let request = Request { scale: args.overrides.scale(), only: None, shard: None };
    let of_one = |index: usize| one(&args.out.out, &experiments[index], &request);
    in_order(args.threads.number(), &loads, of_one, |index, told| {
        match told {
            Ok(entry) => summary.push(entry),
            Err(error) => summary.fail(&experiments[index].name, error),
        }
        Ok(())
    })?;
    summary.tell();
    Ok(summary.failure().map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Writes what the journal of an experiment holds, whose results are below `out`.
fn one(out: &Path, experiment: &Experiment, request: &Request) -> Result<Entry, PipelineError> {
    let plan = Plan::new(experiment, load_trace(experiment, out)?)?;
    let conducted = conduct_recorded(&plan, &folder(out, experiment), request)?;
    Ok(Entry::new(&conducted, |_| true))
}
