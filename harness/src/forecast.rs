//! How long batches and predictions take on this machine, from short samples of each series.

use crate::plan::{Plan, PointPlan};

/// Points of a series that are sampled.
const SAMPLES: usize = 3;

/// Operations of the sample that is timed.
const SAMPLE_OPERATIONS: f64 = 2e6;

/// Bytes of the largest structure that is built to time a sample.
const LARGEST_SAMPLE: u64 = 256 << 20;

/// Seconds of an operation on a larger one: about one access to memory.
const BEYOND_THE_CACHE: f64 = 1e-7;

/// What a point takes on one thread.
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
    /// after it is taken by the first trial of each batch. Of long trials there is one alone.
    fn of(point: &PointPlan) -> Self {
        let sample = point.shortened(SAMPLE_OPERATIONS);
        if sample.cost.bytes > LARGEST_SAMPLE {
            return Self { ready: 0.0, operation: BEYOND_THE_CACHE };
        }
        if sample.cost.operations > SAMPLE_OPERATIONS {
            let operation = seconds_of_trials(&sample, 1) / sample.cost.operations;
            return Self { ready: 0.0, operation };
        }
        let further = (SAMPLE_OPERATIONS / sample.cost.operations).clamp(1.0, 100.0).floor();
        let first = seconds_of_trials(&sample, 1);
        let all = seconds_of_trials(&sample, 1 + further as u64);
        let of_trial = (all - first).max(0.0) / further;
        let ready = (first - of_trial).max(0.0);
        Self { ready, operation: of_trial / sample.cost.operations }
    }
}

/// The pace of each point that is run, and none of the others: measured of a few of each series, from the one that costs
/// least to the one that costs most, and for those between that of the next above.
pub fn paces(plan: &Plan<'_>, runs: impl Fn(usize) -> bool) -> Vec<Pace> {
    let mut paces = vec![Pace::default(); plan.points.len()];
    for series in 0..plan.experiment.series.len() {
        let points = plan.experiment.points.iter().enumerate();
        let of_series = points.filter(|(_, point)| point.series == series).map(|(index, _)| index);
        let mut run: Vec<usize> = of_series.filter(|&point| runs(point)).collect();
        let cost = |point: usize| plan.points[point].cost.operations;
        run.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        let mut rest = &run[..];
        for sample in sampled(run.len()) {
            let pace = Pace::of(&plan.points[run[sample]]);
            let (mine, others) = rest.split_at(sample + 1 + rest.len() - run.len());
            mine.iter().for_each(|&point| paces[point] = pace);
            rest = others;
        }
    }
    paces
}

/// Seconds of processor time that the predictions of all points take, which all threads of a run share after its trials,
/// about: those of a few points of each series, as often as it has points. Those between the points, through which figures
/// draw lines, are not counted.
pub fn seconds_of_predictions(plan: &Plan<'_>) -> f64 {
    let of_series = |series: usize| {
        let points = plan.experiment.points.iter().enumerate();
        let own: Vec<usize> =
            points.filter(|(_, point)| point.series == series).map(|(index, _)| index).collect();
        let samples = own.len().min(SAMPLES);
        let taken = sampled(own.len()).map(|sample| {
            let started = processor_time();
            plan.points[own[sample]].outlook();
            processor_time() - started
        });
        taken.sum::<f64>() / samples.max(1) as f64 * own.len() as f64
    };
    (0..plan.experiment.series.len()).map(of_series).sum()
}

/// The places that are sampled of so many, evenly spread, the last among them.
fn sampled(all: usize) -> impl Iterator<Item = usize> {
    let samples = all.min(SAMPLES);
    (1..=samples).map(move |sample| all * sample / samples - 1)
}

/// Processor time of the first trials of a batch, by the shorter of two tries: what is computed once is not counted, nor
/// what other processes take.
fn seconds_of_trials(point: &PointPlan, trials: u64) -> f64 {
    let time = || {
        let started = processor_time();
        point.run(0, trials);
        processor_time() - started
    };
    time().min(time())
}

/// Seconds that this thread has had a processor.
#[cfg(unix)]
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds since the first call: the time of this thread alone is not told.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_and_the_last_is_one() {
        assert_eq!(sampled(0).collect::<Vec<_>>(), [0_usize; 0]);
        assert_eq!(sampled(2).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(sampled(10).collect::<Vec<_>>(), [2, 5, 9]);
    }
}
