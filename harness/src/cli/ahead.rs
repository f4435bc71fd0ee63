//! How much of a run of several experiments is ahead.

use std::path::Path;

use super::plan::duration;
use super::selection::{Selected, folder};
use crate::definition::{Experiment, Stopping};
use crate::plan::{Plan, key_kinds};
use crate::run::pending;
use loadfactor_schemes::keys::KeySource;

/// The cost of each experiment, and what a cost has taken so far.
#[derive(Debug)]
pub(super) struct Ahead<'s> {
    costs: Vec<f64>,
    /// The plans that were made to know them.
    plans: Vec<Option<Plan<'s>>>,
    cost_done: f64,
    seconds: f64,
}

impl<'s> Ahead<'s> {
    /// What is left to run of these experiments, whose results are below `out`. Nothing is foretold of one alone.
    pub(super) fn new(selected: &'s [Selected], out: &Path) -> Self {
        let (costs, plans) = match selected {
            [_] => (vec![0.0], vec![None]),
            several => several.iter().map(|one| cost_left(one, out)).unzip(),
        };
        Self { costs, plans, cost_done: 0.0, seconds: 0.0 }
    }

    /// The plan of an experiment that does not wait for its trace.
    pub(super) fn take_plan(&mut self, index: usize) -> Option<Plan<'s>> {
        self.plans[index].take()
    }

    /// The experiment's name with its place among the others, and about how long all that are left take.
    pub(super) fn label(&self, index: usize, name: &str) -> String {
        let all = self.costs.len();
        if all == 1 {
            return name.to_owned();
        }
        let place = format!("{name} ({} of {all}", index + 1);
        let left: f64 = self.costs[index..].iter().sum();
        match self.cost_done > 0.0 {
            true => {
                let seconds = left * self.seconds / self.cost_done;
                format!("{place}, about {} left)", duration(seconds))
            }
            false => format!("{place})"),
        }
    }

    /// Notes that an experiment was run in so many seconds.
    pub(super) fn done(&mut self, index: usize, seconds: f64) {
        if self.costs[index] > 0.0 {
            self.cost_done += self.costs[index];
            self.seconds += seconds;
        }
    }
}

/// The cost of the batches that are left of the points selected, and the plan that says so. What a journal holds of
/// packets is known only once their trace is read: there, everything counts as left.
fn cost_left<'s>(selected: &'s Selected, out: &Path) -> (f64, Option<Plan<'s>>) {
    let Selected { experiment, .. } = selected;
    let waits = !key_kinds(experiment).is_empty();
    let plan = (!waits).then(|| Plan::new(experiment, None).ok()).flatten();
    let left = plan.as_ref().and_then(|plan| {
        let left = pending(&folder(out, experiment), plan).ok()?;
        let points = left.points.iter().enumerate();
        Some(points.filter(|(i, _)| selected.holds(*i)).map(|(_, point)| point.cost_left).sum())
    });
    (left.unwrap_or_else(|| cost_in_all(selected)), plan)
}

fn cost_in_all(selected: &Selected) -> f64 {
    let Selected { experiment, .. } = selected;
    let points = (0..experiment.points.len()).filter(|&point| selected.holds(point));
    points.map(|point| cost_of_point(experiment, point)).sum()
}

fn cost_of_point(experiment: &Experiment, point: usize) -> f64 {
    let trials = match experiment.stopping_of(point) {
        Stopping::Trials(trials) => trials,
        Stopping::Precision { min_trials, .. } => min_trials,
    };
    experiment.points[point].case.cost(&KeySource::Random).operations * trials as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_costs(costs: Vec<f64>) -> Ahead<'static> {
        Ahead { costs, plans: Vec::new(), cost_done: 0.0, seconds: 0.0 }
    }

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let mut ahead = of_costs(vec![1.0, 0.0, 2.0, 3.0]);
        assert_eq!(ahead.label(0, "a"), "a (1 of 4)");
        ahead.done(0, 30.0);
        // One that is finished already says nothing of the others.
        ahead.done(1, 9.0);
        assert_eq!(ahead.label(2, "c"), "c (3 of 4, about 2 min left)");
        ahead.done(2, 60.0);
        assert_eq!(ahead.label(3, "d"), "d (4 of 4, about 2 min left)");
    }

    #[test]
    fn one_experiment_has_its_name_alone() {
        let ahead = of_costs(vec![1.0]);
        assert_eq!(ahead.label(0, "a"), "a");
    }
}
