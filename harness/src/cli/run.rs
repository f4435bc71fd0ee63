//! `loadfactor run`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::ahead::Ahead;
use super::exit::{DIFFERS, INTERRUPTED};
use super::note;
use super::selection::{Out, Selected, Selection, Threads, folder};
use super::summary::Summary;
use crate::count::with_verb;
use crate::pipeline::{PipelineError, conduct, load_trace};
use crate::plan::Plan;
use crate::report::Request;
use crate::run::{Interrupt, RunOptions, Shard, Share, to_stderr};
use crate::terminal::tell;

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
    selection: Selection,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
    /// Begin the points anew instead of going on from the journal
    #[arg(long)]
    fresh: bool,
    /// Run the K-th of N shares of the batches; join them with `loadfactor merge`
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Exit with status 3 where a row differs from a prediction that should hold, where nothing
    /// was judged, or where a point does not have all its trials
    #[arg(long)]
    strict: bool,
    /// End the whole run at the first failure
    #[arg(long)]
    fail_fast: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(super) fn run(args: &RunArgs) -> Result<ExitCode> {
    let selected = args.selection.load()?;
    let interrupt = Interrupt::install()?;
    let mut summary = Summary::default();
    let mut ahead = match args.quiet {
        true => Ahead::untold(&selected),
        false => Ahead::new(&selected, &args.out.out, args.fresh, args.threads.or_all()),
    };
    for (index, one) in selected.iter().enumerate() {
        let label = ahead.label(index, &one.experiment.name);
        let planned = ahead.take_plan(index);
        match conduct_one(args, one, planned, &label, &interrupt, &mut summary) {
            Ok(seconds) => ahead.done(index, seconds),
            Err(error) => summary.fail(&one.experiment.name, error),
        }
        if interrupt.is_triggered() {
            break;
        }
        let left = selected.len() - index - 1;
        if args.fail_fast && summary.failure().is_some() && left > 0 {
            let left = with_verb(left, ["experiment was not run", "experiments were not run"]);
            tell!("--fail-fast: {left}");
            break;
        }
    }
    summary.tell();
    Ok(exit_status(args, &summary, interrupt.is_triggered()))
}

/// Runs an experiment, which this label names, and says how long it took, in seconds.
fn conduct_one(
    args: &RunArgs,
    selected: &Selected,
    planned: Option<Plan<'_>>,
    label: &str,
    interrupt: &Interrupt,
    summary: &mut Summary,
) -> Result<f64, PipelineError> {
    let experiment = &selected.experiment;
    let plan = match planned {
        Some(plan) => plan,
        None => Plan::new(experiment, load_trace(experiment, &args.out.out)?)?,
    };
    let folder = folder(&args.out.out, experiment);
    let options = RunOptions {
        threads: args.threads.number(),
        only: selected.only.clone(),
        fresh: args.fresh,
        share: args.shard.map(|shard| Share::of_work(&plan, |point| selected.holds(point), shard)),
        fail_fast: args.fail_fast,
        interrupt: interrupt.clone(),
    };
    let request = Request {
        scale: args.selection.scale(),
        only: args.selection.only(),
        shard: args.shard.map(|shard| shard.to_string()),
    };
    let progress = to_stderr(label, args.quiet);
    let conducted = conduct(&plan, &folder, &request, &options, &*progress)?;
    note::of_journal(&conducted, &folder);
    plan.trace.iter().for_each(note::of_trace);
    summary.add(&conducted, |point| selected.holds(point));
    Ok(conducted.outcome.seconds)
}

fn exit_status(args: &RunArgs, summary: &Summary, interrupted: bool) -> ExitCode {
    if interrupted {
        let fresh = if args.fresh { ", without --fresh" } else { "" };
        tell!(
            "interrupted; what is finished is saved. To go on, run the same command again{fresh}."
        );
        return ExitCode::from(INTERRUPTED);
    }
    if let Some(status) = summary.failure() {
        return ExitCode::from(status);
    }
    let objections = if args.strict { summary.objections() } else { Vec::new() };
    for objection in &objections {
        tell!("--strict: {objection}");
    }
    if objections.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) }
}
