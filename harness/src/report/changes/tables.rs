//! What the result tables below a folder hold, by quantity.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use polars::prelude::*;
use thiserror::Error;

use crate::table::{EXPERIMENT, METRIC, RESULT_COLUMNS, ReadError, SERIES, Table};

const TABLE: &str = "table.parquet";
const PARQUET: &str = "parquet";

/// Tables that cannot be compared.
#[derive(Debug, Error)]
pub enum ChangesError {
    /// A folder, or what should be one, cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Folder {
        /// Where it is.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A column of a table holds something else than it should.
    #[error("{} is not a result table: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: PolarsError,
    },
}

/// What identifies a quantity: a metric at a point of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The experiment's folder below the results.
    pub experiment: String,
    /// Series, scheme and parameters, as `column=value` each.
    pub point: String,
    /// The metric.
    pub metric: String,
}

/// A mean over trials.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) std_error: f64,
    pub(super) trials: f64,
}

/// A prediction with the verdict on it.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) value: f64,
    pub(super) verdict: String,
}

/// What a table says of one quantity.
#[derive(Debug, Clone, Default)]
pub(super) struct Quantity {
    pub(super) measured: Option<Estimate>,
    /// Each value once, in the order of the rows: one or none, unless a table was edited.
    pub(super) published: Vec<f64>,
    /// By kind and source, such as `exact: Theorem 1`.
    pub(super) predictions: BTreeMap<String, Judged>,
}

/// Every quantity of some tables.
pub(super) type Quantities = BTreeMap<Key, Quantity>;

/// Reads the table in a file, or all tables below a folder. Where that holds the results of the other side, as `results`
/// may hold `results/reference`, those are left out.
pub(super) fn quantities_of(path: &Path, other: &Path) -> Result<Quantities, ChangesError> {
    if !path.is_file() {
        return quantities_below(path, other);
    }
    let table = match path.extension().is_some_and(|extension| extension == PARQUET) {
        true => Table::read_parquet(path)?,
        false => Table::read_csv(path)?,
    };
    let mut all = Quantities::new();
    let unusable = |source| ChangesError::Table { path: path.to_owned(), source };
    for part in by_experiment(table.frame()).map_err(unusable)? {
        add(&part.1, &part.0, &mut all).map_err(unusable)?;
    }
    Ok(all)
}

/// The rows of each experiment with its name, which is empty where there is only one: two tables by
/// themselves are compared whatever their experiments are called.
fn by_experiment(frame: &DataFrame) -> PolarsResult<Vec<(String, DataFrame)>> {
    let names = frame.column(EXPERIMENT)?.cast(&DataType::String)?;
    let names = names.str()?;
    let known: BTreeSet<&str> = names.iter().flatten().collect();
    if known.len() < 2 {
        return Ok(vec![(String::new(), frame.clone())]);
    }
    let rows_of = |name: &&str| {
        let mask: BooleanChunked = names.iter().map(|own| Some(own == Some(*name))).collect();
        Ok(((*name).to_owned(), frame.filter(&mask)?))
    };
    known.iter().map(rows_of).collect()
}

/// Reads all tables below `folder`, but for those below `other`.
fn quantities_below(folder: &Path, other: &Path) -> Result<Quantities, ChangesError> {
    let mut tables = Vec::new();
    let unreadable = |source| ChangesError::Folder { path: folder.to_owned(), source };
    // A path that leads nowhere is told where it is read.
    let left_out = other.canonicalize().unwrap_or_else(|_| other.to_owned());
    tables_below(folder, &left_out, &mut tables).map_err(unreadable)?;
    let mut all = Quantities::new();
    for path in tables {
        let experiment = path.parent().and_then(|parent| parent.strip_prefix(folder).ok());
        let experiment = experiment.map_or(String::new(), |name| name.display().to_string());
        let table = Table::read_parquet(&path)?;
        add(table.frame(), &experiment, &mut all)
            .map_err(|source| ChangesError::Table { path, source })?;
    }
    Ok(all)
}

fn tables_below(folder: &Path, left_out: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link to a folder is not followed: it could lead back here.
        if entry.file_type()?.is_dir() {
            if path.canonicalize()? != left_out {
                tables_below(&path, left_out, found)?;
            }
        } else if path.file_name().is_some_and(|name| name == TABLE) {
            found.push(path);
        }
    }
    Ok(())
}

/// Adds the rows of one table: one per quantity and prediction, or one where there is no prediction.
fn add(frame: &DataFrame, experiment: &str, all: &mut Quantities) -> PolarsResult<()> {
    let number = |name: &str| frame.column(name)?.strict_cast(&DataType::Float64);
    let text = |name: &str| frame.column(name)?.cast(&DataType::String);
    let [mean, std_error, trials] = [number("measured")?, number("std_error")?, number("trials")?];
    let [predicted, published] = [number("predicted")?, number("published")?];
    let [prediction, verdict, metric] = [text("prediction")?, text("verdict")?, text(METRIC)?];
    let columns = frame.columns().iter();
    let identifying: Vec<&Column> = columns.filter(|c| identifies_a_point(c.name())).collect();
    for row in 0..frame.height() {
        let own = Key {
            experiment: experiment.to_owned(),
            point: values(&identifying, row)?,
            metric: metric.str()?.get(row).unwrap_or_default().to_owned(),
        };
        let key = own.to_string();
        let quantity = all.entry(own).or_default();
        let both = mean.f64()?.get(row).zip(trials.f64()?.get(row));
        let measured = both.map(|(mean, trials)| {
            let std_error = std_error.f64().ok().and_then(|column| column.get(row));
            Estimate { mean, std_error: std_error.unwrap_or(f64::NAN), trials }
        });
        if let Some((a, b)) = quantity.measured.zip(measured).filter(|(a, b)| a.mean != b.mean) {
            let text = format!("two rows measure the same, {} and {}: {}", a.mean, b.mean, key);
            return Err(PolarsError::Duplicate(text.into()));
        }
        quantity.measured = measured;
        let printed = published.f64()?.get(row);
        quantity.published.extend(printed.filter(|value| !quantity.published.contains(value)));
        if let Some((value, name)) = predicted.f64()?.get(row).zip(prediction.str()?.get(row)) {
            let verdict = verdict.str()?.get(row).unwrap_or_default().to_owned();
            quantity.predictions.insert(name.to_owned(), Judged { value, verdict });
        }
    }
    Ok(())
}

/// Whether a column is no result, and tells one point of an experiment from another.
fn identifies_a_point(column: &str) -> bool {
    column != EXPERIMENT && !RESULT_COLUMNS.contains(&column)
}

/// The values of one row that are not empty, each with its column.
fn values(columns: &[&Column], row: usize) -> PolarsResult<String> {
    let mut named = Vec::with_capacity(columns.len());
    for column in columns {
        let value = column.get(row)?;
        if !value.is_null() {
            let value = value.str_value();
            let value = if column.name() == SERIES { value.into_owned() } else { plain(&value) };
            named.push(format!("{}={value}", column.name()));
        }
    }
    Ok(named.join(" "))
}

/// A number as it is written without need: comma-separated values do not tell 1 from 1.0.
fn plain(value: &str) -> String {
    value.parse::<f64>().map_or_else(|_| value.to_owned(), |number| number.to_string())
}
