//! `loadfactor plan`.

use std::fmt;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::format::{Printed, print_json};
use super::selection::{Names, Only, Out, Overrides, Selected, Threads, folder};
use super::status::{exit_code, one_line, status_of};
use crate::definition::Stopping;
use crate::pipeline::{PipelineError, load_trace};
use crate::plan::{Plan, PointPlan};
use crate::run::{Pending, PointPending, Work, pending};
use crate::terminal::tell;

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
    overrides: Overrides,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    let selected = args.only.select(args.names.load(&args.overrides)?)?;
    let (mut total, mut statuses, mut entries) = (0.0, Vec::new(), Vec::new());
    for one in &selected {
        match plan_one(args, one) {
            Ok(Planned { seconds, text, entry }) => {
                total += seconds;
                entries.push(entry);
                if !args.printed.as_json() {
                    super::print(text.as_bytes())?;
                }
            }
            Err(error) => {
                statuses.push(status_of(&error));
                tell!("{}: FAILED: {}", one.experiment.name, one_line(&error.into()));
            }
        }
    }
    if args.printed.as_json() {
        let threads = args.threads.or_all();
        print_json(&json!({ "experiments": entries, "seconds": total, "threads": threads }))?;
    } else if selected.len() > 1 {
        let (count, threads) = (selected.len(), args.threads.or_all());
        let text = format!("\nall {count}: about {} on {threads} threads\n", duration(total));
        super::print(text.as_bytes())?;
    }
    Ok(exit_code(statuses))
}

/// The seconds that a run would take, and its description for a person and as JSON.
struct Planned {
    seconds: f64,
    text: String,
    entry: Value,
}

fn plan_one(args: &PlanArgs, selected: &Selected) -> Result<Planned, PipelineError> {
    let Selected { experiment, .. } = selected;
    let threads = args.threads.or_all() as f64;
    let plan = Plan::new(experiment, load_trace(experiment, &args.out.out)?)?;
    let left = pending(&folder(&args.out.out, experiment), &plan)?;
    let seconds = seconds_left(&plan, &left, selected) / threads;
    let ahead = Ahead { selected, plan: &plan, left: &left, seconds, threads };
    Ok(Planned { seconds, text: ahead.to_string(), entry: ahead.entry() })
}

/// What a run would do.
struct Ahead<'a> {
    selected: &'a Selected,
    plan: &'a Plan<'a>,
    left: &'a Pending,
    seconds: f64,
    threads: f64,
}

impl Ahead<'_> {
    fn points(&self) -> impl Iterator<Item = (&PointPlan, &PointPending)> {
        let points = self.plan.points.iter().zip(&self.left.points).enumerate();
        points.filter(|(index, _)| self.selected.holds(*index)).map(|(_, point)| point)
    }

    fn sum(&self, of_point: fn(&PointPending) -> u64) -> u64 {
        self.points().map(|(_, left)| of_point(left)).sum()
    }

    /// The rule by which all points end.
    fn write_rule(&self, rule: Stopping, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match rule {
            Stopping::Trials(each) => {
                let all = self.sum(|left| left.trials_wanted);
                writeln!(f, "  trials  {each} per point, {all} in all")
            }
            Stopping::Precision { metric, relative, min_trials, max_trials } => writeln!(
                f,
                "  trials  {min_trials} to {max_trials} per point, until {metric} is known to ±{} %",
                relative * 100.0
            ),
        }
    }

    fn entry(&self) -> Value {
        let Self { selected: Selected { experiment, .. }, left, seconds, .. } = self;
        json!({
            "name": experiment.name,
            "title": experiment.title,
            "points": self.selected.points(),
            "points_in_all": experiment.points.len(),
            "series": experiment.series,
            "trials_wanted": self.sum(|left| left.trials_wanted),
            "trials_at_most": self.sum(|left| left.trials_at_most),
            "trials_done": self.sum(|left| left.trials_done),
            "batches_left": self.sum(|left| left.batches_left),
            "batches_of_other_points": left.unused_batches,
            "seconds": seconds,
            "memory_bytes": self.memory(),
        })
    }

    fn memory(&self) -> f64 {
        let most = self.points().map(|(plan, _)| plan.cost.bytes).max();
        most.unwrap_or(0) as f64 * self.threads
    }
}

impl fmt::Display for Ahead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { selected: Selected { experiment, .. }, left, seconds, threads, .. } = self;
        writeln!(f, "{}: {}", experiment.name, experiment.title)?;
        writeln!(f, "  points  {}", describe_points(self.selected))?;
        match experiment.stopping[..] {
            [first, ref others @ ..] if others.iter().all(|rule| *rule == first) => {
                self.write_rule(first, f)?;
            }
            _ => {
                let all = self.sum(|left| left.trials_wanted);
                writeln!(f, "  trials  as each series says, {all} in all")?;
            }
        }
        let (done, batches) =
            (self.sum(|left| left.trials_done), self.sum(|left| left.batches_left));
        writeln!(f, "  done    {done} trials; {batches} batches left")?;
        if left.unused_batches > 0 {
            writeln!(
                f,
                "          {} finished batches do not belong to these points: definition, scale, \
                 seed, trace or simulation differ",
                left.unused_batches
            )?;
        }
        writeln!(f, "  time    about {} on {threads} threads", duration(*seconds))?;
        writeln!(f, "  memory  about {:.1} MB", self.memory() / 1e6)
    }
}

fn describe_points(selected: &Selected) -> String {
    let (all, series) = (selected.experiment.points.len(), selected.experiment.series.len());
    match selected.points() {
        points if points < all => format!("{points} of {all}, by --only"),
        points => format!("{points} in {series} series"),
    }
}

/// Time of the batches left on one thread, from a sample of the costliest point of each series.
fn seconds_left(plan: &Plan<'_>, left: &Pending, selected: &Selected) -> f64 {
    let mut seconds = 0.0;
    for series in 0..plan.experiment.series.len() {
        let of_series = || {
            let points = plan.experiment.points.iter().enumerate();
            let of_series = points.filter(move |(_, point)| point.series == series);
            of_series.map(|(index, _)| index).filter(|&index| selected.holds(index))
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
    started.elapsed().as_secs_f64() / sample.cost.operations
}

/// A time in the unit in which a person would say it.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
