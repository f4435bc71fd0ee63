//! Numbers as a document prints them, with the precision that the print shows.

/// A number as it stands in a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedNumber {
    /// Its value.
    pub value: f64,
    /// Half a unit of its last digit; 0 where it is exact.
    pub half_unit: f64,
    /// How far the document's own measurement may be off, which stands behind `±`.
    pub scatter: f64,
    /// Whether the document only says that the quantity is not larger.
    pub at_most: bool,
}

impl PrintedNumber {
    /// How far a value may be from the printed one and still be meant by it.
    pub fn tolerance(&self) -> f64 {
        self.half_unit + self.scatter
    }
}

/// The printed number that a text is; `None` where it is none.
///
/// `31.1%` is a share; `1/3` is exact; `=0.497487` is computed from a printed formula and as precise as its
/// own digits; `0.5% ± 0.2%` scatters; `<=1%` is an upper end.
pub(crate) fn printed(text: &str) -> Option<PrintedNumber> {
    if let Some(text) = text.strip_prefix("<=") {
        return Some(PrintedNumber { at_most: true, ..printed(text.trim())? });
    }
    if let Some((text, scatter)) = text.split_once('±') {
        let (number, (scatter, _)) = (printed(text)?, number(scatter)?);
        return (scatter >= 0.0).then_some(PrintedNumber { scatter, ..number });
    }
    let (value, half_unit) = number(text.strip_prefix('=').unwrap_or(text))?;
    Some(PrintedNumber { value, half_unit, scatter: 0.0, at_most: false })
}

/// A fraction, share or number with half a unit of its last digit.
fn number(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    if let Some((over, under)) = text.split_once('/') {
        let (over, under) = (plain(over)?, plain(under)?);
        return (under != 0.0).then_some((over / under, 0.0));
    }
    match text.strip_suffix('%') {
        Some(percent) => shifted(percent.trim(), -2),
        None => shifted(text, 0),
    }
}

fn plain(text: &str) -> Option<f64> {
    let number = text.trim();
    let digits = number.chars().all(|c| c.is_ascii_digit() || ".-".contains(c));
    number.parse().ok().filter(|_| digits)
}

/// The number times 10^`shift`, rounded once.
fn shifted(text: &str, shift: i32) -> Option<(f64, f64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    plain(mantissa)?;
    let exponent = exponent.parse::<i16>().ok().map(i32::from)? + shift;
    let places = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
    let last = exponent - i32::try_from(places).ok()?;
    let value = format!("{mantissa}e{exponent}").parse::<f64>().ok()?;
    let half_unit = format!("5e{}", last - 1).parse::<f64>().ok()?;
    (value.is_finite() && half_unit.is_finite()).then_some((value, half_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_and_half_unit(text: &str) -> Option<(f64, f64)> {
        printed(text).map(|printed| (printed.value, printed.half_unit))
    }

    #[test]
    fn the_half_unit_is_that_of_the_last_printed_digit() {
        assert_eq!(value_and_half_unit("31.1%"), Some((0.311, 0.0005)));
        assert_eq!(value_and_half_unit("2.195"), Some((2.195, 0.0005)));
        assert_eq!(value_and_half_unit("0.0012%"), Some((0.000012, 5e-7)));
        assert_eq!(value_and_half_unit("7"), Some((7.0, 0.5)));
        assert_eq!(value_and_half_unit("1.2e-5"), Some((1.2e-5, 5e-7)));
        assert_eq!(value_and_half_unit("=0.497487"), Some((0.497487, 5e-7)));
        assert_eq!(value_and_half_unit("1/3"), Some((1.0 / 3.0, 0.0)));
    }

    #[test]
    fn scatter_and_upper_ends_are_kept_apart_from_the_digits() {
        let number =
            |scatter, at_most| PrintedNumber { value: 0.5, half_unit: 0.005, scatter, at_most };
        assert_eq!(printed("50% ± 2%"), Some(number(0.02, false)));
        assert_eq!(printed("50%"), Some(number(0.0, false)));
        assert_eq!(printed("<=50%"), Some(number(0.0, true)));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "%", "about 3", "1/0", "1/", "inf", "NaN", "1e999", "--1", "0x10", "1±", "1±-1",
            "<=",
        ] {
            assert_eq!(printed(text), None, "{text}");
        }
    }
}
