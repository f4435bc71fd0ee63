//! How the number of false positives scatters from filter to filter.
//!
//! Source: "Less Hashing, Same Performance", Section 7 (Section 3.6 of the thesis). Given a filter, its answers
//! to absent keys are independent, each a false positive with the filter's own false positive rate R, which is
//! close to the limit p of the false positive probability.

use super::power;
use crate::filters::metrics;
use crate::filters::params::Size;
use crate::filters::workloads::{Asked, Workload};
use crate::math::elementary::{exp, ln, ln_1p};
use crate::prediction::{Kind, Prediction};

const BINOMIAL: &str = "Theorem 7.2, binomial law";
const NORMAL: &str = "Theorem 7.2, normal law";
const RATE_BOUND: &str = "Theorem 7.1";
const ANSWERS_BOUND: &str = "Theorem 7.2, third part";

/// What is said of the scatter that the workload asks for, where the false positive probability is `known` and
/// its limit p is `limit`.
pub(super) fn predictions(
    size: &Size,
    workload: &Workload,
    known: Option<Known>,
    limit: f64,
) -> Vec<Prediction> {
    let Asked { queries, positives_law, deviation, .. } = workload.asked();
    let mut found = Vec::new();
    let of_rate = variance(size, known.map_or(limit, |known| known.value));
    for count in positives_law.iter().flat_map(|&last| 0..=last) {
        let metric = metrics::false_positives(count);
        let answers = Answers { queries: queries as f64, positive: count.into() };
        found.push(match known {
            Some(known) => {
                let room = answers.room(known, of_rate);
                Prediction::asymptotic(metric, answers.binomial(known.value), BINOMIAL, room)
            }
            None => Prediction::approximate(metric, answers.binomial(limit), BINOMIAL),
        });
        let normal = answers.normal(limit);
        found.extend(normal.map(|value| Prediction::approximate(metric, value, NORMAL)));
    }
    if let (Some(deviation), Some(known)) = (deviation, known) {
        let bound = Bound { size, off: (known.value - limit).abs() + known.allowance };
        found.extend(bound.predictions(deviation, queries as f64));
    }
    found
}

/// A probability that is known, and how far off it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    pub(super) value: f64,
    pub(super) allowance: f64,
}

/// The variance of the false positive rate `R = (X/m)^k` from filter to filter, where X is the number of bits set:
/// that of k·n balls into m bins. Its relative size is k² times that of X, to first order.
fn variance(size: &Size, p: f64) -> f64 {
    let (m, k) = (f64::from(size.bits), f64::from(size.choices));
    let balls = k * f64::from(size.elements);
    let empty = |bins: f64| exp(balls * ln_1p((-bins / m).max(-1.0)));
    let one = m * empty(1.0);
    // Both terms that are subtracted are close to each other, as their digits are: of order m, not m².
    let of_set = (one + m * (m - 1.0) * empty(2.0) - one * one).max(0.0);
    let relative = of_set / ((m - one) * (m - one));
    k * k * relative * p * p
}

/// So many false positives among so many answers.
struct Answers {
    queries: f64,
    positive: f64,
}

impl Answers {
    fn binomial(&self, p: f64) -> f64 {
        binomial(self.queries, self.positive, p)
    }

    /// What the scatter of the rate, of this variance, does to the binomial probability, and what is not known of p.
    fn room(&self, known: Known, variance: f64) -> f64 {
        let Known { value: p, allowance } = known;
        let of_scatter = (self.curvature(p) * variance / 2.0).abs();
        let moved = |p: f64| (self.binomial(p.clamp(0.0, 1.0)) - self.binomial(known.value)).abs();
        of_scatter + moved(p - allowance).max(moved(p + allowance))
    }

    /// The second derivative of the binomial probability by p.
    fn curvature(&self, p: f64) -> f64 {
        let (q, j) = (self.queries, self.positive);
        let term = |back: f64| binomial(q - 2.0, j - back, p);
        q * (q - 1.0) * (term(0.0) - 2.0 * term(1.0) + term(2.0))
    }

    /// The density of Figure 3.2 of the thesis; none where nothing scatters.
    fn normal(&self, p: f64) -> Option<f64> {
        let (mean, variance) = (self.queries * p, self.queries * p * (1.0 - p));
        let off = self.positive - mean;
        let density =
            exp(-off * off / (2.0 * variance)) / (2.0 * std::f64::consts::PI * variance).sqrt();
        (variance > 0.0).then_some(density)
    }
}

/// The probability of `k` successes in `trials`.
fn binomial(trials: f64, k: f64, p: f64) -> f64 {
    if k < 0.0 || k > trials || p <= 0.0 || p >= 1.0 {
        let certain = if p <= 0.0 { 0.0 } else { trials };
        return if (p <= 0.0 || p >= 1.0) && k == certain { 1.0 } else { 0.0 };
    }
    let ways = libm::lgamma(trials + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(trials - k + 1.0);
    exp(ways + k * ln(p) + (trials - k) * ln_1p(-p))
}

/// Bounds on how far a rate is from p.
struct Bound<'s> {
    size: &'s Size,
    /// Of the probability from p.
    off: f64,
}

impl Bound<'_> {
    fn predictions(&self, deviation: f64, queries: f64) -> Vec<Prediction> {
        let bound = |metric, value: Option<f64>, source| {
            value.map(|value| Prediction {
                kind: Kind::UpperBound,
                ..Prediction::approximate(metric, value.min(1.0), source)
            })
        };
        let answers = self.of_rate(deviation / 2.0);
        let answers =
            answers.map(|of_rate| 2.0 * exp(-queries * deviation * deviation / 2.0) + of_rate);
        let rate = bound(metrics::RATE_DEVIATION_FRACTION, self.of_rate(deviation), RATE_BOUND);
        let answers = bound(metrics::ANSWERS_DEVIATION_FRACTION, answers, ANSWERS_BOUND);
        rate.into_iter().chain(answers).collect()
    }

    /// Of the probability that the rate is more than `deviation` off; nothing where p itself may be. The document's
    /// λ is k²·n/m, and its ξ is 0 or less for every scheme here (see the errata).
    fn of_rate(&self, deviation: f64) -> Option<f64> {
        let Size { elements, bits, choices } = *self.size;
        let n = f64::from(elements);
        let mean = power(choices.into(), 2) * n / f64::from(bits);
        let left = deviation - self.off;
        (left > 0.0).then(|| 2.0 * exp(-2.0 * n * left * left / (mean * mean)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_probabilities_are_known_ones() {
        assert!((binomial(10.0, 3.0, 0.25) - 0.250_282_287_597_656_25).abs() < 1e-13);
        let sum: f64 = (0..=464).map(|j| binomial(464.0, j.into(), 0.021577)).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert_eq!(
            [binomial(5.0, 0.0, 0.0), binomial(5.0, 5.0, 1.0), binomial(5.0, 6.0, 0.5)],
            [1.0, 1.0, 0.0]
        );
    }

    /// Of a probability that nobody knows the law is a model, and where p may be off so may the law.
    #[test]
    fn a_law_is_as_sure_as_its_probability() {
        let size = Size { elements: 10, bits: 100, choices: 3 };
        let asked = Asked { queries: 50, positives_law: Some(0), ..Asked::default() };
        let of = |known| predictions(&size, &Workload::Membership(asked), known, 0.02);
        let (sure, unsure) =
            (Known { value: 0.03, allowance: 0.0 }, Known { value: 0.03, allowance: 0.01 });
        let [sure, unsure] = [sure, unsure].map(|known| of(Some(known)).remove(0));
        assert_eq!((sure.kind, of(None)[0].kind), (Kind::Asymptotic, Kind::Approximate));
        let most = 0.98_f64.powi(50) - 0.97_f64.powi(50);
        assert!((unsure.allowance - sure.allowance - most).abs() < 1e-12, "{unsure:?}");
    }

    /// Without a question, or with a rate too small for a double, there is no normal law.
    #[test]
    fn what_does_not_scatter_has_no_density() {
        for (queries, p) in [(0.0, 0.1), (5.0, 0.0), (5.0, 1.0)] {
            assert_eq!(Answers { queries, positive: 0.0 }.normal(p), None);
        }
    }

    #[test]
    fn the_curvature_is_a_second_difference() {
        let answers = Answers { queries: 50.0, positive: 7.0 };
        let step = 1e-4;
        let of = |p| binomial(50.0, 7.0, p);
        let difference = (of(0.1 + step) - 2.0 * of(0.1) + of(0.1 - step)) / (step * step);
        assert!((answers.curvature(0.1) / difference - 1.0).abs() < 1e-5);
    }

    /// Answers deviate as their filter does, or half as far as in Hoeffding's bound on so many of them: 2·e^−5 here.
    #[test]
    fn answers_deviate_with_the_rate_or_by_chance() {
        let size = Size { elements: 10_000, bits: 80_000, choices: 2 };
        let bound = Bound { size: &size, off: 0.001 };
        let [rate, answers] = &bound.predictions(0.1, 1000.0)[..] else { panic!("two bounds") };
        let by_chance = answers.value - bound.of_rate(0.05).unwrap();
        assert!((by_chance - 2.0 * 0.006_737_946_999_085_467).abs() < 1e-15, "{by_chance}");
        // 2·e^(−2·n·(δ − off)²/λ²) with λ = k²·n/m = 1/2.
        let expected = 2.0 * (-2.0 * 10_000.0 * 0.099_f64.powi(2) * 4.0).exp();
        assert!((rate.value - expected).abs() <= 1e-12 * expected, "{rate:?} {expected}");
    }

    /// The occupancy law of 4 balls in 3 bins: 1 bin with 3/81, 2 with 42/81, 3 with 36/81.
    #[test]
    fn the_variance_is_that_of_balls_into_bins() {
        let size = Size { elements: 4, bits: 3, choices: 1 };
        let (mean, square) = (195.0 / 81.0, (3.0 + 42.0 * 4.0 + 36.0 * 9.0) / 81.0);
        let relative = (square - mean * mean) / (mean * mean);
        assert!((variance(&size, 0.5) - relative * 0.25).abs() < 1e-12);
    }
}
