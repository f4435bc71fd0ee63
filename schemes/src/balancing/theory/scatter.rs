//! Sub-tables that are tried by what others refused: how many attempts come, in finite tables.
//!
//! The first sub-table is tried by every element. What it refuses scatters, and with it the attempts on the second.
//! Their number is taken for normal with the mean and variance that it has, or where it comes near 0 for one of the
//! laws of counts; given their number, loads are exact. What is left out is of order 1/m² for loads and of order 1/m, as
//! a part of itself, for that variance; where all sub-tables have few buckets it is no small part.

use super::one_choice::{self, Taking};
use crate::math::elementary::{exp, pow};

/// Buckets of all sub-tables together from which on these laws are told.
pub(crate) const FEWEST: u32 = 128;

/// What came of the attempts on sub-tables.
#[derive(Debug)]
pub(crate) struct Tried {
    /// The laws of the loads of each.
    pub(crate) laws: Vec<Vec<f64>>,
    /// All attempts.
    pub(crate) attempts: f64,
    /// The variance of the number of elements that all refused.
    pub(crate) variance_of_refused: f64,
}

/// What comes of so many elements.
pub(crate) fn laws(arrivals: u64, buckets: impl Iterator<Item = u32>, taking: Taking) -> Tried {
    let mut number = Number { mean: arrivals as f64, variance: 0.0 };
    let (mut laws, mut attempts) = (Vec::new(), 0.0);
    for buckets in buckets {
        attempts += number.mean;
        let (law, refused) = number.tried(buckets, taking);
        laws.push(law);
        number = refused;
    }
    Tried { laws, attempts, variance_of_refused: number.variance }
}

/// A number that scatters.
struct Number {
    mean: f64,
    variance: f64,
}

impl Number {
    /// The mean law of the loads of so many buckets after as many attempts, and how many are refused.
    fn tried(&self, buckets: u32, taking: Taking) -> (Vec<f64>, Self) {
        let m = f64::from(buckets);
        let (mut law, mut mean, mut square) = (Vec::new(), 0.0, 0.0);
        for (attempts, weight) in self.values() {
            let given = one_choice::law(&one_choice::binomial(attempts, buckets, taking), taking);
            let refused = attempts as f64 - m * one_choice::mean(&given);
            (mean, square) = (mean + weight * refused, square + weight * refused * refused);
            law.resize(law.len().max(given.len()), 0.0);
            law.iter_mut().zip(&given).for_each(|(sum, p)| *sum += weight * p);
        }
        let within = m * variance_of_refused(self.mean / m, taking);
        let variance = (square - mean * mean).max(0.0) + within;
        (law, Self { mean, variance })
    }

    /// Whole numbers with their weights, which sum up to 1.
    fn values(&self) -> Vec<(u64, f64)> {
        let weighed = match self.mean < REACH * self.variance.sqrt() {
            true => self.counts(),
            false => self.normal(),
        };
        let all: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        weighed.into_iter().map(|(x, weight)| (x, weight / all)).collect()
    }

    /// With the weights of the normal law.
    fn normal(&self) -> Vec<(u64, f64)> {
        let deviation = self.variance.sqrt();
        let centre = self.mean.round();
        let step = (deviation / VALUES_PER_DEVIATION).floor().max(1.0);
        let steps = (REACH * deviation / step).ceil() as i64;
        let weight = |x: f64| match self.variance > 0.0 {
            true => exp(-(x - self.mean) * (x - self.mean) / (2.0 * self.variance)),
            false => 1.0,
        };
        let values = (-steps..=steps).map(|i| centre + i as f64 * step).filter(|x| *x >= 0.0);
        values.map(|x| (x as u64, weight(x))).collect()
    }

    /// With those of Panjer's law of this mean and variance, which is binomial, Poisson or negative binomial and has
    /// nothing below 0, where the normal law would be cut off.
    fn counts(&self) -> Vec<(u64, f64)> {
        let per_mean = self.mean / self.variance;
        let (a, b) = (1.0 - per_mean, (self.mean + 1.0) * per_mean - 1.0);
        let most = (self.mean + 2.0 * REACH * self.variance.sqrt()).ceil() as u64;
        let next = |weight: &mut f64, x: u64| {
            let own = *weight;
            *weight *= (a + b / (x + 1) as f64).max(0.0);
            Some((x, own))
        };
        (0..=most).scan(1.0, next).take_while(|(_, weight)| *weight > 0.0).collect()
    }
}

const VALUES_PER_DEVIATION: f64 = 4.0;
/// In standard deviations.
const REACH: f64 = 6.0;

/// The variance of the attempts that a bucket refuses, in a table of many buckets of which the number of attempts
/// is given: of Poisson many attempts, less what their number explains.
pub(crate) fn variance_of_refused(attempts: f64, taking: Taking) -> f64 {
    let demand = one_choice::poisson(attempts, taking);
    let (Some(h), p) = taking else { return 0.0 };
    let refused = Refused { h: h.into(), p };
    let mean = demand.mean_of(|x| refused.mean(x));
    let square = demand.mean_of(|x| refused.mean_square(x));
    let with_attempts = demand.mean_of(|x| refused.mean(x) * x as f64);
    let covariance = with_attempts - mean * attempts;
    let explained = if attempts > 0.0 { covariance * covariance / attempts } else { 0.0 };
    (square - mean * mean - explained).max(0.0)
}

/// Of x attempts on one bucket all beyond the first h are refused, but for one if a coin said so.
struct Refused {
    h: u64,
    p: f64,
}

impl Refused {
    fn mean(&self, attempts: u64) -> f64 {
        let beyond = attempts.saturating_sub(self.h) as f64;
        beyond - self.one_was_taken(attempts)
    }

    fn mean_square(&self, attempts: u64) -> f64 {
        let beyond = attempts.saturating_sub(self.h) as f64;
        let taken = self.one_was_taken(attempts);
        (1.0 - taken) * beyond * beyond + taken * (beyond - 1.0) * (beyond - 1.0)
    }

    fn one_was_taken(&self, attempts: u64) -> f64 {
        let beyond = attempts.saturating_sub(self.h) as f64;
        1.0 - pow(1.0 - self.p, beyond)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng};

    use super::*;
    use crate::Rng;

    /// 4,000 fills of a table of 40 + 8 buckets: the second sub-table's law within 4.5 standard errors.
    #[test]
    fn the_second_sub_table_is_that_of_a_simulation() {
        let (sizes, arrivals, h, p) = ([40_usize, 8], 150_u64, 3_u32, 0.4);
        let expected = laws(arrivals, [40, 8].into_iter(), (Some(h), p));
        let mut rng = Rng::seed_from_u64(11);
        let trials = 4_000;
        let (mut counts, mut read) = (vec![vec![0.0; trials]; 5], vec![0.0; trials]);
        let mut refused = vec![0.0; trials];
        for trial in 0..trials {
            let mut loads = [vec![0_u32; 40], vec![0_u32; 8]];
            refused[trial] = arrivals as f64;
            for _ in 0..arrivals {
                for (table, size) in loads.iter_mut().zip(sizes) {
                    read[trial] += 1.0;
                    let load = &mut table[rng.random_range(0..size)];
                    if *load < h || *load == h && rng.random_bool(p) {
                        *load += 1;
                        refused[trial] -= 1.0;
                        break;
                    }
                }
            }
            loads[1].iter().for_each(|&load| counts[load as usize][trial] += 1.0 / 8.0);
        }
        let check = |values: &[f64], expected: f64| {
            let n = trials as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            let error = (variance / n).sqrt();
            assert!((mean - expected).abs() < 4.5 * error + 1e-4, "{mean} ± {error}: {expected}");
        };
        counts.iter().zip(&expected.laws[1]).for_each(|(values, law)| check(values, *law));
        check(&read, expected.attempts);
        let mean = refused.iter().sum::<f64>() / trials as f64;
        let squares: Vec<f64> = refused.iter().map(|x| (x - mean) * (x - mean)).collect();
        // What is left out is of order 1/m, of 48 buckets.
        let room = 0.05 * expected.variance_of_refused;
        let found = squares.iter().sum::<f64>() / trials as f64;
        let error = 4.5 * found * (2.0 / trials as f64).sqrt();
        let off = (found - expected.variance_of_refused).abs();
        assert!(off < error + room, "{found} ± {error}: {expected:?}");
    }

    /// Where less than one attempt is expected, a normal number that is cut off at 0 has another mean.
    #[test]
    fn few_attempts_have_the_mean_and_variance_that_they_should() {
        let small = Number { mean: 0.4, variance: 0.6 };
        let values = small.values();
        let mean: f64 = values.iter().map(|(x, weight)| *x as f64 * weight).sum();
        let square: f64 = values.iter().map(|(x, weight)| (*x as f64).powi(2) * weight).sum();
        assert!((mean - 0.4).abs() < 1e-4, "{mean}");
        assert!((square - mean * mean - 0.6).abs() < 1e-3, "{square}");
    }
}
