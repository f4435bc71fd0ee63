//! Numbers of many independent events, drawn at once.

use rand::Rng as _;

use crate::Rng;
use crate::math::elementary::{exp, ln_1p};

/// Weights below it are never met: a uniform number has 53 bits.
const NEGLIGIBLE: f64 = 1e-30;

/// How many of so many independent events happen, each with the probability p, 0 < p ≤ 1.
///
/// The probabilities of one number after the other, those next to the most likely one first, are taken off a uniform number
/// until nothing of it is left: about as many as the standard deviation.
pub(crate) fn binomial(events: u32, p: f64, rng: &mut Rng) -> u32 {
    let n = f64::from(events);
    let mode = ((n + 1.0) * p).floor().min(n);
    let at_mode = probability(n, p, mode);
    let odds = p / (1.0 - p);
    loop {
        let mut left = uniform(rng) - at_mode;
        if left < 0.0 {
            return mode as u32;
        }
        let [mut below, mut above] = [(mode, at_mode); 2];
        while below.1 > NEGLIGIBLE || above.1 > NEGLIGIBLE {
            above = (above.0 + 1.0, above.1 * ((n - above.0) * odds / (above.0 + 1.0)));
            left -= above.1;
            if left < 0.0 {
                return above.0 as u32;
            }
            below = (below.0 - 1.0, below.1 * (below.0 / ((n - below.0 + 1.0) * odds)));
            left -= below.1;
            if left < 0.0 {
                return below.0 as u32;
            }
        }
        // All probabilities add up to 1 but for rounding: another uniform number is drawn.
    }
}

/// Between 0 and 1, with 53 bits.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The probability of k, which is about n·p, of n events: from Stirling's formula and its error, as Loader has it in "Fast
/// and Accurate Computation of Binomial Probabilities", 2000, so that no digits cancel.
fn probability(n: f64, p: f64, k: f64) -> f64 {
    let (rest, q) = (n - k, 1.0 - p);
    if k == 0.0 {
        return exp(n * ln_1p(-p));
    }
    if rest == 0.0 {
        return exp(n * ln_1p(-q));
    }
    let error = stirling_error(n) - stirling_error(k) - stirling_error(rest);
    let exponent = error - deviance(k, n * p) - deviance(rest, n * q);
    exp(exponent) * (n / (std::f64::consts::TAU * k * rest)).sqrt()
}

/// What k·ln(k/mean) + mean − k is, for k near the mean.
fn deviance(k: f64, mean: f64) -> f64 {
    let apart = k - mean;
    k * ln_1p(apart / mean) - apart
}

/// ln k! − (k + 1/2)·ln k + k − ln √(2π), for k ≥ 1.
fn stirling_error(k: f64) -> f64 {
    if k < 16.0 {
        let half_ln_tau = 0.5 * crate::math::elementary::ln(std::f64::consts::TAU);
        return libm::lgamma(k + 1.0) - (k + 0.5) * crate::math::elementary::ln(k) + k
            - half_ln_tau;
    }
    let square = k * k;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / k
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// The law by its recursion from 0 on, of few events.
    fn law(events: u32, p: f64) -> Vec<f64> {
        let n = f64::from(events);
        let next = |k: f64, before: f64| before * (n - k) / (k + 1.0) * p / (1.0 - p);
        let first = (1.0 - p).powi(events as i32);
        (0..events)
            .scan(first, |at, k| Some(std::mem::replace(at, next(k.into(), *at))))
            .chain([p.powi(events as i32)])
            .collect()
    }

    const SMALL: [(u32, f64); 9] = [
        (1, 0.3),
        (1, 1e-9),
        (2, 0.999),
        (7, 0.5),
        (15, 0.4),
        (40, 0.02),
        (40, 0.51),
        (40, 0.97),
        (90, 0.2),
    ];

    #[test]
    fn the_most_likely_number_has_its_probability() {
        for (events, p) in SMALL {
            let mode = ((f64::from(events) + 1.0) * p).floor();
            let (found, expected) =
                (probability(events.into(), p, mode), law(events, p)[mode as usize]);
            assert!((found / expected - 1.0).abs() < 1e-12, "{events} {p}: {found} {expected}");
        }
    }

    /// Each number has its probability, within 4.5 standard errors and the one trial that may be there by chance.
    #[test]
    fn few_events_have_the_law_of_the_recursion() {
        let mut rng = Rng::seed_from_u64(31);
        let trials = 100_000;
        for (events, p) in SMALL {
            let mut seen = vec![0_u32; events as usize + 1];
            (0..trials).for_each(|_| seen[binomial(events, p, &mut rng) as usize] += 1);
            for (k, (seen, share)) in seen.into_iter().zip(law(events, p)).enumerate() {
                let expected = share * f64::from(trials);
                let apart = (f64::from(seen) - expected).abs();
                let allowed = 4.5 * (expected * (1.0 - share)).sqrt() + 1.0;
                assert!(apart <= allowed, "{events} {p} {k}: {seen} {expected}");
            }
        }
    }

    /// Mean and variance of many events, within 4.5 standard errors; the fourth moment is about three times the square
    /// of the second.
    #[test]
    fn many_events_have_the_mean_and_the_variance() {
        let mut rng = Rng::seed_from_u64(32);
        let trials = 20_000;
        for (events, p) in [(106_000, 0.48), (1_600_000, 0.03), (u32::MAX, 1e-6), (1 << 30, 0.5)] {
            let (mean, variance) = (f64::from(events) * p, f64::from(events) * p * (1.0 - p));
            let apart = (0..trials).map(|_| f64::from(binomial(events, p, &mut rng)) - mean);
            let [sum, squares] =
                apart.fold([0.0, 0.0], |[sum, squares], own| [sum + own, squares + own * own]);
            let trials = f64::from(trials);
            assert!((sum / trials).abs() < 4.5 * (variance / trials).sqrt(), "{events} {p}");
            let ratio = squares / trials / variance;
            assert!((ratio - 1.0).abs() < 4.5 * (2.0 / trials).sqrt(), "{events} {p}: {ratio}");
        }
    }

    #[test]
    fn no_event_does_not_happen() {
        assert_eq!(binomial(0, 0.5, &mut Rng::seed_from_u64(1)), 0);
    }

    /// What follows a number far below the mean of a law is as good as certain, and rounded to that.
    #[test]
    fn certain_events_happen() {
        let mut rng = Rng::seed_from_u64(2);
        for events in [1, 9, 1 << 30] {
            assert_eq!(binomial(events, 1.0, &mut rng), events);
        }
    }
}
