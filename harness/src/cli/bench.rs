//! `loadfactor bench`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::format::{Printed, print_json};
use super::selection::{Names, Out, Overrides, folder};
use super::status::{FAILED, exit_code, one_line};
use crate::definition::Experiment;
use crate::pipeline::{load_trace, now};
use crate::terminal::tell;
use crate::timing::{Circumstances, Monotonic, Row, TimedPlan, json, measure, rows, text, write};

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
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode> {
    let mut experiments = args.names.load_timed(&args.overrides)?;
    let (mut statuses, mut entries) = (Vec::new(), Vec::new());
    for experiment in &mut experiments {
        if let (Some(samples), Some(timing)) = (args.samples, &mut experiment.timing) {
            timing.samples = samples;
            timing.layouts = timing.layouts.min(samples);
        }
        match bench(args, experiment) {
            Ok(rows) => entries.push(json::entry(&experiment.name, &rows)),
            Err(error) => {
                statuses.push(FAILED);
                tell!("{}: FAILED: {}", experiment.name, one_line(&error));
            }
        }
    }
    if args.printed.as_json() {
        print_json(&entries.into())?;
    }
    Ok(exit_code(statuses))
}

/// Times one experiment, writes its files and says what came out.
fn bench(args: &BenchArgs, experiment: &Experiment) -> Result<Vec<Row>> {
    let trace = load_trace(experiment, &args.out.out)?;
    let plan = TimedPlan::new(experiment, trace.as_ref())?;
    plan.check_memory()?;
    let (clock, started) = (Monotonic::default(), now());
    let mut all = Vec::new();
    for place in &plan.places {
        all.extend(rows(&plan, place, &measure(&plan, place, &clock)?));
    }
    let circumstances = Circumstances { scale: args.overrides.scale(), started, ended: now() };
    written(&plan, &all, &circumstances, &folder(&args.out.out, experiment))?;
    if !args.printed.as_json() {
        super::print(format!("{}\n\n{}", experiment.title, text(&all)).as_bytes())?;
    }
    Ok(all)
}

fn written(
    plan: &TimedPlan<'_>,
    rows: &[Row],
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<()> {
    let (files, undrawn) = write(plan, rows, circumstances, folder)?;
    if let Some(reason) = undrawn {
        tell!("{}: no figure was drawn: {reason}", plan.experiment.name);
    }
    if let Some(first) = files.first() {
        tell!("{}: wrote {} and what belongs to it", plan.experiment.name, first.display());
    }
    Ok(())
}
