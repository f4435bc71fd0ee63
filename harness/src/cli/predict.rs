//! `loadfactor predict`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::selection::{Names, Overrides, folder};
use super::status::{BadInput, FAILED, exit_code, is_closed_pipe, one_line, status_of};
use crate::definition::Experiment;
use crate::files::write_atomic;
use crate::pipeline::{PipelineError, load_trace, results};
use crate::plan::Plan;
use crate::run::JOURNAL;
use crate::table::Table;

/// Write the predictions alone, without any simulation
///
/// The table is that of `run` with the measured columns empty. Bounds stand at the predicted
/// accesses per insertion. Without --out the table of one experiment goes to standard output.
#[derive(Debug, Args)]
pub(super) struct PredictArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    /// Write DIR/EXPERIMENT/table.csv and table.parquet instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &PredictArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.overrides)?;
    if args.out.is_none() && experiments.len() > 1 {
        let text = "error: several tables are no table: name a folder for them with --out, or one \
                    experiment alone";
        return Err(BadInput(text.into()).into());
    }
    let mut statuses = Vec::new();
    for experiment in &experiments {
        let failures = match predict(args, experiment) {
            Err(error) if is_closed_pipe(&error) => break,
            Err(error) => {
                statuses.push(error.downcast_ref().map_or(FAILED, status_of));
                vec![one_line(&error)]
            }
            Ok(failures) => {
                statuses.extend(failures.first().map(|_| FAILED));
                failures
            }
        };
        for failure in &failures {
            eprintln!("{}: FAILED: {failure}", experiment.name);
        }
    }
    Ok(exit_code(statuses))
}

/// Writes the table of one experiment; returns the predictions that failed.
fn predict(args: &PredictArgs, experiment: &Experiment) -> Result<Vec<String>> {
    let scratch = args.out.clone().unwrap_or_else(|| PathBuf::from("results"));
    let trace = load_trace(experiment, &scratch)?;
    let plan = Plan::new(experiment, trace).map_err(PipelineError::from)?;
    let results = results(&plan, &[]);
    let table = Table::join(experiment, &results.subjects, &results.comparisons)?;
    match &args.out {
        None => super::print(&table.csv()?)?,
        Some(out) => write(&table, &folder(out, experiment))?,
    }
    Ok(results.unpredicted.into_iter().map(|(_, reason)| reason).collect())
}

fn write(table: &Table, folder: &Path) -> Result<()> {
    if folder.join(JOURNAL).exists() {
        bail!("{} holds the results of a run; name another --out", folder.display());
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, bytes) in [("table.csv", table.csv()?), ("table.parquet", table.parquet()?)] {
        let path = folder.join(name);
        write_atomic(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("{}", path.display());
    }
    Ok(())
}
