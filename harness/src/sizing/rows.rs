//! Text in columns.

use std::fmt;

/// Lines of cells: the first column is to the left, the others to the right.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<Vec<String>>);

impl Rows {
    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.0.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.0 {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line += &match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("  {cell:>width$}"),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number with so many significant digits, none of which is dropped.
pub(super) fn digits(value: f64, significant: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if magnitude < -4 {
        return format!("{value:.*e}", (significant - 1).max(0) as usize);
    }
    format!("{value:.*}", (significant - 1 - magnitude).max(0) as usize)
}

/// A probability, which may be tiny.
pub(super) fn probability(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        0.01.. => digits(value, 2),
        _ => format!("{value:.1e}").replace(".0e", "e"),
    }
}

/// A share, in per cent unless it is tiny.
pub(super) fn share(share: f64) -> String {
    match share {
        ..1e-5 => format!("a share of {share:e}"),
        _ => format!("{} %", crate::report::number(100.0 * share)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_with_text() {
        let mut rows = Rows::default();
        rows.push(["", "π", "e"].map(String::from));
        rows.push(["digits", "3.14", ""].map(String::from));
        assert_eq!(rows.to_string(), "           π  e\ndigits  3.14\n");
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(digits(1.28, 5), "1.2800");
        assert_eq!(digits(19.992, 4), "19.99");
        assert_eq!(digits(123_456.0, 4), "123456");
        assert_eq!(digits(1.234e-7, 3), "1.23e-7");
        assert_eq!(probability(4.9126e-13), "4.9e-13");
        assert_eq!(probability(0.25), "0.25");
        assert_eq!(probability(1e-12), "1e-12");
        assert_eq!(share(0.002), "0.2 %");
        assert_eq!(share(1e-9), "a share of 1e-9");
    }
}
