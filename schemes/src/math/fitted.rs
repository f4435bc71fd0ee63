//! A law fitted to a mean and a variance.

/// A law on 0, 1, … whose probabilities satisfy `p_k/p_{k−1} = a + b/k` (Panjer, "Recursive Evaluation
/// of a Family of Compound Distributions", 1981): negative binomial where the variance is above the mean,
/// Poisson where they are equal, binomial where it is below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Its mean.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
}

impl Fitted {
    /// The law of this mean and variance, both above 0; `None` for others.
    pub fn new(mean: f64, variance: f64) -> Option<Self> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        (positive(mean) && positive(variance)).then_some(Self { mean, variance })
    }

    /// Probability of more than `k`.
    pub fn exceeds(&self, k: u32) -> f64 {
        let (mut all, mut beyond) = (0.0, 0.0);
        for (number, weight) in self.weights() {
            all += weight;
            if number > k {
                beyond += weight;
            }
        }
        beyond / all
    }

    /// The least `k` that is exceeded with at most this probability.
    pub fn upper_quantile(&self, failure: f64) -> u32 {
        let mut weights: Vec<(u32, f64)> = self.weights().collect();
        weights.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
        let all: f64 = weights.iter().map(|&(_, weight)| weight).sum();
        let mut beyond = 0.0;
        for (number, weight) in weights {
            beyond += weight;
            if beyond > failure * all {
                return number;
            }
        }
        0
    }

    /// The probabilities of numbers, up to a common factor, as far as they matter.
    fn weights(&self) -> impl Iterator<Item = (u32, f64)> {
        let mode = self.mean as u32;
        let up = (mode + 1..).scan(1.0, move |weight, k| {
            *weight *= self.ratio(k);
            (*weight > NEGLIGIBLE).then_some((k, *weight))
        });
        let down = (1..=mode).rev().scan(1.0, move |weight, k| {
            *weight /= self.ratio(k);
            (*weight > NEGLIGIBLE).then_some((k - 1, *weight))
        });
        std::iter::once((mode, 1.0)).chain(up).chain(down)
    }

    /// `p_k/p_{k−1}`.
    fn ratio(&self, k: u32) -> f64 {
        let a = 1.0 - self.mean / self.variance;
        a + (self.mean * (1.0 - a) - a) / f64::from(k)
    }
}

/// Numbers so much less likely than the mean are left out.
const NEGLIGIBLE: f64 = 1e-60;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::poisson;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn as_much_variance_as_mean_is_poisson() {
        for mean in [0.3, 20.0, 3000.0] {
            let fitted = Fitted::new(mean, mean).unwrap();
            for failure in [0.1, 1e-6, 1e-12] {
                let k = poisson::upper_quantile(mean, failure);
                assert_eq!(fitted.upper_quantile(failure), k);
                close(fitted.exceeds(k), poisson::exceeds(mean, k));
            }
        }
    }

    #[test]
    fn less_is_binomial_and_more_is_negative_binomial() {
        // Four throws of a fair coin.
        close(Fitted::new(2.0, 1.0).unwrap().exceeds(2), 5.0 / 16.0);
        assert_eq!(Fitted::new(2.0, 1.0).unwrap().upper_quantile(1e-12), 4);
        // Geometric: tails of fair coins before the first head.
        close(Fitted::new(1.0, 2.0).unwrap().exceeds(9), 0.5_f64.powi(10));
        assert_eq!(Fitted::new(1.0, 2.0).unwrap().upper_quantile(0.5_f64.powi(10)), 9);
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(Fitted::new(0.0, 0.0), None);
        assert_eq!(Fitted::new(1.0, f64::NAN), None);
    }
}
