//! Two tables of the same experiments: what moved.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use polars::prelude::*;
use thiserror::Error;

use crate::estimate::interval::t_quantile;
use crate::estimate::verdict::FAMILY_ERROR;
use crate::table::{EXPERIMENT, METRIC, RESULT_COLUMNS};

const TABLE: &str = "table.parquet";

/// Tables that cannot be compared.
#[derive(Debug, Error)]
pub enum ChangesError {
    /// A folder or table cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A table is no result table.
    #[error("{} is not a result table: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: PolarsError,
    },
}

/// What moved between two sets of results.
#[derive(Debug, Default)]
pub struct Changes {
    /// Measurements that both have.
    pub compared: usize,
    /// Measurements of the old results that the new ones lack, counted by experiment.
    pub missing: BTreeMap<String, usize>,
    /// Measurements of the new results that the old ones lack, counted by experiment.
    pub added: BTreeMap<String, usize>,
    /// Measurements that moved further than chance allows.
    pub moved: Vec<Move>,
}

/// A measurement that moved.
#[derive(Debug)]
pub struct Move {
    /// Its experiment.
    pub experiment: String,
    /// What identifies it within the experiment.
    pub row: String,
    /// Measured before.
    pub old: f64,
    /// Measured after.
    pub new: f64,
    /// The difference in standard errors of the difference.
    pub z: f64,
}

#[derive(Debug, Clone, Copy)]
struct Estimate {
    mean: f64,
    std_error: f64,
    trials: f64,
}

/// Experiment, and what identifies the measurement within it.
type Key = (String, String);

type Rows = BTreeMap<Key, Estimate>;

/// Compares all tables below two folders.
///
/// # Errors
/// Where a folder or table cannot be read.
pub fn changes(old: &Path, new: &Path) -> Result<Changes, ChangesError> {
    let (old, new) = (rows_below(old)?, rows_below(new)?);
    let both = || old.iter().filter_map(|(row, a)| Some((row, a, new.get(row)?)));
    let compared = both().count();
    let level = 1.0 - FAMILY_ERROR / compared.max(1) as f64;
    let moved = both().filter_map(|(row, a, b)| moved(row, a, b, level)).collect();
    Ok(Changes { compared, missing: lacking(&old, &new), added: lacking(&new, &old), moved })
}

/// How many of these rows the others lack, by experiment.
fn lacking(rows: &Rows, others: &Rows) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (experiment, _) in rows.keys().filter(|key| !others.contains_key(*key)) {
        *counts.entry(experiment.clone()).or_default() += 1;
    }
    counts
}

fn moved(key: &Key, old: &Estimate, new: &Estimate, level: f64) -> Option<Move> {
    let difference = new.mean - old.mean;
    let error = old.std_error.hypot(new.std_error);
    let freedom = (old.trials.min(new.trials) - 1.0).max(1.0);
    if difference == 0.0 || difference.abs() <= t_quantile(level, freedom) * error {
        return None;
    }
    let (experiment, row) = key.clone();
    Some(Move { experiment, row, old: old.mean, new: new.mean, z: difference / error })
}

fn rows_below(folder: &Path) -> Result<Rows, ChangesError> {
    let mut tables = Vec::new();
    let read = |source| ChangesError::Read { path: folder.to_owned(), source };
    tables_below(folder, &mut tables).map_err(read)?;
    let mut all = Rows::new();
    for path in tables {
        let experiment = path.parent().and_then(|parent| parent.strip_prefix(folder).ok());
        let experiment = experiment.map_or(String::new(), |name| name.display().to_string());
        let file = fs::File::open(&path)
            .map_err(|source| ChangesError::Read { path: path.clone(), source })?;
        let of_table = ParquetReader::new(file)
            .finish()
            .and_then(|frame| rows(&frame, &experiment))
            .map_err(|source| ChangesError::Table { path: path.clone(), source })?;
        all.extend(of_table);
    }
    Ok(all)
}

fn tables_below(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            tables_below(&path, found)?;
        } else if path.file_name().is_some_and(|name| name == TABLE) {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a column is no result, and tells one measurement of an experiment from another.
fn identifies(column: &str) -> bool {
    column == METRIC || (column != EXPERIMENT && !RESULT_COLUMNS.contains(&column))
}

fn rows(frame: &DataFrame, experiment: &str) -> PolarsResult<Rows> {
    let mean = frame.column("measured")?.f64()?;
    let std_error = frame.column("std_error")?.f64()?;
    let trials = frame.column("trials")?.cast(&DataType::Float64)?;
    let trials = trials.f64()?;
    let identifying: Vec<&Column> =
        frame.columns().iter().filter(|c| identifies(c.name())).collect();
    let mut rows = Rows::new();
    for index in 0..frame.height() {
        let Some(estimate) = mean.get(index).zip(trials.get(index)).map(|(mean, trials)| {
            Estimate { mean, std_error: std_error.get(index).unwrap_or(f64::NAN), trials }
        }) else {
            continue;
        };
        let mut name = String::new();
        for column in &identifying {
            let value = column.get(index)?;
            if !value.is_null() {
                let space = if name.is_empty() { "" } else { " " };
                name += &format!("{space}{}={}", column.name(), value.str_value());
            }
        }
        rows.insert((experiment.to_owned(), name), estimate);
    }
    Ok(rows)
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Move { experiment, row, old, new, z } in &self.moved {
            writeln!(f, "{experiment} {row}\n  {old} → {new}, {z:+.1} standard errors")?;
        }
        for (experiment, count) in &self.missing {
            writeln!(f, "{experiment}: {count} measurements are missing from the new results")?;
        }
        let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
        writeln!(
            f,
            "{} measurements compared: {} moved; {} missing, {} added",
            self.compared,
            self.moved.len(),
            total(&self.missing),
            total(&self.added)
        )
    }
}
