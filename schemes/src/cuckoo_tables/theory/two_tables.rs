//! Two choices of single slots, one in each of two tables: the probability that all elements find a place, exact for
//! finite n and m.

use nalgebra::Complex;

use crate::math::complex;
use crate::math::elementary::{cos, exp, ln, pow, sin};

/// Points on each circle of integration: so many for the square root of a table's buckets, and so many more.
const POINTS: (f64, f64) = (16.0, 64.0);

/// Logarithm, below that of the greatest, from which on values are left out.
const NEGLIGIBLE: f64 = -45.0;

/// Mean of the integrand, as a share of its greatest value, below which rounding shows.
const LEAST_MEAN: f64 = 1e-8;

/// Probability that n elements with one choice in each of two tables of a buckets all find a place; `None` where the
/// tables are so crowded that it is not computed to seven digits.
///
/// Components of a bipartite graph without an excess are trees, of which there are N = 2a − n, or have one cycle:
/// `n!·(a!)²/(N!·a^(2n))·[u^a v^a] (u + v − uv)^N·(1 − uv)^(1/2)·e^(a(u + v))`, by the inversion formula of Lagrange and
/// Good from Drmota and Kutzelnigg, "A Precise Analysis of Cuckoo Hashing". The coefficient is Cauchy's integral over two
/// circles through the saddle point, by the trapezoidal rule; the time is proportional to a.
pub fn success(elements: u32, table: u32) -> Option<f64> {
    if elements == 0 || elements > 2 * table {
        return Some(if elements == 0 { 1.0 } else { 0.0 });
    }
    let (n, a) = (f64::from(elements), f64::from(table));
    // The saddle point, but not beyond the branch point.
    let radius = (n / a).min(1.0 - 0.5 * pow(a, -1.0 / 3.0));
    let integrand = Integrand { trees: 2.0 * a - n, a, radius };
    let points = (POINTS.0 * a.sqrt() + POINTS.1).ceil();
    let mean = integrand.mean(points as usize);
    let factor = ln_factorial(elements) + 2.0 * ln_factorial(table)
        - ln_factorial(2 * table - elements)
        - 2.0 * n * ln(a)
        - 2.0 * a * ln(radius);
    (mean > LEAST_MEAN).then(|| exp(factor + integrand.ln_greatest()) * mean)
}

/// The function of u and v on circles of this radius, divided by its value at the real point.
struct Integrand {
    trees: f64,
    a: f64,
    radius: f64,
}

impl Integrand {
    /// The logarithm of the value at the real point.
    fn ln_greatest(&self) -> f64 {
        let Self { trees, a, radius } = *self;
        trees * ln(radius * (2.0 - radius)) + 0.5 * ln(1.0 - radius * radius) + 2.0 * a * radius
    }

    /// The mean over so many points of each circle, times `u^(−a)·v^(−a)` at angles alone. Of two conjugate values one
    /// is computed.
    fn mean(&self, points: usize) -> f64 {
        let angle = |i: usize| std::f64::consts::TAU * i as f64 / points as f64;
        let circle: Vec<[f64; 3]> = (0..points).map(angle).map(|t| [t, cos(t), sin(t)]).collect();
        let mut sum = 0.0;
        for (i, first) in circle.iter().enumerate().take(points / 2 + 1) {
            let weight = if i == 0 || 2 * i == points { 1.0 } else { 2.0 };
            sum += weight * circle.iter().map(|second| self.value(first, second)).sum::<f64>();
        }
        sum / (points * points) as f64
    }

    /// The real part at two points, each with the angle, its cosine and its sine.
    fn value(&self, first: &[f64; 3], second: &[f64; 3]) -> f64 {
        let Self { trees, a, radius } = *self;
        let exponent = a * radius * (first[1] + second[1]);
        // `|u + v − uv|` is at most this, so that most points need no logarithm.
        let most = trees * ln(radius * (2.0 + radius)) + 2.0_f64.sqrt() + exponent;
        if most - self.ln_greatest() < NEGLIGIBLE {
            return 0.0;
        }
        let [u, v] = [first, second].map(|p| Complex::new(radius * p[1], radius * p[2]));
        let one = Complex::new(1.0, 0.0);
        let ln_value =
            complex::ln(u + v - u * v) * trees + complex::ln(one - u * v) * 0.5 + (u + v) * a
                - Complex::new(self.ln_greatest(), a * (first[0] + second[0]));
        if ln_value.re < NEGLIGIBLE { 0.0 } else { exp(ln_value.re) * cos(ln_value.im) }
    }
}

fn ln_factorial(k: u32) -> f64 {
    (2..=k).map(|i| ln(f64::from(i))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::super::forest::Forest;
    use super::*;

    /// Share of all choices without an excess.
    fn counted(n: u32, a: u32) -> f64 {
        let outcomes = u64::from(a).pow(2 * n);
        let mut forest = Forest::new(2 * a);
        let mut placed = 0.0;
        for outcome in 0..outcomes {
            forest.clear();
            let digit = |i: u32| (outcome / u64::from(a).pow(i) % u64::from(a)) as u32;
            for i in 0..n {
                forest.join(digit(2 * i), a + digit(2 * i + 1));
            }
            placed += f64::from(u8::from(forest.excess() == 0));
        }
        placed / outcomes as f64
    }

    #[test]
    fn agrees_with_all_choices() {
        for (n, a) in [(1, 1), (2, 1), (3, 2), (4, 2), (3, 3), (5, 3), (4, 4), (3, 8)] {
            let (found, expected) = (success(n, a).unwrap(), counted(n, a));
            assert!((found - expected).abs() < 1e-10, "n {n} a {a}: {found} {expected}");
        }
        assert_eq!((success(0, 3), success(7, 3)), (Some(1.0), Some(0.0)));
    }

    /// Below a load of a half failure is of order 1/a, and at a half it is of order 1.
    #[test]
    fn larger_tables_fail_in_proportion() {
        let failure = |n: u32, a: u32| 1.0 - success(n, a).unwrap();
        let ratio = failure(60, 150) / failure(120, 300);
        assert!((1.7..2.0).contains(&ratio), "{ratio}");
        assert!(failure(200, 200) > 0.1 && failure(200, 200) < 0.5, "{}", failure(200, 200));
    }
}
