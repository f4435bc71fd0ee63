//! The result table: measured ⨝ predicted ⨝ published.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use polars::prelude::*;
use rayon::prelude::*;
use thiserror::Error;

use loadfactor_schemes::families;
use loadfactor_schemes::hash::HASH_PARAMS;
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Param, Scalar};
use loadfactor_schemes::rare::params::RARE_PARAMS;

use crate::definition::{Experiment, Point};
use crate::escape::{cell, from_cell};
use crate::estimate::comparison::{Comparison, Subject};
use crate::estimate::moments::Moments;
use crate::estimate::verdict::Verdict;

/// Index of the point, on which the frames are joined; not part of the table.
const POINT: &str = "point";
pub(crate) const METRIC: &str = "metric";
pub(crate) const EXPERIMENT: &str = "experiment";
pub(crate) const SERIES: &str = "series";

/// A table that cannot be made or written.
#[derive(Debug, Error)]
#[error("the result table cannot be made: {0}")]
pub struct TableError(#[from] PolarsError);

/// A file from which no result table can be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row is cut short, or has more or fewer cells than there are columns.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        what: String,
    },
    /// It is no Parquet file, or lacks a column that every result table has.
    #[error("{} is not a result table: {source}", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: PolarsError,
    },
}

/// The result table of one experiment, one row per point, metric and prediction.
#[derive(Debug, Clone)]
pub struct Table(DataFrame);

impl Table {
    /// Joins what was measured, predicted and published.
    ///
    /// # Errors
    /// Where Polars refuses a frame; the definition's checks leave no known case.
    pub fn join(
        experiment: &Experiment,
        subjects: &[Subject],
        comparisons: &[Comparison],
    ) -> Result<Self, TableError> {
        let points = points(experiment, subjects)?;
        let mut table = left_join(&keys(subjects)?, &measured(subjects)?, &[POINT, METRIC])?;
        table = left_join(&table, &predicted(comparisons)?, &[POINT, METRIC])?;
        table = left_join(&table, &published(experiment)?, &[POINT, METRIC])?;
        table = left_join(&table, &points, &[POINT])?;
        let no_prediction = Verdict::NoPrediction.name();
        let verdicts = table.column("verdict")?.str()?;
        let verdicts: StringChunked =
            verdicts.iter().map(|verdict| Some(verdict.unwrap_or(no_prediction))).collect();
        table.with_column(verdicts.with_name("verdict".into()).into_column())?;
        let names = points.get_column_names().into_iter().map(PlSmallStr::as_str);
        let order = names.filter(|&name| name != POINT).chain(RESULT_COLUMNS);
        Ok(Self(table.select(order)?))
    }

    /// The table in a file that [`parquet`](Self::parquet) made, such as `table.parquet` in the folder of
    /// a run.
    ///
    /// # Errors
    /// Where the file cannot be opened, or holds no result table.
    pub fn read_parquet(path: &Path) -> Result<Self, ReadError> {
        let file =
            File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })?;
        let no_table = |source| ReadError::NoTable { path: path.to_owned(), source };
        let frame = ParquetReader::new(file).finish().map_err(no_table)?;
        frame.select(READ_COLUMNS).map_err(no_table)?;
        Ok(Self(frame))
    }

    /// The table in a file that [`csv`](Self::csv) made, such as `table.csv` in the folder of a run. A column
    /// holds numbers where all its values are numbers.
    ///
    /// # Errors
    /// Where the file cannot be opened, or holds no result table.
    pub fn read_csv(path: &Path) -> Result<Self, ReadError> {
        let open =
            || File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source });
        whole_rows(open()?).map_err(|what| ReadError::Damaged { path: path.to_owned(), what })?;
        let file = open()?;
        let no_table = |source| ReadError::NoTable { path: path.to_owned(), source };
        // Labels such as 0.5 and 0.50 are words.
        let words = [EXPERIMENT, SERIES].map(|name| Field::new(name.into(), DataType::String));
        let options = CsvReadOptions::default()
            .with_infer_schema_length(None)
            .with_schema_overwrite(Some(Schema::from_iter(words).into()));
        let frame = options.into_reader_with_file_handle(file).finish().map_err(no_table)?;
        frame.select(READ_COLUMNS).map_err(no_table)?;
        with_words(&frame, |words| from_cell(words).to_owned()).map(Self).map_err(no_table)
    }

    /// The table as comma-separated values.
    ///
    /// # Errors
    /// Where Polars cannot write it.
    pub fn csv(&self) -> Result<Vec<u8>, TableError> {
        let mut bytes = Vec::new();
        let mut frame = with_words(&self.0, |words| cell(words).into_owned())?;
        CsvWriter::new(&mut bytes).finish(&mut frame)?;
        Ok(bytes)
    }

    /// The table as an uncompressed Parquet file.
    ///
    /// # Errors
    /// Where Polars cannot write it.
    pub fn parquet(&self) -> Result<Vec<u8>, TableError> {
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Uncompressed)
            .finish(&mut self.0.clone())?;
        Ok(bytes)
    }

    /// The table as a Polars frame.
    pub fn frame(&self) -> &DataFrame {
        &self.0
    }
}

/// Looks whether every row has all of its cells, and the last one its end of line: a number that is cut short
/// is one too.
fn whole_rows(file: File) -> Result<(), String> {
    let mut last = 0;
    let ends = LastByte { file, last: &mut last };
    let mut lines = 0;
    for row in csv::Reader::from_reader(ends).byte_records() {
        lines = row.map_err(|error| error.to_string())?.position().map_or(lines, |at| at.line());
    }
    match last {
        b'\n' => Ok(()),
        _ => Err(format!("line {lines} is cut: it has no end")),
    }
}

/// A reader that remembers the last byte.
struct LastByte<'l> {
    file: File,
    last: &'l mut u8,
}

impl io::Read for LastByte<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        if let Some(&last) = bytes[..read].last() {
            *self.last = last;
        }
        Ok(read)
    }
}

/// The columns before the parameters.
pub(crate) const FIRST_COLUMNS: [&str; 5] = [EXPERIMENT, SERIES, "scheme", "hash", "workload"];

/// The columns behind the parameters, in the order of the contract.
pub(crate) const RESULT_COLUMNS: [&str; 16] = [
    METRIC,
    "trials",
    "measured",
    "std_error",
    "ci_low",
    "ci_high",
    "predicted",
    "prediction",
    "allowance",
    "room",
    "room_limit",
    "published",
    "z",
    "relative_deviation",
    "fact",
    "verdict",
];

/// Those that every version's tables have, and that results are compared by.
const READ_COLUMNS: [&str; 8] =
    [METRIC, "trials", "measured", "std_error", "predicted", "prediction", "published", "verdict"];

/// The frame with the words of all its columns of words changed.
fn with_words(frame: &DataFrame, change: fn(&str) -> String) -> PolarsResult<DataFrame> {
    let mut changed = frame.clone();
    for column in frame.columns().iter().filter(|column| column.dtype() == &DataType::String) {
        let words = column.str()?.iter().map(|words| words.map(change));
        let words: StringChunked = words.collect();
        changed.with_column(words.with_name(column.name().clone()).into_column())?;
    }
    Ok(changed)
}

fn left_join(left: &DataFrame, right: &DataFrame, on: &[&str]) -> PolarsResult<DataFrame> {
    let mut how = JoinArgs::new(JoinType::Left);
    how.maintain_order = MaintainOrderJoin::LeftRight;
    left.join(right, on, on, how, None)
}

/// Every (point, metric) that is measured or predicted, in the order of the table.
fn keys(subjects: &[Subject]) -> PolarsResult<DataFrame> {
    let mut points = Vec::new();
    let mut metrics = Vec::new();
    for subject in subjects {
        let measured = subject.measured.iter().map(|(metric, _)| *metric);
        let predicted = subject.predictions.iter().map(|prediction| prediction.metric);
        let all: BTreeSet<Metric> = measured.chain(predicted).collect();
        points.extend(all.iter().map(|_| subject.point as u32));
        metrics.extend(all.iter().map(ToString::to_string));
    }
    df!(POINT => points, METRIC => metrics)
}

fn measured(subjects: &[Subject]) -> PolarsResult<DataFrame> {
    let rows: Vec<(&Subject, Metric, &Moments)> = subjects
        .iter()
        .flat_map(|subject| {
            subject.measured.iter().map(move |(metric, moments)| (subject, *metric, moments))
        })
        .collect();
    let intervals: Vec<_> =
        rows.par_iter().map(|(subject, metric, _)| subject.interval(*metric)).collect();
    df!(
        POINT => rows.iter().map(|(subject, ..)| subject.point as u32).collect::<Vec<_>>(),
        METRIC => rows.iter().map(|(_, metric, _)| metric.to_string()).collect::<Vec<_>>(),
        "trials" => rows.iter().map(|(.., moments)| moments.count()).collect::<Vec<_>>(),
        "measured" => rows.iter().map(|(.., moments)| moments.mean()).collect::<Vec<_>>(),
        "std_error" => rows.iter().map(|(.., moments)| moments.std_error()).collect::<Vec<_>>(),
        "ci_low" => intervals.iter().map(|i| i.map(|i| i.low)).collect::<Vec<_>>(),
        "ci_high" => intervals.iter().map(|i| i.map(|i| i.high)).collect::<Vec<_>>(),
    )
}

fn predicted(comparisons: &[Comparison]) -> PolarsResult<DataFrame> {
    let column =
        |text: fn(&Comparison) -> String| -> Vec<String> { comparisons.iter().map(text).collect() };
    df!(
        POINT => comparisons.iter().map(|c| c.point as u32).collect::<Vec<_>>(),
        METRIC => column(|c| c.prediction.metric.to_string()),
        "predicted" => comparisons.iter().map(|c| c.prediction.value).collect::<Vec<_>>(),
        "prediction" => column(|c| format!("{}: {}", c.prediction.kind, c.prediction.source)),
        "allowance" => comparisons.iter().map(|c| c.prediction.allowance).collect::<Vec<_>>(),
        "room" => comparisons.iter().map(|c| Some(c.room?.room)).collect::<Vec<_>>(),
        "room_limit" => comparisons.iter().map(|c| Some(c.room?.limit)).collect::<Vec<_>>(),
        "z" => comparisons.iter().map(|c| c.z).collect::<Vec<_>>(),
        "relative_deviation" =>
            comparisons.iter().map(|c| c.relative_deviation).collect::<Vec<_>>(),
        "fact" => column(|c| c.fact.to_string()),
        "verdict" => column(|c| c.verdict.to_string()),
    )
}

/// What was published of each (point, metric).
fn published(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let values = experiment.published_values();
    let metrics = values.metrics();
    let mut rows = Vec::new();
    for (index, point) in experiment.points.iter().enumerate() {
        let printed = |&metric| Some((index as u32, metric, values.find(point, metric)?.value));
        rows.extend(metrics.iter().filter_map(printed));
    }
    df!(
        POINT => rows.iter().map(|row| row.0).collect::<Vec<_>>(),
        METRIC => rows.iter().map(|row| row.1.to_string()).collect::<Vec<_>>(),
        "published" => rows.iter().map(|row| row.2).collect::<Vec<_>>(),
    )
}

/// The points with their names and every parameter under its TOML name.
fn points(experiment: &Experiment, subjects: &[Subject]) -> PolarsResult<DataFrame> {
    let all: Vec<&Point> = subjects.iter().map(|s| &experiment.points[s.point]).collect();
    let text =
        |value: fn(&Point) -> &str| -> Vec<&str> { all.iter().map(|point| value(point)).collect() };
    let mut frame = df!(
        POINT => subjects.iter().map(|s| s.point as u32).collect::<Vec<_>>(),
        EXPERIMENT => all.iter().map(|_| experiment.name.as_str()).collect::<Vec<_>>(),
        "series" =>
            all.iter().map(|p| experiment.series[p.series].as_str()).collect::<Vec<_>>(),
        "scheme" => text(|p| &p.scheme),
        "hash" => text(|p| &p.hash),
        "workload" => text(|p| &p.workload),
    )?;
    let derived: Vec<_> = subjects.par_iter().map(|subject| subject.case.columns()).collect();
    let derived_names = in_order(derived.iter().flatten().map(|(name, _)| *name));
    for &name in &derived_names {
        let value = |columns: &Vec<(&str, Option<Scalar>)>| {
            columns.iter().find(|(own, _)| *own == name)?.1.clone()
        };
        let values: Vec<Option<Scalar>> = derived.iter().map(value).collect();
        let values: Vec<Option<&Scalar>> = values.iter().map(Option::as_ref).collect();
        frame.with_column(column(name, &values))?;
    }
    for name in parameter_names(&all).into_iter().filter(|name| !derived_names.contains(name)) {
        let values: Vec<Option<&Scalar>> = all.iter().map(|p| p.params.get(name)).collect();
        frame.with_column(column(name, &values))?;
    }
    Ok(frame)
}

/// Each name once, where it is first met.
fn in_order<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut found = Vec::new();
    names.for_each(|name| {
        if !found.contains(&name) {
            found.push(name)
        }
    });
    found
}

/// The parameters that the points have, in the order in which they are declared.
fn parameter_names(points: &[&Point]) -> Vec<&'static str> {
    let schemes = families::schemes().flat_map(|entry| entry.info.params);
    let workloads = families::workloads().flat_map(|workload| workload.params);
    let shared = families::families().flat_map(|family| family.shared_params);
    let declared = schemes
        .chain(HASH_PARAMS)
        .chain(workloads)
        .chain(KEY_PARAMS)
        .chain(RARE_PARAMS)
        .chain(shared);
    let used = |name: &&str| points.iter().any(|point| point.params.get(name).is_some());
    in_order(declared.map(|&Param { name, .. }| name)).into_iter().filter(used).collect()
}

/// A column of whole numbers, numbers, flags or text, whichever holds all values.
fn column(name: &str, values: &[Option<&Scalar>]) -> Column {
    let present = || values.iter().flatten();
    let name = PlSmallStr::from_str(name);
    if present().all(|value| matches!(value, Scalar::Integer(_))) {
        let integer = |value: &Scalar| match value {
            Scalar::Integer(value) => Some(*value),
            _ => None,
        };
        let values: Vec<Option<i64>> = values.iter().map(|v| v.and_then(integer)).collect();
        return Column::new(name, values);
    }
    if present().all(|value| matches!(value, Scalar::Integer(_) | Scalar::Number(_))) {
        let values: Vec<Option<f64>> =
            values.iter().map(|v| v.and_then(Scalar::as_number)).collect();
        return Column::new(name, values);
    }
    let values: Vec<Option<String>> =
        values.iter().map(|value| value.map(ToString::to_string)).collect();
    Column::new(name, values)
}
