//! Confidence intervals of shares, which lie between 0 and 1 as their values do.

use loadfactor_schemes::prediction::Events;

use super::interval::{Interval, LEVEL, t_quantile, wilson};
use super::moments::Moments;
use super::verdict::RARE_EVENTS;

/// The interval at [`LEVEL`] of the mean of a share, or `None` below two trials: see [`share_interval_at`].
pub fn share_interval(moments: &Moments, events: Option<Events>) -> Option<Interval> {
    share_interval_at(LEVEL, moments, events)
}

/// The interval of the mean of a share at any level, or `None` below two trials.
///
/// - Where trials differ: Wilson's interval of as many independent events as have the standard error that
///   the trials show, p·(1 − p)/s². For a trial that is one event it is the binomial interval; where the mean
///   is many standard errors from 0 and from 1, it is Student's. Events of one trial need not be independent.
/// - Where fewer than [`RARE_EVENTS`] were counted in all trials, their spread may be small by chance: no more
///   events are taken than there were.
/// - Where all trials are 0, or all are 1: the limit of Clopper and Pearson, from the number of events. Where
///   that is not known each trial is taken for one event, which can only make the interval wider: a share
///   with mean p is 0 in at most 1 − p of the trials.
pub fn share_interval_at(
    level: f64,
    moments: &Moments,
    events: Option<Events>,
) -> Option<Interval> {
    let (mean, std_error) = (moments.mean()?, moments.std_error()?);
    let trials = moments.count() as f64;
    let counted = events.map_or(trials, |events| events.per_unit.max(1.0) * trials);
    if mean <= 0.0 {
        return Some(Interval { low: 0.0, high: limit_of_none(level, counted) });
    }
    if mean >= 1.0 {
        return Some(Interval { low: 1.0 - limit_of_none(level, counted), high: 1.0 });
    }
    let as_many = mean * (1.0 - mean) / (std_error * std_error);
    let rare = events.is_some() && counted * mean.min(1.0 - mean) < RARE_EVENTS;
    let number = if rare { as_many.min(counted) } else { as_many };
    Some(wilson(mean, number, t_quantile(level, trials - 1.0)))
}

/// What a share is at most when none of `events` was seen (Clopper and Pearson).
fn limit_of_none(level: f64, events: f64) -> f64 {
    -libm::expm1(libm::log((1.0 - level) / 2.0) / events)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::Rng;
    use rand::{RngExt, SeedableRng};

    fn interval(values: impl IntoIterator<Item = f64>, events: Option<Events>) -> Interval {
        share_interval(&values.into_iter().collect(), events).unwrap()
    }

    fn events(per_unit: f64) -> Option<Events> {
        Some(Events { per_unit, whole: true, average: true })
    }

    fn assert_close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6 * b.abs().max(1e-3), "{a} is not {b}");
    }

    /// The tables of the binomial distribution: of 10,000 events none, or all.
    #[test]
    fn zeros_have_an_upper_limit_and_ones_a_lower_one() {
        let none = interval([0.0; 10], events(1000.0));
        assert_eq!(none.low, 0.0);
        assert_close(none.high, 1.0 - 0.025f64.powf(1e-4));
        let all = interval([1.0; 10], events(1000.0));
        assert_eq!(all.high, 1.0);
        assert_close(all.low, 0.025f64.powf(1e-4));
        assert_close(interval([0.0; 10], None).high, 1.0 - 0.025f64.powf(0.1));
    }

    /// Wilson's interval of 12 of 40 events, a trial for each: 18.1 to 45.4 % with the normal quantile, and
    /// 17.6 to 46.2 % with Student's and the standard error from 39 degrees of freedom.
    #[test]
    fn trials_of_one_event_have_the_binomial_interval() {
        let values = (0..40).map(|i| f64::from(u8::from(i < 12)));
        let Interval { low, high } = interval(values, events(1.0));
        assert!((low - 0.176).abs() < 2e-3 && (high - 0.462).abs() < 2e-3, "{low} {high}");
    }

    #[test]
    fn far_from_0_and_1_it_is_students() {
        let moments: Moments = [0.30, 0.31, 0.32, 0.30, 0.31].into_iter().collect();
        let student = super::super::interval::confidence_interval(&moments).unwrap();
        let own = share_interval(&moments, None).unwrap();
        assert!((own.low - student.low).abs() < 2e-4 && (own.high - student.high).abs() < 2e-4);
    }

    #[test]
    fn none_leaves_0_to_1_or_its_mean() {
        let shares = [0.0, 1e-300, 1e-9, 0.3, 0.5, 1.0 - 1e-9, 1.0];
        for (a, b) in shares.iter().flat_map(|&a| shares.map(|b| (a, b))) {
            for events in [None, events(1e-3), events(1.0), events(1e12)] {
                let moments: Moments = [a, b, a].into_iter().collect();
                let Interval { low, high } = share_interval(&moments, events).unwrap();
                let mean = moments.mean().unwrap();
                assert!((0.0..=mean).contains(&low) && (mean..=1.0).contains(&high), "{a} {b}");
            }
        }
    }

    /// Of 4,000 samples of 60 trials of 100 events each, the intervals of 95 % or some more hold the truth:
    /// no fewer than 95 % less four standard errors.
    #[test]
    fn intervals_hold_the_truth_as_often_as_promised() {
        let mut rng = Rng::seed_from_u64(7);
        for truth in [2e-4, 1e-3, 0.01, 0.2] {
            let mut trial =
                || f64::from((0..100).map(|_| u8::from(rng.random_bool(truth))).sum::<u8>());
            let samples = 4000;
            let held = (0..samples)
                .filter(|_| {
                    let found = interval((0..60).map(|_| trial() / 100.0), events(100.0));
                    (found.low..=found.high).contains(&truth)
                })
                .count();
            let least = 0.95 - 4.0 * (0.95f64 * 0.05 / f64::from(samples)).sqrt();
            assert!(held as f64 >= least * f64::from(samples), "{truth}: {held}");
        }
    }
}
