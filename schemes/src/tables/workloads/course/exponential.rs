//! Exponential times.

use crate::Rng;
use rand::Rng as _;

/// An exponential time of mean 1, by comparisons alone (von Neumann, "Various Techniques Used in
/// Connection With Random Digits", 1951): a logarithm may differ in its last bit from machine to
/// machine.
///
/// A first number x is followed by k falling ones with probability xᵏ/k! − xᵏ⁺¹/(k + 1)!, hence by an
/// even number of them with e⁻ˣ.
pub(super) fn exponential(rng: &mut Rng) -> f64 {
    let mut whole = 0.0;
    loop {
        let first = unit(rng);
        if falls_evenly(first, rng) {
            return whole + first;
        }
        whole += 1.0;
    }
}

fn falls_evenly(first: f64, rng: &mut Rng) -> bool {
    let (mut last, mut even) = (first, true);
    loop {
        let next = unit(rng);
        if next >= last {
            return even;
        }
        (last, even) = (next, !even);
    }
}

/// A number in [0, 1).
fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
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
