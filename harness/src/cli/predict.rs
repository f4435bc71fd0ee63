//! `loadfactor predict`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Prediction;
use serde_json::{Map, Value, json};

use super::exit::{BadInput, FAILED, exit_code, one_line, status_of};
use super::format::{Printed, print_json};
use super::selection::{Names, Overrides, folder};
use crate::count::with_verb;
use crate::definition::Experiment;
use crate::estimate::comparison::Subject;
use crate::files::{create_folder, write_atomic};
use crate::pipeline::{PipelineError, load_trace, results};
use crate::plan::Plan;
use crate::report::{MANIFEST, Results, TABLE, TABLE_PARQUET, ownership};
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
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &PredictArgs) -> Result<ExitCode> {
    if args.printed.as_json() && args.out.is_some() {
        let text = "error: --out writes files, and --format json prints: give one of the two";
        return Err(BadInput(text.into()).into());
    }
    let experiments = args.names.load(&args.overrides)?;
    let (mut statuses, mut tables, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for experiment in &experiments {
        match predict(args, experiment) {
            Ok(Predicted { table, entry }) => {
                tables.push(table);
                entries.push(entry);
            }
            Err(error) => {
                statuses.push(error.downcast_ref().map_or(FAILED, status_of));
                tell!("{}: FAILED: {}", experiment.name, one_line(&error));
            }
        }
    }
    if args.printed.as_json() {
        print_json(&entries.into())?;
    } else if args.out.is_none() {
        super::print(&joined(&tables)?)?;
    }
    Ok(exit_code(statuses))
}

/// What is predicted of one experiment, as a table and as JSON.
struct Predicted {
    table: Table,
    entry: Value,
}

/// The predictions of one experiment; their table is written where --out says so; limits that were not computed
/// are noted.
fn predict(args: &PredictArgs, experiment: &Experiment) -> Result<Predicted> {
    let scratch = args.out.clone().unwrap_or_else(|| PathBuf::from("results"));
    let trace = load_trace(experiment, &scratch)?;
    let plan = Plan::new(experiment, trace).map_err(PipelineError::from)?;
    let results = results(&plan, &[]);
    let table = Table::join(experiment, &results.subjects, &results.comparisons)?;
    if let Some(out) = &args.out {
        write(&table, &folder(out, experiment))?;
    }
    if let Some((_, reason)) = results.unpredicted.first() {
        let lack = ["point lacks a prediction", "points lack a prediction"];
        let lacking = with_verb(results.unpredicted.len(), lack);
        tell!("{}: note: {lacking}: {reason}", experiment.name);
    }
    Ok(Predicted { table, entry: entry(&results) })
}

/// The predictions of an experiment as JSON has them.
fn entry(results: &Results<'_>) -> Value {
    let Results { experiment, .. } = results;
    let missing: BTreeMap<usize, &String> =
        results.unpredicted.iter().map(|(point, reason)| (*point, reason)).collect();
    let of_point = |subject: &Subject| {
        let point = &experiment.points[subject.point];
        let parameters: Map<String, Value> =
            point.params.iter().map(|(name, value)| (name.to_owned(), scalar(value))).collect();
        json!({
            "series": experiment.series[point.series],
            "scheme": point.scheme,
            "hash": point.hash,
            "workload": point.workload,
            "parameters": parameters,
            "predictions": subject.predictions.iter().map(prediction).collect::<Vec<_>>(),
            "missing": missing.get(&subject.point),
        })
    };
    let points: Vec<Value> = results.subjects.iter().map(of_point).collect();
    json!({ "name": experiment.name, "points": points })
}

fn prediction(prediction: &Prediction) -> Value {
    json!({
        "quantity": prediction.metric.to_string(),
        "kind": prediction.kind.name(),
        "value": prediction.value,
        "allowance": prediction.allowance,
        "source": prediction.source,
    })
}

fn scalar(value: &Scalar) -> Value {
    match value {
        Scalar::Integer(whole) => json!(whole),
        Scalar::Number(number) => json!(number),
        Scalar::Word(word) => json!(word),
        Scalar::Flag(flag) => json!(flag),
    }
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
    ownership::check_files(folder, [])?;
    create_folder(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, bytes) in [(TABLE, table.csv()?), (TABLE_PARQUET, table.parquet()?)] {
        let path = folder.join(name);
        write_atomic(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        tell!("{}", path.display());
    }
    Ok(())
}
