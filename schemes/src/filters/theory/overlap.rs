//! Whether all places of an absent key are set, from the probabilities that an element sets none of some of them.

use crate::math::elementary::{exp, exp_m1, ln_1p, pow};

/// Places of a key up to which their subsets are gone through.
pub(super) const MOST_PLACES: usize = 16;

/// The relative error of a probability above which it is not given.
const MOST_ERROR: f64 = 1e-10;

/// How an element meets the places of an absent key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meetings {
    /// The probability that it sets one given place.
    pub(super) per_place: f64,
    /// For each subset of the places as a mask, by how much the probability that it sets at least one of them is less
    /// than as many times that of one. It is known to a relative error, which the probability itself would not keep.
    pub(super) fewer: Vec<f64>,
}

impl Meetings {
    /// Of an element with `all` values of which `each` set a given place, where so many values set exactly the
    /// places of each mask.
    pub(super) fn counted(owned: Vec<f64>, each: f64, all: f64) -> Self {
        let fewer = touched(owned).into_iter().enumerate();
        let fewer = fewer.map(|(set, hit)| (f64::from(set.count_ones()) * each - hit) / all);
        Self { per_place: each / all, fewer: fewer.collect() }
    }

    /// The probability that n independent elements set all places of the key.
    ///
    /// By inclusion and exclusion it is `Σ_T (−1)^|T|·(1 − hit_T)^n`. With `q = e^(−n·per_place)` that is
    /// `(1 − q)^K + Σ_T (−1)^|T|·q^|T|·(e^y_T − 1)`, where `y_T` is small: what cancels is left out. `None` where
    /// less than ten digits are left.
    pub(super) fn all_set(&self, elements: u32) -> Option<f64> {
        let n = f64::from(elements);
        let places = self.fewer.len().trailing_zeros();
        let independent = -n * self.per_place;
        let (mut sum, mut error) = (pow(-exp_m1(independent), places.into()), 0.0_f64);
        for (set, &fewer) in self.fewer.iter().enumerate() {
            let size = f64::from(set.count_ones());
            let hit = size * self.per_place - fewer;
            let more = if hit < 1.0 { exp_m1(n * (fewer + ln_1p_beyond(hit))) } else { -1.0 };
            let term = exp(size * independent) * more;
            sum += if set.count_ones() % 2 == 0 { term } else { -term };
            error = error.max(term.abs());
        }
        // Terms of sets of one size are off by the same part.
        let error = 4.0 * error * (1_u64 << places) as f64 * f64::EPSILON;
        (sum > 0.0 && error <= MOST_ERROR * sum).then_some(sum.min(1.0))
    }
}

/// ln(1 − x) + x, to a relative error.
fn ln_1p_beyond(x: f64) -> f64 {
    if x > 0.1 {
        return ln_1p(-x) + x;
    }
    let terms = (2..20).map(|i| -pow(x, i.into()) / f64::from(i));
    terms.rev().sum()
}

/// From the numbers of things that belong to exactly this set of places to the numbers that belong to at least
/// one place of a set.
fn touched(mut owned: Vec<f64>) -> Vec<f64> {
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
        let fewer = |set: u32| {
            let size = set.count_ones();
            f64::from(size) / 4.0 - (1.0 - 0.75_f64.powi(size as i32))
        };
        let meetings = Meetings { per_place: 0.25, fewer: (0..8).map(fewer).collect() };
        let expected = (1.0 - 0.75_f64.powi(10)).powi(3);
        assert!((meetings.all_set(10).unwrap() - expected).abs() < 1e-14);
    }

    /// Of sixteen places an element sets one at most: all are set as bins are covered by balls.
    #[test]
    fn few_elements_keep_their_digits() {
        let meetings = Meetings { per_place: 0.01, fewer: vec![0.0; 1 << 10] };
        let found = meetings.all_set(100).unwrap();
        let expected = super::super::bins::covered(10, 100.0, 100.0);
        assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
    }

    #[test]
    fn what_is_beyond_the_first_order_is_small() {
        for x in [1e-9_f64, 1e-3, 0.05, 0.099, 0.101, 0.5] {
            let expected: f64 = (2..400).map(|i| -x.powi(i) / f64::from(i)).sum();
            assert!((ln_1p_beyond(x) / expected - 1.0).abs() < 1e-13, "{x}");
        }
    }

    /// Ten places that are hardly ever set: nothing is left of the terms.
    #[test]
    fn what_cancels_is_not_given() {
        let fewer = (0..1024_u32).map(|set| 1e-9 * f64::from(set.count_ones().pow(2))).collect();
        assert_eq!(Meetings { per_place: 1e-4, fewer }.all_set(1), None);
    }
}
