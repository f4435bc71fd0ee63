//! The law of the greatest load after n elements with one choice each.

use nalgebra::Complex;

use crate::math::complex;
use crate::math::depoissonised::depoissonised;
use crate::math::distribution::Distribution;
use crate::math::elementary::exp;

/// Terms so much smaller than their sum are left out.
const NEGLIGIBLE: f64 = 1e-19;

/// Probabilities above this have their digits when they are taken as the difference of another one to 1.
const NOT_RARE: f64 = 1e-3;

/// What is left of a law when it ends.
const END: f64 = 1e-15;

/// P(no bucket holds more than k of n elements), exactly: n!·m^(−n)·[z^n] (Σ_{j ≤ k} z^j/j!)^m.
///
/// With a Poisson number of elements, buckets are independent and the probability is a power. Its accuracy is absolute,
/// about 1e-12.
pub fn at_most(k: u32, elements: u32, buckets: u32) -> f64 {
    let m = f64::from(buckets);
    if f64::from(k) * m < f64::from(elements) {
        return 0.0;
    }
    if k >= elements {
        return 1.0;
    }
    let all = |mean: Complex<f64>| complex::exp(ln_held(mean / m, k) * m);
    depoissonised(elements.into(), all).clamp(0.0, 1.0)
}

/// P(some bucket holds more than k of n elements), with eight digits down to 1e-40.
///
/// 1 − (1 − q)^m with q = P(N > k) for Poisson N, where q is far below 1; the difference to [`at_most`] elsewhere.
pub fn exceeds(k: u32, elements: u32, buckets: u32) -> f64 {
    if k >= elements {
        return 0.0;
    }
    let likely = 1.0 - at_most(k, elements, buckets);
    if likely > NOT_RARE {
        return likely;
    }
    let m = f64::from(buckets);
    let some = |mean: Complex<f64>| match mean.norm_sqr() > 0.0 {
        true => -complex::exp_m1(complex::ln_1p(-beyond(mean / m, k)) * m),
        false => Complex::default(),
    };
    depoissonised(elements.into(), some)
}

/// ln P(N ≤ k) for Poisson N of this mean.
fn ln_held(mean: Complex<f64>, k: u32) -> Complex<f64> {
    let size = mean.norm_sqr().sqrt();
    if f64::from(k) < size {
        return complex::ln(held(mean, k));
    }
    complex::ln_1p(-beyond(mean, k))
}

/// e^(−x)·Σ_{j ≤ k} x^j/j!.
fn held(mean: Complex<f64>, k: u32) -> Complex<f64> {
    // In a scale in which no term is too large.
    let mut term = complex::exp(-mean);
    let mut sum = term;
    for j in 1..=k {
        term *= mean / f64::from(j);
        sum += term;
    }
    sum
}

/// e^(−x)·Σ_{j > k} x^j/j!.
fn beyond(mean: Complex<f64>, k: u32) -> Complex<f64> {
    let first = f64::from(k) + 1.0;
    let ln_first = complex::ln(mean) * first - mean - libm::lgamma(first + 1.0);
    let mut term = complex::exp(ln_first);
    let mut sum = term;
    let mut j = first;
    while term.norm_sqr() > NEGLIGIBLE * NEGLIGIBLE * sum.norm_sqr() {
        j += 1.0;
        term *= mean / j;
        sum += term;
    }
    sum
}

/// The whole law of the greatest load.
pub fn law(elements: u32, buckets: u32) -> Distribution {
    let first = elements.div_ceil(buckets);
    let mut below = 0.0;
    let mut probabilities = Vec::new();
    for k in first..=elements {
        let held = at_most(k, elements, buckets);
        probabilities.push((held - below).max(0.0));
        below = held;
        if 1.0 - held < END {
            break;
        }
    }
    Distribution::new(first, probabilities)
}

/// The law of the greatest load where buckets beyond a load are few and all but independent: with so many of them
/// expected there is none with probability e^(−expected). `occupancy` are the shares of buckets with 0, 1, … elements.
pub fn of_occupancy(occupancy: &[f64], buckets: u32) -> Distribution {
    let mut tail = 0.0;
    // The share of buckets beyond each load, summed from the far end.
    let mut beyond: Vec<f64> = occupancy
        .iter()
        .rev()
        .map(|share| {
            let above = tail;
            tail += share;
            above
        })
        .collect();
    beyond.reverse();
    let held = |share: &f64| exp(-share * f64::from(buckets));
    let mut below = 0.0;
    let differences = beyond.iter().map(held).map(|held| {
        let own = held - below;
        below = held;
        own
    });
    Distribution::new(0, differences.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bucket by bucket, sums of positive terms: the share of all m^n ways in which none holds more than k.
    fn summed(k: u32, elements: u32, buckets: u32) -> f64 {
        let n = elements as usize;
        let mut ways = vec![0.0; n + 1];
        ways[0] = 1.0;
        for _ in 0..buckets {
            let mut next = vec![0.0; n + 1];
            for (before, way) in ways.iter().enumerate() {
                let mut term = *way;
                for more in 0..=(k as usize).min(n - before) {
                    term /= if more == 0 { 1.0 } else { more as f64 * f64::from(buckets) };
                    next[before + more] += term;
                }
            }
            ways = next;
        }
        (1..=elements).fold(ways[n], |p, j| p * f64::from(j))
    }

    #[test]
    fn integral_is_the_sum_over_buckets() {
        for (elements, buckets) in [(1, 1), (5, 1), (2, 5), (30, 10), (50, 50), (100, 7), (40, 900)]
        {
            for k in 0..=elements.min(40) {
                let (found, expected) =
                    (at_most(k, elements, buckets), summed(k, elements, buckets));
                assert!(
                    (found - expected).abs() < 1e-11,
                    "{elements} {buckets} {k}: {found} {expected}"
                );
            }
        }
    }

    /// Bucket by bucket, sums of positive terms: the ways in which some bucket holds more than k, split by the first such
    /// one.
    fn summed_beyond(k: u32, elements: u32, buckets: u32) -> f64 {
        let n = elements as usize;
        let term = |more: usize| (1..=more).fold(1.0, |p, i| p / (i as f64 * f64::from(buckets)));
        let terms: Vec<f64> = (0..=n).map(term).collect();
        // Ways with every bucket so far at most k, and with some beyond.
        let mut ways = vec![[0.0; 2]; n + 1];
        ways[0][0] = 1.0;
        for _ in 0..buckets {
            let mut next = vec![[0.0; 2]; n + 1];
            for (before, [held, beyond]) in ways.iter().enumerate() {
                for more in 0..=n - before {
                    let is_beyond = more > k as usize;
                    next[before + more][usize::from(is_beyond)] += held * terms[more];
                    next[before + more][1] += beyond * terms[more];
                }
            }
            ways = next;
        }
        (1..=elements).fold(ways[n][1], |p, j| p * f64::from(j))
    }

    #[test]
    fn tails_keep_their_digits() {
        let mut least = 1.0_f64;
        for (elements, buckets) in [(5, 1), (2, 5), (30, 10), (50, 50), (90, 30), (40, 300)] {
            for k in 0..elements {
                let (found, expected) =
                    (exceeds(k, elements, buckets), summed_beyond(k, elements, buckets));
                let room = if expected > 1e-40 { 1e-8 } else { 0.1 };
                assert!(
                    (found / expected - 1.0).abs() < room,
                    "{elements} {buckets} {k}: {found} {expected}"
                );
                least = least.min(expected);
            }
        }
        assert!(least < 1e-40, "{least}");
        assert_eq!(exceeds(3, 3, 10), 0.0);
    }

    /// Π (1 − i/m): the birthday problem, in a large table.
    #[test]
    fn no_collision_is_a_birthday() {
        for (elements, buckets) in [(23, 365), (50, 2500), (1000, 1_000_000)] {
            let m = f64::from(buckets);
            let expected: f64 = (0..elements).map(|i| 1.0 - f64::from(i) / m).product();
            assert!((at_most(1, elements, buckets) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_law_sums_to_one() {
        for (elements, buckets) in
            [(1000, 1000), (1_000_000, 1_000_000), (100_000, 1000), (3, 1000)]
        {
            let law = law(elements, buckets);
            let sum: f64 = law.probabilities().iter().sum();
            assert!((sum - 1.0).abs() < 1e-11, "{elements} {buckets}: {sum}");
        }
    }

    /// Without rounding, as is measured.
    #[test]
    fn one_bucket_holds_everything() {
        for n in [1, 2, 5, 1000] {
            let law = law(n, 1);
            assert_eq!((law.mean(), law.at_least(n + 1)), (f64::from(n), 0.0));
        }
    }

    #[test]
    fn few_buckets_beyond_a_load_are_a_poisson_number() {
        let law = of_occupancy(&[0.5, 0.25, 0.25], 4);
        let expected =
            [(-2.0_f64).exp(), (-1.0_f64).exp() - (-2.0_f64).exp(), 1.0 - (-1.0_f64).exp()];
        for (found, expected) in law.probabilities().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}
