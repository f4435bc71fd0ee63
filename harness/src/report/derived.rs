//! Derived quantities, as a file and as a part of the report.

use std::fmt::{self, Write};

use loadfactor_schemes::prediction::Kind;

use super::number::{number, short_error};
use super::published::{PublishedRow, published_rows};
use super::results::Results;
use super::ways;
use crate::definition::{Claim, Counterpart};
use crate::derived::{DerivedRow, Predicted};
use crate::escape::{cell, markdown};

/// The columns of `derived.csv`.
const COLUMNS: [&str; 14] = [
    "derived",
    "quantity",
    "found_at",
    "measured",
    "std_error",
    "half_width",
    "predicted",
    "prediction",
    "room",
    "room_limit",
    "published",
    "agreement",
    "z",
    "verdict",
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
    for line in lines(results) {
        writer.write_record(line.fields().iter().map(|field| cell(field).into_owned()))?;
    }
    Ok(Some(writer.into_inner().map_err(|error| error.into_error())?))
}

/// A derived quantity beside one prediction of it, with what the document prints of either.
struct Line<'r> {
    row: &'r DerivedRow,
    predicted: Option<&'r Predicted>,
    printed: Vec<PublishedRow<'r>>,
}

/// One line for each kind of prediction, or one without any.
fn lines<'r>(results: &'r Results<'_>) -> Vec<Line<'r>> {
    let published = published_rows(results);
    let lines_of = |row: &'r DerivedRow| {
        let kinds: Vec<Option<&Predicted>> = match row.predicted.is_empty() {
            true => vec![None],
            false => row.predicted.iter().map(Some).collect(),
        };
        let printed = |kind: Option<Kind>, is_first| {
            let speaks = |claim: &PublishedRow<'r>| speaks_of(claim, row, kind, is_first);
            published.iter().filter(|claim| speaks(claim)).cloned().collect()
        };
        let line = |(place, predicted): (usize, Option<&'r Predicted>)| Line {
            row,
            predicted,
            printed: printed(predicted.map(|predicted| predicted.kind), place == 0),
        };
        kinds.into_iter().enumerate().map(line).collect::<Vec<_>>()
    };
    results.derived.iter().flat_map(lines_of).collect()
}

/// Whether a printed value stands in the line of this kind: one that was measured in the first line.
fn speaks_of(
    claim: &PublishedRow<'_>,
    row: &DerivedRow,
    kind: Option<Kind>,
    is_first: bool,
) -> bool {
    let Claim::Derived(claim) = &claim.published.claim else { return false };
    let of_line = match claim.counterpart {
        Counterpart::Measured => is_first,
        Counterpart::Predicted(own) => kind == Some(own),
    };
    let of_quantity = claim.quantity.as_ref().is_none_or(|own| *own == row.quantity);
    claim.name == row.name && of_quantity && of_line
}

impl Line<'_> {
    fn fields(&self) -> [String; 14] {
        let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let Self { row, predicted, .. } = self;
        let room = predicted.and_then(|predicted| predicted.room);
        [
            row.name.clone(),
            row.quantity.clone(),
            row.found_at.clone().unwrap_or_default(),
            text(row.measured.map(|estimate| estimate.value)),
            text(row.measured.and_then(|estimate| estimate.std_error)),
            text(row.measured.and_then(|estimate| estimate.half_width)),
            text(predicted.map(|predicted| predicted.value)),
            self.kind().to_owned(),
            text(room.map(|room| room.room)),
            text(room.map(|room| room.limit)),
            self.printed(),
            self.agreement(),
            text(predicted.and_then(|predicted| row.z(predicted))),
            self.verdict().to_owned(),
        ]
    }

    fn kind(&self) -> &'static str {
        self.predicted.map_or("", |predicted| predicted.kind.name())
    }

    fn verdict(&self) -> &'static str {
        let verdict = self.predicted.and_then(|predicted| self.row.verdict(predicted));
        verdict.map_or("", |verdict| verdict.name())
    }

    fn printed(&self) -> String {
        join(self.printed.iter().map(|claim| claim.published.printed.as_str()))
    }

    fn agreement(&self) -> String {
        join(self.printed.iter().map(|claim| claim.verdict.name()))
    }
}

fn join<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.collect::<Vec<_>>().join("; ")
}

/// The part of the report.
pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    if results.derived.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Derived quantities\n")?;
    writeln!(
        out,
        "| what | how | quantity | measured | ± | predicted | prediction | room | verdict | printed | | found at |"
    )?;
    writeln!(out, "|---|---|---|---:|---:|---:|---|---:|---|---|---|---|")?;
    for line in lines(results) {
        let Line { row, predicted, .. } = &line;
        let text = |value: Option<f64>| value.map_or_else(String::new, number);
        let error = |value: Option<f64>| value.map_or_else(String::new, short_error);
        let room = predicted.and_then(|predicted| predicted.room);
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            markdown(&row.name),
            markdown(&in_words(results, row)),
            row.quantity,
            text(row.measured.map(|estimate| estimate.value)),
            error(row.measured.and_then(|estimate| estimate.half_width)),
            text(predicted.map(|predicted| predicted.value)),
            line.kind(),
            error(room.map(|room| room.room)),
            line.verdict(),
            markdown(&line.printed()),
            line.agreement(),
            markdown(row.found_at.as_deref().unwrap_or_default()),
        )?;
    }
    writeln!(out)
}

/// How the row is made.
fn in_words(results: &Results<'_>, row: &DerivedRow) -> String {
    let own = results.experiment.derived.iter().find(|derived| derived.name == row.name);
    let how = own.map(|derived| ways::in_words(results.experiment, &derived.derivation));
    how.unwrap_or_default()
}
