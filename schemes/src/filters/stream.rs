//! What theory says of a filter that detects duplicates.

use super::{Filter, Workload, metrics};
use crate::hash::HashSpec;
use crate::prediction::{Kind, Outlook, Prediction};

const MEAN: &str = "mean over the elements so far";

/// Numbers of elements up to which the probability is computed for each.
const EACH: u32 = 2048;

/// Equal parts into which more numbers are divided, if that does not take too many steps.
const PARTS: u32 = 512;

/// The fewest parts of which the mean is taken.
const FEWEST_PARTS: u32 = 16;

/// Steps of some nanoseconds that all these probabilities may take together.
const MOST_STEPS: f64 = 1e8;

/// Of packets with so many distinct keys: the bits are those of a filter that holds them, and the false positive
/// rate is the mean of the probabilities while it held fewer.
pub(super) fn outlook<F: Filter>(
    filter: &F,
    distinct: u32,
    workload: &Workload,
    hash: &HashSpec,
) -> Outlook {
    // Exact probabilities of progressions take too long for so many numbers of elements.
    if hash.is_progression() || !F::IS_UNION {
        return Outlook::default();
    }
    let whole = filter.holding(distinct);
    let at_end = whole.outlook(workload, hash);
    let of_end = at_end.predictions.into_iter();
    let mut predictions: Vec<Prediction> =
        of_end.filter(|own| own.metric != metrics::FALSE_POSITIVE_RATE).collect();
    let positive = |elements| match elements {
        0 => Some(0.0),
        _ => exact(&filter.holding(elements).outlook(workload, hash)),
    };
    let numbers = (MOST_STEPS / whole.work()).min(f64::from(u32::MAX)) as u32;
    predictions.extend(mean(distinct, numbers, positive));
    Outlook { predictions, missing: None }
}

fn exact(outlook: &Outlook) -> Option<f64> {
    let is_exact =
        |own: &&Prediction| own.metric == metrics::FALSE_POSITIVE_RATE && own.kind == Kind::Exact;
    outlook.predictions.iter().find(is_exact).map(|own| own.value)
}

/// The mean of a probability over all numbers below this one, of which so many may be looked at. From midpoints of equal parts, the error falls as
/// the square of the number of parts: it is a third of what half as many parts change.
fn mean(below: u32, most: u32, of: impl Fn(u32) -> Option<f64>) -> Option<Prediction> {
    let metric = metrics::FALSE_POSITIVE_RATE;
    if below <= EACH.min(most) {
        let sum: Option<f64> = (0..below).map(of).sum();
        return sum.map(|sum| Prediction::exact(metric, sum / f64::from(below), MEAN));
    }
    let between = |x: f64| -> Option<f64> {
        let (first, share) = (x.floor() as u32, x.fract());
        Some(of(first)? * (1.0 - share) + of(first + 1)? * share)
    };
    let midpoints = |parts: u32| -> Option<f64> {
        let width = f64::from(below) / f64::from(parts);
        let middle = |part: u32| (f64::from(part) + 0.5) * width - 0.5;
        let sum: Option<f64> = (0..parts).map(|part| between(middle(part))).sum();
        Some(sum? / f64::from(parts))
    };
    // Each part takes two numbers, and so does each of half as many.
    let parts = PARTS.min(most / 3 / 2 * 2);
    if parts < FEWEST_PARTS {
        return None;
    }
    let (value, coarse) = (midpoints(parts)?, midpoints(parts / 2)?);
    let room = (value - coarse).abs() / 3.0;
    Some(Prediction::asymptotic(metric, value, MEAN, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A power, whose mean below N is a sum.
    #[test]
    fn the_mean_is_that_of_all_numbers() {
        let power = |elements: u32| (f64::from(elements) / 1e5).powi(6);
        for below in [1, 2048, 2049, 5001, 100_003] {
            let expected = (0..below).map(power).sum::<f64>() / f64::from(below);
            let found = mean(below, u32::MAX, |elements| Some(power(elements))).unwrap();
            let off = (found.value - expected).abs();
            assert!(
                off <= 2.0 * found.allowance + 1e-15 * expected,
                "{below}: {found:?} {expected}"
            );
            assert!(found.allowance <= 0.01 * expected, "{below}: {found:?}");
            assert_eq!(mean(below, u32::MAX, |_| None), None);
        }
    }

    /// With fewer numbers it is as far off as it says, and with too few there is none.
    #[test]
    fn a_mean_of_few_numbers_says_how_far_it_is_off() {
        let looked_at = std::cell::Cell::new(0);
        let of = |elements: u32| {
            looked_at.set(looked_at.get() + 1);
            Some((f64::from(elements) / 2000.0).powi(6))
        };
        let found = mean(2000, 100, of).unwrap();
        assert!(looked_at.get() <= 100 && found.allowance > 0.0, "{found:?}");
        assert!((found.value - 1.0 / 7.0).abs() < 2.0 * found.allowance + 5e-4, "{found:?}");
        assert_eq!(mean(2000, 40, of), None);
    }
}
