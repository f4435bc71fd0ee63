//! Errors of point queries to rows of counters whose columns are chosen independently.
//!
//! X is what the other flows add to the counter of a flow in one row. The rows are independent, so that the least of d
//! counters is too great by more than t with probability Pr(X > t)^d, and the mean of an error is the sum of Pr(error > t)
//! over t.

use std::collections::BTreeMap;

use super::Law;

/// From here on the probabilities of greater errors add nothing to their mean.
const NEGLIGIBLE: f64 = 1e-18;

/// How an estimate follows from the counters of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The least of them.
    Minimum,
    /// Their median; their number is odd.
    Median,
}

/// How flows meet in one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collisions {
    /// Probability that a flow is in the counter of another one, 1/w.
    pub probability: f64,
    /// Whether a flow that meets another one adds or subtracts its count with equal probability.
    pub random_sign: bool,
}

/// Means over hash functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Mean absolute error over flows.
    pub aae: f64,
    /// Mean relative error over flows.
    pub are: f64,
    /// Standard deviations of both, or somewhat more: two flows that meet err both, which at most doubles the variance of
    /// a mean of independent errors where few flows meet. Where many do, errors make up for each other.
    pub deviations: [f64; 2],
    /// Share of flows whose error is above the bound; 0 without one.
    pub exceeds: f64,
    /// Mean absolute error of an absent key.
    pub absent: f64,
    /// Standard deviation of the absolute error of an absent key.
    pub absent_deviation: f64,
    /// Probability that it is above the bound; 0 without one.
    pub absent_exceeds: f64,
}

impl Collisions {
    /// Value and probabilities of what a flow of this count adds to the counter of another one.
    fn term(&self, count: i64) -> (i64, f64, f64) {
        let p = self.probability;
        match (self.random_sign, count > 0) {
            (true, _) => (count.abs(), p / 2.0, p / 2.0),
            (false, true) => (count, p, 0.0),
            (false, false) => (-count, 0.0, p),
        }
    }

    /// The law of X of an absent key, with how many flows there are of each count.
    fn law(&self, flows: &BTreeMap<i64, u32>) -> Law {
        // Small counts first: as long as the law is narrow, a flow is added quickly.
        let mut sorted: Vec<_> = flows.iter().collect();
        sorted.sort_by_key(|(count, _)| count.abs());
        let mut law = Law::zero();
        for (&count, &number) in sorted {
            let (value, up, down) = self.term(count);
            (0..number).for_each(|_| law.add(value, up, down));
        }
        law
    }
}

/// The errors to expect of flows with these counts, of which none is 0, in d rows; `None` where
/// flows meet too often for the computation. An error above `bound` exceeds.
pub fn of_flows(
    counts: impl Iterator<Item = i64>,
    collisions: &Collisions,
    (rule, rows): (Rule, u32),
    bound: Option<f64>,
) -> Option<Expected> {
    let mut flows: BTreeMap<i64, u32> = BTreeMap::new();
    counts.for_each(|count| *flows.entry(count).or_default() += 1);
    let law = collisions.law(&flows);
    let of_absent = error(&law, rule, rows, bound);
    let [mut aae, mut are, mut exceeds] = [0.0; 3];
    let mut variances = [0.0; 2];
    for (&count, &number) in &flows {
        let (value, up, down) = collisions.term(count);
        let own = error(&law.without(value, up, down)?, rule, rows, bound);
        let (number, size) = (f64::from(number), count.abs() as f64);
        aae += number * own.mean;
        are += number * own.mean / size;
        exceeds += number * own.exceeds;
        variances[0] += number * own.variance;
        variances[1] += number * own.variance / (size * size);
    }
    let all = f64::from(flows.values().sum::<u32>()).max(1.0);
    Some(Expected {
        aae: aae / all,
        are: are / all,
        deviations: variances.map(|sum| (2.0 * sum).sqrt() / all),
        exceeds: exceeds / all,
        absent: of_absent.mean,
        absent_deviation: of_absent.variance.sqrt(),
        absent_exceeds: of_absent.exceeds,
    })
}

/// The absolute error of one key.
struct ErrorOfKey {
    mean: f64,
    variance: f64,
    /// Probability that it is above the bound; 0 without one.
    exceeds: f64,
}

/// The absolute error of a key where X has this law.
fn error(law: &Law, rule: Rule, rows: u32, bound: Option<f64>) -> ErrorOfKey {
    let of_rows = |p: f64| match rule {
        Rule::Minimum => power(p, rows),
        Rule::Median => median_exceeds(p, rows),
    };
    let tails = [law.above(), law.below()];
    // The mean of the square is the sum of (2t + 1)·Pr(error > t).
    let [mut mean, mut square] = [0.0; 2];
    for tail in &tails {
        let beyond = tail.iter().map(|&p| of_rows(p)).take_while(|p| *p > NEGLIGIBLE);
        let [mut of_tail, mut square_of_tail] = [0.0; 2];
        for (t, p) in (0_u32..).zip(beyond) {
            of_tail += p;
            square_of_tail += (2.0 * f64::from(t) + 1.0) * p;
        }
        mean += of_tail;
        square += square_of_tail;
    }
    let beyond = |t: f64| -> f64 {
        tails.iter().map(|tail| tail.get(t as usize).map_or(0.0, |&p| of_rows(p))).sum()
    };
    let variance = (square - mean * mean).max(0.0);
    ErrorOfKey { mean, variance, exceeds: bound.map_or(0.0, beyond) }
}

/// p to the power of a whole number, by squaring: a general power takes ten times as long, and there are many.
fn power(p: f64, mut exponent: u32) -> f64 {
    let (mut square, mut product) = (p, 1.0);
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= square;
        }
        square *= square;
        exponent /= 2;
    }
    product
}

/// The probability that the median of an odd number of independent values is beyond a point beyond which each of them is
/// with probability p: that more than half of them are.
pub fn median_exceeds(p: f64, rows: u32) -> f64 {
    let (p, d) = (p.min(1.0), f64::from(rows));
    let mut of_k = power(p, rows);
    let mut sum = of_k;
    if p == 0.0 {
        return 0.0;
    }
    // C(d, k)·p^k·(1 − p)^(d − k), from k = d down.
    for k in (rows / 2 + 1..rows).rev() {
        let k = f64::from(k);
        of_k *= (k + 1.0) / (d - k) * (1.0 - p) / p;
        sum += of_k;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of flows in a small sketch, by going through every way in which the other flows may meet a flow in each of
    /// three rows.
    fn enumerated(
        counts: &[i64],
        own: Option<usize>,
        columns: f64,
        rule: Rule,
        bound: i64,
    ) -> [f64; 3] {
        let others: Vec<i64> =
            (0..counts.len()).filter(|i| Some(*i) != own).map(|i| counts[i]).collect();
        let row = |met: usize| -> (i64, f64) {
            let is_met = |i: usize| met >> i & 1 == 1;
            let sum = (0..others.len()).filter(|&i| is_met(i)).map(|i| others[i]).sum();
            let p = (0..others.len())
                .map(|i| if is_met(i) { 1.0 / columns } else { 1.0 - 1.0 / columns })
                .product();
            (sum, p)
        };
        let ways = 1 << others.len();
        let [mut mean, mut square, mut exceeds] = [0.0; 3];
        for way in 0..ways * ways * ways {
            let rows = [way % ways, way / ways % ways, way / ways / ways].map(row);
            let p: f64 = rows.iter().map(|(_, p)| p).product();
            let mut sums = rows.map(|(sum, _)| sum);
            sums.sort_unstable();
            let error = sums[usize::from(rule == Rule::Median)].abs();
            mean += p * error as f64;
            square += p * (error * error) as f64;
            exceeds += if error > bound { p } else { 0.0 };
        }
        [mean, square - mean * mean, exceeds]
    }

    #[test]
    fn errors_are_those_of_all_ways_to_meet() {
        let cases = [(Rule::Minimum, [5, 2, 1, 1]), (Rule::Median, [5, -2, 1, -1])];
        for (rule, counts) in cases {
            let collisions = Collisions { probability: 0.25, random_sign: false };
            let all = of_flows(counts.into_iter(), &collisions, (rule, 3), Some(1.5)).unwrap();
            let each: Vec<[f64; 3]> =
                (0..4).map(|own| enumerated(&counts, Some(own), 4.0, rule, 1)).collect();
            let aae: f64 = each.iter().map(|[mean, ..]| mean / 4.0).sum();
            let size = |count: i64| count.abs() as f64;
            let are: f64 = each.iter().zip(counts).map(|([m, ..], c)| m / 4.0 / size(c)).sum();
            let exceeds: f64 = each.iter().map(|[.., p]| p / 4.0).sum();
            let variances = |by: &dyn Fn(i64) -> f64| -> f64 {
                each.iter().zip(counts).map(|([_, v, _], c)| v / (by(c) * by(c))).sum()
            };
            let deviations: [&dyn Fn(i64) -> f64; 2] = [&|_| 1.0, &size];
            let deviations = deviations.map(|by| (2.0 * variances(by)).sqrt() / 4.0);
            let [absent, variance, absent_exceeds] = enumerated(&counts, None, 4.0, rule, 1);
            let expected =
                [aae, are, deviations[0], deviations[1], exceeds, absent, absent_exceeds];
            let [of_aae, of_are] = all.deviations;
            let own =
                [all.aae, all.are, of_aae, of_are, all.exceeds, all.absent, all.absent_exceeds];
            assert!((all.absent_deviation - variance.sqrt()).abs() < 1e-12, "{rule:?}");
            for (own, expected) in own.iter().zip(expected) {
                assert!((own - expected).abs() < 1e-12, "{rule:?}: {own} {expected}");
            }
        }
    }

    #[test]
    fn the_median_of_three_exceeds_with_two_of_them() {
        let p: f64 = 0.3;
        let expected = 3.0 * p * p * (1.0 - p) + p * p * p;
        assert!((median_exceeds(p, 3) - expected).abs() < 1e-15);
        assert_eq!([median_exceeds(0.0, 5), median_exceeds(1.0, 5)], [0.0, 1.0]);
        assert_eq!(median_exceeds(0.25, 1), 0.25);
    }
}
