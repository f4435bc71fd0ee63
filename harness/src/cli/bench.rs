//! `loadfactor bench`.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use super::format::{Printed, print_json};
use super::selection::{Names, Out, Overrides, folder};
use super::status::{FAILED, exit_code, one_line};
use crate::definition::Experiment;
use crate::pipeline::{load_trace, now};
use crate::terminal::tell;
use crate::timing::{
    Circumstances, Job, MeasurementFolder, Monotonic, Observed, Place, Row, Task, TimedPlan,
    TimingError, json, measure, measure_layout, rows, text,
};

/// Time between two words about how far a measurement has come.
const WORD_EVERY: Duration = Duration::from_secs(5);

/// Time the operations of structures, as definitions with `[time]` say
///
/// Samples of all series are taken in turn, in an order of chance, and each is divided by that of the baseline in the
/// same round: times wander with the machine, ratios hardly do. Rows go to DIR/EXPERIMENT/timings.csv and, with
/// their date, to timings-history.csv beside it; `loadfactor compare` holds two such files against each other.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor bench filters/timed                      one definition\n  \
    loadfactor bench filters/timed --samples 200        narrower intervals\n  \
    loadfactor compare old/timings.csv new/timings.csv  what became faster or slower")]
pub(super) struct BenchArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    /// Samples of each series, place of the sweep and operation, in place of the definition's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(5..=1_000_000))]
    samples: Option<u32>,
    /// Measure the one layout that standard input asks for, as a process of its own
    #[arg(long, hide = true)]
    one_layout: bool,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode> {
    if args.one_layout {
        Job::answer(&measured_here(args).map_err(|error| one_line(&error)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut experiments = args.names.load_timed(&args.overrides)?;
    let (mut statuses, mut entries) = (Vec::new(), Vec::new());
    for experiment in &mut experiments {
        args.change(experiment);
        let mut rows = Vec::new();
        if let Err(error) = bench(args, experiment, &mut rows) {
            statuses.push(FAILED);
            tell!("{}: FAILED: {}", experiment.name, one_line(&error));
        }
        if !rows.is_empty() {
            entries.push(json::entry(&experiment.name, &rows));
        }
    }
    if args.printed.as_json() {
        print_json(&entries.into())?;
    }
    Ok(exit_code(statuses))
}

/// Times one experiment. Whatever prevents its files is found before the first sample, and each place is printed and
/// written as soon as it is measured.
fn bench(args: &BenchArgs, experiment: &Experiment, all: &mut Vec<Row>) -> Result<()> {
    let trace = load_trace(experiment, &args.out.out)?;
    let plan = TimedPlan::new(experiment, trace.as_ref())?;
    plan.check_memory()?;
    let folder = MeasurementFolder::take(&folder(&args.out.out, experiment))?;
    let started = now();
    let circumstances = || Circumstances { scale: args.overrides.scale(), started, ended: now() };
    print(args, &format!("{}\n\n", experiment.title))?;
    for (number, place) in plan.places.iter().enumerate() {
        let mut elsewhere = |task: &Task| measured_elsewhere(&plan, task);
        let measured = measure(&plan, number, &mut elsewhere, &mut progress(&plan, place))?;
        let of_place = rows(&plan, place, &measured);
        let printed = print(args, &text(&of_place));
        all.extend(of_place);
        folder.write(&plan, all, &circumstances())?;
        printed?;
    }
    if let Some(reason) = folder.finish(&plan, all, &circumstances())? {
        tell!("{}: no figure was drawn: {reason}", experiment.name);
    }
    tell!("{}: wrote {} and what belongs to it", experiment.name, folder.timings().display());
    Ok(())
}

impl BenchArgs {
    /// Takes the options for what the definition says.
    fn change(&self, experiment: &mut Experiment) {
        if let (Some(samples), Some(timing)) = (self.samples, &mut experiment.timing) {
            timing.samples = samples;
            timing.layouts = timing.layouts.min(samples);
        }
    }
}

/// One layout, measured by a process of this program, with the same arguments.
fn measured_elsewhere(plan: &TimedPlan<'_>, task: &Task) -> Result<Vec<Observed>, TimingError> {
    let arguments = [OsString::from("bench"), OsString::from("--one-layout")];
    let same = env::args_os().skip(2);
    let arguments: Vec<OsString> = arguments.into_iter().chain(same).collect();
    Ok(Job::new(plan, task).run(&arguments)?)
}

/// The layout that another process waits for.
fn measured_here(args: &BenchArgs) -> Result<Vec<Observed>> {
    let job = Job::receive()?;
    let mut experiment = args.names.load_one(&job.definition, &args.overrides)?;
    args.change(&mut experiment);
    job.name_files(&mut experiment);
    let trace = load_trace(&experiment, &args.out.out)?;
    let plan = TimedPlan::new(&experiment, trace.as_ref())?;
    if !job.is_of(&plan) {
        bail!("the definition or its trace was written over meanwhile: measure again");
    }
    Ok(measure_layout(&plan, &job.task, &Monotonic::default())?)
}

/// Prints for a person.
fn print(args: &BenchArgs, text: &str) -> Result<()> {
    if args.printed.as_json() { Ok(()) } else { super::print(text.as_bytes()) }
}

/// Says every few seconds how many layouts of a place are done.
fn progress<'p>(plan: &'p TimedPlan<'_>, place: &'p Place) -> impl FnMut(u32) + use<'p> {
    let mut last = Instant::now();
    let (name, all) = (&plan.experiment.name, plan.timing.layouts);
    let at = &place.at[plan.timing.baseline];
    move |done| {
        if last.elapsed() >= WORD_EVERY {
            last = Instant::now();
            tell!("{name}: {at}: {done} of {all} layouts");
        }
    }
}
