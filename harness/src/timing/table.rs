//! The rows of `timings.csv`: one for each operation of each structure.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TimingError;
use super::measure::{Measured, Sampled};
use super::plan::{Place, TimedPlan};
use super::statistics::{Centre, centre_of, ratios};
use crate::estimate::interval::Interval;
use crate::files::read_regular;

/// The columns, which are the fields of [`Row`].
pub(super) const COLUMNS: [&str; 22] = [
    "experiment",
    "series",
    "scheme",
    "hash",
    "at",
    "elements",
    "operation",
    "nanoseconds",
    "nanoseconds_low",
    "nanoseconds_high",
    "baseline",
    "ratio",
    "ratio_low",
    "ratio_high",
    "samples",
    "layouts",
    "operations",
    "bytes",
    "asked",
    "false_positive_rate",
    "metric",
    "value",
];

/// One operation of one structure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The experiment.
    pub experiment: String,
    /// The series.
    pub series: String,
    /// Its scheme.
    pub scheme: String,
    /// Its hash function.
    pub hash: String,
    /// What varies within the series, with its value.
    pub at: String,
    /// Elements stored.
    pub elements: u64,
    /// The operation.
    pub operation: String,
    /// Nanoseconds per operation: the geometric mean of the medians of the layouts.
    pub nanoseconds: f64,
    /// Lower end of its interval; `None` where one layout was measured.
    pub nanoseconds_low: Option<f64>,
    /// Upper end of its interval, likewise.
    pub nanoseconds_high: Option<f64>,
    /// The series that it is divided by.
    pub baseline: String,
    /// Likewise of the ratios to the baseline's samples of the same rounds.
    pub ratio: f64,
    /// Lower end of its interval, likewise.
    pub ratio_low: Option<f64>,
    /// Upper end of its interval, likewise.
    pub ratio_high: Option<f64>,
    /// Samples.
    pub samples: u64,
    /// Layouts that they are from.
    pub layouts: u64,
    /// Operations of each sample.
    pub operations: u64,
    /// Bytes of the full structure, the keys that it is asked for aside.
    pub bytes: u64,
    /// Absent keys that the full structures were asked for.
    pub asked: u64,
    /// The share of them to which they said yes.
    pub false_positive_rate: Option<f64>,
    /// What else was measured of the full structures.
    pub metric: Option<String>,
    /// Its mean over the layouts.
    pub value: Option<f64>,
}

impl Row {
    /// What makes it the same measurement as that of another run.
    pub fn key(&self) -> (&str, &str, &str, &str) {
        (&self.experiment, &self.series, &self.at, &self.operation)
    }

    /// The interval of its time.
    pub fn interval(&self) -> Option<Interval> {
        Some(Interval { low: self.nanoseconds_low?, high: self.nanoseconds_high? })
    }

    /// The interval of its ratio.
    pub fn ratio_interval(&self) -> Option<Interval> {
        Some(Interval { low: self.ratio_low?, high: self.ratio_high? })
    }

    /// What no measurement gives, in words.
    fn impossible(&self) -> Option<&'static str> {
        let time = (self.nanoseconds, self.nanoseconds_low, self.nanoseconds_high);
        let ratio = (self.ratio, self.ratio_low, self.ratio_high);
        match () {
            () if !is_in_order(time) => Some("its time is not positive and within its interval"),
            () if !is_in_order(ratio) => Some("its ratio is not positive and within its interval"),
            () if self.ratio_low.is_some() && self.layouts < 2 => {
                Some("one layout has no interval")
            }
            () => None,
        }
    }
}

/// Whether a value is a positive number, within both ends of its interval or without either.
fn is_in_order((value, low, high): (f64, Option<f64>, Option<f64>)) -> bool {
    let is_within = match (low, high) {
        (Some(low), Some(high)) => 0.0 < low && low <= value && value <= high && high.is_finite(),
        (None, None) => true,
        _ => false,
    };
    is_within && value > 0.0 && value.is_finite()
}

/// The rows of a place, series by series.
pub fn rows(plan: &TimedPlan<'_>, place: &Place, measured: &[Measured]) -> Vec<Row> {
    let baseline = &measured[plan.timing.baseline].sampled;
    let of_series = |(series, own): (usize, &Measured)| -> Vec<Row> {
        let pairs = own.sampled.iter().zip(baseline);
        pairs.map(|(sampled, other)| row(plan, place, series, own, sampled, other)).collect()
    };
    measured.iter().enumerate().flat_map(of_series).collect()
}

fn row(
    plan: &TimedPlan<'_>,
    place: &Place,
    series: usize,
    own: &Measured,
    sampled: &Sampled,
    baseline: &Sampled,
) -> Row {
    let point = &plan.experiment.points[place.points[series]];
    let told = own.full.mean();
    let (nanoseconds, of_times) = with_interval(&sampled.layouts);
    let (ratio, of_ratio) = with_interval(&ratios(&sampled.layouts, &baseline.layouts));
    Row {
        experiment: plan.experiment.name.clone(),
        series: plan.experiment.series[series].clone(),
        scheme: point.scheme.clone(),
        hash: point.hash.clone(),
        at: place.at[series].clone(),
        elements: own.elements,
        operation: sampled.operation.to_string(),
        nanoseconds,
        nanoseconds_low: of_times.map(|interval| interval.low),
        nanoseconds_high: of_times.map(|interval| interval.high),
        baseline: plan.experiment.series[plan.timing.baseline].clone(),
        ratio,
        ratio_low: of_ratio.map(|interval| interval.low),
        ratio_high: of_ratio.map(|interval| interval.high),
        samples: sampled.layouts.iter().map(|layout| layout.len() as u64).sum(),
        layouts: sampled.layouts.len() as u64,
        operations: sampled.count,
        bytes: own.full.bytes,
        asked: own.full.answers.asked,
        false_positive_rate: own.full.answers.false_positive_rate(),
        metric: told.map(|(metric, _)| metric.to_string()),
        value: told.map(|(_, value)| value),
    }
}

/// Not a number where nothing was sampled, so that a row without a time is seen and not lost.
fn with_interval(layouts: &[Vec<f64>]) -> (f64, Option<Interval>) {
    centre_of(layouts).map_or((f64::NAN, None), |Centre { value, interval }| (value, interval))
}

/// The rows of a table as CSV.
pub(super) fn csv(rows: &[impl Serialize]) -> Result<Vec<u8>, TimingError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    writer.into_inner().map_err(|error| TimingError::Csv(error.into_error().into()))
}

/// The rows of a file.
///
/// # Errors
/// Where it cannot be read, is no file of timings, or has a row that no measurement gives.
pub fn read(path: &Path) -> Result<Vec<Row>, TimingError> {
    let bytes =
        read_regular(path).map_err(|source| TimingError::File { path: path.to_owned(), source })?;
    parse(&bytes).map_err(|reason| TimingError::NotOurs { path: path.to_owned(), reason })
}

/// The rows, or what is wrong with them.
fn parse(bytes: &[u8]) -> Result<Vec<Row>, String> {
    let mut reader = csv::Reader::from_reader(bytes);
    has_columns(reader.headers().map_err(|error| error.to_string())?, COLUMNS)?;
    let mut rows: Vec<Row> = Vec::new();
    for (number, row) in reader.deserialize().enumerate() {
        let row: Row = row.map_err(|error| error.to_string())?;
        let what = row.impossible();
        let what = what.or_else(|| rows.iter().any(|own| own.key() == row.key()).then_some(TWICE));
        if let Some(what) = what {
            return Err(format!("row {}: {what}", number + 1));
        }
        rows.push(row);
    }
    Ok(rows)
}

const TWICE: &str = "an earlier row measures the same";

/// Refuses a file that does not begin with the columns of `timings.csv`.
pub(super) fn check_columns(bytes: &[u8]) -> Result<(), String> {
    begins_with(bytes, COLUMNS)
}

/// Refuses a file that does not begin with these columns.
pub(super) fn begins_with<const N: usize>(bytes: &[u8], columns: [&str; N]) -> Result<(), String> {
    let mut reader = csv::Reader::from_reader(bytes);
    has_columns(reader.headers().map_err(|error| error.to_string())?, columns)
}

/// Whether a header has these columns and no other.
pub(super) fn has_columns<'c>(
    header: &csv::StringRecord,
    columns: impl IntoIterator<Item = &'c str>,
) -> Result<(), String> {
    match header.iter().eq(columns) {
        true => Ok(()),
        false => Err("its first line has other columns".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::row;
    use super::*;

    fn reason(rows: &[Row]) -> String {
        parse(&csv(rows).unwrap()).unwrap_err()
    }

    #[test]
    fn the_columns_are_the_fields() {
        let own = row("A", 1.5);
        let text = csv(std::slice::from_ref(&own)).unwrap();
        assert_eq!(text.split(|&byte| byte == b'\n').next().unwrap(), COLUMNS.join(",").as_bytes());
        assert_eq!(parse(&text).unwrap(), [own]);
    }

    #[test]
    fn what_no_measurement_gives_is_refused() {
        let own = || row("A", 1.5);
        for ratio in [-5.0, 0.0, f64::NAN, f64::INFINITY, 3.0] {
            let reason = reason(&[row("B", 1.0), Row { ratio, ..own() }]);
            assert_eq!(reason, "row 2: its ratio is not positive and within its interval");
        }
        let time = reason(&[Row { nanoseconds_high: Some(f64::INFINITY), ..own() }]);
        assert_eq!(time, "row 1: its time is not positive and within its interval");
        assert_eq!(reason(&[Row { layouts: 1, ..own() }]), "row 1: one layout has no interval");
        assert_eq!(reason(&[own(), own()]), "row 2: an earlier row measures the same");
        let alone = Row {
            layouts: 1,
            ratio_low: None,
            ratio_high: None,
            nanoseconds_low: None,
            nanoseconds_high: None,
            ..own()
        };
        assert_eq!(parse(&csv(std::slice::from_ref(&alone)).unwrap()).unwrap(), [alone]);
    }

    #[test]
    fn a_single_line_of_something_else_is_no_file_of_timings() {
        assert_eq!(parse(b"my notes\n").unwrap_err(), "its first line has other columns");
        assert_eq!(parse(b"").unwrap_err(), "its first line has other columns");
    }
}
