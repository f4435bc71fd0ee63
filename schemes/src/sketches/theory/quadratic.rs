//! Errors of rows whose columns are h1 + j·h2 mod w, both drawn independently from x ↦ a + c·x + x² mod w.
//!
//! Keys x ≠ y meet in row j where (x − y)·(c1 + j·c2 + (1 + j)(x + y)) = 0 mod w: with each y there meets at most one x. With
//! x_j the one of row j, x_0 and x_1 decide c1 and c2 and thereby all others,
//!
//! x_j = ((1 − j)·x_0 + 2j·x_1)/(1 + j) mod w,
//!
//! whatever y is. All pairs (x_0, x_1) of keys modulo w are equally likely, so that the error is known from those in which
//! every x_j is a flow of the stream.

use super::Expected;
use crate::math::divisors::inverse;

/// Rows and columns, d and w: w is a prime greater than d, and d is at least 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuadraticRows {
    /// d.
    pub rows: u32,
    /// w.
    pub columns: u32,
}

impl QuadraticRows {
    /// The errors to expect of keys 0, 1, … with these counts, none negative, where an error above `bound` exceeds. Errors
    /// of an absent key are those of any key below w behind them.
    pub fn of_flows(&self, counts: &[i64], bound: Option<f64>) -> Expected {
        let flows: Vec<u64> =
            (0..).zip(counts).filter(|(_, count)| **count != 0).map(|(flow, _)| flow).collect();
        let steps = self.steps();
        let relative = |flow: u64| 1.0 / counts[flow as usize] as f64;
        let of_all: f64 = flows.iter().copied().map(relative).sum();
        let mut sums =
            Expected { aae: 0.0, are: 0.0, exceeds: 0.0, absent: 0.0, absent_exceeds: 0.0 };
        let mut met = Vec::with_capacity(self.rows as usize);
        for &first in &flows {
            for &second in &flows {
                let Some(least) = self.met_in_all(&steps, [first, second], counts, &mut met) else {
                    continue;
                };
                let exceeds = f64::from(u8::from(bound.is_some_and(|bound| least > bound)));
                met.sort_unstable();
                met.dedup();
                // A flow that is asked for does not meet itself.
                let others = (flows.len() - met.len()) as f64;
                sums.absent += least;
                sums.absent_exceeds += exceeds;
                sums.aae += others * least;
                sums.exceeds += others * exceeds;
                sums.are += (of_all - met.iter().copied().map(relative).sum::<f64>()) * least;
            }
        }
        self.means(&sums, flows.len())
    }

    /// What x_0 and x_1 are multiplied by for each x_j behind them.
    fn steps(&self) -> Vec<[u64; 2]> {
        let w = u64::from(self.columns);
        let of_row = |j: u64| {
            let by_rows = inverse(1 + j, w);
            [(w + 1 - j) * by_rows % w, 2 * j * by_rows % w]
        };
        (2..u64::from(self.rows)).map(of_row).collect()
    }

    /// Puts the flows that are met in the rows into `met`, and gives the least of their counts; `None` where one of the
    /// keys is none of the flows.
    fn met_in_all(
        &self,
        steps: &[[u64; 2]],
        [first, second]: [u64; 2],
        counts: &[i64],
        met: &mut Vec<u64>,
    ) -> Option<f64> {
        let w = u64::from(self.columns);
        met.clear();
        met.extend([first, second]);
        met.extend(steps.iter().map(|[a, b]| (a * first + b * second) % w));
        let count = |flow: &u64| counts.get(*flow as usize).copied().filter(|count| *count != 0);
        met.iter()
            .map(count)
            .try_fold(i64::MAX, |least, own| Some(least.min(own?)))
            .map(|own| own as f64)
    }

    /// Sums over all pairs as means over hash functions and flows.
    fn means(&self, sums: &Expected, flows: usize) -> Expected {
        let pairs = f64::from(self.columns) * f64::from(self.columns);
        let of_flows = |sum: f64| sum / pairs / (flows as f64).max(1.0);
        Expected {
            aae: of_flows(sums.aae),
            are: of_flows(sums.are),
            exceeds: of_flows(sums.exceeds),
            absent: sums.absent / pairs,
            absent_exceeds: sums.absent_exceeds / pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean error and probability to exceed 2 of one key, by filling the rows for every c1 and c2.
    fn enumerated(rows: QuadraticRows, counts: &[i64], asked: u64) -> [f64; 2] {
        let QuadraticRows { rows, columns } = rows;
        let (d, w) = (u64::from(rows), u64::from(columns));
        let [mut mean, mut exceeds] = [0.0; 2];
        for c in 0..w * w {
            let column = |j: u64, x: u64| {
                let of = |slope: u64| slope * x + x * x;
                (of(c / w) + j * of(c % w)) % w
            };
            let in_row = |j: u64| -> i64 {
                let others = (0..).zip(counts).filter(|(x, _)| *x != asked);
                others.filter(|(x, _)| column(j, *x) == column(j, asked)).map(|own| own.1).sum()
            };
            let error = (0..d).map(in_row).min().unwrap();
            mean += error as f64 / (w * w) as f64;
            exceeds += f64::from(u8::from(error > 2)) / (w * w) as f64;
        }
        [mean, exceeds]
    }

    #[test]
    fn errors_are_those_of_all_functions() {
        let counts = [3, 1, 4, 0, 5, 2, 6, 5, 3];
        for (d, w) in [(2, 11), (3, 11), (4, 13), (5, 11)] {
            let rows = QuadraticRows { rows: d, columns: w };
            let own = rows.of_flows(&counts, Some(2.5));
            let flows: Vec<usize> = (0..9).filter(|&flow| counts[flow] != 0).collect();
            let each: Vec<[f64; 2]> =
                flows.iter().map(|&flow| enumerated(rows, &counts, flow as u64)).collect();
            let mean = |of: &dyn Fn(usize) -> f64| {
                (0..flows.len()).map(of).sum::<f64>() / flows.len() as f64
            };
            let [absent, absent_exceeds] = enumerated(rows, &counts, 9);
            let [other, _] = enumerated(rows, &counts, 10);
            assert!((other - absent).abs() < 1e-12, "absent keys are alike: {other} {absent}");
            let expected = [
                mean(&|i| each[i][0]),
                mean(&|i| each[i][0] / counts[flows[i]] as f64),
                mean(&|i| each[i][1]),
                absent,
                absent_exceeds,
            ];
            let own = [own.aae, own.are, own.exceeds, own.absent, own.absent_exceeds];
            for (own, expected) in own.into_iter().zip(expected) {
                assert!((own - expected).abs() < 1e-12, "{d} {w}: {own} {expected}");
            }
        }
    }
}
