//! How long batches take on this machine, from a short sample of each series.

use std::time::Instant;

use crate::plan::{Plan, PointPlan};

/// Operations of the sample that is timed.
const SAMPLE_OPERATIONS: f64 = 2e6;

/// Bytes of the largest structure that is built to time a sample.
const LARGEST_SAMPLE: u64 = 256 << 20;

/// Seconds of an operation on a larger one: about one access to memory.
const BEYOND_THE_CACHE: f64 = 1e-7;

/// What the points of a series take on one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Seconds before the first trial of a batch, which makes its structure and what it knows of it.
    ready: f64,
    /// Seconds of an operation.
    operation: f64,
}

impl Pace {
    /// Seconds of so many batches with so many operations in all.
    pub fn seconds(self, batches: f64, operations: f64) -> f64 {
        batches * self.ready + operations * self.operation
    }

    /// Seconds of a full batch of a point.
    pub fn of_batch(self, point: &PointPlan) -> f64 {
        self.seconds(1.0, point.cost.operations * point.trials_per_batch as f64)
    }

    /// Measured, unless that would take more memory than a look should: what the first trial takes more than those
    /// after it is taken by the first trial of each batch.
    fn of(point: &PointPlan) -> Self {
        let sample = point.shortened(SAMPLE_OPERATIONS);
        if sample.cost.bytes > LARGEST_SAMPLE {
            return Self { ready: 0.0, operation: BEYOND_THE_CACHE };
        }
        let further = (SAMPLE_OPERATIONS / sample.cost.operations).clamp(1.0, 100.0).floor();
        let first = seconds_of_trials(&sample, 1);
        let all = seconds_of_trials(&sample, 1 + further as u64);
        let of_trial = (all - first).max(0.0) / further;
        let ready = (first - of_trial).max(0.0);
        Self { ready, operation: of_trial / sample.cost.operations }
    }
}

/// The pace of each series, from a sample of the costliest of its points that are run; nothing of a series of which
/// none is.
pub fn paces(plan: &Plan<'_>, runs: impl Fn(usize) -> bool) -> Vec<Pace> {
    let of_series = |series| {
        let points = plan.experiment.points.iter().enumerate();
        let of_series = points.filter(|(_, point)| point.series == series).map(|(index, _)| index);
        let batch = |&point: &usize| {
            let PointPlan { cost, trials_per_batch, .. } = &plan.points[point];
            cost.operations * *trials_per_batch as f64
        };
        let run = of_series.filter(|&point| runs(point));
        run.max_by(|a, b| batch(a).total_cmp(&batch(b)))
    };
    let pace = |series| of_series(series).map_or_else(Pace::default, |p| Pace::of(&plan.points[p]));
    (0..plan.experiment.series.len()).map(pace).collect()
}

/// Time of the first trials of a batch, by the shorter of two tries: what is computed once is not counted.
fn seconds_of_trials(point: &PointPlan, trials: u64) -> f64 {
    let time = || {
        let started = Instant::now();
        point.run(0, trials);
        started.elapsed().as_secs_f64()
    };
    time().min(time())
}
