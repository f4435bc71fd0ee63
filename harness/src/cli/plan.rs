//! `loadfactor plan`.

use std::fmt;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::abreast::{Load, in_order};
use super::exit::{exit_code, one_line, status_of};
use super::format::{Printed, print_json};
use super::selection::{Out, Selected, Selection, Threads, folder};
use crate::count::{counted, with_verb};
use crate::definition::{Stopping, Timing};
use crate::forecast::{SAMPLE_BYTES, Share, paces, seconds_of_predictions};
use crate::memory::{self, in_words};
use crate::pipeline::{PipelineError, load_trace, trace_folder};
use crate::plan::{Plan, PointPlan, key_kinds};
use crate::run::{Pending, PointPending, pending};
use crate::terminal::tell;
use crate::timing::TimedPlan;
use crate::trace::{LoadedTrace, Unmade, unmade};

/// Points from which on the size of the tables is told.
const MANY_POINTS: usize = 10_000;

/// Points from whose predictions the number of rows is told.
const SAMPLED_POINTS: usize = 100;

/// Seconds of predictions from which on they are told.
const TOLD_PREDICTIONS: f64 = 1.0;

/// What is said of one finished batch in the journal that is of other points, and of several.
const FOREIGN: [&str; 2] = ["finished batch does not belong", "finished batches do not belong"];

/// Bytes of a row in `table.csv` and `table.parquet` together, about.
const BYTES_PER_ROW: f64 = 650.0;

/// Say what a run would do: points, trials, time and memory, and what is left of an earlier run
///
/// The time is estimated from a short sample of each experiment on this machine. It is that of trials and of the
/// predictions of their points; predictions between them, for the lines of figures, come on top.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    let selected = args.selection.load_all()?;
    let (mut total, mut statuses, mut entries) = (Total::default(), Vec::new(), Vec::new());
    let load = |one: &Selected| Load::of(&one.experiment).beside(SAMPLE_BYTES);
    let loads: Vec<Load> = selected.iter().map(load).collect();
    let of_one = |index: usize| plan_one(args, &selected[index]);
    in_order(Some(args.threads.at_once()), &loads, of_one, |index, planned| {
        let one = &selected[index];
        match planned {
            Ok(Planned { seconds, text, entry }) => {
                total.add(one, seconds);
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
        Ok(())
    })?;
    if args.printed.as_json() {
        let threads = args.threads.or_all();
        let Total { seconds, bench_seconds, .. } = total;
        print_json(&json!({
            "experiments": entries,
            "seconds": seconds,
            "bench_seconds": bench_seconds,
            "threads": threads,
        }))?;
    } else if selected.len() > 1 {
        super::print(total.text(selected.len(), args.threads.or_all()).as_bytes())?;
    }
    Ok(exit_code(statuses))
}

/// Seconds of several experiments together.
#[derive(Debug, Default)]
struct Total {
    /// Of those that are run.
    seconds: f64,
    /// Of those that are timed, which `bench` does.
    bench_seconds: f64,
    /// How many are timed.
    timed: usize,
    /// Of how many nothing is known before their trace is made.
    unknown: usize,
}

impl Total {
    fn add(&mut self, selected: &Selected, seconds: Option<f64>) {
        self.unknown += usize::from(seconds.is_none());
        if selected.experiment.timing.is_some() {
            self.bench_seconds += seconds.unwrap_or(0.0);
            self.timed += 1;
        } else {
            self.seconds += seconds.unwrap_or(0.0);
        }
    }

    /// What is said of so many experiments.
    fn text(&self, all: usize, threads: usize) -> String {
        let Self { seconds, bench_seconds, timed, unknown } = self;
        let run = format!("about {} on {}", duration(*seconds), counted(threads, "thread"));
        let bench = format!("`loadfactor bench`: about {}", duration(*bench_seconds));
        let known = match *timed {
            0 => format!("all {all}: {run}"),
            timed if timed == all => format!("all {all} are timed, nothing to run; {bench}"),
            1 => format!("{} of {all}: {run}; the other is timed, {bench}", all - 1),
            timed => {
                format!("{} of {all}: {run}; the other {timed} are timed, {bench}", all - timed)
            }
        };
        match unknown {
            0 => format!("\n{known}\n"),
            unknown => format!("\n{known}; without the {unknown} whose trace is not made yet\n"),
        }
    }
}

/// The seconds that a run would take, or `bench` where it is timed, as far as they are known, and its description for a
/// person and as JSON.
struct Planned {
    seconds: Option<f64>,
    text: String,
    entry: Value,
}

fn plan_one(args: &PlanArgs, selected: &Selected) -> Result<Planned, PipelineError> {
    let Selected { experiment, .. } = selected;
    let threads = args.threads.or_all();
    if let Some(planned) = before_its_trace(args, selected)? {
        return Ok(planned);
    }
    if let Some(timing) = &experiment.timing {
        return timed(args, selected, timing);
    }
    let plan = Plan::new(experiment, load_trace(experiment, &args.out.out)?)?;
    let left = pending(&folder(&args.out.out, experiment), &plan)?;
    let predictions = shared(seconds_of_predictions(&plan), plan.points.len(), threads);
    let seconds = seconds_left(&plan, &left, selected) / threads as f64 + predictions;
    let foreseen = Foreseen { selected, plan: &plan, left: &left, seconds, predictions, threads };
    Ok(Planned { seconds: Some(seconds), text: foreseen.to_string(), entry: foreseen.entry() })
}

/// What `bench` would do.
fn timed(args: &PlanArgs, selected: &Selected, timing: &Timing) -> Result<Planned, PipelineError> {
    let experiment = &selected.experiment;
    let trace = load_trace(experiment, &args.out.out)?;
    let timed = TimedPlan::new(experiment, trace.as_ref())?;
    let of_trace = trace.as_ref().map_or(0, LoadedTrace::bytes);
    let (of_samples, bytes) = (timed.seconds_of_samples(), timed.bytes() + of_trace);
    let Timing { operations, samples, layouts, .. } = timing;
    let plan = Plan::new(experiment, trace)?;
    let seconds = of_samples + f64::from(*layouts) * seconds_of_trials(&plan, selected);
    let operations: Vec<&str> = operations.iter().map(|operation| operation.name()).collect();
    let text = format!(
        "{}: {}\n  points  {}\n  timed   {}: {samples} samples of each in {layouts} layouts, \
         `loadfactor bench {0}`\n  time    about {}\n  memory  about {}\n",
        experiment.name,
        experiment.title,
        describe_points(selected),
        operations.join(", "),
        duration(seconds),
        in_words(bytes as f64),
    );
    let entry = json!({
        "name": experiment.name,
        "title": experiment.title,
        "points": selected.points(),
        "points_in_all": experiment.points.len(),
        "series": experiment.series,
        "operations": operations,
        "samples": samples,
        "layouts": layouts,
        "seconds": seconds,
        "memory_bytes": bytes,
    });
    Ok(Planned { seconds: Some(seconds), text, entry })
}

/// What is known of an experiment before its synthetic trace is made, which planning does not do.
fn before_its_trace(
    args: &PlanArgs,
    selected: &Selected,
) -> Result<Option<Planned>, PipelineError> {
    let experiment = &selected.experiment;
    let Some(source) = experiment.trace.as_ref().filter(|_| !key_kinds(experiment).is_empty())
    else {
        return Ok(None);
    };
    let Some(unmade) = unmade(source, &trace_folder(&args.out.out))? else { return Ok(None) };
    let Unmade { path, packets, bytes } = unmade;
    let text = format!(
        "{}: {}\n  points  {}\n  trace   {packets} packets, about {} in {}, which a run makes first; \
         only then can time, memory and what is left be told\n",
        experiment.name,
        experiment.title,
        describe_points(selected),
        in_words(bytes),
        path.display(),
    );
    let entry = json!({
        "name": experiment.name,
        "title": experiment.title,
        "points": selected.points(),
        "points_in_all": experiment.points.len(),
        "series": experiment.series,
        "trace_to_make": { "path": path.display().to_string(), "packets": packets, "bytes": bytes },
    });
    Ok(Some(Planned { seconds: None, text, entry }))
}

/// What a run would do.
struct Foreseen<'a> {
    selected: &'a Selected,
    plan: &'a Plan<'a>,
    left: &'a Pending,
    /// All of the run.
    seconds: f64,
    /// Of these, those of predictions.
    predictions: f64,
    threads: usize,
}

impl Foreseen<'_> {
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

    /// Rows and bytes of the tables, as far as they are worth a thought: what some points predict is taken for
    /// those between.
    fn large_tables(&self) -> Option<(u64, f64)> {
        let points = &self.plan.points;
        if points.len() < MANY_POINTS {
            return None;
        }
        let every = points.len() / SAMPLED_POINTS;
        let predicted = |point: &PointPlan| point.outlook().predictions.len() as u64;
        let rows: u64 = points.iter().step_by(every).map(predicted).sum();
        let rows = rows * every as u64;
        Some((rows, rows as f64 * BYTES_PER_ROW))
    }

    fn entry(&self) -> Value {
        let Self { selected: Selected { experiment, .. }, left, seconds, predictions, .. } = self;
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
            "prediction_seconds": predictions,
            "memory_bytes": self.memory(),
        })
    }

    /// Bytes of a run, about.
    fn memory(&self) -> f64 {
        let of_trace = self.plan.trace.as_ref().map_or(0, LoadedTrace::bytes);
        self.memory_to_take() + of_trace as f64
    }

    /// The same without the trace, which is in memory already.
    fn memory_to_take(&self) -> f64 {
        let most = self.points().map(|(plan, _)| plan.cost.bytes).max();
        most.unwrap_or(0) as f64 * self.threads as f64 + self.plan.result_bytes() as f64
    }
}

impl fmt::Display for Foreseen<'_> {
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
        let (done, batches) = (counted(done, "trial"), with_verb(batches, ["batch", "batches"]));
        writeln!(f, "  done    {done}; {batches} left")?;
        if left.unused_batches > 0 {
            writeln!(
                f,
                "          {} to these points: definition (also a ratio or \
                 difference in it), scale, seed, trace or simulation differ",
                with_verb(left.unused_batches, FOREIGN)
            )?;
        }
        write!(f, "  time    about {} on {}", duration(*seconds), counted(*threads, "thread"))?;
        match self.predictions {
            few if few < TOLD_PREDICTIONS => writeln!(f)?,
            own => writeln!(f, ", {} of it for predictions", duration(own))?,
        }
        if let Some((rows, bytes)) = self.large_tables() {
            writeln!(f, "  tables  about {rows} rows, {}", in_words(bytes))?;
        }
        write!(f, "  memory  about {}", in_words(self.memory()))?;
        match memory::available() {
            Some(available) if self.memory_to_take() > available as f64 => {
                writeln!(f, ", more than the {} available", in_words(available as f64))
            }
            _ => writeln!(f),
        }
    }
}

fn describe_points(selected: &Selected) -> String {
    let (all, series) = (selected.experiment.points.len(), selected.experiment.series.len());
    match selected.points() {
        points if points < all => format!("{points} of {all}, by --only"),
        points => format!("{points} in {series} series"),
    }
}

/// Time of the batches left on one thread.
fn seconds_left(plan: &Plan<'_>, left: &Pending, selected: &Selected) -> f64 {
    seconds_of(plan, selected, |index| {
        let PointPending { batches_left, cost_left, .. } = left.points[index];
        Share { batches: batches_left as f64, operations: cost_left }
    })
}

/// Time of one trial of each point: about that of making, filling and asking a structure that is timed.
fn seconds_of_trials(plan: &Plan<'_>, selected: &Selected) -> f64 {
    seconds_of(plan, selected, |index| Share {
        batches: 1.0,
        operations: plan.points[index].cost.operations,
    })
}

/// Time on one thread of such shares of each point.
fn seconds_of(plan: &Plan<'_>, selected: &Selected, share: impl Fn(usize) -> Share) -> f64 {
    let has_work = |index: usize| selected.holds(index) && share(index).operations > 0.0;
    let paces = paces(plan, has_work);
    let worked = (0..paces.len()).filter(|&index| has_work(index));
    worked.map(|index| paces[index].seconds(share(index))).sum()
}

/// Seconds of so many parts together, none of which more than one thread has in work.
fn shared(of_processor: f64, parts: usize, threads: usize) -> f64 {
    of_processor / threads.min(parts).max(1) as f64
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A run computes the predictions of its points on all of its threads.
    #[test]
    fn threads_share_predictions_as_far_as_there_are_points() {
        assert_eq!(shared(8.0, 100, 4), 2.0);
        assert_eq!(shared(8.0, 2, 4), 4.0);
        assert_eq!(shared(0.0, 0, 4), 0.0);
    }

    #[test]
    fn what_is_timed_is_told_apart_from_what_is_run() {
        let of =
            |timed, unknown| Total { seconds: 3.0, bench_seconds: 80.0, timed, unknown }.text(4, 2);
        let bench = "`loadfactor bench`: about 1 min";
        let run = "about 3 s on 2 threads";
        let one_thread = Total { seconds: 3.0, ..Total::default() }.text(4, 1);
        assert_eq!(one_thread, "\nall 4: about 3 s on 1 thread\n");
        assert_eq!(of(0, 0), format!("\nall 4: {run}\n"));
        assert_eq!(of(1, 0), format!("\n3 of 4: {run}; the other is timed, {bench}\n"));
        assert_eq!(of(2, 0), format!("\n2 of 4: {run}; the other 2 are timed, {bench}\n"));
        let timed = format!("all 4 are timed, nothing to run; {bench}");
        assert_eq!(of(4, 0), format!("\n{timed}\n"));
        assert_eq!(of(4, 2), format!("\n{timed}; without the 2 whose trace is not made yet\n"));
    }
}
