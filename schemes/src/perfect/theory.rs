//! Expectations and bounds of FKS.

use std::f64::consts::LN_2;

use crate::math::elementary::{exp2, ln};

/// E Σ nᵢ² where each pair of the n elements shares one of the m buckets with probability 1/m: n + n(n−1)/m.
///
/// Theorem 7.3.2 of the lecture notes, with m buckets.
pub fn squares(elements: f64, buckets: f64) -> f64 {
    elements + elements * (elements - 1.0) / buckets
}

/// A lower bound on the probability that Σ nᵢ² is below the limit, by Markov's inequality.
///
/// Σ nᵢ² − n is twice the number of pairs that collide, so that it fails where there are at least so many pairs as
/// bring it to the limit.
pub fn good(elements: f64, buckets: f64, limit: f64) -> f64 {
    let pairs = elements * (elements - 1.0) / (2.0 * buckets);
    let failing = ((limit - elements) / 2.0).ceil();
    if failing <= 0.0 { 0.0 } else { (1.0 - pairs / failing).max(0.0) }
}

/// Steps of the law of the loads beyond which it is not computed.
const MOST_STEPS: f64 = 5e7;

/// Elements beyond which its weights would not fit into a double.
const MOST_ELEMENTS: u32 = 500;

/// P(Σ nᵢ² > k) with independent choices, bucket by bucket: the ways to put so many elements into the buckets so far, by
/// the number of pairs that collide, and those with too many of them. All terms are positive, so that all digits hold
/// however small it is. `None` where it takes too long, or of more than 500 elements.
pub fn squares_exceed(elements: u32, buckets: u32, k: u64) -> Option<f64> {
    let n = elements as usize;
    // A bucket of l elements has l(l − 1)/2 pairs, each of which adds 2.
    let Some(beyond) = k.checked_sub(elements.into()).map(|sum| sum as usize / 2) else {
        return Some(1.0);
    };
    let states = f64::from(buckets) * n as f64 * (beyond + 1) as f64;
    let within = states * (2.0 * beyond as f64 + 1.0).sqrt().min(n as f64);
    let steps = within + f64::from(buckets) * (n * n) as f64 / 2.0;
    if steps > MOST_STEPS || elements > MOST_ELEMENTS {
        return None;
    }
    // All ways together weigh 1/n!, which is too small for a double: each element is weighted by about n/e, in a power
    // of two, by which no digit changes.
    let scale = exp2(((ln(elements.into()) - 1.0) / LN_2).round());
    let term =
        |load: usize| (1..=load).fold(1.0, |p, i| p * scale / (i as f64 * f64::from(buckets)));
    let terms: Vec<f64> = (0..=n).map(term).collect();
    let mut ways = Ways { within: vec![vec![0.0; beyond + 1]; n + 1], beyond: vec![0.0; n + 1] };
    ways.within[0][0] = 1.0;
    for _ in 0..buckets {
        ways = ways.with_a_bucket(&terms);
    }
    Some((1..=elements).fold(ways.beyond[n], |p, i| p * f64::from(i) / scale))
}

/// Weights of the ways to put elements into some buckets.
struct Ways {
    /// By the number of elements, and of pairs that collide.
    within: Vec<Vec<f64>>,
    /// By the number of elements, with more pairs than are counted.
    beyond: Vec<f64>,
}

impl Ways {
    /// The ways with one bucket more, which has so many elements with these weights.
    fn with_a_bucket(&self, terms: &[f64]) -> Self {
        let (n, most) = (self.beyond.len() - 1, self.within[0].len() - 1);
        let mut next = Self { within: vec![vec![0.0; most + 1]; n + 1], beyond: vec![0.0; n + 1] };
        for before in 0..=n {
            for (load, term) in terms[..=n - before].iter().enumerate() {
                let own = load * load.saturating_sub(1) / 2;
                let fits = (most + 1).saturating_sub(own);
                let (held, over) = self.within[before].split_at(fits);
                let to = &mut next.within[before + load];
                held.iter().zip(to.iter_mut().skip(own)).for_each(|(p, to)| *to += p * term);
                let over = over.iter().sum::<f64>() + self.beyond[before];
                next.beyond[before + load] += over * term;
            }
        }
        next
    }
}

/// The probability that k elements do not collide in k² places: Π_{j < k} (1 − j/k²).
pub fn collision_free(elements: u32) -> f64 {
    let places = f64::from(elements) * f64::from(elements);
    (0..elements).map(|j| 1.0 - f64::from(j) / places).product()
}

/// Its lower bound where pairs collide with probability at most 1/k²: 1 − k(k−1)/2k².
///
/// Lemma 7.3.1 of the lecture notes with the pairs counted once; see docs/ERRATA.md.
pub fn collision_free_bound(elements: u32) -> f64 {
    let k = f64::from(elements);
    1.0 - (k - 1.0) / (2.0 * k)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to put three elements into nine places, and the pairs of four in five buckets.
    #[test]
    fn values_are_those_of_all_ways() {
        let places = |way: usize| [way % 9, way / 9 % 9, way / 81];
        let free = (0..729).map(places).filter(|[a, b, c]| a != b && a != c && b != c).count();
        assert!((collision_free(3) - free as f64 / 729.0).abs() < 1e-15);
        let (mut sum, mut good_ways) = (0, 0);
        for way in 0..625 {
            let mut loads = [0; 5];
            (0..4).for_each(|element| loads[way / 5_usize.pow(element) % 5] += 1);
            let squares: usize = loads.iter().map(|load| load * load).sum();
            sum += squares;
            good_ways += usize::from(squares < 8);
        }
        assert!((squares(4.0, 5.0) - sum as f64 / 625.0).abs() < 1e-12);
        let bad = squares_exceed(4, 5, 7).unwrap();
        assert!((bad - (1.0 - good_ways as f64 / 625.0)).abs() < 1e-14);
        assert_eq!(squares_exceed(4, 5, 3), Some(1.0));
        // At least two pairs fail, and 1.2 are expected.
        assert!((good(4.0, 5.0, 8.0) - 0.4).abs() < 1e-12);
        assert!(good_ways as f64 / 625.0 > 0.4);
    }

    /// Only all elements in one bucket have the greatest sum: m^(1 − n).
    #[test]
    fn the_rarest_sum_is_one_bucket() {
        let found = squares_exceed(12, 9, 144).unwrap();
        assert_eq!(found, 0.0);
        let found = squares_exceed(12, 9, 143).unwrap();
        assert!((found * 9.0_f64.powi(11) - 1.0).abs() < 1e-12, "{found}");
        assert_eq!(squares_exceed(5000, 5000, 20_000), None);
    }

    /// 1/n! is no double from 171 elements on: the birthday problem, in tables in which collisions are nearly certain.
    #[test]
    fn many_elements_keep_their_weights() {
        for (elements, buckets) in [(40, 400), (171, 1500), (250, 300)] {
            let m = f64::from(buckets);
            let free = (0..elements).map(|i| 1.0 - f64::from(i) / m).product::<f64>();
            let found = squares_exceed(elements, buckets, elements.into()).unwrap();
            assert!((found - (1.0 - free)).abs() < 1e-11, "{elements}: {found} {free}");
        }
        assert_eq!(squares_exceed(501, 100, 501), None);
    }

    #[test]
    fn bounds_are_below() {
        for k in 1..50 {
            let (exact, bound) = (collision_free(k), collision_free_bound(k));
            assert!(bound <= exact && bound > 0.5, "{k}: {exact} {bound}");
        }
    }
}
