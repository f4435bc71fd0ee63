//! The rows of `timings-beside.csv`: what is faster in this program than in the other one, what slower, and what nobody
//! can tell.
//!
//! Both measured the same layouts in the same minutes, and so times themselves are divided, not ratios to the baseline: a
//! slower baseline is seen as well. The change is the geometric mean over the layouts of the ratios of both medians.
//! Student's law with one degree of freedom fewer than there are layouts has its interval.

use std::path::Path;

use serde::Serialize;

use super::measure::{Measured, Sampled};
use super::plan::{Place, TimedPlan};
use super::statistics::{Centre, centre_of, centre_of_pairs};
use super::table::begins_with;
use super::verdict::{Verdict, level_of_each, tally};
use crate::estimate::interval::Interval;

/// Change that two builds of the same sources may show, such as by where the compiler puts a loop: none is called below
/// it.
const TOLERANCE: f64 = 0.02;

/// The columns, which are the fields of [`PairedRow`].
pub(super) const COLUMNS: [&str; 15] = [
    "experiment",
    "series",
    "scheme",
    "hash",
    "at",
    "elements",
    "operation",
    "nanoseconds",
    "nanoseconds_beside",
    "change",
    "change_low",
    "change_high",
    "verdict",
    "layouts",
    "operations",
];

/// One operation of one structure, measured by both programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedRow {
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
    /// Nanoseconds per operation by this program: the geometric mean of the medians of the layouts.
    pub nanoseconds: f64,
    /// The same by the other program.
    pub nanoseconds_beside: f64,
    /// The first divided by the second.
    pub change: f64,
    /// Lower end of its interval, at 99 % for all rows of the experiment together; `None` where one layout was measured.
    pub change_low: Option<f64>,
    /// Upper end of its interval, likewise.
    pub change_high: Option<f64>,
    /// What follows.
    pub verdict: Verdict,
    /// Layouts that both measured.
    pub layouts: u64,
    /// Operations of each sample.
    pub operations: u64,
}

impl PairedRow {
    /// The interval of its change.
    fn interval(&self) -> Option<Interval> {
        Some(Interval { low: self.change_low?, high: self.change_high? })
    }

    /// A line, where there is something to tell.
    fn line(&self) -> Option<String> {
        let Self { experiment, series, at, operation, nanoseconds, nanoseconds_beside, .. } = self;
        let told = self.verdict.in_words(self.change, self.interval())?;
        Some(format!(
            "  {experiment}: {operation} of {series} at {at}: {told}; {nanoseconds_beside:.2} → {nanoseconds:.2} ns\n"
        ))
    }
}

/// The rows of a place, series by series, of the times of this program and those of the other one.
pub fn paired_rows(
    plan: &TimedPlan<'_>,
    place: &Place,
    [own, other]: &[Vec<Measured>; 2],
) -> Vec<PairedRow> {
    let of_series = |(series, (own, other)): (usize, (&Measured, &Measured))| -> Vec<PairedRow> {
        let pairs = own.sampled.iter().zip(&other.sampled);
        pairs.map(|pair| row(plan, place, series, own.elements, pair)).collect()
    };
    own.iter().zip(other).enumerate().flat_map(of_series).collect()
}

fn row(
    plan: &TimedPlan<'_>,
    place: &Place,
    series: usize,
    elements: u64,
    (own, other): (&Sampled, &Sampled),
) -> PairedRow {
    let point = &plan.experiment.points[place.points[series]];
    let level = level_of_each(plan.rows());
    let (change, interval) = change(&own.layouts, &other.layouts, level);
    let time = |layouts| centre_of(layouts).map_or(f64::NAN, |centre| centre.value);
    PairedRow {
        experiment: plan.experiment.name.clone(),
        series: plan.experiment.series[series].clone(),
        scheme: point.scheme.clone(),
        hash: point.hash.clone(),
        at: place.at[series].clone(),
        elements,
        operation: own.operation.to_string(),
        nanoseconds: time(&own.layouts),
        nanoseconds_beside: time(&other.layouts),
        change,
        change_low: interval.map(|interval| interval.low),
        change_high: interval.map(|interval| interval.high),
        verdict: Verdict::of_change(interval, TOLERANCE),
        layouts: own.layouts.len() as u64,
        operations: own.count,
    }
}

/// The change from the other program's samples to ours, layout by layout, and where it lies at this level. Not a number
/// where nothing was sampled.
fn change(own: &[Vec<f64>], other: &[Vec<f64>], level: f64) -> (f64, Option<Interval>) {
    let centre = centre_of_pairs(own, other, level);
    centre.map_or((f64::NAN, None), |Centre { value, interval }| (value, interval))
}

/// Whether something became slower.
pub fn is_slower(rows: &[PairedRow]) -> bool {
    rows.iter().any(|row| row.verdict == Verdict::Slower)
}

/// The rows as a person reads them: how many were called, and those.
pub fn text_beside(program: &Path, rows: &[PairedRow]) -> String {
    let (program, number) = (program.display(), rows.len());
    let tally = tally(rows.iter().map(|row| row.verdict));
    let mut text =
        format!("{number} timings compared with those of {program} in the same minutes: {tally}\n");
    if rows.iter().any(|row| row.interval().is_none()) {
        text += "  one layout was measured, of which nobody can tell: measure with more `time.layouts`\n";
    }
    text.extend(rows.iter().filter_map(PairedRow::line));
    text
}

/// Refuses a file that does not begin with the columns of `timings-beside.csv`.
pub(super) fn check_columns(bytes: &[u8]) -> Result<(), String> {
    begins_with(bytes, COLUMNS)
}

#[cfg(test)]
mod tests;
