//! An order of series: how many of its steps fall.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::Kind;

use super::Sources;
use super::row::{DerivedRow, Estimate, Predicted};
use super::value::Value;
use crate::definition::{Coordinates, Operand};

impl Sources<'_> {
    /// The share of the steps that fall: 1 where the order holds. Half a width is the share of the steps that
    /// the measurements cannot tell.
    pub(super) fn order(
        &self,
        name: &str,
        operands: &[Operand],
        of: Metric,
        at: &Coordinates,
    ) -> DerivedRow {
        let values = self.values(operands, &of.to_string(), at);
        let kinds = values.first().map_or(&[][..], |first| &first.predicted);
        let predicted = |own: &Predicted| {
            let share = predicted_share(&values, own.kind)?;
            Some(Predicted::unjudged(own.kind, share))
        };
        DerivedRow {
            measured: measured_share(&values),
            predicted: kinds
                .iter()
                .filter(|own| !own.kind.is_bound())
                .filter_map(predicted)
                .collect(),
            ..DerivedRow::empty(name, &of.to_string())
        }
    }
}

fn measured_share(values: &[Value<'_>]) -> Option<Estimate> {
    let estimates: Vec<Estimate> =
        values.iter().map(|value| value.measured).collect::<Option<_>>()?;
    let steps = estimates.len().checked_sub(1).filter(|steps| *steps > 0)? as f64;
    let falls = |pair: &&[Estimate]| pair[0].value > pair[1].value;
    let unclear = |pair: &&[Estimate]| {
        let widths = pair[0].half_width.zip(pair[1].half_width);
        let distance = (pair[0].value - pair[1].value).abs();
        widths.is_none_or(|(a, b)| distance <= libm::hypot(a, b))
    };
    let share = |count: usize| count as f64 / steps;
    Some(Estimate {
        value: share(estimates.windows(2).filter(falls).count()),
        std_error: None,
        half_width: Some(share(estimates.windows(2).filter(unclear).count())),
    })
}

fn predicted_share(values: &[Value<'_>], kind: Kind) -> Option<f64> {
    let all: Vec<f64> = values.iter().map(|value| value.prediction(kind)).collect::<Option<_>>()?;
    let steps = all.len().checked_sub(1).filter(|steps| *steps > 0)?;
    let falling = all.windows(2).filter(|pair| pair[0] > pair[1]).count();
    Some(falling as f64 / steps as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(means: &[f64], half_width: f64) -> Vec<Value<'static>> {
        let measured =
            |&value: &f64| Estimate { value, std_error: None, half_width: Some(half_width) };
        let value = |mean| Value { measured: Some(measured(mean)), ..Value::default() };
        means.iter().map(value).collect()
    }

    #[test]
    fn steps_that_fall_are_counted_and_close_ones_are_unclear() {
        let share = measured_share(&values(&[5.0, 4.0, 1.0], 0.1)).unwrap();
        assert_eq!((share.value, share.half_width), (1.0, Some(0.0)));
        let share = measured_share(&values(&[5.0, 6.0, 1.0], 0.1)).unwrap();
        assert_eq!((share.value, share.half_width), (0.5, Some(0.0)));
        let share = measured_share(&values(&[5.0, 4.0, 1.0], 1.0)).unwrap();
        assert_eq!((share.value, share.half_width), (1.0, Some(0.5)));
    }
}
