//! `loadfactor status`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::format::{Printed, print_json};
use super::plan::duration;
use super::selection::Out;
use super::submit::{bad, submission_in};
use crate::submission::slurm::ranges;
use crate::submission::{ExperimentState, Phase, ShardState, State, Submission};
use crate::terminal::tell;

/// Say how far the shards of a submission have come
///
/// That is read from their journals and locks; nothing else is asked, and nothing is written.
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &StatusArgs) -> Result<ExitCode> {
    let submission = submission_in(&args.out.out)?;
    // Another program may cut the same file otherwise, and would call finished shards missing.
    submission.check_program().map_err(bad)?;
    let state = submission.state();
    match args.printed.as_json() {
        true => print_json(&entry(&submission, &state))?,
        false => super::print(text(&submission, &state).as_bytes())?,
    }
    for fault in &state.faults {
        tell!("{fault}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The phases in the order in which they are told.
const PHASES: [Phase; 3] = [Phase::Done, Phase::Running, Phase::Missing];

fn seconds_left(state: &State) -> f64 {
    state.shards.iter().map(|shard| shard.seconds_left).sum()
}

/// How far it has come, for a person.
pub(super) fn text(submission: &Submission, state: &State) -> String {
    let count = |phase| state.in_phase(phase).len();
    let [done, running, missing] = PHASES.map(count);
    let all = submission.shards();
    let mut text = format!(
        "shards   {done} done, {running} running, {missing} missing, of {all}\n\
         left     about {} of processor time of {}\n",
        duration(seconds_left(state)),
        duration(submission.seconds()),
    );
    for phase in [Phase::Running, Phase::Missing] {
        let shards = state.in_phase(phase);
        if !shards.is_empty() {
            text += &format!("{:<8} {}\n", phase.name(), ranges(&shards));
        }
    }
    let width = state.experiments.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let columns = ["points done", "running", "missing", "batches done", "missing"];
    text += &format!("\n{:width$}", "experiment");
    columns.iter().for_each(|column| text += &format!("  {column}"));
    for one in &state.experiments {
        text += &format!("\n{:width$}", one.name);
        for (column, number) in columns.iter().zip(numbers(one)) {
            text += &format!("  {number:>0$}", column.len());
        }
    }
    text + "\n"
}

fn numbers(one: &ExperimentState) -> [u64; 5] {
    let ExperimentState { points_done, points_running, points_missing, .. } = *one;
    [points_done, points_running, points_missing, one.batches_done, one.batches_left]
}

fn entry(submission: &Submission, state: &State) -> Value {
    let shard = |shard: &ShardState| {
        json!({
            "shard": shard.number,
            "phase": shard.phase.name(),
            "batches_done": shard.batches_done,
            "batches_missing": shard.batches_left,
            "seconds_left": shard.seconds_left,
        })
    };
    let experiment = |one: &ExperimentState| {
        json!({
            "name": one.name,
            "points_done": one.points_done,
            "points_running": one.points_running,
            "points_missing": one.points_missing,
            "batches_done": one.batches_done,
            "batches_missing": one.batches_left,
        })
    };
    json!({
        "seconds": submission.seconds(),
        "seconds_left": seconds_left(state),
        "shards": state.shards.iter().map(shard).collect::<Vec<_>>(),
        "experiments": state.experiments.iter().map(experiment).collect::<Vec<_>>(),
        "unreadable": state.faults,
    })
}
