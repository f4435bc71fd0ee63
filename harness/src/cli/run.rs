//! `loadfactor run`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::selection::{Changes, Names, Out, Threads, folder};
use super::status::{self, DIFFERS, FAILED, INTERRUPTED};
use super::summary::Summary;
use crate::definition::Experiment;
use crate::pipeline::{Conducted, PipelineError, conduct, load_trace};
use crate::plan::Plan;
use crate::run::{Interrupt, RunOptions, Shard, to_stderr};

/// Run experiments and write their tables, figures and reports
///
/// Finished batches are kept in a journal: a run that was interrupted, killed or repeated goes on
/// where it stopped, and gives the same bytes as an undisturbed one.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor run                                     everything, at quick scale\n  \
    loadfactor run deletions/fig7 --trace uplink.pcap  on a capture of yours\n  \
    loadfactor run deletions/fig4 --only MULTIPLE      one series\n  \
    loadfactor run deletions --shard 1/4 --out part1   a quarter of the batches; see `merge`")]
pub(super) struct RunArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
    /// Begin anew instead of going on from the journal
    #[arg(long)]
    fresh: bool,
    /// Run the K-th of N shares of the batches; join them with `loadfactor merge`
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Exit with status 3 where a row differs from a prediction that should hold
    #[arg(long)]
    strict: bool,
    /// End the run at the first point that fails
    #[arg(long)]
    fail_fast: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(super) fn run(args: &RunArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.changes)?;
    let options = RunOptions {
        threads: args.threads.number(),
        fresh: args.fresh,
        shard: args.shard,
        fail_fast: args.fail_fast,
        interrupt: Interrupt::install()?,
    };
    let mut summary = Summary::default();
    for experiment in &experiments {
        match one(args, experiment, &options, &mut summary) {
            Ok(()) => {}
            Err(error) => summary.fail(&experiment.name, &status::one_line(&error.into())),
        }
        if options.interrupt.is_triggered() {
            break;
        }
    }
    eprint!("{summary}");
    Ok(exit_status(args, &summary, options.interrupt.is_triggered()))
}

fn one(
    args: &RunArgs,
    experiment: &Experiment,
    options: &RunOptions,
    summary: &mut Summary,
) -> Result<(), PipelineError> {
    let trace = load_trace(experiment, &args.out.out)?;
    let plan = Plan::new(experiment, trace)?;
    let folder = folder(&args.out.out, experiment);
    let progress = to_stderr(&experiment.name, args.quiet);
    let conducted = conduct(&plan, &folder, args.changes.scale(), options, &*progress)?;
    note(&conducted, &folder);
    summary.add(&conducted.results, &conducted.outcome, &conducted.files);
    Ok(())
}

/// Says what a user must know of a run beside its results.
fn note(conducted: &Conducted<'_>, folder: &Path) {
    for damage in &conducted.outcome.damage {
        eprintln!("{}: journal: {damage}; those batches were run again", folder.display());
    }
    let damages = conducted.results.trace.iter().flat_map(|trace| {
        trace.keys.values().next().map(|keys| &keys.damages).into_iter().flatten()
    });
    for damage in damages {
        eprintln!("trace is damaged, what is whole was used: {damage}");
    }
}

fn exit_status(args: &RunArgs, summary: &Summary, interrupted: bool) -> ExitCode {
    if interrupted {
        eprintln!("interrupted; what is finished is saved. To go on, run the same command again.");
        return ExitCode::from(INTERRUPTED);
    }
    match (summary.failed(), args.strict && summary.contradictions() > 0) {
        (true, _) => ExitCode::from(FAILED),
        (false, true) => ExitCode::from(DIFFERS),
        (false, false) => ExitCode::SUCCESS,
    }
}
