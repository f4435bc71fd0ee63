//! `loadfactor compare`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::exit::{BadInput, DIFFERS};
use super::format::{Printed, print_json};
use crate::report::changes::changes;
use crate::timing::compare::{TimingChanges, timing_changes, timings};

/// Compare two result folders, or two tables: what moved, by how many standard errors
///
/// Two files `timings.csv`, or the folders of an experiment that have one, are compared as such: which operations
/// became faster, which slower, and of which nobody can tell, by their ratios to the baseline of each run. Exit
/// status 3 where one became slower or is missing.
///
/// Rows of `table.parquet` are matched by experiment, metric, prediction and everything that
/// identifies a point. A table by itself may be Parquet or CSV. Exit status 3 where a measurement
/// moved further than chance allows at an error of 1 % over all, or is missing from the new results;
/// where a prediction or a published value changed, or a prediction vanished or appeared; and where
/// a verdict changed for another reason than chance in what it judges.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Results before: the folder given to --out, or one experiment's, or a table of either kind
    old: PathBuf,
    /// Results after
    new: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &CompareArgs) -> Result<ExitCode> {
    if let (Some(old), Some(new)) = (timings(&args.old), timings(&args.new)) {
        return of_timings(args, &timing_changes(&old, &new)?);
    }
    let changes = changes(&args.old, &args.new)?;
    if changes.compared == 0 {
        let text = "error: the two have no measurement in common: nothing was compared\n  \
                    help: each must be a table of results, or a folder where `run` or `report` has written some";
        return Err(BadInput(text.into()).into());
    }
    match args.printed.as_json() {
        true => print_json(&changes.json())?,
        false => super::print(changes.to_string().as_bytes())?,
    }
    Ok(if changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) })
}

fn of_timings(args: &CompareArgs, changes: &TimingChanges) -> Result<ExitCode> {
    if changes.compared.is_empty() {
        let first = |names: &[String]| names.first().map_or("nothing".into(), Clone::clone);
        let text = format!(
            "error: the two have no timing in common with the same baseline: nothing was compared\n  \
             before: {}\n  after: {}\n  help: both must be measured at the same scale and with the same settings",
            first(&changes.missing),
            first(&changes.added),
        );
        return Err(BadInput(text).into());
    }
    match args.printed.as_json() {
        true => print_json(&changes.json())?,
        false => super::print(changes.to_string().as_bytes())?,
    }
    Ok(if changes.is_worse() { ExitCode::from(DIFFERS) } else { ExitCode::SUCCESS })
}
