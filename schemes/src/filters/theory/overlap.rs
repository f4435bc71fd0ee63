//! Whether all places of an absent key are set, from the probabilities that an element sets none of some of them.

use crate::math::elementary::{exp, ln_1p};

/// Places of a key up to which their subsets are gone through.
pub(super) const MOST_PLACES: usize = 16;

/// The relative error of a probability above which it is not given.
const MOST_ERROR: f64 = 1e-10;

/// The probability that n independent elements set all places of a key.
///
/// `hit` has, for each subset of the places as a mask, the probability that an element sets at least one of
/// them. By inclusion and exclusion the probability is `Σ_T (−1)^|T|·(1 − hit_T)^n`. `None` where the terms
/// cancel so far that less than ten digits are left.
pub(super) fn all_set(hit: &[f64], elements: u32) -> Option<f64> {
    let n = f64::from(elements);
    let (mut sum, mut lost, mut error) = (0.0_f64, 0.0, 0.0);
    for (places, hit) in hit.iter().enumerate() {
        let exponent = n * ln_1p(-hit);
        let none = if *hit < 1.0 { exp(exponent) } else { 0.0 };
        let term = if places.count_ones() % 2 == 0 { none } else { -none };
        error += none * (2.0 + exponent.abs().min(1e3)) * f64::EPSILON;
        // Neumaier's summation: what each addition rounds off is added up apart.
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    let probability = sum + lost;
    (probability > 0.0 && error <= MOST_ERROR * probability).then_some(probability.min(1.0))
}

/// From the numbers of things that belong to exactly this set of places to the numbers that belong to at least
/// one place of a set.
pub(super) fn touched(mut owned: Vec<f64>) -> Vec<f64> {
    let all: f64 = owned.iter().sum();
    let places = owned.len().trailing_zeros();
    for place in 0..places {
        let bit = 1_usize << place;
        for set in (0..owned.len()).filter(|set| set & bit != 0) {
            owned[set] += owned[set ^ bit];
        }
    }
    let within = owned;
    let everything = within.len() - 1;
    (0..within.len()).map(|set| all - within[everything ^ set]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted_once() {
        // One that belongs to both places, three to the first, five to the second, seven to none.
        assert_eq!(touched(vec![7.0, 3.0, 5.0, 1.0]), [0.0, 4.0, 6.0, 9.0]);
    }

    /// Three independent places, each set by an element with probability 1/4.
    #[test]
    fn independent_places_multiply() {
        let hit: Vec<f64> =
            (0..8_u32).map(|set| 1.0 - 0.75_f64.powi(set.count_ones() as i32)).collect();
        let expected = (1.0 - 0.75_f64.powi(10)).powi(3);
        assert!((all_set(&hit, 10).unwrap() - expected).abs() < 1e-14);
    }

    /// Ten places that are hardly ever set: the terms of size 1 leave nothing.
    #[test]
    fn what_cancels_is_not_given() {
        let hit: Vec<f64> = (0..1024_u32).map(|set| 1e-4 * f64::from(set.count_ones())).collect();
        assert_eq!(all_set(&hit, 1), None);
    }
}
