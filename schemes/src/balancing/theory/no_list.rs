//! Without an overflow list: what all buckets of an element refuse goes to one of them at random.
//!
//! Section 9.2 of "Access-Efficient Balanced Bloom Filters" has no model of it. Its fluid limit is that of the scheme
//! with more states: a bucket that refuses an element gets it nevertheless if the later choices refuse it too and
//! chance picks the bucket, one of d.

use super::forecast::Forecast;
use super::one_choice::Taking;
use crate::balancing::params::Size;
use crate::balancing::rule::{Kind, Rule};

/// Loads beyond the threshold that are told apart at first, and how many are added when they are reached.
const BEYOND: usize = 24;

/// The share of buckets that reach the greatest load that is told apart, at which more are.
const REACHED: f64 = 1e-18;

/// Equal times, each of which is divided if much happens in it.
const TIMES: u32 = 400;

/// Elements that may come to a bucket in one step. The method is unstable above 2.7.
const MOST_IN_A_STEP: f64 = 1.0;

/// Changes of a share of buckets that are computed, at most.
const MOST_CHANGES: usize = 100_000_000;

/// Loads after so many elements, in the limit of many buckets; `None` where it takes too long.
pub(crate) fn limit(rule: &Rule, size: &Size, arrivals: f64) -> Option<Forecast> {
    let flow = Flow {
        taking: rule.taking(),
        parts: rule.parts().map(|buckets| arrivals / f64::from(buckets)).collect(),
        choices: rule.ranges.len(),
        is_shared: rule.kind != Kind::Multilevel,
    };
    let (laws, accesses) = flow.integrate()?;
    Some(Forecast::new(rule, size, laws, (arrivals, accesses * arrivals)))
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
    /// The laws at time 1 and the accesses per element until then.
    fn integrate(&self) -> Option<(Laws, f64)> {
        let width = self.taking.0.map_or(0, |h| h as usize) + BEYOND;
        let mut laws = vec![vec![0.0; width]; self.parts.len()];
        laws.iter_mut().for_each(|law| law[0] = 1.0);
        let (mut accesses, mut changes) = (0.0, 0);
        for _ in 0..TIMES {
            let parts = (self.fastest(&laws) / f64::from(TIMES) / MOST_IN_A_STEP).ceil().max(1.0);
            for _ in 0..parts as u32 {
                changes += 4 * laws.iter().map(Vec::len).sum::<usize>();
                if changes > MOST_CHANGES {
                    return None;
                }
                widen(&mut laws);
                accesses += self.step(&mut laws, 1.0 / f64::from(TIMES) / parts);
            }
        }
        let is_finite = laws.iter().flatten().chain([&accesses]).all(|value| value.is_finite());
        is_finite.then_some((laws, accesses))
    }

    /// One step of Runge and Kutta's method of order 4: the accesses in it.
    fn step(&self, laws: &mut Laws, step: f64) -> f64 {
        let (k1, a1) = self.rate(laws);
        let (k2, a2) = self.rate(&moved(laws, &k1, step / 2.0));
        let (k3, a3) = self.rate(&moved(laws, &k2, step / 2.0));
        let (k4, a4) = self.rate(&moved(laws, &k3, step));
        for (k, weight) in [(&k1, 1.0), (&k2, 2.0), (&k3, 2.0), (&k4, 1.0)] {
            *laws = moved(laws, k, weight * step / 6.0);
        }
        step / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
    }

    /// How many elements try a bucket of the part that is tried most, per unit of time: at least as many as try it
    /// now, or soon, as more and more are refused.
    fn fastest(&self, laws: &Laws) -> f64 {
        let mut of_parts = vec![0.0; self.parts.len()];
        let mut reached = 1.0;
        for i in 0..self.choices {
            let part = if self.is_shared { 0 } else { i };
            of_parts[part] += self.parts[part] * reached;
            reached *= self.refusal(self.law(laws, i));
        }
        of_parts.into_iter().fold(0.0, f64::max)
    }

    /// How fast the laws change, and accesses per element.
    fn rate(&self, laws: &Laws) -> (Laws, f64) {
        let refusal: Vec<f64> =
            (0..self.choices).map(|i| self.refusal(self.law(laws, i))).collect();
        let mut rates: Laws = laws.iter().map(|law| vec![0.0; law.len()]).collect();
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

/// Makes room for greater loads where the greatest is reached.
fn widen(laws: &mut Laws) {
    for law in laws {
        if law.last().is_some_and(|greatest| *greatest > REACHED) {
            law.resize(law.len() + BEYOND, 0.0);
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
        let found = limit(&rule, &size, arrivals.into()).unwrap();
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

    /// A thousand elements per bucket, of which one bucket of three refuses what is above the mean: laws of the
    /// number that is stored, wherever the greatest load is.
    #[test]
    fn many_elements_per_bucket_are_all_stored() {
        let size = Size { elements: 3_000_000, buckets: 3000 };
        for threshold in [40, 1000, 1040] {
            let rule = Rule {
                kind: Kind::Single,
                ranges: vec![SubTable { first: 0, buckets: 3000 }],
                threshold: Some(threshold),
                probability: 0.5,
                accesses: None,
                overflow: None,
                budget: None,
            };
            let found = limit(&rule, &size, 3e6).unwrap();
            let law = &found.parts[0].1;
            let deviation: f64 =
                law.iter().zip(0..).map(|(p, load)| p * f64::from(load - 1000).powi(2)).sum();
            assert!(found.overflow.abs() < 1e-9, "{threshold}: {}", found.overflow);
            // What one choice refuses comes back to it: the loads are Poisson.
            assert!((deviation - 1000.0).abs() < 1e-3, "{threshold}: {deviation}");
        }
    }
}
