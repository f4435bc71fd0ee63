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
    #[error("{0} values lead nowhere; a range has 2 or more, or both ends alike and 1")]
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
    let value = |i: usize| match i {
        0 => first,
        _ if i + 1 == steps => end,
        _ => first * (end / first).powf(i as f64 / (steps - 1) as f64),
    };
    let values = (0..steps).map(value);
    if from.whole && to.whole {
        return whole_numbers(values);
    }
    Ok(values.map(|value| Scalar::Number(twelve_digits(value))).collect())
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
