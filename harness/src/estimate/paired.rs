//! The error of a difference or ratio of two points whose trials share their random numbers.
//!
//! Trial k of both draws from the same seed, so that where chance moves one it often moves the other. The
//! journal keeps the moments of batches and no trial. Batches of the two need not be of equal size, so they
//! are joined into groups that end at the same trial in both; each group is one observation of the pair.

use loadfactor_schemes::metric::Metric;

use super::interval::{LEVEL, t_quantile};
use super::moments::Moments;
use crate::run::BatchResult;

/// Groups below which an error is not estimated from them.
const LEAST_GROUPS: usize = 10;

/// The standard error of `Σ slopes·means`, and half the width of its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedError {
    /// The standard error.
    pub std_error: f64,
    /// Half the width of the confidence interval.
    pub half_width: f64,
}

/// The error of the linear form `slopes[0]·x + slopes[1]·y` of two means over the same trials, from their
/// batches in order.
///
/// With `n_g` of the `N` trials in group g and `D_g` the form's distance there from its mean over all, the
/// variance of one trial is estimated by `Σ n_g D_g²/(G − 1)`, that of the mean is an N-th of it, and the
/// quantile is Student's for `G − 1` degrees of freedom. `None` where the two differ in their trials, a trial
/// has no value, or fewer than ten groups end together.
pub fn paired_error(
    batches: [&[BatchResult]; 2],
    metric: Metric,
    slopes: [f64; 2],
) -> Option<PairedError> {
    let [a, b] = [means(batches[0], metric)?, means(batches[1], metric)?];
    let groups = groups(&a, &b)?;
    let form = |[x, y]: [f64; 2]| slopes[0] * x + slopes[1] * y;
    let trials: f64 = groups.iter().map(|group| group.trials).sum();
    let mean = groups.iter().map(|group| group.trials * form(group.means)).sum::<f64>() / trials;
    let squares: f64 =
        groups.iter().map(|group| group.trials * (form(group.means) - mean).powi(2)).sum();
    let freedom = (groups.len() - 1) as f64;
    let std_error = (squares / freedom / trials).sqrt();
    Some(PairedError { std_error, half_width: std_error * t_quantile(LEVEL, freedom) })
}

/// Consecutive trials of both points.
struct Group {
    trials: f64,
    /// The mean of each over them.
    means: [f64; 2],
}

/// The moments of each batch, if every trial has a value.
fn means(batches: &[BatchResult], metric: Metric) -> Option<Vec<Moments>> {
    let of = |batch: &BatchResult| {
        let (_, moments) = batch.metrics.iter().find(|(own, _)| *own == metric)?;
        Some(*moments).filter(|moments| moments.count() == batch.trials)
    };
    batches.iter().map(of).collect()
}

/// Groups of batches that end at the same trial; `None` where there are too few, or one point has more trials.
fn groups(a: &[Moments], b: &[Moments]) -> Option<Vec<Group>> {
    let (mut a, mut b) = (a.iter(), b.iter());
    let mut groups = Vec::new();
    while let (Some(&x), Some(&y)) = (a.next(), b.next()) {
        let (mut x, mut y) = (x, y);
        while x.count() != y.count() {
            match x.count() < y.count() {
                true => x.merge(a.next()?),
                false => y.merge(b.next()?),
            }
        }
        groups.push(Group { trials: x.count() as f64, means: [x.mean()?, y.mean()?] });
    }
    let both_end = a.next().is_none() && b.next().is_none();
    (both_end && groups.len() >= LEAST_GROUPS).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::Rng;
    use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
    use rand::{RngExt, SeedableRng};

    /// Batches of so many trials, the last one shorter.
    fn batches(values: &[f64], per_batch: usize) -> Vec<BatchResult> {
        let batch = |values: &[f64]| BatchResult {
            trials: values.len() as u64,
            metrics: vec![(OVERFLOW_FRACTION, values.iter().copied().collect())],
        };
        values.chunks(per_batch).map(batch).collect()
    }

    fn error(a: &[BatchResult], b: &[BatchResult]) -> Option<PairedError> {
        paired_error([a, b], OVERFLOW_FRACTION, [1.0, -1.0])
    }

    /// 200 differences of 240 uniform pairs that share nine tenths of their variance: nineteen of twenty
    /// intervals hold the true difference, 0, give or take four standard errors; they are √10 times narrower
    /// than those of independent samples.
    #[test]
    fn what_two_samples_share_does_not_blur_their_difference() {
        let mut rng = Rng::seed_from_u64(11);
        let (mut inside, mut sum, repetitions) = (0, 0.0, 200);
        for _ in 0..repetitions {
            let shared: Vec<f64> = (0..240).map(|_| rng.random::<f64>() * 0.9_f64.sqrt()).collect();
            let mut sample = || -> Vec<f64> {
                shared.iter().map(|s| s + 0.1_f64.sqrt() * rng.random::<f64>()).collect()
            };
            let (a, b) = (sample(), sample());
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let found = error(&batches(&a, 4), &batches(&b, 6)).unwrap();
            inside += i32::from((mean(&a) - mean(&b)).abs() <= found.half_width);
            sum += found.std_error;
        }
        let true_error = (2.0 * 0.1 / 12.0 / 240.0_f64).sqrt();
        let found = sum / f64::from(repetitions);
        assert!((found / true_error - 1.0).abs() < 0.05, "{found} {true_error}");
        let expected = LEVEL * f64::from(repetitions);
        let deviation = (f64::from(inside) - expected).abs();
        assert!(deviation <= 4.0 * (expected * (1.0 - LEVEL)).sqrt(), "{inside}");
    }

    #[test]
    fn samples_that_move_together_differ_by_no_chance() {
        let values: Vec<f64> = (0..300).map(|i| f64::from(i * i % 17)).collect();
        let higher: Vec<f64> = values.iter().map(|value| value + 3.0).collect();
        let found = error(&batches(&values, 5), &batches(&higher, 3)).unwrap();
        assert!(found.std_error < 1e-12);
    }

    #[test]
    fn without_enough_common_ends_or_trials_nothing_is_said() {
        let values = [0.5, 0.25].repeat(50);
        assert_eq!(error(&batches(&values, 10), &batches(&values[..90], 10)), None);
        assert_eq!(error(&batches(&values, 10), &batches(&values, 99)), None);
        assert_eq!(error(&batches(&values, 20), &batches(&values, 20)), None);
        assert!(error(&batches(&values, 10), &batches(&values, 5)).is_some());
    }
}
