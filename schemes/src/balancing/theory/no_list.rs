//! Without an overflow list: what all buckets of an element refuse goes to one of them at random.
//!
//! Section 9.2 of "Access-Efficient Balanced Bloom Filters" has no model of it. Its fluid limit is that of the scheme
//! with more states: a bucket that refuses an element gets it nevertheless if the later choices refuse it too and
//! chance picks the bucket, one of d.

use super::forecast::Forecast;
use super::one_choice::Taking;
use crate::balancing::params::Size;
use crate::balancing::rule::{Kind, Rule};

/// Loads beyond the threshold that are told apart.
const BEYOND: usize = 24;
const STEPS: u32 = 400;

/// Loads after so many elements, in the limit of many buckets.
pub(crate) fn limit(rule: &Rule, size: &Size, arrivals: f64) -> Forecast {
    let flow = Flow {
        taking: rule.taking(),
        parts: rule.parts().map(|buckets| arrivals / f64::from(buckets)).collect(),
        choices: rule.ranges.len(),
        is_shared: rule.kind != Kind::Multilevel,
    };
    let (laws, accesses) = flow.integrate();
    Forecast::new(rule, size, laws, (arrivals, accesses * arrivals))
}

struct Flow {
    taking: Taking,
    /// Elements that arrive in all per bucket of the part.
    parts: Vec<f64>,
    choices: usize,
    /// Whether all choices are in one part.
    is_shared: bool,
}

type Laws = Vec<Vec<f64>>;

impl Flow {
    /// The laws at time 1 and the accesses per element until then, by Runge and Kutta's method of order 4.
    fn integrate(&self) -> (Laws, f64) {
        let width = self.taking.0.map_or(0, |h| h as usize) + BEYOND;
        let mut laws = vec![vec![0.0; width]; self.parts.len()];
        laws.iter_mut().for_each(|law| law[0] = 1.0);
        let (mut accesses, step) = (0.0, 1.0 / f64::from(STEPS));
        for _ in 0..STEPS {
            let (k1, a1) = self.rate(&laws);
            let (k2, a2) = self.rate(&moved(&laws, &k1, step / 2.0));
            let (k3, a3) = self.rate(&moved(&laws, &k2, step / 2.0));
            let (k4, a4) = self.rate(&moved(&laws, &k3, step));
            for (k, weight) in [(&k1, 1.0), (&k2, 2.0), (&k3, 2.0), (&k4, 1.0)] {
                laws = moved(&laws, k, weight * step / 6.0);
            }
            accesses += step / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
        }
        (laws, accesses)
    }

    /// How fast the laws change, and accesses per element.
    fn rate(&self, laws: &Laws) -> (Laws, f64) {
        let refusal: Vec<f64> =
            (0..self.choices).map(|i| self.refusal(self.law(laws, i))).collect();
        let mut rates = vec![vec![0.0; laws[0].len()]; laws.len()];
        let (mut reached, mut accesses) = (1.0, 0.0);
        for i in 0..self.choices {
            let part = if self.is_shared { 0 } else { i };
            let later: f64 = refusal[i + 1..].iter().product();
            let speed = self.parts[part] * reached;
            self.add(&mut rates[part], &laws[part], speed, later / self.choices as f64);
            accesses += reached;
            reached *= refusal[i];
        }
        (rates, accesses)
    }

    fn law<'l>(&self, laws: &'l Laws, choice: usize) -> &'l [f64] {
        &laws[if self.is_shared { 0 } else { choice }]
    }

    fn refusal(&self, law: &[f64]) -> f64 {
        let (Some(h), p) = self.taking else { return 0.0 };
        let above: f64 = law[h as usize + 1..].iter().sum();
        (1.0 - p) * law[h as usize] + above
    }

    /// Attempts at this speed, of which a refused one comes back with the probability `back`.
    fn add(&self, rates: &mut [f64], law: &[f64], speed: f64, back: f64) {
        let (h, p) = (self.taking.0.map_or(usize::MAX, |h| h as usize), self.taking.1);
        for load in 0..law.len() - 1 {
            let taken = match load.cmp(&h) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => p + (1.0 - p) * back,
                std::cmp::Ordering::Greater => back,
            };
            let moving = speed * taken * law[load];
            rates[load] -= moving;
            rates[load + 1] += moving;
        }
    }
}

fn moved(laws: &Laws, rates: &Laws, by: f64) -> Laws {
    let one = |(law, rate): (&Vec<f64>, &Vec<f64>)| {
        law.iter().zip(rate).map(|(p, rate)| p + by * rate).collect()
    };
    laws.iter().zip(rates).map(one).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng};

    use super::*;
    use crate::Rng;
    use crate::tables::SubTable;

    /// One filling of 60,000 buckets: shares of buckets within 4.5 standard deviations of a count.
    #[test]
    fn the_limit_is_that_of_a_large_filling() {
        let sizes = [40_000_u32, 20_000];
        let (h, p, arrivals) = (2_u32, 0.3, 200_000_u32);
        let ranges = vec![
            SubTable { first: 0, buckets: sizes[0] },
            SubTable { first: sizes[0], buckets: sizes[1] },
        ];
        let rule = Rule {
            kind: Kind::Multilevel,
            ranges,
            threshold: Some(h),
            probability: p,
            accesses: None,
            overflow: None,
            budget: None,
        };
        let size = Size { elements: arrivals, buckets: 60_000 };
        let found = limit(&rule, &size, arrivals.into());
        let mut rng = Rng::seed_from_u64(17);
        let mut loads = sizes.map(|size| vec![0_u32; size as usize]);
        for _ in 0..arrivals {
            let at = sizes.map(|size| rng.random_range(0..size) as usize);
            let resort = rng.random_range(0..2_usize);
            let takes = |load: u32, rng: &mut Rng| load < h || load == h && rng.random_bool(p);
            let taken = (0..2).find(|&j| takes(loads[j][at[j]], &mut rng)).unwrap_or(resort);
            loads[taken][at[taken]] += 1;
        }
        for ((_, law), loads) in found.parts.iter().zip(&loads) {
            for (load, share) in law.iter().enumerate().take(10) {
                let count = loads.iter().filter(|&&own| own as usize == load).count() as f64;
                let expected = share * loads.len() as f64;
                let deviation = (expected + 1.0).sqrt();
                assert!((count - expected).abs() < 4.5 * deviation, "{load}: {count} {expected}");
            }
        }
        assert!(found.overflow.abs() < 1e-9, "{found:?}");
    }
}
