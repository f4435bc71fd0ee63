//! Numbers as a person reads them.

use loadfactor_schemes::params::Scalar;

/// A number with six significant digits, without trailing zeros.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-5..=9).contains(&magnitude) {
        return format!("{value:.4e}");
    }
    let digits = (5 - magnitude).max(0) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A parameter's value: numbers as [`number`] writes them, all else as it is.
pub(super) fn short(value: &Scalar) -> String {
    match value {
        Scalar::Number(value) => number(*value),
        other => other.to_string(),
    }
}

/// An error or a room, with two digits.
pub(super) fn short_error(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// A value with its half-width, to the digits that the half-width leaves: two where it begins with 1.
pub fn with_error(value: f64, half_width: f64) -> String {
    if !(half_width > 0.0 && half_width.is_finite()) {
        return number(value);
    }
    match digits_beside(half_width) {
        Some(digits) => format!("{value:.digits$} ± {half_width:.digits$}"),
        None => format!("{} ± {half_width:.1e}", number(value)),
    }
}

/// A value with the interval around it, to the digits that its nearer end leaves.
pub fn with_interval(value: f64, low: f64, high: f64) -> String {
    let nearer = (value - low).min(high - value);
    match digits_beside(nearer).filter(|_| nearer > 0.0) {
        Some(digits) => format!("{value:.digits$} ({low:.digits$} to {high:.digits$})"),
        None => format!("{} ({} to {})", number(value), number(low), number(high)),
    }
}

/// The decimal places that a positive error leaves; `None` where so many are not worth writing out.
fn digits_beside(error: f64) -> Option<usize> {
    let magnitude = error.log10().floor() as i32;
    let leading = error / 10f64.powi(magnitude);
    let digits = i32::from(leading < 1.95).saturating_sub(magnitude).max(0) as usize;
    (-7..=9).contains(&magnitude).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::{number, with_error, with_interval};

    #[test]
    fn a_value_has_the_digits_that_its_error_leaves() {
        assert_eq!(with_error(3.014_2, 0.031), "3.01 ± 0.03");
        assert_eq!(with_error(3.014_2, 0.013), "3.014 ± 0.013");
        assert_eq!(with_error(168.4, 20.0), "168 ± 20");
        assert_eq!(with_error(3.014_2, 0.0), "3.0142");
        assert_eq!(with_error(1.5e-9, 2e-12), "1.5000e-9 ± 2.0e-12");
    }

    #[test]
    fn a_value_has_the_digits_that_its_interval_leaves() {
        assert_eq!(with_interval(3.014_2, 2.98, 3.06), "3.01 (2.98 to 3.06)");
        assert_eq!(with_interval(3.014_2, 3.001, 3.028), "3.014 (3.001 to 3.028)");
        assert_eq!(with_interval(168.4, 148.0, 200.0), "168 (148 to 200)");
        assert_eq!(with_interval(3.5, 3.5, 3.5), "3.5 (3.5 to 3.5)");
        assert_eq!(with_interval(1.5e-9, 1.4e-9, 2e-9), "1.5000e-9 (1.4000e-9 to 2.0000e-9)");
    }

    #[test]
    fn numbers_keep_six_digits() {
        assert_eq!(number(0.310_679_611), "0.31068");
        assert_eq!(number(2.194_944), "2.19494");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(4096.0), "4096");
        assert_eq!(number(1.5e-9), "1.5000e-9");
        assert_eq!(number(0.0), "0");
    }
}
