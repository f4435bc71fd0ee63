//! Numbers in sentences and in columns.

use super::estimate::Estimate;
use super::prose::NO_BREAK;
use crate::report::with_error;

/// A whole number with a comma before every third digit from the right.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How often: with one digit behind the point where that says something.
pub(super) fn times(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { grouped(number.round() as u64) }
}

/// A share in per cent; its sign stays on the line of its digits.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}{NO_BREAK}%", 100.0 * share)
}

/// A share in per cent with its error, without the sign for per cent.
pub(super) fn in_percent(estimate: Estimate) -> String {
    with_error(100.0 * estimate.value, 100.0 * estimate.std_error)
}

/// A difference of shares in percentage points, with its sign and error.
pub(super) fn points(estimate: Estimate) -> String {
    let sign = if estimate.value < 0.0 { '-' } else { '+' };
    let size = Estimate { value: estimate.value.abs(), ..estimate };
    format!("{sign}{}", in_percent(size))
}

/// A difference of shares that theory gives, in percentage points.
pub(super) fn exact_points(difference: f64) -> String {
    format!("{:+.3}", 100.0 * difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let texts = [0, 12, 999, 1000, 41_500, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "41,500", "1,234,567"]);
        assert_eq!([0.62, 9.96, 41_500.4].map(times), ["0.6", "10.0", "41,500"]);
    }

    #[test]
    fn a_difference_has_a_sign_and_the_digits_that_its_error_leaves() {
        let points_of = |value, std_error| points(Estimate { value, std_error });
        assert_eq!(points_of(0.063_712, 0.000_21), "+6.37 ± 0.02");
        assert_eq!(points_of(-0.000_14, 0.000_2), "-0.01 ± 0.02");
        assert_eq!(exact_points(-0.000_059), "-0.006");
    }
}
