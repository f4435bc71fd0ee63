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

#[cfg(test)]
mod tests {
    use super::number;

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
