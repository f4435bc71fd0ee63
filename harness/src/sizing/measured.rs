//! The trials of a design, without a journal.

use std::sync::Arc;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::Prediction;
use loadfactor_schemes::tables::metrics;
use rayon::prelude::*;

use super::budget::Budget;
use super::{Definition, Error};
use crate::estimate::comparison::{Comparison, Subject, compare};
use crate::estimate::moments::Moments;
use crate::estimate::verdict::LARGEST_ROOM;
use crate::plan::{Plan, PointPlan};
use crate::run::{Amount, Work};

/// What a design was seen to do.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Trials.
    pub trials: u64,
    /// Trials that were wanted; there are fewer where the time was over before.
    pub wanted: u64,
    /// What was measured, without predictions.
    subject: Subject,
    /// What the scheme predicts.
    pub predictions: Vec<Prediction>,
}

/// Runs the trials of a design on all cores; the result does not depend on their number, unless the time is over
/// before. Trials that are begun are ended, and the first of them are in any case.
///
/// # Errors
/// [`Error::Definition`] and [`Error::Plan`].
pub(super) fn simulate(definition: &Definition<'_>, budget: Budget<'_>) -> Result<Measured, Error> {
    let experiment = definition.experiment()?;
    let plan = Plan::new(&experiment, None)?;
    let [point] = &plan.points[..] else {
        return Err(Error::Definition("a design is one point".to_owned()));
    };
    let (trials, measured) = trials(&plan, point, definition.trials, budget);
    Ok(Measured {
        trials,
        wanted: definition.trials,
        subject: Subject {
            point: 0,
            identity: point.identity,
            case: Arc::clone(&point.case),
            measured,
            batches: Vec::new(),
            predictions: Vec::new(),
        },
        predictions: point.outlook().predictions,
    })
}

/// Trials and what they measured.
fn trials(
    plan: &Plan<'_>,
    point: &PointPlan,
    wanted: u64,
    budget: Budget<'_>,
) -> (u64, Vec<(Metric, Moments)>) {
    let amount = |trials: u64| Amount { trials, cost: point.cost.operations * trials as f64 };
    budget.progress.start(amount(wanted));
    let size = plan.trials_per_batch(0);
    let batch = |number: u64| {
        if number > 0 && budget.is_over() {
            return None;
        }
        let cut = size.min(wanted - number * size);
        let measured = point.run(number, cut);
        budget.progress.batch_done(amount(cut));
        Some((cut, measured))
    };
    let batches = (0..wanted.div_ceil(size)).into_par_iter().filter_map(batch);
    let (trials, batches): (Vec<u64>, Vec<_>) = batches.unzip();
    budget.progress.finish();
    let mut all: Vec<(Metric, Moments)> = Vec::new();
    for (metric, moments) in batches.into_iter().flatten() {
        match all.iter_mut().find(|(known, _)| *known == metric) {
            Some((_, sum)) => sum.merge(&moments),
            None => all.push((metric, moments)),
        }
    }
    (trials.into_iter().sum(), all)
}

impl Measured {
    /// The moments of one metric over the trials, if it was measured.
    pub fn moments(&self, metric: Metric) -> Option<&Moments> {
        self.subject.moments(metric)
    }

    /// Elements on the overflow list.
    pub fn overflow(&self) -> Option<&Moments> {
        self.moments(metrics::OVERFLOW_ELEMENTS)
    }

    /// Elements moved, per insertion.
    pub fn moves(&self) -> Option<f64> {
        self.moments(metrics::MOVES_PER_INSERTION)?.mean()
    }

    /// The variance of their number.
    pub fn variance(&self) -> Option<&Moments> {
        self.moments(metrics::OVERFLOW_VARIANCE)
    }

    /// These predictions and how the measurement stands to them, judged together.
    pub fn compared(&self, predictions: Vec<Prediction>) -> Vec<Comparison> {
        compare(&[Subject { predictions, ..self.subject.clone() }], LARGEST_ROOM)
    }
}
