//! The law of a list whose first three moments were measured, far into its tail.

use loadfactor_schemes::math::fitted::Fitted;

use super::{Measure, Sample};

/// A law on the numbers with three given cumulants: a constant, and beside it a number whose law is negative
/// binomial, Poisson or binomial, whichever has the right skewness.
///
/// Overflow lists are sums of many elements that depend on each other little. Where the law of one is known, this
/// one has about the same tail down to probabilities of 1e-12.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extrapolated {
    constant: f64,
    scattered: Fitted,
}

impl Extrapolated {
    /// The law of a list of this mean, of whose other moments `shape` knows, a sample of the table or of a smaller one
    /// of the same kind. Mean, dispersion and skewness are taken a standard error larger than measured.
    /// `None` where nothing overflowed.
    pub(super) fn cautious(mean: Measure, shape: &Sample) -> Option<Self> {
        let dispersion = shape.estimate(|of| of.dispersion());
        let skewness = shape.estimate(|of| of.skewness());
        // So many elements were on the list one after another; where these are few, chance may have kept them
        // from being there together.
        let unseen = UNSEEN_TOGETHER / (shape.trials as f64 * shape.mean().value);
        let dispersion = dispersion.value + dispersion.error + unseen;
        let skewness = skewness.value + skewness.error + unseen;
        Self::of_ratios(mean.value + mean.error, dispersion, skewness)
    }

    /// The law of this mean, with these ratios of the second cumulant to the first and of the third to the
    /// second.
    fn of_ratios(mean: f64, dispersion: f64, skewness: f64) -> Option<Self> {
        let variance = mean * dispersion;
        let measured = (skewness + 1.0) / 2.0;
        let own = if measured < 1.0 { measured + (1.0 - measured) * CAUTION } else { measured };
        let own = own.max(LEAST_DISPERSION);
        // A binomial number is never more than its trials; a list may be, and seldom is where these are many.
        let trials = variance / own / (1.0 - own);
        let own = if own < 1.0 && trials < LEAST_TRIALS { 1.0 } else { own };
        let scattered = Fitted::new(variance / own, variance)?;
        Some(Self { constant: mean - scattered.mean, scattered })
    }

    pub(super) fn mean(&self) -> f64 {
        self.constant + self.scattered.mean
    }

    pub(super) fn variance(&self) -> f64 {
        self.scattered.variance
    }

    /// Probability of more than `k`. Between the whole numbers beside the constant its logarithm is linear.
    pub(super) fn exceeds(&self, k: u32) -> f64 {
        let beyond = f64::from(k) - self.constant;
        if beyond < -1.0 {
            return 1.0;
        }
        let (below, part) = (beyond.floor(), beyond - beyond.floor());
        let low = if below < 0.0 { 1.0 } else { self.scattered.exceeds(below as u32) };
        let high = self.scattered.exceeds((below + 1.0) as u32);
        if high > 0.0 { libm::pow(low, 1.0 - part) * libm::pow(high, part) } else { low }
    }
}

/// Twice −ln 5 %: what is seen on average so often is missed once in twenty times, and two elements together add
/// twice that to the variance.
const UNSEEN_TOGETHER: f64 = 6.0;

/// How far a law that scatters less than Poisson's is taken towards it: a binomial one ends, and where the law is
/// known, its tail is a little too short without it.
const CAUTION: f64 = 1.0 / 6.0;

/// Trials of a binomial number that is taken for part of a list.
const LEAST_TRIALS: f64 = 10.0;

/// Lists that scatter less are not seen.
const LEAST_DISPERSION: f64 = 0.2;

#[cfg(test)]
mod tests {
    use super::super::cumulants::Cumulants;
    use super::*;
    use loadfactor_schemes::math::bisect::smallest;
    use loadfactor_schemes::tables::theory::multilevel::standard_law;

    /// Lists whose law is known: what is extrapolated from their first three cumulants is long enough, and longer
    /// by hardly anything.
    #[test]
    fn extrapolated_lists_are_long_enough_where_the_law_is_known() {
        for (n, buckets) in [
            (1000, &[600, 400][..]),
            (1000, &[400, 300, 200]),
            (2000, &[1110, 775, 515]),
            (300, &[100, 80, 60, 40]),
            (5000, &[2500, 1500, 600, 300]),
            (1000, &[700, 500, 300, 100, 30]),
            (300, &[150, 120, 80, 50]),
        ] {
            let law = standard_law(n, buckets).unwrap().overflow;
            let (mean, variance) = (law.mean(), law.variance());
            let third = third_moment(|k| law.exceeds(k), mean, n);
            let list = law_of(Cumulants { mean, variance, third });
            for failure in [1e-3, 1e-6, 1e-9, 1e-12] {
                let known = smallest(n, |k| law.exceeds(k) <= failure);
                let found = smallest(n, |k| list.exceeds(k) <= failure);
                assert!(
                    (known..=known + 2).contains(&found),
                    "{n} {buckets:?} {failure}: {found} {known}"
                );
            }
        }
    }

    fn law_of(cumulants: Cumulants) -> Extrapolated {
        let (dispersion, skewness) = (cumulants.dispersion(), cumulants.skewness());
        Extrapolated::of_ratios(cumulants.mean, dispersion, skewness).unwrap()
    }

    fn third_moment(exceeds: impl Fn(u32) -> f64, mean: f64, most: u32) -> f64 {
        let probability = |k: u32| match k {
            0 => 1.0 - exceeds(0),
            k => exceeds(k - 1) - exceeds(k),
        };
        (0..=most).map(|k| (f64::from(k) - mean).powi(3) * probability(k)).sum()
    }

    /// A binomial number with these cumulants would be no more than two: cuckoo hashing with as many places as
    /// elements, 250 buckets of 4, where simulations show more than three elements once in 800 times.
    #[test]
    fn short_lists_have_no_end() {
        let list = Extrapolated::of_ratios(1.24, 0.263, 0.44).unwrap();
        assert!((1.25e-3..1e-2).contains(&list.exceeds(3)), "{}", list.exceeds(3));
        assert!(list.exceeds(8) > 0.0);
    }

    #[test]
    fn probabilities_fall_from_one() {
        for (variance, third) in [(2.0, 1.0), (4.0, 4.0), (9.0, 25.0)] {
            let law = law_of(Cumulants { mean: 4.0, variance, third });
            let tail: Vec<f64> = (0..60).map(|k| law.exceeds(k)).collect();
            assert!(tail[0] <= 1.0 && tail.is_sorted_by(|a, b| a >= b), "{tail:?}");
            let mean: f64 = tail.iter().sum();
            assert!((mean - 4.0).abs() < 0.2, "{variance}: {mean}");
        }
    }
}
