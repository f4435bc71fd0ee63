//! `loadfactor plan`.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use super::selection::{Changes, Names, Out, Threads, folder};
use crate::definition::{Experiment, Stopping};
use crate::pipeline::load_trace;
use crate::plan::{Plan, PointPlan};
use crate::run::{Pending, Work, pending};

/// Operations of the sample that is timed.
const SAMPLE_OPERATIONS: f64 = 2e6;

/// Say what a run would do: points, trials, time and memory, and what is left of an earlier run
///
/// The time is estimated from a short sample of each experiment on this machine.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the command.
pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.changes)?;
    let threads = args.threads.or_all() as f64;
    let mut out = stdout().lock();
    let mut total = 0.0;
    for experiment in &experiments {
        let trace = load_trace(experiment, &args.out.out)?;
        let plan = Plan::new(experiment, trace)?;
        let left = pending(&folder(&args.out.out, experiment), &plan, &experiment.stopping)?;
        let seconds = seconds_left(&plan, &left) / threads;
        total += seconds;
        describe(&mut out, experiment, &plan, &left, seconds, threads)?;
    }
    if experiments.len() > 1 {
        writeln!(
            out,
            "\nall {}: about {} on {threads} threads",
            experiments.len(),
            duration(total)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(
    out: &mut impl Write,
    experiment: &Experiment,
    plan: &Plan<'_>,
    left: &Pending,
    seconds: f64,
    threads: f64,
) -> Result<()> {
    let trials: u64 = left.points.iter().map(|point| point.trials_wanted).sum();
    let done: u64 = left.points.iter().map(|point| point.trials_done).sum();
    let batches: u64 = left.points.iter().map(|point| point.batches_left).sum();
    let memory = plan.points.iter().map(PointPlan::memory).max().unwrap_or(0) as f64 * threads;
    writeln!(out, "{}: {}", experiment.name, experiment.title)?;
    writeln!(out, "  points  {} in {} series", plan.points.len(), experiment.series.len())?;
    match experiment.stopping {
        Stopping::Trials(each) => writeln!(out, "  trials  {each} per point, {trials} in all")?,
        Stopping::Precision { metric, relative, min_trials, max_trials } => writeln!(
            out,
            "  trials  {min_trials} to {max_trials} per point, until {metric} is known to ±{} %",
            relative * 100.0
        )?,
    }
    writeln!(out, "  done    {done} trials; {batches} batches left")?;
    if left.unused_batches > 0 {
        writeln!(
            out,
            "          {} finished batches do not belong to these points: definition, scale, seed, \
             trace or simulation differ",
            left.unused_batches
        )?;
    }
    writeln!(out, "  time    about {} on {threads} threads", duration(seconds))?;
    writeln!(out, "  memory  about {:.1} MB for the tables", memory / 1e6)?;
    Ok(())
}

/// Time of the batches left on one thread, from a sample of the costliest point of each series.
fn seconds_left(plan: &Plan<'_>, left: &Pending) -> f64 {
    let mut seconds = 0.0;
    for series in 0..plan.experiment.series.len() {
        let of_series = || {
            let points = plan.experiment.points.iter().enumerate();
            points.filter(move |(_, point)| point.series == series).map(|(index, _)| index)
        };
        let cost_left: f64 = of_series().map(|index| left.points[index].cost_left).sum();
        let costliest = of_series().max_by(|&a, &b| plan.cost(a).total_cmp(&plan.cost(b)));
        if let (Some(index), true) = (costliest, cost_left > 0.0) {
            seconds += cost_left * seconds_per_operation(&plan.points[index]);
        }
    }
    seconds
}

fn seconds_per_operation(point: &PointPlan) -> f64 {
    let sample = point.shortened(SAMPLE_OPERATIONS);
    let started = Instant::now();
    sample.run(0, 1);
    started.elapsed().as_secs_f64() / sample.operations
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
