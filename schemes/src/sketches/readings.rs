//! What is read of a sketch at the end of a trial.

use super::case::Asked;
use super::heap::FlowHeap;
use super::metrics;
use super::{Flow, Sketch};
use crate::case::Record;

/// The quantiles of the error that are measured, in per cent.
const QUANTILES: [u16; 3] = [50, 90, 99];

/// A trial at its end: what was true, and what was asked.
#[derive(Debug)]
pub struct Trial<'t> {
    /// The count of each flow, 0 of flows without packets.
    pub counts: &'t [i64],
    /// ‖a‖₁.
    pub packets: u32,
    /// The choices of the flows, one after the other.
    pub choices: &'t [u32],
    /// The choices of the absent keys.
    pub absent: &'t [u32],
    /// Choices of a flow.
    pub each: usize,
    /// The heap of heavy hitters.
    pub heap: &'t FlowHeap,
}

impl Trial<'_> {
    /// The flow with this number.
    pub fn flow(&self, number: usize) -> Flow<'_> {
        Flow { number: number as u32, choices: &self.choices[number * self.each..][..self.each] }
    }

    /// Flows of the stream with their counts.
    fn flows(&self) -> impl Iterator<Item = (Flow<'_>, i64)> {
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count != 0);
        counted.map(|(number, &count)| (self.flow(number), count))
    }

    /// Flows of the stream.
    pub fn distinct(&self) -> usize {
        self.counts.iter().filter(|count| **count != 0).count()
    }
}

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
    if let Some(phi) = asked.phi {
        record_heavy(sketch, store, trial, phi, out);
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
    if let Some(bound) = asked.bound(trial.packets) {
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
    let first = trial.counts.len();
    let flows = trial.absent.chunks_exact(trial.each).zip(first..);
    let errors = flows.map(|(choices, number)| {
        sketch.estimate(store, Flow { number: number as u32, choices }).unsigned_abs()
    });
    let bound = asked.bound(trial.packets);
    let (mut sum, mut exceeding, mut answers) = (0, 0_u32, 0_u32);
    for error in errors {
        sum += error;
        exceeding += u32::from(bound.is_some_and(|bound| error as f64 > bound));
        answers += 1;
    }
    let mean = |sum: f64| (answers > 0).then(|| sum / f64::from(answers));
    out.reading(metrics::ABSENT_ERROR, mean(sum as f64));
    if bound.is_some() {
        out.reading(metrics::ABSENT_ERROR_EXCEEDS, mean(exceeding.into()));
    }
}

fn record_heavy<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    phi: f64,
    out: &mut dyn Record,
) {
    let threshold = phi * f64::from(trial.packets);
    let is_heavy = |count: i64| count as f64 >= threshold;
    let kept = if S::KEEPS_FLOWS { sketch.kept(store) } else { trial.heap.iter().collect() };
    let reported: Vec<u32> =
        kept.into_iter().filter(|(count, _)| is_heavy(*count)).map(|(_, flow)| flow).collect();
    let count = |flow: u32| trial.counts.get(flow as usize).copied().unwrap_or(0);
    let right = reported.iter().filter(|flow| is_heavy(count(**flow))).count() as f64;
    let heavy = trial.counts.iter().filter(|count| is_heavy(**count)).count() as f64;
    let reported = reported.len() as f64;
    let share = |of: f64| (of > 0.0).then(|| right / of);
    out.reading(metrics::PRECISION, share(reported));
    out.reading(metrics::RECALL, share(heavy));
    out.reading(metrics::F1, share((reported + heavy) / 2.0));
    out.reading(metrics::REPORTED_FLOWS, Some(reported));
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
