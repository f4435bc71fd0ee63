//! Ratios and differences. Where the two are points of equal seeds, which share their random numbers, the
//! error is that of their batches in pairs; else theirs are added as if the two were independent.

use super::Sources;
use super::row::{DerivedRow, Estimate, Predicted};
use super::value::Value;
use crate::definition::Pair;
use crate::estimate::paired::{PairedError, paired_error};
use crate::estimate::verdict::Room;

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
        let measured = measured(a, b, held).filter(|estimate| estimate.value.is_finite());
        let predicted = of_predictions(a, b, held, self.experiment.largest_room);
        DerivedRow { measured, predicted, ..row }
    }
}

fn measured(a: &Value<'_>, b: &Value<'_>, held: Held) -> Option<Estimate> {
    let (of_a, of_b) = (a.measured?, b.measured?);
    let independent = of_estimates(of_a, of_b, held);
    let (_, slopes) = held(of_a.value, of_b.value);
    Some(match in_pairs(a, b, slopes) {
        Some(PairedError { std_error, half_width }) => {
            Estimate { std_error: Some(std_error), half_width: Some(half_width), ..independent }
        }
        None => independent,
    })
}

/// The error of means over the same trials of equal seeds.
fn in_pairs(a: &Value<'_>, b: &Value<'_>, slopes: [f64; 2]) -> Option<PairedError> {
    let ((a, metric), (b, _)) = (a.mean_of?, b.mean_of?);
    let same_seeds = a.case.seed_text() == b.case.seed_text();
    let error = paired_error([&a.batches, &b.batches], metric, slopes).filter(|_| same_seeds)?;
    // Trials that all saw the same do not tell their own error.
    Some(error).filter(|error| error.std_error > 0.0)
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
fn of_predictions(a: &Value<'_>, b: &Value<'_>, held: Held, largest_room: f64) -> Vec<Predicted> {
    let of_kind = |of_a: &Predicted| {
        let of_b = b.of_kind(of_a.kind)?;
        let (value, slopes) = held(of_a.value, of_b.value);
        let room = room(slopes, [of_a.room, of_b.room]);
        let limit = largest_room * value.abs();
        let room = room.map(|room| Room { room, limit });
        Some(Predicted { kind: of_a.kind, value, room })
    };
    let values = a.predicted.iter().filter(|own| !own.kind.is_bound());
    values.filter_map(of_kind).filter(|own| own.value.is_finite()).collect()
}

/// What the rooms of the two make possible together, to first order.
fn room(slopes: [f64; 2], [a, b]: [Option<Room>; 2]) -> Option<f64> {
    let rooms = [a?.room, b?.room];
    Some(slopes.iter().zip(rooms).map(|(slope, room)| slope.abs() * room).sum())
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
