//! Sub-tables that are tried by what others refused, in finite tables.
//!
//! Loads depend on the number of attempts on their sub-table alone, and given that number they are exact. The first is
//! tried by every element. What it refuses scatters, and with it the attempts on the second, and so on: a Markov chain.
//! Its laws are exact for sub-tables of few buckets, and for the first one of any size. Of what a large sub-table refuses
//! of a number that scatters, mean and variance are known, the variance up to a part of itself of order 1/m_j, and the
//! shape is taken for normal. What that leaves open is seen when variance and skewness are changed by as much.

use super::forecast::Forecast;
use super::number::Number;
use super::one_choice::Taking;
use super::part::Part;
pub(crate) use super::part::variance_of_refused;
use crate::balancing::params::Size;
use crate::balancing::rule::Rule;

/// What came of the attempts on sub-tables.
#[derive(Debug)]
pub(crate) struct Tried {
    parts: Vec<Part>,
    /// The attempts on each, and last the elements that all refused.
    numbers: Vec<Number>,
    change: Change,
}

/// What is changed where a number is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    Variance,
    Skewness,
}

/// By which part, times 1/m_j, a variance may be off.
const PARTS: f64 = 2.0;

impl Tried {
    /// What comes of so many elements, and then what may come of them as well, as far as theory leaves that open.
    pub(crate) fn all(
        arrivals: u64,
        buckets: impl Iterator<Item = u32>,
        taking: Taking,
    ) -> (Self, Vec<Self>) {
        let parts: Vec<Part> = buckets.map(|buckets| Part::new(buckets, taking)).collect();
        let arriving = Number::certain(arrivals);
        // Exact, whatever is changed.
        let first = parts.first().map(|part| part.refused(&arriving));
        let with = |change| Self::new((&arriving, first.clone()), &parts, change);
        let tried = with(Change::Nothing);
        let is_exact = tried.parts.iter().zip(&tried.numbers).all(|(part, own)| part.is_small(own));
        let others = match is_exact {
            true => Vec::new(),
            false => vec![with(Change::Variance), with(Change::Skewness)],
        };
        (tried, others)
    }

    /// Of the attempts on the first sub-table, and what it refused of them, which is known exactly.
    fn new(
        (arriving, mut first): (&Number, Option<Number>),
        parts: &[Part],
        change: Change,
    ) -> Self {
        let mut attempts = arriving.clone();
        let mut numbers = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let refused = first.take().unwrap_or_else(|| {
                let refused = part.refused(&attempts);
                if part.is_small(&attempts) { refused } else { change.of(&refused, part) }
            });
            numbers.push(std::mem::replace(&mut attempts, refused));
        }
        numbers.push(attempts);
        Self { parts: parts.to_vec(), numbers, change }
    }

    /// What it makes of a scheme's table.
    pub(crate) fn forecast(&self, rule: &Rule, size: &Size, arrivals: f64) -> Forecast {
        let is_full = |load: u32| f64::from(u8::from(rule.is_full(load)));
        Forecast {
            absent_accesses: self.of_look_up(&is_full, &|_| 1.0),
            ..Forecast::new(rule, size, self.laws(), (arrivals, self.attempts()))
        }
    }

    /// The laws of the loads of each.
    fn laws(&self) -> Vec<Vec<f64>> {
        let law = |(part, attempts): (&Part, &Number)| {
            let mut law: Vec<f64> = Vec::new();
            for (number, weight) in attempts.values() {
                let given = part.law(number);
                law.resize(law.len().max(given.len()), 0.0);
                law.iter_mut().zip(&given).for_each(|(sum, p)| *sum += weight * p);
            }
            law
        };
        self.parts.iter().zip(&self.numbers).map(law).collect()
    }

    /// All attempts.
    fn attempts(&self) -> f64 {
        self.parts.iter().zip(&self.numbers).map(|(_, attempts)| attempts.mean()).sum()
    }

    /// The variance of the number of elements that all refused.
    pub(crate) fn variance_of_refused(&self) -> f64 {
        self.numbers.last().map_or(0.0, Number::variance)
    }

    /// The mean over tables and look-ups of the sum, over the sub-tables, of `found` of the load of the bucket that is
    /// read there, where a look-up comes to the next one with the probability `onward` of that load. Full buckets of one
    /// sub-table and attempts on the next scatter together.
    pub(crate) fn of_look_up(
        &self,
        onward: &dyn Fn(u32) -> f64,
        found: &dyn Fn(u32) -> f64,
    ) -> f64 {
        let Some(mut reached) = self.numbers.first().cloned() else { return 0.0 };
        let mut sum = 0.0;
        for (part, refused) in self.parts.iter().zip(self.numbers.iter().skip(1)) {
            sum += reached.sum_of(|attempts| part.mean_of(attempts, found));
            let next = part.marked(&reached, refused, onward);
            let is_exact = part.is_small(&reached.normalised());
            reached = if is_exact { next } else { self.change.of_marked(&next, part) };
        }
        sum
    }
}

impl Change {
    /// A count is about as skewed as a Poisson one, whose third moment is its variance, or where it comes in clumps, so
    /// that its variance is greater than its mean, as a negative binomial one with twice that ratio.
    fn of(self, number: &Number, part: &Part) -> Number {
        let (mean, variance) = (number.mean(), number.variance());
        match self {
            Self::Skewness if mean > 0.0 && variance > 0.0 => {
                number.bent(3, (1.0 + 2.0 * variance / mean) / variance.sqrt())
            }
            Self::Nothing | Self::Skewness => number.clone(),
            Self::Variance => number.bent(2, PARTS / f64::from(part.buckets)),
        }
    }

    /// That a mean over the buckets is linear in the number that they refuse is right up to order 1/m_j as well.
    fn of_marked(self, number: &Number, part: &Part) -> Number {
        match self {
            Self::Nothing | Self::Skewness => number.clone(),
            Self::Variance => number.bent(2, PARTS / f64::from(part.buckets)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng};

    use super::*;
    use crate::Rng;

    /// What came of one table after the other: loads, attempts, refused elements, and full buckets met.
    struct Filled {
        loads: Vec<Vec<u32>>,
        read: f64,
        refused: f64,
    }

    fn filled(sizes: &[usize], arrivals: u64, (h, p): (u32, f64), rng: &mut Rng) -> Filled {
        let mut loads: Vec<Vec<u32>> = sizes.iter().map(|&size| vec![0; size]).collect();
        let (mut read, mut refused) = (0.0, arrivals as f64);
        for _ in 0..arrivals {
            for (table, size) in loads.iter_mut().zip(sizes) {
                read += 1.0;
                let load = &mut table[rng.random_range(0..*size)];
                if *load < h || *load == h && rng.random_bool(p) {
                    *load += 1;
                    refused -= 1.0;
                    break;
                }
            }
        }
        Filled { loads, read, refused }
    }

    /// Mean, variance and the standard error of the mean.
    fn moments(values: &[f64]) -> (f64, f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        (mean, variance, (variance / n).sqrt())
    }

    /// 20,000 fills of sub-tables of 20, 4 and 1 buckets: everything within 4.5 standard errors, with nothing left open.
    #[test]
    fn small_sub_tables_are_those_of_a_simulation() {
        let (sizes, arrivals, h, p) = ([20_usize, 4, 1], 75_u64, 3_u32, 0.4);
        let (expected, others) = Tried::all(arrivals, [20, 4, 1].into_iter(), (Some(h), p));
        assert!(others.is_empty());
        let full = |load: u32| f64::from(u8::from(load >= h));
        let trials = 20_000;
        let mut rng = Rng::seed_from_u64(11);
        let all: Vec<Filled> =
            (0..trials).map(|_| filled(&sizes, arrivals, (h, p), &mut rng)).collect();
        let check = |of: &dyn Fn(&Filled) -> f64, expected: f64| {
            let values: Vec<f64> = all.iter().map(of).collect();
            let (mean, _, error) = moments(&values);
            assert!((mean - expected).abs() < 4.5 * error + 1e-12, "{mean} ± {error}: {expected}");
        };
        for (j, law) in expected.laws().iter().enumerate() {
            for (load, p) in law.iter().enumerate() {
                let share = |own: &Filled| {
                    let at = own.loads[j].iter().filter(|&&own| own as usize == load).count();
                    at as f64 / sizes[j] as f64
                };
                check(&share, *p);
            }
        }
        check(&|own| own.read, expected.attempts());
        let share = |table: &Vec<u32>| {
            table.iter().map(|load| full(*load)).sum::<f64>() / table.len() as f64
        };
        let read = |own: &Filled| {
            let [first, second] = [0, 1].map(|j| share(&own.loads[j]));
            1.0 + first + first * second
        };
        check(&read, expected.of_look_up(&full, &|_| 1.0));
        let refused: Vec<f64> = all.iter().map(|own| own.refused).collect();
        let (mean, ..) = moments(&refused);
        check(&|own| (own.refused - mean).powi(2), expected.variance_of_refused());
    }

    /// Where a table is small enough, what a large one is taken for can be held against what it is: within what is said
    /// to be open, which is little.
    #[test]
    fn what_large_sub_tables_leave_open_is_enough() {
        for (sizes, arrivals, taking) in
            [([60_u32, 12, 2], 500_u64, (Some(7), 0.6)), ([60, 12, 2], 420, (Some(7), 0.3))]
        {
            let all = |few| {
                let parts = sizes.map(|buckets| Part { few, ..Part::new(buckets, taking) });
                let arriving = Number::certain(arrivals);
                let first = parts[0].refused(&arriving);
                [Change::Nothing, Change::Variance, Change::Skewness].map(|change| {
                    values(&Tried::new((&arriving, Some(first.clone())), &parts, change))
                })
            };
            let ([exact, ..], [found, wider, skewed]) = (all(f64::INFINITY), all(0.0));
            for (i, exact) in exact.iter().enumerate() {
                let open = (wider[i] - found[i]).abs() + (skewed[i] - found[i]).abs();
                let off = (found[i] - exact).abs();
                // Numbers are cut off six standard deviations from their mean.
                assert!(off <= open + 1e-7 * exact, "{sizes:?} {i}: {exact} {} {open}", found[i]);
            }
        }
    }

    fn values(tried: &Tried) -> Vec<f64> {
        let full = |load: u32| f64::from(u8::from(load >= 1));
        let mut values: Vec<f64> = tried.laws().into_iter().flatten().collect();
        values.extend([
            tried.attempts(),
            tried.variance_of_refused(),
            tried.of_look_up(&full, &|_| 1.0),
        ]);
        values
    }
}
