//! How much of a run of several experiments is ahead.

use std::path::Path;

use super::plan::duration;
use super::selection::{Selected, folder};
use crate::definition::{Experiment, Stopping};
use crate::forecast::{Share, seconds_at_a_glance, seconds_of_any};
use crate::plan::{Plan, PointPlan, key_kinds};
use crate::run::{PointPending, pending};
use loadfactor_schemes::keys::KeySource;

/// Seconds that are counted as if they had passed and been foretold: what few short experiments took says little of the others.
const TRUSTED: f64 = 60.0;

/// The time that each experiment was thought to take, in seconds, and what those that were run took.
#[derive(Debug)]
pub(super) struct Ahead<'s> {
    foretold: Vec<f64>,
    /// The plans that were made to know them.
    plans: Vec<Option<Plan<'s>>>,
    /// What was foretold of those that were run.
    foretold_done: f64,
    seconds: f64,
}

impl<'s> Ahead<'s> {
    /// What is left to run of these experiments on so many threads, whose results are below `out`: everything, where the run
    /// begins afresh. Nothing is foretold of one alone.
    pub(super) fn new(selected: &'s [Selected], out: &Path, afresh: bool, threads: usize) -> Self {
        let foretell = |one| {
            let (seconds, plan) = foretell(one, out, afresh);
            (seconds / threads as f64, plan)
        };
        let (foretold, plans) = match selected {
            [_] => (vec![0.0], vec![None]),
            several => several.iter().map(foretell).unzip(),
        };
        Self { foretold, plans, foretold_done: 0.0, seconds: 0.0 }
    }

    /// For a run that nobody is told of.
    pub(super) fn untold(selected: &[Selected]) -> Self {
        let plans = selected.iter().map(|_| None).collect();
        Self { foretold: vec![0.0; selected.len()], plans, foretold_done: 0.0, seconds: 0.0 }
    }

    /// The plan of an experiment that does not wait for its trace.
    pub(super) fn take_plan(&mut self, index: usize) -> Option<Plan<'s>> {
        self.plans[index].take()
    }

    /// The experiment's name with its place among the others, and about how long all that are left take.
    pub(super) fn label(&self, index: usize, name: &str) -> String {
        let all = self.foretold.len();
        if all == 1 {
            return name.to_owned();
        }
        let place = format!("{name} ({} of {all}", index + 1);
        let left: f64 = self.foretold[index..].iter().sum();
        if left == 0.0 {
            return format!("{place})");
        }
        let seconds = left * (TRUSTED + self.seconds) / (TRUSTED + self.foretold_done);
        format!("{place}, about {} left)", duration(seconds))
    }

    /// Notes that an experiment was run in so many seconds.
    pub(super) fn done(&mut self, index: usize, seconds: f64) {
        if self.foretold[index] > 0.0 {
            self.foretold_done += self.foretold[index];
            self.seconds += seconds;
        }
    }
}

/// The processor time of what is left of the points selected, and the plan that says so. What a journal holds of packets is
/// known only once their trace is read: there, everything counts as left.
fn foretell<'s>(selected: &'s Selected, out: &Path, afresh: bool) -> (f64, Option<Plan<'s>>) {
    let Selected { experiment, .. } = selected;
    let waits = !key_kinds(experiment).is_empty();
    let plan = (!waits).then(|| Plan::new(experiment, None).ok()).flatten();
    let Some(plan) = plan else { return (seconds_of_any(operations_in_all(selected)), None) };
    let left = (!afresh).then(|| pending(&folder(out, experiment), &plan).ok()).flatten();
    let of_point = |(i, point): (usize, &PointPlan)| match &left {
        _ if !selected.holds(i) => Share::default(),
        Some(left) => of_pending(&left.points[i]),
        None => whole(point, trials(experiment, i)),
    };
    let shares: Vec<Share> = plan.points.iter().enumerate().map(of_point).collect();
    (seconds_at_a_glance(&plan, &shares), Some(plan))
}

fn of_pending(point: &PointPending) -> Share {
    Share { batches: point.batches_left as f64, operations: point.cost_left }
}

fn whole(point: &PointPlan, trials: u64) -> Share {
    let batches = trials.div_ceil(point.trials_per_batch.max(1)) as f64;
    Share { batches, operations: point.cost.operations * trials as f64 }
}

fn operations_in_all(selected: &Selected) -> f64 {
    let Selected { experiment, .. } = selected;
    let points = (0..experiment.points.len()).filter(|&point| selected.holds(point));
    let operations = |point: usize| {
        let of_trial = experiment.points[point].case.cost(&KeySource::Random).operations;
        of_trial * trials(experiment, point) as f64
    };
    points.map(operations).sum()
}

/// Trials of a point, at least.
fn trials(experiment: &Experiment, point: usize) -> u64 {
    match experiment.stopping_of(point) {
        Stopping::Trials(trials) => trials,
        Stopping::Precision { min_trials, .. } => min_trials,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(foretold: Vec<f64>) -> Ahead<'static> {
        Ahead { foretold, plans: Vec::new(), foretold_done: 0.0, seconds: 0.0 }
    }

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let mut ahead = of(vec![600.0, 0.0, 1200.0, 1800.0]);
        assert_eq!(ahead.label(0, "a"), "a (1 of 4, about 60 min left)");
        ahead.done(0, 300.0);
        // One that is finished already says nothing of the others.
        ahead.done(1, 9.0);
        assert_eq!(ahead.label(2, "c"), "c (3 of 4, about 27 min left)");
        ahead.done(2, 600.0);
        assert_eq!(ahead.label(3, "d"), "d (4 of 4, about 15 min left)");
    }

    /// A hundred times as long as foretold, for a second in two minutes.
    #[test]
    fn a_short_experiment_says_little_of_long_ones() {
        let mut ahead = of(vec![0.01, 120.0]);
        ahead.done(0, 1.0);
        assert_eq!(ahead.label(1, "b"), "b (2 of 2, about 2 min left)");
    }

    #[test]
    fn of_nothing_left_no_time_is_told() {
        assert_eq!(of(vec![0.0, 0.0]).label(0, "a"), "a (1 of 2)");
    }

    #[test]
    fn one_experiment_has_its_name_alone() {
        let ahead = of(vec![1.0]);
        assert_eq!(ahead.label(0, "a"), "a");
    }
}
