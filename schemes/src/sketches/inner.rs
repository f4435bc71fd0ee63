//! The inner product of two streams, from a sketch of each with the same hash functions.

use super::Sketch;
use super::metrics::{INNER_PRODUCT_ERROR, INNER_PRODUCT_EXCEEDS};
use super::outlook::{Known, at_most};
use super::rows::Rows;
use super::trial::Trial;
use crate::case::Record;
use crate::math::elementary::pow;
use crate::prediction::Prediction;

/// The counts of the second stream: flow i has that of flow 7i modulo the number of flows in the first one.
pub fn second(counts: &[i64]) -> impl Iterator<Item = i64> + Clone + '_ {
    (0..counts.len()).map(|flow| counts[7 * flow % counts.len()])
}

/// Product of the two sums of counts, and the inner product, both of the first stream with the second.
fn products(counts: &[i64]) -> [f64; 2] {
    let sum: i64 = counts.iter().sum();
    let of_second: i64 = second(counts).sum();
    let inner: i64 = counts.iter().zip(second(counts)).map(|(a, b)| a * b).sum();
    [sum as f64 * of_second as f64, inner as f64]
}

/// Puts the second stream into the second store and hands over the error of the inner product: none where the second
/// stream has no packet, as flows that are drawn may have none.
pub fn record<S: Sketch>(
    sketch: &S,
    [first, other]: [&mut S::Store; 2],
    trial: &Trial<'_>,
    epsilon: Option<f64>,
    out: &mut dyn Record,
) {
    for (number, count) in second(trial.counts).enumerate() {
        sketch.update(other, trial.flow(number), count);
    }
    let [all, inner] = products(trial.counts);
    let estimate = sketch.inner_product(first, other) as f64;
    let error = (all > 0.0).then(|| (estimate - inner) / all);
    out.reading(INNER_PRODUCT_ERROR, error);
    if let Some(epsilon) = epsilon {
        let exceeds = |error: f64| f64::from(u8::from(error > epsilon));
        out.reading(INNER_PRODUCT_EXCEEDS, error.map(exceeds));
    }
}

/// What is known of the least of d products in rows of w: each is too great by (1 − a·b/(‖a‖₁‖b‖₁))/w on average.
pub(super) fn predictions(known: &Known<'_>, rows: &Rows) -> Vec<Prediction> {
    if !known.asked.inner_product {
        return Vec::new();
    }
    let (w, d) = (f64::from(rows.columns), f64::from(rows.rows));
    let mut all = vec![at_most(INNER_PRODUCT_ERROR, 1.0 / w, "section 7.6.6.2, inner product")];
    let counts = known.updates.same_counts().filter(|_| rows.rows == 1);
    all.extend(counts.map(|counts| {
        let [of_sums, inner] = products(&counts);
        let mean = (1.0 - inner / of_sums) / w;
        Prediction::exact(INNER_PRODUCT_ERROR, mean, "section 7.6.6.2, mean of one row")
    }));
    all.extend(known.asked.epsilon.map(|epsilon| {
        let bound = pow((1.0 / (epsilon * w)).min(1.0), d);
        at_most(INNER_PRODUCT_EXCEEDS, bound, "section 7.6.6.2, inner product")
    }));
    all
}
