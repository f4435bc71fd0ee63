//! `loadfactor bench`.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use super::exit::{BadInput, DIFFERS, FAILED, exit_code, one_line};
use super::format::{Printed, print_json};
use super::selection::{Names, Out, Overrides, folder};
use crate::definition::Experiment;
use crate::pipeline::{load_trace, now};
use crate::terminal::tell;
use crate::timing::{
    Circumstances, Job, Measured, MeasurementFolder, Monotonic, ONE_LAYOUT, Observed, Place,
    Program, Programs, Task, TimedPlan, TimingError, Timings, is_slower, json, measure,
    measure_beside, measure_layout, paired_rows, rows, text, text_beside,
};

/// Time between two words about how far a measurement has come.
const WORD_EVERY: Duration = Duration::from_secs(5);

/// Time the operations of structures, as definitions with `[time]` say
///
/// Samples of all series are taken in turn, in an order of chance, and each is divided by that of the baseline in the
/// same round: times wander with the machine, ratios hardly do. Rows go to DIR/EXPERIMENT/timings.csv and, with
/// their date, to timings-history.csv beside it; `loadfactor compare` holds two such files against each other.
///
/// Two measurements differ by what the machine did meanwhile. With --beside another build measures each layout as well,
/// right before or after this one, and timings-beside.csv says which operations are faster here, which slower, and of
/// which nobody can tell. Exit status 3 where one is slower.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor bench filters/timed                      one definition\n  \
    loadfactor bench filters/timed --samples 200        narrower intervals\n  \
    loadfactor bench filters/timed --beside ../old      what is faster or slower than in another build\n  \
    loadfactor compare old/timings.csv new/timings.csv  what became faster or slower by much")]
pub(super) struct BenchArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    /// Samples of each series, place of the sweep and operation, in place of the definition's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(5..=1_000_000))]
    samples: Option<u32>,
    /// Another build of loadfactor, which measures the same layouts in the same minutes
    #[arg(long, value_name = "PROGRAM")]
    beside: Option<PathBuf>,
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
    let beside = args.program_beside()?;
    let (mut statuses, mut entries) = (Vec::new(), Vec::new());
    for experiment in &mut experiments {
        args.change(experiment);
        let mut timings = Timings::default();
        if let Err(error) = bench(args, experiment, beside.as_ref(), &mut timings) {
            statuses.push(FAILED);
            tell!("{}: FAILED: {}", experiment.name, one_line(&error));
        }
        if timings.beside.as_deref().is_some_and(is_slower) {
            statuses.push(DIFFERS);
        }
        if !timings.rows.is_empty() {
            entries.push(json::entry(&experiment.name, &timings));
        }
    }
    if args.printed.as_json() {
        print_json(&entries.into())?;
    }
    Ok(exit_code(statuses))
}

/// Times one experiment. Whatever prevents its files is found before the first sample, and each place is printed and
/// written as soon as it is measured.
fn bench(
    args: &BenchArgs,
    experiment: &Experiment,
    beside: Option<&Program>,
    all: &mut Timings,
) -> Result<()> {
    let trace = load_trace(experiment, &args.out.out)?;
    let plan = TimedPlan::new(experiment, trace.as_ref())?;
    plan.check_memory()?;
    let folder = MeasurementFolder::take(&folder(&args.out.out, experiment))?;
    let started = now();
    let scale = args.overrides.scale();
    let circumstances = || Circumstances { scale, started, ended: now(), beside: beside.cloned() };
    print(args, &format!("{}\n\n", experiment.title))?;
    for (number, place) in plan.places.iter().enumerate() {
        let measured = measured(&plan, number, beside, all)?;
        let of_place = rows(&plan, place, &measured);
        let printed = print(args, &text(&of_place));
        all.rows.extend(of_place);
        folder.write(&plan, all, &circumstances())?;
        printed?;
    }
    if let (Some(program), Some(rows)) = (beside, &all.beside) {
        print(args, &text_beside(program.path(), rows))?;
    }
    if let Some(reason) = folder.finish(&plan, &all.rows, &circumstances())? {
        tell!("{}: no figure was drawn: {reason}", experiment.name);
    }
    tell!("{}: wrote {} and what belongs to it", experiment.name, folder.timings().display());
    Ok(())
}

/// What this program measures of a place. Where another one is beside it, its rows are added to `all`.
fn measured(
    plan: &TimedPlan<'_>,
    number: usize,
    beside: Option<&Program>,
    all: &mut Timings,
) -> Result<Vec<Measured>, TimingError> {
    let place = &plan.places[number];
    let mut progress = progress(plan, place);
    let mut here = |task: &Task| Ok(Job::new(plan, task).run(&arguments())?);
    let Some(program) = beside else {
        return measure(plan, number, &mut here, &mut progress);
    };
    let mut other = |task: &Task| Ok(program.measure(&Job::new(plan, task), &arguments())?);
    let programs = Programs { here: &mut here, beside: &mut other, path: program.path() };
    let both = measure_beside(plan, number, programs, &mut progress)?;
    all.beside.get_or_insert_default().extend(paired_rows(plan, place, &both));
    let [own, _] = both;
    Ok(own)
}

impl BenchArgs {
    /// The program beside which is measured.
    fn program_beside(&self) -> Result<Option<Program>, BadInput> {
        let found = self.beside.as_deref().map(Program::find).transpose();
        found.map_err(|error| BadInput(format!("error: {error}")))
    }

    /// Takes the options for what the definition says.
    fn change(&self, experiment: &mut Experiment) {
        if let (Some(samples), Some(timing)) = (self.samples, &mut experiment.timing) {
            timing.samples = samples;
            timing.layouts = timing.layouts.min(samples);
        }
    }
}

/// The arguments of a process that measures a layout: ours, but for the other program, which builds of before do not
/// know.
fn arguments() -> Vec<OsString> {
    let mut ours = env::args_os().skip(2);
    let mut kept: Vec<OsString> = ONE_LAYOUT.map(OsString::from).into();
    while let Some(argument) = ours.next() {
        if argument == "--beside" {
            ours.next();
        } else if !argument.as_encoded_bytes().starts_with(b"--beside=") {
            kept.push(argument);
        }
    }
    kept
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
            if done <= all {
                tell!("{name}: {at}: {done} of {all} layouts");
            } else {
                tell!("{name}: {at}: {done} layouts, until the changes are known");
            }
        }
    }
}
