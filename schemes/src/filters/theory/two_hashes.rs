//! The partitioned filter whose choices follow from two values, exactly.
//!
//! Choice i of an element is `h1 + i·h2 + f(i) mod b` in the slice i of b bits. It is that of an absent key for
//! those i with `x + i·y ≡ 0`, where x and y are the differences of their values, uniform and independent: f is
//! of no effect. The errata on Section 3 of the document derive the formulas (docs/ERRATA.md).

use super::bins::covered;
use super::overlap::{MOST_PLACES, Meetings};
use crate::filters::params::Size;
use crate::math::divisors::{divisors, totient};
use crate::math::elementary::{exp, exp_m1, ln_1p};

/// The false positive probability of k slices of b bits.
pub(super) fn all_set(size: &Size) -> Option<f64> {
    let (n, b) = (f64::from(size.elements), u64::from(size.bits / size.choices));
    let is_prime = divisors(b).len() == 2;
    if is_prime && b >= size.choices.into() {
        return Some(of_prime_slices(n, b as f64, size.choices));
    }
    let within = size.choices as usize <= MOST_PLACES;
    within.then(|| meetings(size.choices, b).all_set(size.elements)).flatten()
}

/// An element with the very two values of the absent key sets all its places. Another one has one place in
/// common with it or none: it is a ball in one of b + 1 bins, k of which stand for the places.
fn of_prime_slices(n: f64, b: f64, choices: u32) -> f64 {
    let nobody_is_equal = n * ln_1p(-1.0 / (b * b));
    -exp_m1(nobody_is_equal) + exp(nobody_is_equal) * covered(choices as usize, n, b + 1.0)
}

/// How an element meets the places of an absent key: the values that meet two of them are counted.
fn meetings(choices: u32, b: u64) -> Meetings {
    let orders: Vec<(u64, f64)> =
        divisors(b).into_iter().map(|order| (order, totient(order) as f64)).collect();
    let all = b as f64 * b as f64;
    let slices = |set: usize| (0..u64::from(choices)).filter(move |i| set >> i & 1 == 1);
    let of_set = |set: usize| {
        let size = f64::from(set.count_ones());
        let fewer = |order: u64| size - remainders(slices(set), order);
        orders.iter().map(|(order, many)| many * fewer(*order)).sum::<f64>() / all
    };
    Meetings { per_place: 1.0 / b as f64, fewer: (0..1_usize << choices).map(of_set).collect() }
}

/// How many different remainders the numbers, which are below 64, leave.
fn remainders(numbers: impl Iterator<Item = u64>, modulus: u64) -> f64 {
    numbers.fold(0_u64, |seen, number| seen | 1 << (number % modulus)).count_ones().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enumerated(elements: u32, b: u64, choices: u64) -> f64 {
        let keys: Vec<u64> = (0..b * b)
            .map(|code| {
                let (first, step) = (code % b, code / b);
                (0..choices).fold(0, |set, i| set | 1 << (i * b + (first + i * step) % b))
            })
            .collect();
        let mut sets = vec![0_u64];
        for _ in 0..elements {
            sets = sets.iter().flat_map(|set| keys.iter().map(move |key| set | key)).collect();
        }
        let positive: usize =
            sets.iter().map(|set| keys.iter().filter(|&key| key & !set == 0).count()).sum();
        positive as f64 / (sets.len() * keys.len()) as f64
    }

    #[test]
    fn exact_values_are_those_of_all_outcomes() {
        for (elements, b, choices) in [
            (1, 1, 2),
            (2, 2, 3),
            (2, 4, 3),
            (2, 5, 3),
            (3, 3, 3),
            (2, 6, 4),
            (2, 7, 5),
            (1, 12, 5),
        ] {
            let size = Size { elements, bits: b * choices, choices };
            let expected = enumerated(elements, b.into(), choices.into());
            let found = all_set(&size).unwrap();
            assert!((found - expected).abs() < 1e-12, "{size:?}: {found} {expected}");
        }
    }

    /// Where both formulas hold they say the same.
    #[test]
    fn prime_slices_are_slices() {
        let general = meetings(6, 997).all_set(700).unwrap();
        let prime = of_prime_slices(700.0, 997.0, 6);
        assert!((general / prime - 1.0).abs() < 1e-11, "{general} {prime}");
    }
}
