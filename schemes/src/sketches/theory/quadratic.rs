//! Great errors of rows whose columns are h1 + j·h2 mod w, both drawn independently from x ↦ a + c·x + x² mod w.
//!
//! Keys x ≠ y meet in row j where (x − y)·(c1 + j·c2 + (1 + j)(x + y)) = 0 mod w: with each y there meets at most one x. With
//! x_j the one of row j, x_0 and x_1 decide c1 and c2 and thereby all others,
//!
//! x_j = ((1 − j)·x_0 + 2j·x_1)/(1 + j) mod w,
//!
//! whatever y is. All pairs (x_0, x_1) modulo w are equally likely, so that the probability of a great error is known from those in
//! which every x_j is a flow with a great count.

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
    /// The probability that the estimate of an absent key is too great by more than `bound`, where keys 0, 1, … have these
    /// counts, none negative: that of any key below w behind them. With it the mean of that probability over the flows
    /// with a count.
    pub fn exceeds(&self, counts: &[i64], bound: f64) -> [f64; 2] {
        let w = u64::from(self.columns);
        let steps = self.steps();
        let is_great = |flow: u64| counts.get(flow as usize).is_some_and(|own| *own as f64 > bound);
        let great: Vec<u64> = (0..counts.len() as u64).filter(|flow| is_great(*flow)).collect();
        let flows = counts.iter().filter(|count| **count != 0).count();
        let [mut absent, mut of_flows] = [0_u64; 2];
        let mut met = Vec::with_capacity(self.rows as usize);
        for &first in &great {
            for &second in &great {
                met.clear();
                met.extend([first, second]);
                met.extend(steps.iter().map(|[a, b]| (a * first + b * second) % w));
                if met.iter().all(|flow| is_great(*flow)) {
                    met.sort_unstable();
                    met.dedup();
                    absent += 1;
                    // A flow that is asked for does not meet itself.
                    of_flows += (flows - met.len()) as u64;
                }
            }
        }
        let share = |of: u64| of as f64 / (w * w) as f64;
        [share(absent), share(of_flows) / (flows as f64).max(1.0)]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often the error of a key is above 2, by filling the rows for every c1 and c2.
    fn enumerated(rows: QuadraticRows, counts: &[i64], asked: u64) -> f64 {
        let (d, w) = (u64::from(rows.rows), u64::from(rows.columns));
        let exceeds = |c: &u64| {
            let column = |j: u64, x: u64| {
                let of = |slope: u64| slope * x + x * x;
                (of(c / w) + j * of(c % w)) % w
            };
            let in_row = |j: u64| -> i64 {
                let others = (0..).zip(counts).filter(|(x, _)| *x != asked);
                others.filter(|(x, _)| column(j, *x) == column(j, asked)).map(|own| own.1).sum()
            };
            (0..d).map(in_row).min().unwrap() > 2
        };
        (0..w * w).filter(exceeds).count() as f64 / (w * w) as f64
    }

    #[test]
    fn probabilities_are_those_of_all_functions() {
        let counts = [3, 1, 4, 0, 5, 2, 6, 5, 3];
        let flows: Vec<u64> = (0..9).filter(|&flow| counts[flow as usize] != 0).collect();
        for (d, w) in [(2, 11), (3, 11), (4, 13), (5, 11)] {
            let rows = QuadraticRows { rows: d, columns: w };
            let each = flows.iter().map(|&flow| enumerated(rows, &counts, flow));
            let of_flows = each.sum::<f64>() / flows.len() as f64;
            let own = rows.exceeds(&counts, 2.0);
            for absent in [9, 10] {
                let expected = [enumerated(rows, &counts, absent), of_flows];
                for (own, expected) in own.into_iter().zip(expected) {
                    assert!((own - expected).abs() < 1e-12, "{d} {w}: {own} {expected}");
                }
            }
            assert!(own[0] > 0.0 && own[0] > own[1]);
        }
    }
}
