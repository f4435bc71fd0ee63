//! When a point has had enough trials.
//!
//! The rule is asked only at checkpoints, which depend on the definition alone: on neither threads
//! nor the order in which batches end. Hence a run, a resumed run and a run on more threads stop at
//! the same trial.

use loadfactor_schemes::metric::Metric;
use thiserror::Error;

use super::interval::half_width;
use super::moments::Moments;
use crate::definition::experiment::Stopping;

/// The rule asks for the precision of a quantity that the point does not measure.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the stopping rule asks for the precision of `{0}`, which this point does not measure")]
pub struct NotMeasured(pub Metric);

/// Trials up to the first checkpoint, where the point is first merged as a whole.
///
/// A whole number of batches of `per_batch` trials, unless that would exceed the rule's ceiling.
pub fn first_checkpoint(rule: &Stopping, per_batch: u64) -> u64 {
    match *rule {
        Stopping::Trials(trials) => trials,
        Stopping::Precision { min_trials, max_trials, .. } => {
            whole_batches(min_trials.max(1), per_batch).min(max_trials)
        }
    }
}

/// The checkpoint after the one at `trials`, or `None` where the point has had enough.
///
/// Checkpoints under a precision rule lie a quarter apart, in whole batches, and the last is the
/// ceiling itself. A mean of zero is never precise: an event not seen yet says nothing of its rate.
///
/// # Errors
/// [`NotMeasured`] where `measured` has no moments for the rule's metric.
pub fn next_checkpoint(
    rule: &Stopping,
    per_batch: u64,
    trials: u64,
    measured: &[(Metric, Moments)],
) -> Result<Option<u64>, NotMeasured> {
    let Stopping::Precision { metric, relative, max_trials, .. } = *rule else {
        return Ok(None);
    };
    let moments = measured.iter().find(|(m, _)| *m == metric);
    let (_, moments) = moments.ok_or(NotMeasured(metric))?;
    let enough = trials >= max_trials || is_precise(moments, relative);
    Ok((!enough)
        .then(|| whole_batches(trials.saturating_add(trials / 4 + 1), per_batch).min(max_trials)))
}

/// Trials after which the point ends in any case.
pub fn ceiling(rule: &Stopping) -> u64 {
    match *rule {
        Stopping::Trials(trials) => trials,
        Stopping::Precision { max_trials, .. } => max_trials,
    }
}

fn is_precise(moments: &Moments, relative: f64) -> bool {
    match (half_width(moments), moments.mean()) {
        (Some(half), Some(mean)) => mean != 0.0 && half <= relative * mean.abs(),
        _ => false,
    }
}

fn whole_batches(trials: u64, per_batch: u64) -> u64 {
    let per_batch = per_batch.max(1);
    trials.div_ceil(per_batch).saturating_mul(per_batch)
}
