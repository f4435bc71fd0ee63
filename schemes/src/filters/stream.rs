//! What theory says of a filter that detects duplicates.

use super::{Filter, Workload, metrics};
use crate::hash::HashSpec;
use crate::prediction::{Kind, Outlook, Prediction};

const MEAN: &str = "mean over the elements so far";

/// Numbers of elements up to which the probability is computed for each.
const EACH: u32 = 2048;

/// Equal parts into which more numbers are divided.
const PARTS: u32 = 512;

/// Of packets with so many distinct keys: the bits are those of a filter that holds them, and the false positive
/// rate is the mean of the probabilities while it held fewer.
pub(super) fn outlook<F: Filter>(
    filter: &F,
    distinct: u32,
    workload: &Workload,
    hash: &HashSpec,
) -> Outlook {
    // Exact probabilities of progressions take too long for so many numbers of elements.
    let whole = filter.holding(distinct).filter(|_| !hash.is_progression());
    let Some(whole) = whole else { return Outlook::default() };
    let at_end = whole.outlook(workload, hash);
    let of_end = at_end.predictions.into_iter();
    let mut predictions: Vec<Prediction> =
        of_end.filter(|own| own.metric != metrics::FALSE_POSITIVE_RATE).collect();
    let positive = |elements| match elements {
        0 => Some(0.0),
        _ => exact(&filter.holding(elements)?.outlook(workload, hash)),
    };
    predictions.extend(mean(distinct, positive));
    Outlook { predictions, missing: None }
}

fn exact(outlook: &Outlook) -> Option<f64> {
    let is_exact =
        |own: &&Prediction| own.metric == metrics::FALSE_POSITIVE_RATE && own.kind == Kind::Exact;
    outlook.predictions.iter().find(is_exact).map(|own| own.value)
}

/// The mean of a probability over all numbers below this one. From midpoints of equal parts, the error falls as
/// the square of the number of parts: it is a third of what half as many parts change.
fn mean(below: u32, of: impl Fn(u32) -> Option<f64>) -> Option<Prediction> {
    let metric = metrics::FALSE_POSITIVE_RATE;
    if below <= EACH {
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
    let (value, coarse) = (midpoints(PARTS)?, midpoints(PARTS / 2)?);
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
            let found = mean(below, |elements| Some(power(elements))).unwrap();
            let off = (found.value - expected).abs();
            assert!(
                off <= 2.0 * found.allowance + 1e-15 * expected,
                "{below}: {found:?} {expected}"
            );
            assert!(found.allowance <= 0.01 * expected, "{below}: {found:?}");
            assert_eq!(mean(below, |_| None), None);
        }
    }
}
