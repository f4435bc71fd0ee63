//! From a Poisson number of balls back to a given number.
//!
//! Where the number of balls is Poisson, bins are independent, and a probability has a simple form `g(mean)`.
//! Given n balls it is `n!·[z^n] e^z·g(z)`, which Cauchy's integral over a circle gives exactly: the
//! trapezoidal rule is only off by the coefficients of z^(n ± nodes), and on the circle through the saddle
//! point nothing cancels.

use nalgebra::Complex;

use super::complex;
use super::elementary::{exp, ln, ln_1p, sin, sin_cos};

/// Nodes per standard deviation of the number of balls: what is so far from n is below the last digit.
const REACH: f64 = 13.0;

/// Terms so much smaller than the first end the sum.
const NEGLIGIBLE: f64 = 1e-20;

/// The probability given n balls, if it is `poissonised(z)` for a Poisson number of mean z, continued to
/// complex means. `e^z·poissonised(z)` has coefficients that are not negative, as all such probabilities have.
/// Digits are lost where fewer balls could hardly do: k choices that all hit, after fewer than k balls.
pub(crate) fn depoissonised(balls: u64, poissonised: impl Fn(Complex<f64>) -> Complex<f64>) -> f64 {
    let n = balls as f64;
    if balls == 0 {
        return poissonised(Complex::new(0.0, 0.0)).re;
    }
    let radius = saddle(n, |mean| poissonised(mean.into()).re);
    let first = poissonised(radius.into()).re;
    if first == 0.0 {
        return 0.0;
    }
    // An odd number of nodes, the first of them on the real axis, the others in pairs.
    let pairs = ((REACH * n.sqrt()) as u64).max(10);
    let step = std::f64::consts::TAU / (2 * pairs + 1) as f64;
    let mut sum = 0.5;
    for angle in (1..=pairs).map(|node| node as f64 * step) {
        let (sin_angle, cos_angle) = sin_cos(angle);
        let turned = Complex::new(radius * cos_angle, radius * sin_angle);
        let half = sin(angle / 2.0);
        let kernel = Complex::new(-2.0 * radius * half * half, radius * sin_angle - n * angle);
        let term = complex::exp(kernel) * (poissonised(turned) / first);
        // Far from the real axis one factor vanishes, and the other may be too large for a double.
        let size = term.norm_sqr();
        if size.is_nan() || size <= NEGLIGIBLE * NEGLIGIBLE {
            break;
        }
        sum += term.re;
    }
    first * sum * step / std::f64::consts::PI / mass(n, radius)
}

/// Where `e^z·g(z)/z^n` is least on the real axis, about: `z·(1 + g'/g) = n`. The correction is small against n or
/// falls slowly, so that repeated substitution finds it.
fn saddle(n: f64, g: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 1e-4;
    (0..6).fold(n, |radius, _| {
        let (low, high) = (g(radius * (1.0 - STEP)), g(radius * (1.0 + STEP)));
        let slope = if low > 0.0 { ln(high / low) / (2.0 * STEP) } else { 0.0 };
        (n - slope).clamp(n / 20.0, n)
    })
}

/// The Poisson probability of n, `e^−r·r^n/n!`.
fn mass(n: f64, mean: f64) -> f64 {
    if n < 16.0 {
        return (1..=n as u32).fold(exp(-mean), |p, k| p * mean / f64::from(k));
    }
    let beyond = (mean - n) / n;
    let inverse = 1.0 / (n * n);
    let beyond_fifth = 1.0 / 1260.0 - inverse / 1680.0;
    let stirling = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * beyond_fifth)) / n;
    let exponent = -n * (beyond - ln_1p(beyond)) - stirling;
    exp(exponent) / (std::f64::consts::TAU * n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poisson_masses_are_those_of_the_definition() {
        for (n, mean) in [(1.0, 0.5), (15.0, 20.0), (16.0, 10.0), (40.0, 39.0)] {
            let ln_mass = n * f64::ln(mean) - mean - libm::lgamma(n + 1.0);
            assert!((mass(n, mean) / ln_mass.exp() - 1.0).abs() < 1e-12, "{n} {mean}");
        }
    }

    /// One given bin of b is empty: e^(−z/b), and (1 − 1/b)^n given n.
    #[test]
    fn an_empty_bin() {
        for (n, share) in [(0, 0.5), (1, 0.5), (2, 1e-3), (7, 0.1), (100, 1e-3), (1_000_000, 1e-5)]
        {
            let found = depoissonised(n, |z| complex::exp(-z * share));
            let expected = (n as f64 * (-share).ln_1p()).exp();
            assert!((found / expected - 1.0).abs() < 1e-12, "{n}: {found} {expected}");
        }
    }

    /// All balls in one of b bins, which only the lowest coefficient says: b^(1 − n) given n.
    #[test]
    fn a_probability_that_is_a_lowest_coefficient() {
        let all_together = |z: Complex<f64>| {
            let x = z / 50.0;
            (complex::exp(-z) * (x * x * x * x)) * (50.0 / 24.0)
        };
        let found = depoissonised(4, all_together);
        assert!((found / 50.0_f64.powi(-3) - 1.0).abs() < 1e-12, "{found}");
    }
}
