//! The rows as a person reads them.

use super::subject::speaks_of;
use super::table::Row;
use crate::estimate::interval::Interval;
use crate::report::points::ONLY_POINT;
use crate::report::{number, with_interval};

/// A table for each operation of one place, each series in a line. What all series share stands above them, and where
/// they differ, each has its own.
pub fn text(rows: &[Row]) -> String {
    let operations = rows.iter().filter(|row| row.series == rows[0].series);
    operations.map(|row| table(rows, &row.operation)).collect()
}

fn table(rows: &[Row], operation: &str) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.operation == operation).collect();
    let shared = shared(&rows);
    let lines: Vec<[String; 4]> = rows.iter().map(|row| cells(row, shared.is_none())).collect();
    let width = |cell: usize| lines.iter().map(|line| line[cell].chars().count()).max();
    let widths = [0, 1, 2].map(|cell| width(cell).unwrap_or(0));
    let heading = shared.map_or(String::new(), |shared| format!(", {shared}"));
    let mut text = format!("{operation}{heading}: ns per operation\n");
    for [series, time, ratio, rate] in &lines {
        let [first, second, third] = widths;
        text += &format!("  {series:first$}  {time:second$}  {ratio:third$}{rate}\n");
    }
    text + "\n"
}

/// What all rows have in common, if it is everything.
fn shared(rows: &[&Row]) -> Option<String> {
    let mut all = rows.iter().map(|row| place(row));
    let first = all.next()?;
    all.all(|own| own == first).then_some(first)
}

/// Elements, and what varies within the series.
fn place(row: &Row) -> String {
    let at = if row.at == ONLY_POINT { String::new() } else { format!(", {}", row.at) };
    format!("{} elements{at}", row.elements)
}

fn cells(row: &Row, with_place: bool) -> [String; 4] {
    let of_row = if with_place { format!(", {}", place(row)) } else { String::new() };
    let ratio = match row.series == row.baseline {
        true => "baseline".to_owned(),
        false => format!("× {}", value(row.ratio, row.ratio_interval())),
    };
    let (time, worth) = (value(row.nanoseconds, row.interval()), worth(row));
    [format!("{}{of_row}", row.series), time, ratio, worth]
}

/// What is measured of the full structure, or else how often it is wrong.
fn worth(row: &Row) -> String {
    match (&row.metric, row.value, row.false_positive_rate) {
        (Some(metric), Some(value), _) if speaks_of(metric, &row.operation) => {
            format!("  {metric} {}", number(value))
        }
        (Some(_), Some(_), _) => String::new(),
        (_, _, Some(rate)) => format!("  {} % yes to absent keys", number(100.0 * rate)),
        _ => String::new(),
    }
}

fn value(value: f64, interval: Option<Interval>) -> String {
    interval.map_or_else(|| number(value), |own| with_interval(value, own.low, own.high))
}

#[cfg(test)]
mod tests {
    use super::super::made::row;
    use super::*;

    /// Two series at a place that they describe in other words, and one of them of another size.
    #[test]
    fn each_series_stands_beside_its_baseline() {
        let at = |series: &str, ratio, at: &str, elements| Row {
            at: at.into(),
            elements,
            ..row(series, ratio)
        };
        let same = [at("standard", 1.0, "choices = 7", 10), at("A", 1.25, "choices = 7", 10)];
        insta::assert_snapshot!(text(&same), @"
        miss, 10 elements, choices = 7: ns per operation
          standard  10.0 (9.0 to 11.0)   baseline                        1 % yes to absent keys
          A         12.5 (11.2 to 13.8)  × 1.25000 (1.24988 to 1.25012)  1 % yes to absent keys
        ");
        let other = [at("standard", 1.0, "bits = 10", 10), at("A", 1.25, "bits = 20", 20)];
        insta::assert_snapshot!(text(&other), @"
        miss: ns per operation
          standard, 10 elements, bits = 10  10.0 (9.0 to 11.0)   baseline                        1 % yes to absent keys
          A, 20 elements, bits = 20         12.5 (11.2 to 13.8)  × 1.25000 (1.24988 to 1.25012)  1 % yes to absent keys
        ");
    }

    #[test]
    fn an_interval_is_as_wide_to_each_side_as_it_is() {
        let skew = Row { ratio_low: Some(0.8), ratio_high: Some(9.0), ..row("A", 1.0) };
        assert!(text(&[skew]).contains("× 1.0 (0.8 to 9.0)"));
        let alone = Row { ratio_low: None, ratio_high: None, ..row("A", 1.5) };
        assert!(text(&[alone]).contains("× 1.5  "));
    }
}
