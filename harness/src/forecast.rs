//! How long batches and predictions take on this machine, from short samples of each series.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::plan::{Plan, PointPlan};

/// Points of a series that are sampled.
const SAMPLES: usize = 3;

/// How much is run to time a point.
#[derive(Debug, Clone, Copy)]
struct Look {
    /// Operations of the sample that is timed.
    operations: f64,
    /// Bytes of the largest structure that is built for it.
    bytes: u64,
}

/// Bytes of the largest structure that a plan builds to time a point.
pub const SAMPLE_BYTES: u64 = 256 << 20;

/// For a plan, which is asked how long a run takes.
const CLOSE: Look = Look { operations: 5e5, bytes: SAMPLE_BYTES };

/// For a run, which is asked to begin.
const GLANCE: Look = Look { operations: 1e5, bytes: 16 << 20 };

/// Operations of a series below which a glance would take longer than it is worth.
const WORTH_A_GLANCE: f64 = 2e7;

/// Seconds of an operation on a larger structure: as many accesses to memory are under way at a time.
const BEYOND_THE_CACHE: f64 = 2e-8;

/// Operations of trials in lockstep that are worth a look: one on any table, however large, takes as long. Elements move back
/// only in smaller ones.
const WORTH_A_LOOK: f64 = 1e8;

/// Seconds of an operation of trials in lockstep.
const IN_LOCKSTEP: f64 = 1e-9;

/// Seconds of an operation of which nothing is known.
const ANY_OPERATION: f64 = 1e-8;

/// What is to be done at a point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Share {
    /// Batches, each of which makes its structure and what it knows of it before the first trial.
    pub batches: f64,
    /// Operations of all of them.
    pub operations: f64,
}

/// What a point takes on one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Seconds before the first trial of a batch, which makes its structure and what it knows of it.
    ready: f64,
    /// Seconds of an operation.
    operation: f64,
}

impl Pace {
    /// Seconds of a share.
    pub fn seconds(self, Share { batches, operations }: Share) -> f64 {
        batches * self.ready + operations * self.operation
    }

    /// Seconds of a full batch of a point.
    pub fn of_batch(self, point: &PointPlan) -> f64 {
        let operations = point.cost.operations * point.trials_per_batch as f64;
        self.seconds(Share { batches: 1.0, operations })
    }

    /// From a short sample, or a longer one of what is not what it was when it is cut that short, such as a run of splitting:
    /// that is as short as it can be, and longer than was asked for, in one of the two.
    fn at_a_glance(point: &PointPlan) -> Self {
        Self::of(point, if is_short(point) { GLANCE } else { CLOSE })
    }

    /// Measured, unless that would take more memory than a look should: what the first trial takes more than those
    /// after it is taken by the first trial of each batch. Of long trials there is one alone. Those in lockstep count as one.
    fn of(point: &PointPlan, look: Look) -> Self {
        let sample = point.shortened(look.operations);
        if sample.cost.bytes > look.bytes {
            return Self { ready: 0.0, operation: BEYOND_THE_CACHE };
        }
        let at_once = sample.at_once;
        let operations = sample.cost.operations * at_once as f64;
        if at_once > 1 && operations > WORTH_A_LOOK {
            return Self { ready: 0.0, operation: IN_LOCKSTEP };
        }
        if sample.cost.operations > look.operations {
            return Self {
                ready: 0.0,
                operation: seconds_of_trials(&sample, at_once) / operations,
            };
        }
        let further = (look.operations / sample.cost.operations).clamp(1.0, 100.0).floor();
        let first = seconds_of_trials(&sample, at_once);
        let all = seconds_of_trials(&sample, at_once * (1 + further as u64));
        let of_trials = (all - first).max(0.0) / further;
        let ready = (first - of_trials).max(0.0);
        Self { ready, operation: of_trials / operations }
    }
}

/// Whether samples are as short as is asked for.
fn is_short(point: &PointPlan) -> bool {
    let fits = |look: Look| point.shortened(look.operations).cost.operations <= look.operations;
    fits(GLANCE) && fits(CLOSE)
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
            let pace = Pace::of(&plan.points[run[sample]], CLOSE);
            let (mine, others) = rest.split_at(sample + 1 + rest.len() - run.len());
            mine.iter().for_each(|&point| paces[point] = pace);
            rest = others;
        }
    }
    paces
}

/// Seconds of processor time that these shares of all points take, roughly: of each series with much to do the point that has
/// most is timed, shortly. What its trials panic of is left to the run, which says so.
pub fn seconds_at_a_glance(plan: &Plan<'_>, shares: &[Share]) -> f64 {
    let of_series = |series: usize| {
        let points = plan.experiment.points.iter().zip(&plan.points).zip(shares);
        let own = points.filter(|((point, _), _)| point.series == series);
        let own: Vec<_> = own.map(|((_, planned), share)| (planned, share)).collect();
        let all: f64 = own.iter().map(|(_, share)| share.operations).sum();
        let most = own.iter().max_by(|(_, a), (_, b)| a.operations.total_cmp(&b.operations));
        let timed = most.filter(|_| all >= WORTH_A_GLANCE).and_then(|(point, _)| {
            let look = || Pace::at_a_glance(point);
            catch_unwind(AssertUnwindSafe(look)).ok()
        });
        let pace = timed.unwrap_or(Pace { ready: 0.0, operation: ANY_OPERATION });
        own.iter().map(|&(_, &share)| pace.seconds(share)).sum::<f64>()
    };
    (0..plan.experiment.series.len()).map(of_series).sum()
}

/// Seconds of so many operations of which nothing is known.
pub fn seconds_of_any(operations: f64) -> f64 {
    operations * ANY_OPERATION
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
    use crate::definition::Experiment;

    /// Two series of three points.
    fn two_series() -> Experiment {
        let series = |elements: u32| {
            format!(
                "[[series]]\nlabel = \"{elements}\"\nscheme = \"single\"\nelements = {elements}\nbuckets = [10, 20, 30]\n"
            )
        };
        let head = "trials = 10\n[workload]\nkind = \"static-fill\"\n[point]\nbucket_size = 1\n";
        let text = format!("title = \"t\"\n{head}{}{}", series(100), series(1000));
        Experiment::from_text("test", &text).unwrap()
    }

    /// What is little is not timed, and has the same pace everywhere.
    #[test]
    fn little_work_is_foretold_by_its_operations() {
        let experiment = two_series();
        let plan = Plan::new(&experiment, None).unwrap();
        let shares = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
            .map(|operations| Share { batches: 1.0, operations: 1e5 * operations });
        assert_eq!(seconds_at_a_glance(&plan, &[Share::default(); 6]), 0.0);
        assert!((seconds_at_a_glance(&plan, &shares) - seconds_of_any(21e5)).abs() < 1e-12);
    }

    /// Of the longer trials of the workload a glance takes one alone, which says little of a run: most of that goes on from what
    /// was kept of another trial.
    #[test]
    fn runs_of_splitting_are_looked_at_closely() {
        let point = |warm_up: u32| {
            let workload = format!(
                "kind = \"alternation\"\nwarm_up = {warm_up}\nrounds = 10\nestimator = \"splitting\"\nevent = \"overflow_elements\"\nbeyond = 9\nparticles = 400"
            );
            let of_point = "[point]\nelements = 1000\nbuckets = 2000\nbucket_size = 1\n[[series]]\nlabel = \"s\"\nscheme = \"single\"";
            let text = format!("title = \"t\"\ntrials = 1\n[workload]\n{workload}\n{of_point}\n");
            let experiment = Experiment::from_text("test", &text).unwrap();
            is_short(&Plan::new(&experiment, None).unwrap().points[0])
        };
        assert_eq!([1, 20, 100].map(point), [false; 3]);
        let experiment = two_series();
        assert!(Plan::new(&experiment, None).unwrap().points.iter().all(is_short));
    }

    #[test]
    fn samples_are_spread_and_the_last_is_one() {
        assert_eq!(sampled(0).collect::<Vec<_>>(), [0_usize; 0]);
        assert_eq!(sampled(2).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(sampled(10).collect::<Vec<_>>(), [2, 5, 9]);
    }
}
