//! Ratios and differences. Points of equal seeds share their random numbers, which would make the error of a
//! difference smaller; the journal keeps moments of batches and no trial, so that errors are added here as
//! if the two were independent: an interval may be too wide, and is not too narrow unless the two move in
//! opposite directions.

use loadfactor_schemes::prediction::Kind;

use super::Sources;
use super::row::{DerivedRow, Estimate};
use super::value::Value;
use crate::definition::Pair;

/// How two values are held against each other: the result, and its derivative by each of them.
pub(super) type Held = fn(f64, f64) -> (f64, [f64; 2]);

/// a/b.
pub(super) fn ratio(a: f64, b: f64) -> (f64, [f64; 2]) {
    (a / b, [1.0 / b, -a / (b * b)])
}

/// a − b.
pub(super) fn difference(a: f64, b: f64) -> (f64, [f64; 2]) {
    (a - b, [1.0, -1.0])
}

impl Sources<'_> {
    pub(super) fn pair(&self, name: &str, pair: &Pair, held: Held) -> DerivedRow {
        let values = self.values(&pair.operands, &pair.of, &pair.at);
        let row = DerivedRow::empty(name, &pair.of);
        let [a, b] = &values[..] else { return row };
        let measured = a.measured.zip(b.measured).map(|(a, b)| of_estimates(a, b, held));
        let measured = measured.filter(|estimate| estimate.value.is_finite());
        DerivedRow { measured, predicted: of_predictions(a, b, held), ..row }
    }
}

/// The error of first order in those of the two.
fn of_estimates(a: Estimate, b: Estimate, held: Held) -> Estimate {
    let (value, [by_a, by_b]) = held(a.value, b.value);
    let error = |of: fn(&Estimate) -> Option<f64>| {
        of(&a).zip(of(&b)).map(|(a, b)| libm::hypot(by_a * a, by_b * b))
    };
    Estimate { value, std_error: error(|e| e.std_error), half_width: error(|e| e.half_width) }
}

/// What the two predictions of a kind give; but bounds, of which neither a ratio nor a difference is one.
fn of_predictions(a: &Value, b: &Value, held: Held) -> Vec<(Kind, f64)> {
    let of_kind = |&(kind, a): &(Kind, f64)| Some((kind, held(a, b.prediction(kind)?).0));
    let values = a.predicted.iter().filter(|(kind, _)| !kind.is_bound());
    let all = values.filter_map(of_kind);
    all.filter(|(_, value)| value.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, std_error: f64) -> Estimate {
        Estimate { value, std_error: Some(std_error), half_width: Some(2.0 * std_error) }
    }

    #[test]
    fn relative_errors_of_a_ratio_add_in_squares() {
        let ratio = of_estimates(estimate(6.0, 0.3), estimate(3.0, 0.2), ratio);
        let relative = 0.05_f64.hypot(0.2 / 3.0);
        assert_eq!(ratio.value, 2.0);
        assert!((ratio.std_error.unwrap() - 2.0 * relative).abs() < 1e-12);
        assert!((ratio.half_width.unwrap() - 4.0 * relative).abs() < 1e-12);
    }

    #[test]
    fn errors_of_a_difference_add_in_squares() {
        let difference = of_estimates(estimate(6.0, 3.0), estimate(3.0, 4.0), difference);
        assert_eq!((difference.value, difference.std_error), (3.0, Some(5.0)));
    }
}
