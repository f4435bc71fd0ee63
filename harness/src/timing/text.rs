//! The rows as a person reads them.

use std::collections::BTreeSet;

use super::table::Row;
use crate::report::{number, with_error};

/// A table for each place and operation, each series in a line.
pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut told = BTreeSet::new();
    let width = rows.iter().map(|row| row.series.chars().count()).max().unwrap_or(0);
    for first in rows {
        if !told.insert((first.elements, &first.operation)) {
            continue;
        }
        let same = |row: &&Row| row.elements == first.elements && row.operation == first.operation;
        text += &format!("{}, {} elements: ns per operation\n", first.operation, first.elements);
        rows.iter().filter(same).for_each(|row| text += &line(row, width));
        text.push('\n');
    }
    text
}

fn line(row: &Row, width: usize) -> String {
    let half = |low: f64, high: f64| (high - low) / 2.0;
    let time = with_error(row.nanoseconds, half(row.nanoseconds_low, row.nanoseconds_high));
    let ratio = match row.series == row.baseline {
        true => "baseline".to_owned(),
        false => format!("× {}", with_error(row.ratio, half(row.ratio_low, row.ratio_high))),
    };
    format!("  {:width$}  {time:>16}  {ratio:>18}{}\n", row.series, worth(row))
}

/// What is measured of the full structure, or else how often it is wrong.
fn worth(row: &Row) -> String {
    match (&row.metric, row.value, row.false_positive_rate) {
        (Some(metric), Some(value), _) => format!("  {metric} {}", number(value)),
        (_, _, Some(rate)) => format!("  {} % yes to absent keys", number(100.0 * rate)),
        _ => String::new(),
    }
}
