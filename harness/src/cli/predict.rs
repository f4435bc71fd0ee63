//! `loadfactor predict`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::selection::{Names, Overrides, folder};
use super::status::{FAILED, exit_code, one_line, status_of};
use crate::definition::Experiment;
use crate::files::{create_folder, write_atomic};
use crate::pipeline::{PipelineError, load_trace, results};
use crate::plan::Plan;
use crate::report::MANIFEST;
use crate::run::JOURNAL;
use crate::table::{RESULT_COLUMNS, Table};
use crate::terminal::tell;

/// Write the predictions alone, without any simulation
///
/// The table is that of `run` with the measured columns empty. Bounds stand at the predicted
/// accesses per insertion. Without --out it goes to standard output; that of several experiments has
/// the parameters of all of them as columns. A synthetic trace that a definition asks for is made first, in the
/// folder of the results, as what is predicted depends on its keys.
#[derive(Debug, Args)]
pub(super) struct PredictArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    /// Write DIR/EXPERIMENT/table.csv and table.parquet instead
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &PredictArgs) -> Result<ExitCode> {
    let experiments = args.names.load(&args.overrides)?;
    let mut statuses = Vec::new();
    let mut tables = Vec::new();
    for experiment in &experiments {
        match predict(args, experiment) {
            Ok(table) => tables.push(table),
            Err(error) => {
                statuses.push(error.downcast_ref().map_or(FAILED, status_of));
                tell!("{}: FAILED: {}", experiment.name, one_line(&error));
            }
        }
    }
    if args.out.is_none() {
        super::print(&joined(&tables)?)?;
    }
    Ok(exit_code(statuses))
}

/// The table of one experiment, which is written where --out says so; limits that were not computed
/// are noted.
fn predict(args: &PredictArgs, experiment: &Experiment) -> Result<Table> {
    let scratch = args.out.clone().unwrap_or_else(|| PathBuf::from("results"));
    let trace = load_trace(experiment, &scratch)?;
    let plan = Plan::new(experiment, trace).map_err(PipelineError::from)?;
    let results = results(&plan, &[]);
    let table = Table::join(experiment, &results.subjects, &results.comparisons)?;
    if let Some(out) = &args.out {
        write(&table, &folder(out, experiment))?;
    }
    if let Some((_, reason)) = results.unpredicted.first() {
        let points = results.unpredicted.len();
        tell!("{}: note: {points} points lack a prediction: {reason}", experiment.name);
    }
    Ok(table)
}

/// One table of several: each has its own columns of parameters, which are empty for the others.
fn joined(tables: &[Table]) -> Result<Vec<u8>> {
    let [first @ .., last] = tables else { return Ok(Vec::new()) };
    if first.is_empty() {
        return Ok(last.csv()?);
    }
    let texts: Vec<Vec<u8>> = tables.iter().map(Table::csv).collect::<Result<_, _>>()?;
    let columns = columns_of(&texts)?;
    let mut joined = csv::Writer::from_writer(Vec::new());
    joined.write_record(&columns)?;
    for text in &texts {
        let mut reader = csv::Reader::from_reader(&text[..]);
        let header = reader.headers()?.clone();
        let places: Vec<Option<usize>> =
            columns.iter().map(|column| header.iter().position(|own| own == column)).collect();
        for record in reader.records() {
            let record = record?;
            let value = |place: &Option<usize>| place.and_then(|i| record.get(i)).unwrap_or("");
            joined.write_record(places.iter().map(value))?;
        }
    }
    Ok(joined.into_inner()?)
}

/// Every column of these tables, those of the results last.
fn columns_of(texts: &[Vec<u8>]) -> Result<Vec<String>> {
    let mut columns: Vec<String> = Vec::new();
    for text in texts {
        for column in csv::Reader::from_reader(&text[..]).headers()? {
            if !columns.iter().any(|own| own == column) && !RESULT_COLUMNS.contains(&column) {
                columns.push(column.to_owned());
            }
        }
    }
    columns.extend(RESULT_COLUMNS.map(str::to_owned));
    Ok(columns)
}

fn write(table: &Table, folder: &Path) -> Result<()> {
    if [JOURNAL, MANIFEST].iter().any(|name| folder.join(name).exists()) {
        bail!("{} holds the results of a run; name another --out", folder.display());
    }
    create_folder(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, bytes) in [("table.csv", table.csv()?), ("table.parquet", table.parquet()?)] {
        let path = folder.join(name);
        write_atomic(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        tell!("{}", path.display());
    }
    Ok(())
}
