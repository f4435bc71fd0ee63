//! Confidence intervals of means of estimates of splitting, which are skewed.
//!
//! An estimate is a product of many factors that are nearly independent, one for each level, so that its logarithm is close
//! to normal; with the best of scores it is that of a Poisson law. Few estimates of such a law miss its largest
//! values, and with them most of the spread, but the logarithms of those that were seen tell it.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::rare::metrics::{EVENT_PROBABILITY, SPLITTING_LN_ESTIMATE};

use super::interval::{Interval, t_quantile};
use super::moments::Moments;

/// The logarithms of the estimates of a metric, where splitting made these and none of them is 0.
pub fn logarithms(metric: Metric, measured: &[(Metric, Moments)]) -> Option<&Moments> {
    let of = |name: Metric| measured.iter().find(|(own, _)| *own == name).map(|(_, own)| own);
    let estimates = of(EVENT_PROBABILITY).filter(|_| metric == EVENT_PROBABILITY)?;
    of(SPLITTING_LN_ESTIMATE).filter(|logarithms| logarithms.count() == estimates.count())
}

/// The interval at a level of the mean of estimates with these logarithms, or `None` below two of them.
///
/// The mean of a log-normal law is exp(μ + σ²/2), of which the exponent is estimated from n logarithms with a variance of
/// σ²/n + σ⁴/(2(n − 1)); its interval is made with the quantile of Student's distribution (Olsson, "Confidence Intervals
/// for the Mean of a Log-Normal Distribution", Journal of Statistics Education 13, 2005, the modified Cox method). The
/// mean of the estimates is in it in any case.
pub fn splitting_interval(
    level: f64,
    estimates: &Moments,
    logarithms: &Moments,
) -> Option<Interval> {
    let (mean, centre, variance) = (estimates.mean()?, logarithms.mean()?, logarithms.variance()?);
    let number = logarithms.count() as f64;
    let error = (variance / number + variance * variance / (2.0 * (number - 1.0))).sqrt();
    let half = t_quantile(level, number - 1.0) * error;
    let end = |exponent: f64| libm::exp(centre + variance / 2.0 + exponent).min(1.0);
    Some(Interval { low: end(-half).min(mean), high: end(half).max(mean) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::Rng;
    use loadfactor_schemes::rare::{Branch, Rare, Rise, splitting};
    use rand::{RngExt, SeedableRng};

    use crate::estimate::interval::LEVEL;
    use crate::estimate::share::share_interval;

    /// How many of 100 coins that seldom show heads do, taken up again after any of them.
    struct Heads {
        beyond: u64,
    }

    const COINS: u64 = 100;
    const HEADS: f64 = 0.03;

    impl Rare for Heads {
        fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
            let mut heads = 0;
            for (i, branch) in history.iter().enumerate() {
                let end = history.get(i + 1).map_or(COINS, |next| next.step);
                let mut rng = Rng::seed_from_u64(branch.seed);
                for step in branch.step..end {
                    if rng.random_bool(HEADS) {
                        heads += 1;
                        let left = (COINS - step) as f64 * HEADS;
                        let missing = (self.beyond + 1 - heads) as f64;
                        rises.push(Rise { step, score: left.sqrt() - missing / left.sqrt() });
                        highest(rises);
                    }
                    if heads > self.beyond {
                        return 1.0;
                    }
                }
            }
            0.0
        }

        fn target(&self) -> f64 {
            f64::INFINITY
        }
    }

    /// Takes the last rise back if it is none.
    fn highest(rises: &mut Vec<Rise>) {
        if let [.., before, last] = rises[..]
            && last.score <= before.score
        {
            rises.pop();
        }
    }

    /// The probability that more than `beyond` of the coins show heads.
    fn tail(beyond: u64) -> f64 {
        let likelier = |k: u64| (COINS - k) as f64 / (k + 1) as f64 * HEADS / (1.0 - HEADS);
        let none = (1.0 - HEADS).powi(COINS as i32);
        let terms = (0..COINS).scan(none, |term, k| {
            *term *= likelier(k);
            Some((k + 1, *term))
        });
        terms.filter(|(k, _)| *k > beyond).map(|(_, term)| term).sum()
    }

    /// With so few particles that estimates differ by as much as they are large, and less so with more of them: within two
    /// points of 95 % of 1,000 intervals of 10 or 20 estimates hold the truth. That is 2.9 standard errors of the share.
    #[test]
    fn intervals_of_splitting_hold_the_truth_as_often_as_promised() {
        let (beyond, samples) = (12, 1000);
        let truth = tail(beyond);
        assert!(truth < 1e-4, "{truth}");
        for (particles, trials) in [(12, 10), (12, 20), (60, 10)] {
            let estimate =
                |seed| splitting::estimate(&mut Heads { beyond }, particles, seed).probability;
            let held = (0..samples)
                .filter(|sample| {
                    let estimates = (0..trials).map(|trial| estimate(trials * sample + trial));
                    let estimates: Vec<f64> = estimates.collect();
                    let found = interval(&estimates);
                    (found.low..=found.high).contains(&truth)
                })
                .count() as f64;
            let share = held / samples as f64;
            assert!((0.93..=0.97).contains(&share), "{particles} {trials}: {share}");
        }
    }

    /// An interval of the logarithms, or of the share where one of the estimates is 0.
    fn interval(estimates: &[f64]) -> Interval {
        let moments: Moments = estimates.iter().copied().collect();
        let positive = estimates.iter().filter(|estimate| **estimate > 0.0);
        let measured = [
            (EVENT_PROBABILITY, moments),
            (SPLITTING_LN_ESTIMATE, positive.map(|estimate| libm::log(*estimate)).collect()),
        ];
        match logarithms(EVENT_PROBABILITY, &measured) {
            Some(logarithms) => splitting_interval(LEVEL, &moments, logarithms).unwrap(),
            None => share_interval(&moments, None).unwrap(),
        }
    }

    #[test]
    fn equal_estimates_have_no_width_and_zeros_no_logarithm() {
        let Interval { low, high } = interval(&[0.25, 0.25, 0.25]);
        assert!((low - 0.25).abs() < 1e-12 && (high - 0.25).abs() < 1e-12, "{low} {high}");
        let zeros = [0.0, 0.25, 0.25];
        let moments: Moments = zeros.into_iter().collect();
        assert_eq!(interval(&zeros), share_interval(&moments, None).unwrap());
    }

    #[test]
    fn one_estimate_has_no_interval() {
        let [estimate, logarithm] = [0.25, libm::log(0.25)].map(|x| [x].into_iter().collect());
        assert_eq!(splitting_interval(LEVEL, &estimate, &logarithm), None);
    }
}
