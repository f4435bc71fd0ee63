//! Derived quantities, as a file and as a part of the report.

use std::fmt::{self, Write};

use super::number::{number, short_error};
use super::results::Results;
use super::ways;
use crate::derived::DerivedRow;

/// The columns of `derived.csv`.
const COLUMNS: [&str; 9] = [
    "derived",
    "quantity",
    "found_at",
    "measured",
    "std_error",
    "half_width",
    "predicted",
    "prediction",
    "z",
];

/// `derived.csv`: one row for each value and kind of prediction; nothing where nothing is derived.
///
/// # Errors
/// Where it cannot be written to memory, which nothing causes.
pub(super) fn csv(results: &Results<'_>) -> Result<Option<Vec<u8>>, csv::Error> {
    if results.experiment.derived.is_empty() {
        return Ok(None);
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for row in &results.derived {
        for prediction in predictions(row) {
            writer.write_record(fields(row, prediction))?;
        }
    }
    Ok(Some(writer.into_inner().map_err(|error| error.into_error())?))
}

/// Each prediction of a row by its kind, or none once.
fn predictions(row: &DerivedRow) -> Vec<Option<(&'static str, f64)>> {
    let all = row.predicted.iter().map(|(kind, value)| Some((kind.name(), *value)));
    let none = row.predicted.is_empty().then_some(None);
    all.chain(none).collect()
}

fn fields(row: &DerivedRow, prediction: Option<(&str, f64)>) -> [String; 9] {
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let z = prediction.filter(|_| row.predicted.len() == 1).and_then(|_| row.z());
    [
        row.name.clone(),
        row.quantity.clone(),
        row.found_at.clone().unwrap_or_default(),
        text(row.measured.map(|estimate| estimate.value)),
        text(row.measured.and_then(|estimate| estimate.std_error)),
        text(row.measured.and_then(|estimate| estimate.half_width)),
        text(prediction.map(|(_, value)| value)),
        prediction.map_or_else(String::new, |(kind, _)| kind.to_owned()),
        text(z),
    ]
}

/// The part of the report.
pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    if results.derived.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Derived quantities\n")?;
    writeln!(out, "| what | how | quantity | measured | ± | predicted | prediction | found at |")?;
    writeln!(out, "|---|---|---|---:|---:|---:|---|---|")?;
    let experiment = results.experiment;
    for row in &results.derived {
        let own = experiment.derived.iter().find(|derived| derived.name == row.name);
        let how = own.map(|derived| ways::in_words(experiment, &derived.derivation));
        let how = how.unwrap_or_default();
        let text = |value: Option<f64>| value.map_or_else(String::new, number);
        let half_width = row.measured.and_then(|estimate| estimate.half_width);
        for prediction in predictions(row) {
            writeln!(
                out,
                "| {} | {how} | {} | {} | {} | {} | {} | {} |",
                row.name,
                row.quantity,
                text(row.measured.map(|estimate| estimate.value)),
                half_width.map_or_else(String::new, short_error),
                text(prediction.map(|(_, value)| value)),
                prediction.map_or("", |(kind, _)| kind),
                row.found_at.as_deref().unwrap_or_default(),
            )?;
        }
    }
    writeln!(out)
}
