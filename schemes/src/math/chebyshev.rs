//! Polynomials through Chebyshev's nodes.

use crate::math::elementary::cos;

/// A polynomial on an interval, as a sum of Chebyshev polynomials.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chebyshev {
    low: f64,
    high: f64,
    coefficients: Vec<f64>,
}

impl Chebyshev {
    /// `n` nodes in increasing order.
    pub(crate) fn nodes(low: f64, high: f64, n: usize) -> Vec<f64> {
        let node = |i| (low + high) / 2.0 - (high - low) / 2.0 * cos(angle(i, n));
        (0..n).map(node).collect()
    }

    /// The polynomial with these values at the [`nodes`](Self::nodes).
    pub(crate) fn through(low: f64, high: f64, values: &[f64]) -> Self {
        let n = values.len();
        let coefficient = |j: usize| {
            let term = |(i, value): (usize, &f64)| value * cos(j as f64 * angle(n - 1 - i, n));
            let sum: f64 = values.iter().enumerate().map(term).sum();
            sum * if j == 0 { 1.0 } else { 2.0 } / n as f64
        };
        Self { low, high, coefficients: (0..n).map(coefficient).collect() }
    }

    /// The interval.
    pub(crate) fn domain(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// The greater one of the last two coefficients, about the error of the polynomial.
    pub(crate) fn last_terms(&self) -> f64 {
        self.coefficients.iter().rev().take(2).fold(0.0, |most, term| most.max(term.abs()))
    }

    /// The value at `x` and the first two derivatives, by the recursion
    /// `T_(j+1) = 2y·T_j − T_(j−1)` and its derivatives.
    pub(crate) fn derivatives(&self, x: f64) -> [f64; 3] {
        let scale = 2.0 / (self.high - self.low);
        let y = (x - self.low) * scale - 1.0;
        let (mut before, mut here) = ([y, 1.0, 0.0], [1.0, 0.0, 0.0]);
        let mut sum = [0.0; 3];
        for coefficient in &self.coefficients {
            for (sum, term) in sum.iter_mut().zip(here) {
                *sum += coefficient * term;
            }
            let next = [
                2.0 * y * here[0] - before[0],
                2.0 * (here[0] + y * here[1]) - before[1],
                2.0 * (2.0 * here[1] + y * here[2]) - before[2],
            ];
            (before, here) = (here, next);
        }
        [sum[0], sum[1] * scale, sum[2] * scale * scale]
    }
}

/// Of the node `i` of `n` from the upper end.
fn angle(i: usize, n: usize) -> f64 {
    std::f64::consts::PI * (i as f64 + 0.5) / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_an_exponential() {
        let nodes = Chebyshev::nodes(-1.0, 2.0, 16);
        let values: Vec<f64> = nodes.iter().map(|x| x.exp()).collect();
        let exponential = Chebyshev::through(-1.0, 2.0, &values);
        assert!(exponential.last_terms() < 1e-11);
        for x in [-1.0, -0.3, 0.0, 1.1, 2.0_f64] {
            for found in exponential.derivatives(x) {
                assert!((found / x.exp() - 1.0).abs() < 1e-8, "{x} {found}");
            }
        }
    }
}
