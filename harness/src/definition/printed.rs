//! Numbers as a document prints them, with the precision that the print shows.

/// The value of a printed number and how far it may be off: half a unit of its last digit, and what
/// stands behind `±`. `None` where it is no number.
///
/// `31.1%` is a share; `1/3` is exact, its half unit 0; `=0.497487` is computed from a printed
/// formula and as precise as its own digits.
pub(crate) fn printed(text: &str) -> Option<(f64, f64)> {
    if let Some((text, scatter)) = text.split_once('±') {
        let ((value, half_unit), (scatter, _)) = (printed(text)?, printed(scatter)?);
        return (scatter >= 0.0).then_some((value, half_unit + scatter));
    }
    let text = text.strip_prefix('=').unwrap_or(text).trim();
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

    #[test]
    fn the_half_unit_is_that_of_the_last_printed_digit() {
        assert_eq!(printed("31.1%"), Some((0.311, 0.0005)));
        assert_eq!(printed("2.195"), Some((2.195, 0.0005)));
        assert_eq!(printed("0.0012%"), Some((0.000012, 5e-7)));
        assert_eq!(printed("7"), Some((7.0, 0.5)));
        assert_eq!(printed("1.2e-5"), Some((1.2e-5, 5e-7)));
        assert_eq!(printed("=0.497487"), Some((0.497487, 5e-7)));
        assert_eq!(printed("1/3"), Some((1.0 / 3.0, 0.0)));
        assert_eq!(printed("50% ± 2%"), Some((0.5, 0.005 + 0.02)));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "%", "about 3", "1/0", "1/", "inf", "NaN", "1e999", "--1", "0x10", "1±", "1±-1"]
        {
            assert_eq!(printed(text), None, "{text}");
        }
    }
}
