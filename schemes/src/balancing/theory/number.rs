//! How many attempts come: the law of a whole number, as far as it matters.

use crate::math::elementary::exp;

/// Whole numbers with their weights. The weights sum up to 1 for a law, and to the probability of an event where the
/// number counts in that event alone.
#[derive(Debug, Clone)]
pub(super) struct Number(Vec<(u64, f64)>);

/// Values on a grid lie so densely that sums over them are as good as integrals.
const VALUES_PER_DEVIATION: f64 = 4.0;
/// In standard deviations.
const REACH: f64 = 6.0;
/// The logarithm of what one over a weight is that does not count.
const SMALL: f64 = 36.0;

impl Number {
    /// This number, for certain.
    pub(super) fn certain(number: u64) -> Self {
        Self(vec![(number, 1.0)])
    }

    /// These weights.
    pub(super) fn weighed(values: Vec<(u64, f64)>) -> Self {
        Self(values)
    }

    /// A law of which only mean and variance are known: normal, or where it comes near 0 one of the laws of counts.
    pub(super) fn with_moments(mean: f64, variance: f64) -> Self {
        let weighed = match mean < REACH * variance.sqrt() {
            true => counts(mean, variance),
            false => normal(mean, variance),
        };
        Self(weighed).normalised()
    }

    /// The same with weights that sum up to 1.
    pub(super) fn normalised(self) -> Self {
        let all = self.total();
        if all > 0.0 { self.times(|_| 1.0 / all) } else { self }
    }

    /// The values with their weights.
    pub(super) fn values(&self) -> impl Iterator<Item = (u64, f64)> {
        self.0.iter().copied()
    }

    /// The sum of a function of the number.
    pub(super) fn sum_of(&self, function: impl Fn(u64) -> f64) -> f64 {
        self.values().map(|(number, weight)| weight * function(number)).sum()
    }

    /// The weights times a function of the number.
    pub(super) fn times(&self, function: impl Fn(f64) -> f64) -> Self {
        Self(
            self.values()
                .map(|(number, weight)| (number, weight * function(number as f64)))
                .collect(),
        )
    }

    /// All weights together.
    pub(super) fn total(&self) -> f64 {
        self.values().map(|(_, weight)| weight).sum()
    }

    /// The mean of a law.
    pub(super) fn mean(&self) -> f64 {
        self.sum_of(|number| number as f64)
    }

    /// The variance of a law.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.sum_of(|number| (number as f64 - mean) * (number as f64 - mean))
    }

    /// A law whose moment of this order, 2 or 3, is greater by such a part of the standard deviation's power, and whose
    /// lower moments are the same: the weights times 1 + c·p, where p is the polynomial of that order to which those of
    /// lower orders are orthogonal.
    pub(super) fn bent(&self, order: usize, by: f64) -> Self {
        let total = self.total();
        let law = self.clone().normalised();
        let (mean, deviation) = (law.mean(), law.variance().sqrt());
        if deviation == 0.0 {
            return self.clone();
        }
        let power =
            |number: u64, order: usize| ((number as f64 - mean) / deviation).powi(order as i32);
        let powers =
            |order| law.values().map(|(number, _)| power(number, order)).collect::<Vec<f64>>();
        let product = |a: &[f64], b: &[f64]| -> f64 {
            law.values().zip(a.iter().zip(b)).map(|((_, weight), (a, b))| weight * a * b).sum()
        };
        let mut orthogonal: Vec<Vec<f64>> = Vec::new();
        for order in 0..=order {
            let mut own = powers(order);
            for lower in &orthogonal {
                let share = product(&own, lower) / product(lower, lower);
                own.iter_mut().zip(lower).for_each(|(own, lower)| *own -= share * lower);
            }
            if product(&own, &own) < LEAST_NORM {
                return self.clone();
            }
            orthogonal.push(own);
        }
        let Some(last) = orthogonal.pop() else { return self.clone() };
        let each = by / product(&last, &last);
        let bent = law
            .values()
            .zip(&last)
            .map(|((number, weight), p)| (number, total * weight * (1.0 + each * p)));
        Self(bent.collect())
    }
}

/// Where hardly any number but one or two is possible, there is nothing to bend.
const LEAST_NORM: f64 = 1e-9;

/// With the weights of the normal law.
fn normal(mean: f64, variance: f64) -> Vec<(u64, f64)> {
    let weight = |x: f64| match variance > 0.0 {
        true => exp(-(x - mean) * (x - mean) / (2.0 * variance)),
        false => 1.0,
    };
    grid(mean, variance.sqrt(), REACH).map(|x| (x, weight(x as f64))).collect()
}

/// Numbers around a mean as densely as the deviation needs them.
pub(super) fn grid(mean: f64, deviation: f64, reach: f64) -> impl Iterator<Item = u64> {
    let centre = mean.round();
    let step = (deviation / VALUES_PER_DEVIATION).floor().max(1.0);
    let steps = (reach * deviation / step).ceil() as i64;
    let values = (-steps..=steps).map(move |i| centre + i as f64 * step);
    values.filter(|x| *x >= 0.0).map(|x| x as u64)
}

/// With those of Panjer's law of this mean and variance, which is binomial, Poisson or negative binomial and has
/// nothing below 0, where the normal law would be cut off.
fn counts(mean: f64, variance: f64) -> Vec<(u64, f64)> {
    let per_mean = mean / variance;
    let (a, b) = (1.0 - per_mean, (mean + 1.0) * per_mean - 1.0);
    // Far out, the weights of clumps fall by 1 − mean/variance from one number to the next.
    let most = (mean + 2.0 * REACH * variance.sqrt() + SMALL * variance / mean).ceil() as u64;
    let next = |weight: &mut f64, x: u64| {
        let own = *weight;
        *weight *= (a + b / (x + 1) as f64).max(0.0);
        Some((x, own))
    };
    (0..=most).scan(1.0, next).take_while(|(_, weight)| *weight > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(number: &Number, order: i32) -> f64 {
        let mean = number.mean();
        number.sum_of(|x| (x as f64 - mean).powi(order))
    }

    /// Where less than one attempt is expected, a normal number that is cut off at 0 has another mean.
    #[test]
    fn few_attempts_have_the_mean_and_variance_that_they_should() {
        let small = Number::with_moments(0.4, 0.6);
        assert!((small.mean() - 0.4).abs() < 1e-12, "{}", small.mean());
        assert!((small.variance() - 0.6).abs() < 1e-12, "{}", small.variance());
    }

    /// One moment is moved by what it should be, those below it are not.
    #[test]
    fn a_bent_law_has_one_moment_more() {
        for law in [Number::with_moments(0.4, 0.6), Number::with_moments(900.0, 400.0)] {
            let deviation = moment(&law, 2).sqrt();
            let wider = law.bent(2, 0.1);
            assert!((wider.mean() / law.mean() - 1.0).abs() < 1e-9);
            assert!((wider.variance() / law.variance() - 1.1).abs() < 1e-9);
            let skewed = law.bent(3, 0.1);
            assert!((skewed.variance() / law.variance() - 1.0).abs() < 1e-9);
            let more = (moment(&skewed, 3) - moment(&law, 3)) / deviation.powi(3);
            assert!((more - 0.1).abs() < 1e-9, "{more}");
        }
        let certain = Number::certain(7).bent(2, 0.1);
        assert_eq!((certain.mean(), certain.total()), (7.0, 1.0));
    }
}
