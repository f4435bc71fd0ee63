//! Exponential times.

use rand::Rng as _;

use crate::Rng;
use crate::math::elementary::ln;

/// An exponential time of mean 1: the logarithm of a number in (0, 1].
pub(super) fn exponential(rng: &mut Rng) -> f64 {
    let number = ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    -ln(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Mean, second moment and the probability of exceeding 2, within four standard errors.
    #[test]
    fn exponential_times_are_exponential() {
        let mut rng = Rng::seed_from_u64(17);
        let times: Vec<f64> = (0..100_000).map(|_| exponential(&mut rng)).collect();
        let mean = |of: fn(f64) -> f64| times.iter().map(|&t| of(t)).sum::<f64>() / 1e5;
        let within = |found: f64, expected: f64, variance: f64| {
            assert!((found - expected).abs() < 4.0 * (variance / 1e5).sqrt(), "{found}");
        };
        within(mean(|t| t), 1.0, 1.0);
        within(mean(|t| t * t), 2.0, 20.0);
        let tail = (-2.0_f64).exp();
        within(mean(|t| f64::from(u8::from(t > 2.0))), tail, tail * (1.0 - tail));
    }
}
