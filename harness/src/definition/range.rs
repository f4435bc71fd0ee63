//! Values from one number to another, computed in decimals so that steps of 0.1 land exactly.

use loadfactor_schemes::params::Scalar;
use thiserror::Error;

/// The most values that one range may have.
pub(crate) const MAX_VALUES: usize = 100_000;

/// A decimal number exactly as written: `digits · 10^-places`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: i128,
    places: u32,
    /// Written without point and exponent.
    whole: bool,
}

/// The most decimal places that a number in a range may have.
const MAX_PLACES: u32 = 15;

impl Decimal {
    /// Reads a number as TOML writes it; `None` where it is no finite number or has too many digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: i128 = format!("{before}{after}").parse().ok()?;
        let places = i32::try_from(after.len()).ok()?.checked_sub(exponent)?;
        let whole = !text.contains(['.', 'e', 'E']);
        let lifted = 10i128.checked_pow(places.min(0).unsigned_abs())?;
        let number = Self {
            digits: digits.checked_mul(lifted)?,
            places: places.max(0).unsigned_abs(),
            whole,
        };
        (number.places <= MAX_PLACES && number.digits.unsigned_abs() < 10u128.pow(MAX_PLACES))
            .then_some(number)
    }

    /// The digits where the number is written with so many decimal places.
    fn scaled(self, places: u32) -> i128 {
        self.digits * 10i128.pow(places - self.places)
    }

    fn scalar(self) -> Scalar {
        if self.whole { Scalar::Integer(self.digits as i64) } else { Scalar::Number(self.number()) }
    }

    /// The nearest floating-point number.
    fn number(self) -> f64 {
        nearest_float(self.digits, self.places)
    }
}

/// How a range goes from one end to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Advance {
    /// By adding this.
    Step(Decimal),
    /// In so many values at equal distances.
    Steps(usize),
    /// By multiplying with this.
    Factor(Decimal),
    /// In so many values at equal ratios.
    LogSteps(usize),
}

/// Why a range has no values.
#[derive(Debug, Clone, PartialEq, Error)]
pub(crate) enum RangeError {
    #[error("the range is reversed: it goes from {from} up to {to}")]
    Reversed { from: Scalar, to: Scalar },
    #[error("the step must be above 0")]
    Step,
    #[error("the factor must be above 1")]
    Factor,
    #[error("a logarithmic range must begin above 0")]
    NotPositive,
    #[error("the range does not end at {to}: its last value would be {last}")]
    Misses { to: Scalar, last: Scalar },
    #[error("a range has 2 values or more, not {0}; 1 only where both ends are alike")]
    Few(usize),
    #[error("the range has more than {MAX_VALUES} values")]
    Many,
    #[error("values {0} and {1} are both {2} after rounding to whole numbers")]
    Alike(usize, usize, i64),
    #[error("the numbers have too many digits for exact decimals")]
    Digits,
}

/// The values of a range, both ends included. Both ends whole and a whole value between: whole
/// numbers; any other value is a real number.
///
/// # Errors
/// Where the range has no values, too many, or does not end at `to`.
pub(crate) fn values(
    from: Decimal,
    to: Decimal,
    advance: Advance,
) -> Result<Vec<Scalar>, RangeError> {
    let places = from.places.max(to.places);
    if from.scaled(places) > to.scaled(places) {
        return Err(RangeError::Reversed { from: from.scalar(), to: to.scalar() });
    }
    match advance {
        Advance::Step(step) => by_step(from, to, step),
        Advance::Steps(steps) => in_steps(from, to, checked_steps(from, to, steps)?),
        Advance::Factor(factor) => by_factor(from, to, factor),
        Advance::LogSteps(steps) => in_log_steps(from, to, checked_steps(from, to, steps)?),
    }
}

fn checked_steps(from: Decimal, to: Decimal, steps: usize) -> Result<usize, RangeError> {
    let places = from.places.max(to.places);
    match steps {
        _ if steps > MAX_VALUES => Err(RangeError::Many),
        1 if from.scaled(places) == to.scaled(places) => Ok(1),
        0 | 1 => Err(RangeError::Few(steps)),
        _ => Ok(steps),
    }
}

fn by_step(from: Decimal, to: Decimal, step: Decimal) -> Result<Vec<Scalar>, RangeError> {
    let places = from.places.max(to.places).max(step.places);
    let (first, end, width) = (from.scaled(places), to.scaled(places), step.scaled(places));
    if width <= 0 {
        return Err(RangeError::Step);
    }
    let whole = from.whole && step.whole;
    let count = (end - first) / width;
    if count >= MAX_VALUES as i128 {
        return Err(RangeError::Many);
    }
    let value = |i: i128| Decimal { digits: first + i * width, places, whole }.scalar();
    if first + count * width != end {
        return Err(RangeError::Misses { to: to.scalar(), last: value(count) });
    }
    Ok((0..=count).map(value).collect())
}

fn in_steps(from: Decimal, to: Decimal, steps: usize) -> Result<Vec<Scalar>, RangeError> {
    let places = from.places.max(to.places);
    let gaps = (steps as i128 - 1).max(1);
    let whole = from.whole && to.whole;
    let value = |i: i128| {
        let parts = from.scaled(places) * (gaps - i) + to.scaled(places) * i;
        if parts % gaps == 0 {
            Decimal { digits: parts / gaps, places, whole }.scalar()
        } else {
            Scalar::Number(nearest_float(parts, places) / gaps as f64)
        }
    };
    Ok((0..steps as i128).map(value).collect())
}

fn by_factor(from: Decimal, to: Decimal, factor: Decimal) -> Result<Vec<Scalar>, RangeError> {
    if from.digits <= 0 {
        return Err(RangeError::NotPositive);
    }
    if factor.digits <= 10i128.pow(factor.places) {
        return Err(RangeError::Factor);
    }
    let mut values = Vec::new();
    let mut value = from;
    while less(value, to)? {
        values.push(value.scalar());
        let digits = value.digits.checked_mul(factor.digits).ok_or(RangeError::Digits)?;
        value = trimmed(digits, value.places + factor.places, value.whole && factor.whole);
        if value.places > MAX_PLACES {
            return Err(RangeError::Digits);
        }
        if values.len() > MAX_VALUES {
            return Err(RangeError::Many);
        }
    }
    if less(to, value)? {
        let last = values.pop().unwrap_or_else(|| from.scalar());
        return Err(RangeError::Misses { to: to.scalar(), last });
    }
    values.push(to.scalar());
    Ok(values)
}

fn less(a: Decimal, b: Decimal) -> Result<bool, RangeError> {
    let places = a.places.max(b.places);
    let scaled =
        |x: Decimal| x.digits.checked_mul(10i128.pow(places - x.places)).ok_or(RangeError::Digits);
    Ok(scaled(a)? < scaled(b)?)
}

fn trimmed(mut digits: i128, mut places: u32, whole: bool) -> Decimal {
    while places > 0 && digits % 10 == 0 {
        digits /= 10;
        places -= 1;
    }
    Decimal { digits, places, whole }
}

fn in_log_steps(from: Decimal, to: Decimal, steps: usize) -> Result<Vec<Scalar>, RangeError> {
    if from.digits <= 0 {
        return Err(RangeError::NotPositive);
    }
    let (first, end) = (from.number(), to.number());
    let between = |i: usize| first * libm::pow(end / first, i as f64 / (steps - 1) as f64);
    let value = |i: usize| match i {
        0 => first,
        _ if i + 1 == steps => end,
        _ => twelve_digits(between(i)).clamp(first, end),
    };
    let values = (0..steps).map(value);
    if from.whole && to.whole {
        return whole_numbers(values);
    }
    Ok(values.map(Scalar::Number).collect())
}

fn whole_numbers(values: impl Iterator<Item = f64>) -> Result<Vec<Scalar>, RangeError> {
    let rounded: Vec<i64> = values.map(|value| value.round() as i64).collect();
    match rounded.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(i) => Err(RangeError::Alike(i + 1, i + 2, rounded[i])),
        None => Ok(rounded.into_iter().map(Scalar::Integer).collect()),
    }
}

/// The value to twelve significant digits, so that 0.001 to 1 in four steps passes 0.01 exactly.
fn twelve_digits(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// The floating-point number nearest to `digits · 10^-places`.
fn nearest_float(digits: i128, places: u32) -> f64 {
    // Rust's parser rounds correctly; a quotient of two rounded numbers would not.
    format!("{digits}e-{places}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range(from: &str, to: &str, advance: Advance) -> Result<Vec<f64>, RangeError> {
        let number = |value: Scalar| match value {
            Scalar::Number(number) => number,
            other => panic!("{other} is no real number"),
        };
        let values = values(decimal(from), decimal(to), advance)?;
        Ok(values.into_iter().map(number).collect())
    }

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn wholes(from: &str, to: &str, advance: Advance) -> Result<Vec<Scalar>, RangeError> {
        values(decimal(from), decimal(to), advance)
    }

    #[test]
    fn steps_of_a_tenth_land_exactly() {
        let tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
        assert_eq!(range("0.1", "1.0", Advance::Step(decimal("0.1"))).unwrap(), tenths);
        assert_eq!(range("0.1", "1.0", Advance::Steps(10)).unwrap(), tenths);
    }

    #[test]
    fn logarithmic_ranges_pass_powers_exactly() {
        let loads = range("0.001", "1.0", Advance::LogSteps(4)).unwrap();
        assert_eq!(loads, [0.001, 0.01, 0.1, 1.0]);
        let buckets = wholes("16", "128", Advance::Factor(decimal("2"))).unwrap();
        assert_eq!(buckets, [16, 32, 64, 128].map(Scalar::Integer));
        assert_eq!(wholes("16", "128", Advance::LogSteps(4)).unwrap(), buckets);
    }

    #[test]
    fn whole_ends_give_whole_values_where_they_fall_on_one() {
        let values = wholes("1", "2", Advance::Steps(3)).unwrap();
        assert_eq!(values, [Scalar::Integer(1), Scalar::Number(1.5), Scalar::Integer(2)]);
    }

    #[test]
    fn a_range_without_sense_says_why() {
        let message = |from, to, advance| wholes(from, to, advance).unwrap_err().to_string();
        let step = |text| Advance::Step(decimal(text));
        insta::assert_snapshot!(message("2", "1", Advance::Steps(2)), @"the range is reversed: it goes from 2 up to 1");
        insta::assert_snapshot!(message("0", "1", step("0.3")), @"the range does not end at 1: its last value would be 0.9");
        insta::assert_snapshot!(message("0", "1", step("0")), @"the step must be above 0");
        insta::assert_snapshot!(message("0", "1", Advance::Steps(1)), @"a range has 2 values or more, not 1; 1 only where both ends are alike");
        insta::assert_snapshot!(message("0", "1", Advance::LogSteps(3)), @"a logarithmic range must begin above 0");
        insta::assert_snapshot!(message("1", "4", Advance::LogSteps(9)), @"values 1 and 2 are both 1 after rounding to whole numbers");
        insta::assert_snapshot!(message("1", "9", Advance::Factor(decimal("2"))), @"the range does not end at 9: its last value would be 8");
        insta::assert_snapshot!(message("1", "9", Advance::Factor(decimal("1.0"))), @"the factor must be above 1");
        insta::assert_snapshot!(message("1", "2", Advance::Factor(decimal("1.0000001"))), @"the numbers have too many digits for exact decimals");
        insta::assert_snapshot!(message("0", "1", step("0.000001")), @"the range has more than 100000 values");
    }

    #[test]
    fn numbers_are_read_as_written() {
        let read = |text| Decimal::parse(text).map(|decimal| decimal.number());
        assert_eq!(read("-1.25e-2"), Some(-0.0125));
        assert_eq!(read("3e5"), Some(300_000.0));
        for text in
            ["", ".", "inf", "nan", "1e", "1e400", "12345678901234567890", "0.12345678901234567"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    fn number() -> impl Strategy<Value = Decimal> {
        (-1_000_000_000_000_000i128 + 1..1_000_000_000_000_000, 0..=MAX_PLACES, any::<bool>())
            .prop_map(|(digits, places, whole)| Decimal {
                digits,
                places: if whole { 0 } else { places },
                whole,
            })
    }

    fn advance() -> impl Strategy<Value = Advance> {
        prop_oneof![
            number().prop_map(Advance::Step),
            (0..2 * MAX_VALUES).prop_map(Advance::Steps),
            number().prop_map(Advance::Factor),
            (0..2 * MAX_VALUES).prop_map(Advance::LogSteps),
        ]
    }

    fn float(value: &Scalar) -> f64 {
        match value {
            Scalar::Integer(value) => *value as f64,
            Scalar::Number(value) => *value,
            _ => f64::NAN,
        }
    }

    proptest! {
        #[test]
        fn any_two_numbers_give_an_error_or_a_rising_range_with_exact_ends(
            from in number(), to in number(), advance in advance(),
        ) {
            if let Ok(values) = values(from, to, advance) {
                prop_assert_eq!(float(&values[0]), from.number());
                prop_assert_eq!(float(&values[values.len() - 1]), to.number());
                prop_assert!(values.len() <= MAX_VALUES);
                prop_assert!(values.windows(2).all(|pair| float(&pair[0]) <= float(&pair[1])));
            }
        }

        #[test]
        fn every_step_is_the_decimal_that_one_would_write(
            first in -100_000i64..100_000, width in 1i64..1000, count in 1usize..200, places in 1u32..6,
        ) {
            let text = |digits: i64| format!("{digits}e-{places}");
            let end = first + width * (count as i64 - 1);
            let written: Vec<f64> =
                (0..count as i64).map(|i| text(first + i * width).parse().unwrap()).collect();
            let (from, to) = (text(first), text(end));
            prop_assert_eq!(&range(&from, &to, Advance::Step(decimal(&text(width)))).unwrap(), &written);
            prop_assert_eq!(&range(&from, &to, Advance::Steps(count)).unwrap(), &written);
        }

        #[test]
        fn steps_says_how_many_values_there_are(
            from in 1u32..1000, rise in 1u32..1000, steps in 2usize..500,
        ) {
            let (from, to) = (format!("0.{from:04}"), format!("{rise}.5"));
            for advance in [Advance::Steps(steps), Advance::LogSteps(steps)] {
                prop_assert_eq!(range(&from, &to, advance).unwrap().len(), steps);
            }
        }
    }
}
