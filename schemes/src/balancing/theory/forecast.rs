//! The loads of a scheme in the limit of many buckets, at any time and under a budget.

use super::bound;
use super::one_choice::{self, Taking};
use super::optimum::accesses_of_next;
use crate::balancing::loads::accesses_per_absent_lookup;
use crate::balancing::params::Size;
use crate::balancing::rule::{Kind, Rule};
use crate::math::bisect::bisect;
use crate::math::demand::Demand;

/// Loads, and what came of the elements.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// The share of the buckets and the law of their load, for each sub-table.
    pub parts: Vec<(f64, Vec<f64>)>,
    /// The probability that each choice is refused by its bucket.
    pub refusal: Vec<f64>,
    /// Accesses per element that arrived.
    pub accesses: f64,
    /// The overflow fraction of those that arrived.
    pub overflow: f64,
    /// Buckets that a look-up of an absent element reads, E(P), where full buckets of one sub-table tell nothing of those
    /// of the next.
    pub absent_accesses: f64,
}

impl Rule {
    /// h and p.
    pub fn taking(&self) -> Taking {
        (self.threshold, self.probability)
    }

    /// The buckets that have a law of their own: sub-tables, or all.
    pub(crate) fn parts(&self) -> impl Iterator<Item = u32> {
        let parts = if self.kind == Kind::Multilevel { self.ranges.len() } else { 1 };
        self.ranges.iter().take(parts).map(|range| range.buckets)
    }
}

impl Forecast {
    /// From the law of the load of each part, where so many elements of all arrived.
    pub fn new(
        rule: &Rule,
        size: &Size,
        laws: Vec<Vec<f64>>,
        (arrivals, accesses): (f64, f64),
    ) -> Self {
        let buckets = f64::from(size.buckets);
        let shares = rule.parts().map(|part| f64::from(part) / buckets);
        let parts: Vec<(f64, Vec<f64>)> = shares.zip(laws).collect();
        let stored: f64 = parts.iter().map(|(share, law)| share * one_choice::mean(law)).sum();
        let of_choices = |value: fn(&[f64], Taking) -> f64| -> Vec<f64> {
            let of_part = |i: usize| {
                parts.get(i).or(parts.first()).map_or(0.0, |(_, law)| value(law, rule.taking()))
            };
            (0..rule.ranges.len()).map(of_part).collect()
        };
        Self {
            refusal: of_choices(one_choice::refusal),
            accesses: accesses / arrivals,
            overflow: 1.0 - stored * buckets / arrivals,
            absent_accesses: accesses_per_absent_lookup(&of_choices(one_choice::full)),
            parts,
        }
    }

    /// The law of the load over all buckets.
    pub fn occupancy(&self) -> Vec<f64> {
        let most = self.parts.iter().map(|(_, law)| law.len()).max().unwrap_or(0);
        let of = |load: usize| self.mean_of(|law| law.get(load).copied().unwrap_or(0.0));
        (0..most).map(of).collect()
    }

    /// The mean over all buckets of what is known of a law.
    pub fn mean_of(&self, value: impl Fn(&[f64]) -> f64) -> f64 {
        self.parts.iter().map(|(share, law)| share * value(law)).sum()
    }

    /// The variance of the accesses of the last element.
    pub fn variance_of_accesses(&self) -> f64 {
        let mut reached = 1.0;
        let (mut mean, mut square) = (0.0, 0.0);
        for (i, refusal) in self.refusal.iter().enumerate() {
            mean += reached;
            square += (2 * i + 1) as f64 * reached;
            reached *= refusal;
        }
        square - mean * mean
    }
}

/// Attempts on each part, and accesses, after so many elements.
#[derive(Debug, Clone)]
pub struct Attempts {
    /// On each part.
    pub of_parts: Vec<f64>,
    /// All accesses.
    pub accesses: f64,
    /// Whether the budget was spent before the last of the elements.
    pub is_spent: bool,
}

/// The limit for many buckets.
pub fn limit(rule: &Rule, size: &Size, arrivals: f64) -> Forecast {
    if rule.kind == Kind::Offline {
        return offline(rule, size, arrivals);
    }
    of_attempts(rule, size, arrivals, &attempts(rule, size, arrivals), 1.0)
}

/// The limit where `share` of these attempts are made.
pub fn of_attempts(
    rule: &Rule,
    size: &Size,
    arrivals: f64,
    attempts: &Attempts,
    share: f64,
) -> Forecast {
    let law = |(buckets, attempts): (u32, &f64)| {
        let each = share * attempts / f64::from(buckets);
        one_choice::law(&one_choice::poisson(each, rule.taking()), rule.taking())
    };
    let laws = rule.parts().zip(&attempts.of_parts).map(law).collect();
    Forecast::new(rule, size, laws, (arrivals, share * attempts.accesses))
}

/// The loads of Theorem 1.
fn offline(rule: &Rule, size: &Size, arrivals: f64) -> Forecast {
    let accesses = rule.accesses.unwrap_or(1.0) * arrivals;
    let buckets = f64::from(size.buckets);
    let stored = arrivals * (1.0 - rule.overflow.unwrap_or(0.0)) / buckets;
    let law = bound::law(&Demand::poisson(accesses / buckets, 0), stored);
    Forecast::new(rule, size, vec![law], (arrivals, accesses))
}

/// How often buckets are read while so many elements arrive.
pub fn attempts(rule: &Rule, size: &Size, arrivals: f64) -> Attempts {
    let within = |arrivals| match rule.kind {
        Kind::Single | Kind::Offline => vec![arrivals],
        Kind::Sequential => vec![of_sequential(rule, size, arrivals)],
        Kind::Multilevel => of_multilevel(rule, arrivals),
    };
    let all = within(arrivals);
    let made = |attempts: &[f64]| attempts.iter().sum::<f64>();
    let budget = rule.budget.map_or(f64::INFINITY, |budget| budget as f64);
    if made(&all) <= budget {
        return Attempts { accesses: made(&all), of_parts: all, is_spent: false };
    }
    let of_parts = match rule.kind {
        Kind::Multilevel => {
            within(bisect(0.0, arrivals, |arrivals| made(&within(arrivals)) - budget))
        }
        _ => vec![budget],
    };
    Attempts { of_parts, accesses: budget, is_spent: true }
}

/// `dA/dt = (1−q^d)/(1−q)`, by Runge and Kutta's method of order 4.
fn of_sequential(rule: &Rule, size: &Size, arrivals: f64) -> f64 {
    let buckets = f64::from(size.buckets);
    let rate = |made: f64| accesses_of_next(made / buckets, rule.choices(), rule.taking());
    let step = arrivals / f64::from(STEPS);
    (0..STEPS).fold(0.0, |made, _| {
        let k1 = rate(made);
        let k2 = rate(made + step / 2.0 * k1);
        let k3 = rate(made + step / 2.0 * k2);
        let k4 = rate(made + step * k3);
        made + step / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
    })
}

const STEPS: u32 = 200;

/// Each sub-table is tried by what the one before it refused.
fn of_multilevel(rule: &Rule, arrivals: f64) -> Vec<f64> {
    let tried = rule.parts().scan(arrivals, |attempts, buckets| {
        let tried = *attempts;
        let law = one_choice::law(
            &one_choice::poisson(tried / f64::from(buckets), rule.taking()),
            rule.taking(),
        );
        *attempts = (tried - f64::from(buckets) * one_choice::mean(&law)).max(0.0);
        Some(tried)
    });
    tried.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balancing::params::Target;
    use crate::math::ode::{Precision, integrate};

    fn made(kind: Kind, choices: u32, accesses: f64, budget: bool) -> (Rule, Size) {
        let size = Size { elements: 8_000_000, buckets: 1_000_000 };
        let target = Target {
            choices,
            accesses: Some(accesses),
            overflow: None,
            threshold: None,
            budget,
            sub_tables: None,
        };
        (Rule::new(kind, &size, &target).unwrap(), size)
    }

    /// Theorems 4 and 5: at γ0 the accesses are a, the overflow is γ0 and the loads are those of Theorem 1.
    #[test]
    fn at_the_least_overflow_both_schemes_reach_the_bound() {
        for kind in [Kind::Sequential, Kind::Multilevel] {
            let (rule, size) = made(kind, 3, 1.2, false);
            let found = limit(&rule, &size, 8e6);
            let overflow = rule.overflow.unwrap();
            // Sub-tables are made of whole buckets.
            assert!((found.accesses - 1.2).abs() < 1e-5, "{kind:?} {found:?}");
            assert!((found.overflow - overflow).abs() < 1e-5, "{kind:?} {found:?}");
            let least = bound::law(&Demand::poisson(9.6, 0), 8.0 * (1.0 - overflow));
            for (found, least) in found.occupancy().iter().zip(&least) {
                assert!((found - least).abs() < 1e-4, "{kind:?} {found} {least}");
            }
        }
    }

    /// Above γ0 the budget is spent before the last element, and not a bit later.
    #[test]
    fn a_budget_is_spent_to_the_last_access() {
        for kind in [Kind::Sequential, Kind::Multilevel] {
            let (rule, size) = made(kind, 3, 1.2, true);
            let rule = Rule { budget: Some(8_800_000), ..rule };
            let attempts = attempts(&rule, &size, 8e6);
            assert!(
                attempts.is_spent && (attempts.of_parts.iter().sum::<f64>() - 8.8e6).abs() < 1.0
            );
        }
    }

    /// (A.5) of the document, integrated: MHT in time, all sub-tables at once.
    #[test]
    fn sub_tables_follow_their_differential_equations() {
        let (rule, size) = made(Kind::Multilevel, 3, 1.2, false);
        let (h, p) = (rule.threshold.unwrap() as usize, rule.probability);
        let width = h + 2;
        let mut start = vec![0.0; 3 * width];
        (0..3).for_each(|j| start[j * width] = 1.0);
        let shares: Vec<f64> =
            rule.parts().map(|part| f64::from(part) / f64::from(size.buckets)).collect();
        let r = size.load();
        let rate = |f: &[f64], df: &mut [f64]| {
            let mut reached = 1.0;
            for j in 0..3 {
                let (f, df) = (&f[j * width..][..width], &mut df[j * width..][..width]);
                let speed = r / shares[j] * reached;
                for i in 0..width {
                    let leaves = if i < h {
                        1.0
                    } else if i == h {
                        p
                    } else {
                        0.0
                    };
                    let enters = if i == 0 {
                        0.0
                    } else if i <= h {
                        f[i - 1]
                    } else {
                        p * f[h]
                    };
                    df[i] = speed * (enters - leaves * f[i]);
                }
                reached *= (1.0 - p) * f[h] + f[h + 1];
            }
        };
        let end = integrate(start, 1.0, Precision::Fine, rate).unwrap();
        let found = limit(&rule, &size, 8e6);
        for (j, (_, law)) in found.parts.iter().enumerate() {
            for (i, found) in law.iter().enumerate() {
                assert!((found - end[j * width + i]).abs() < 1e-8, "{j} {i}");
            }
        }
    }
}
