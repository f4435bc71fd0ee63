//! When a point has had enough trials.
//!
//! The rule is asked only at checkpoints, which depend on the definition alone: on neither threads
//! nor the order in which batches end. Hence a run, a resumed run and a run on more threads stop at
//! the same trial.

use loadfactor_schemes::metric::Metric;
use thiserror::Error;

use super::interval::{LEVEL, half_width};
use super::moments::Moments;
use super::splitting::{logarithms, splitting_interval};

/// When a point has had enough trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stopping {
    /// After this many trials.
    Trials(u64),
    /// When the confidence interval is narrow enough.
    Precision {
        /// The quantity that it is asked of.
        metric: Metric,
        /// Half-width of the 95 % confidence interval divided by the mean.
        relative: f64,
        /// Trials before the rule is first asked.
        min_trials: u64,
        /// Trials after which the point ends in any case.
        max_trials: u64,
    },
}

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
    let enough =
        trials >= max_trials || is_precise(moments, logarithms(metric, measured), relative);
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

/// `logarithms` are those of the estimates where these are of splitting.
fn is_precise(moments: &Moments, logarithms: Option<&Moments>, relative: f64) -> bool {
    let half = match logarithms {
        Some(logarithms) => splitting_interval(LEVEL, moments, logarithms)
            .zip(moments.mean())
            .map(|(interval, mean)| interval.half_width(mean)),
        None => half_width(moments),
    };
    match (half, moments.mean()) {
        (Some(half), Some(mean)) => mean != 0.0 && half <= relative * mean.abs(),
        _ => false,
    }
}

fn whole_batches(trials: u64, per_batch: u64) -> u64 {
    let per_batch = per_batch.max(1);
    trials.div_ceil(per_batch).saturating_mul(per_batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::tables::metrics;
    use proptest::prelude::*;

    const METRIC: Metric = metrics::OVERFLOW_FRACTION;

    fn precision(relative: f64, min_trials: u64, max_trials: u64) -> Stopping {
        Stopping::Precision { metric: METRIC, relative, min_trials, max_trials }
    }

    fn measured(values: &[f64]) -> Vec<(Metric, Moments)> {
        vec![(METRIC, values.iter().copied().collect())]
    }

    /// All checkpoints of a point that is never precise.
    fn checkpoints(rule: &Stopping, per_batch: u64) -> Vec<u64> {
        let never = measured(&[0.0, 0.0]);
        let next = |&trials: &u64| next_checkpoint(rule, per_batch, trials, &never).unwrap();
        std::iter::successors(Some(first_checkpoint(rule, per_batch)), next).collect()
    }

    #[test]
    fn a_fixed_count_has_one_checkpoint() {
        assert_eq!(checkpoints(&Stopping::Trials(1000), 64), [1000]);
        assert_eq!(next_checkpoint(&Stopping::Trials(5), 1, 5, &[]), Ok(None));
    }

    #[test]
    fn checkpoints_grow_by_a_quarter_in_whole_batches_up_to_the_ceiling() {
        assert_eq!(checkpoints(&precision(0.1, 100, 500), 50), [100, 150, 200, 300, 400, 500]);
        assert_eq!(checkpoints(&precision(0.1, 90, 410), 100), [100, 200, 300, 400, 410]);
        assert_eq!(checkpoints(&precision(0.1, 90, 30), 100), [30]);
    }

    #[test]
    fn a_point_ends_once_its_interval_is_narrow() {
        let rule = precision(0.1, 4, 1000);
        let wide = measured(&[1.0, 2.0, 1.0, 2.0]);
        let narrow = measured(&[1.0, 1.01, 1.0, 1.01]);
        let negative = measured(&[-1.0, -1.01, -1.0, -1.01]);
        assert_eq!(next_checkpoint(&rule, 1, 4, &wide), Ok(Some(6)));
        assert_eq!(next_checkpoint(&rule, 1, 4, &narrow), Ok(None));
        assert_eq!(next_checkpoint(&rule, 1, 4, &negative), Ok(None));
    }

    #[test]
    fn an_event_never_seen_is_not_precise() {
        let rule = precision(0.1, 4, 1000);
        assert_eq!(next_checkpoint(&rule, 1, 4, &measured(&[0.0; 4])), Ok(Some(6)));
    }

    #[test]
    fn a_quantity_that_is_not_measured_is_an_error() {
        let rule = precision(0.1, 4, 1000);
        assert_eq!(next_checkpoint(&rule, 1, 4, &[]), Err(NotMeasured(METRIC)));
    }

    proptest! {
        #[test]
        fn checkpoints_always_grow_to_the_ceiling(
            min in any::<u64>(), max in 0u64.., per_batch in 0u64..,
        ) {
            let rule = precision(0.1, min, max);
            let never = measured(&[0.0, 0.0]);
            let mut trials = first_checkpoint(&rule, per_batch);
            while let Some(next) = next_checkpoint(&rule, per_batch, trials, &never).unwrap() {
                prop_assert!(next > trials);
                trials = next;
            }
            prop_assert_eq!(trials, max);
        }
    }
}
