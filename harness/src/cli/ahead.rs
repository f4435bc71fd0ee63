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
pub(super) struct Ahead {
    costs: Vec<f64>,
    cost_done: f64,
    seconds: f64,
}

impl Ahead {
    /// What is left to run of these experiments, whose results are below `out`.
    pub(super) fn new(selected: &[Selected], out: &Path) -> Self {
        let costs = selected.iter().map(|one| cost_left(one, out)).collect();
        Self { costs, cost_done: 0.0, seconds: 0.0 }
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

/// The cost of the batches that are left of the points selected. What a journal holds of packets is known
/// only once their trace is read: there, everything counts as left.
fn cost_left(selected: &Selected, out: &Path) -> f64 {
    let Selected { experiment, .. } = selected;
    if !key_kinds(experiment).is_empty() {
        return cost_in_all(selected);
    }
    let left = || {
        let plan = Plan::new(experiment, None).ok()?;
        let left = pending(&folder(out, experiment), &plan).ok()?;
        let points = left.points.iter().enumerate();
        Some(points.filter(|(i, _)| selected.holds(*i)).map(|(_, point)| point.cost_left).sum())
    };
    left().unwrap_or_else(|| cost_in_all(selected))
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

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let mut ahead = Ahead { costs: vec![1.0, 0.0, 2.0, 3.0], cost_done: 0.0, seconds: 0.0 };
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
        let ahead = Ahead { costs: vec![1.0], cost_done: 0.0, seconds: 0.0 };
        assert_eq!(ahead.label(0, "a"), "a");
    }
}
