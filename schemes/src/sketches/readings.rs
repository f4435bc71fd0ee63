//! What is read of a sketch at the end of a trial.

use super::asked::Asked;
use super::heavy::{self, Heavy};
use super::trial::Trial;
use super::{Sketch, metrics};
use crate::case::Record;

/// The quantiles of the error that are measured, in per cent.
const QUANTILES: [u16; 3] = [50, 90, 99];

/// Errors of point queries, and heavy hitters.
pub fn record_points<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    asked: &Asked,
    out: &mut dyn Record,
) {
    record_flows(sketch, store, trial, asked, out);
    if asked.queries > 0 {
        record_absent(sketch, store, trial, asked, out);
    }
    if let Some(heavy) = Heavy::asked(asked) {
        heavy::record(sketch, store, trial, heavy, out);
    }
}

fn record_flows<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    asked: &Asked,
    out: &mut dyn Record,
) {
    let mut errors = Vec::with_capacity(trial.counts.len());
    let mut relative = 0.0;
    for (flow, count) in trial.flows() {
        let error = (sketch.estimate(store, flow) - count).unsigned_abs();
        relative += error as f64 / count.unsigned_abs() as f64;
        errors.push(error);
    }
    errors.sort_unstable();
    let flows = errors.len() as f64;
    out.reading(metrics::AAE, Some(errors.iter().sum::<u64>() as f64 / flows));
    out.reading(metrics::ARE, Some(relative / flows));
    if let Some(bound) = asked.bound(trial.norm) {
        let exceeding = errors.len() - errors.partition_point(|error| *error as f64 <= bound);
        out.reading(metrics::ERROR_EXCEEDS, Some(exceeding as f64 / flows));
    }
    out.reading(metrics::MAX_ERROR, errors.last().map(|error| *error as f64));
    for per_cent in QUANTILES {
        let place = (errors.len() * usize::from(per_cent)).div_ceil(100).saturating_sub(1);
        out.reading(metrics::error_quantile(per_cent), errors.get(place).map(|own| *own as f64));
    }
}

fn record_absent<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    asked: &Asked,
    out: &mut dyn Record,
) {
    let answers = trial.absent.len() / trial.each;
    let bound = asked.bound(trial.norm);
    let (mut sum, mut exceeding) = (0, 0_u32);
    sketch.estimate_absent(store, (trial.counts.len() as u32, trial.absent), &mut |estimate| {
        let error = estimate.unsigned_abs();
        sum += error;
        exceeding += u32::from(bound.is_some_and(|bound| error as f64 > bound));
    });
    let mean = |sum: f64| (answers > 0).then(|| sum / answers as f64);
    out.reading(metrics::ABSENT_ERROR, mean(sum as f64));
    if bound.is_some() {
        out.reading(metrics::ABSENT_ERROR_EXCEEDS, mean(exceeding.into()));
    }
}

/// How many flows are overestimated.
pub fn record_overestimated<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    out: &mut dyn Record,
) {
    let above = trial.flows().filter(|(flow, count)| sketch.estimate(store, *flow) > *count);
    let share = above.count() as f64 / trial.distinct() as f64;
    out.reading(metrics::OVERESTIMATED, Some(share));
}

/// The relative error of an estimate of the number of flows.
pub fn record_cardinality(estimate: Option<f64>, trial: &Trial<'_>, out: &mut dyn Record) {
    let error = estimate.map(|estimate| estimate / trial.distinct() as f64 - 1.0);
    out.reading(metrics::CARDINALITY_ERROR, error);
    out.reading(metrics::CARDINALITY_SQUARE_ERROR, error.map(|error| error * error));
}
