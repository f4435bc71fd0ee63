//! The rows of `timings.csv`: one for each operation of each structure.

use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TimingError;
use super::measure::{Measured, Sampled};
use super::plan::{Place, TimedPlan};
use super::statistics::{Median, median_of, ratios};
use crate::files::open_regular;

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
    /// Median of the nanoseconds per operation.
    pub nanoseconds: f64,
    /// Lower end of its interval.
    pub nanoseconds_low: f64,
    /// Upper end of its interval.
    pub nanoseconds_high: f64,
    /// The series that it is divided by.
    pub baseline: String,
    /// Median of the ratios to the baseline's samples of the same rounds.
    pub ratio: f64,
    /// Lower end of its interval.
    pub ratio_low: f64,
    /// Upper end of its interval.
    pub ratio_high: f64,
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
    /// What else was measured of the full structures. Files of before it was told have no such column.
    #[serde(default)]
    pub metric: Option<String>,
    /// Its mean over the layouts.
    #[serde(default)]
    pub value: Option<f64>,
}

impl Row {
    /// What makes it the same measurement as that of another run.
    pub fn key(&self) -> (&str, &str, &str, &str) {
        (&self.experiment, &self.series, &self.at, &self.operation)
    }
}

/// The rows of a place, series by series.
pub fn rows(plan: &TimedPlan<'_>, place: &Place, measured: &[Measured]) -> Vec<Row> {
    let baseline = plan.timing.baseline;
    let of_series = |(series, own): (usize, &Measured)| -> Vec<Row> {
        let point = &plan.experiment.points[place.points[series]];
        let told = own.full.mean();
        let row = |(sampled, other): (&Sampled, &Sampled)| {
            let seed = plan.experiment.seed;
            let times = median_of(&sampled.layouts, seed)?;
            let ratio = median_of(&ratios(&sampled.layouts, &other.layouts), seed)?;
            let Median { value: nanoseconds, interval: of_times } = times;
            let Median { value: ratio, interval: of_ratio } = ratio;
            Some(Row {
                experiment: plan.experiment.name.clone(),
                series: plan.experiment.series[series].clone(),
                scheme: point.scheme.clone(),
                hash: point.hash.clone(),
                at: place.at[series].clone(),
                elements: own.elements,
                operation: sampled.operation.to_string(),
                nanoseconds,
                nanoseconds_low: of_times.low,
                nanoseconds_high: of_times.high,
                baseline: plan.experiment.series[baseline].clone(),
                ratio,
                ratio_low: of_ratio.low,
                ratio_high: of_ratio.high,
                samples: sampled.layouts.iter().map(|layout| layout.len() as u64).sum(),
                layouts: sampled.layouts.len() as u64,
                operations: sampled.count,
                bytes: own.full.bytes,
                asked: own.full.answers.asked,
                false_positive_rate: own.full.answers.false_positive_rate(),
                metric: told.map(|(metric, _)| metric.to_string()),
                value: told.map(|(_, value)| value),
            })
        };
        own.sampled.iter().zip(&measured[baseline].sampled).filter_map(row).collect()
    };
    measured.iter().enumerate().flat_map(of_series).collect()
}

/// The rows as CSV.
pub(super) fn csv(rows: &[Row]) -> Result<Vec<u8>, TimingError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    writer.into_inner().map_err(|error| TimingError::Csv(error.into_error().into()))
}

/// The rows of a file.
///
/// # Errors
/// Where it cannot be read, or is no file of timings.
pub fn read(path: &Path) -> Result<Vec<Row>, TimingError> {
    let failed = |source| TimingError::File { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let mut file = open_regular(OpenOptions::new().read(true), path).map_err(failed)?;
    file.read_to_end(&mut bytes).map_err(failed)?;
    let rows: Result<Vec<Row>, csv::Error> =
        csv::Reader::from_reader(&bytes[..]).deserialize().collect();
    rows.map_err(|error| TimingError::NotOurs { path: path.to_owned(), reason: error.to_string() })
}
