//! Expectations and bounds of FKS.

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
        // At least two pairs fail, and 1.2 are expected.
        assert!((good(4.0, 5.0, 8.0) - 0.4).abs() < 1e-12);
        assert!(good_ways as f64 / 625.0 > 0.4);
    }

    #[test]
    fn bounds_are_below() {
        for k in 1..50 {
            let (exact, bound) = (collision_free(k), collision_free_bound(k));
            assert!(bound <= exact && bound > 0.5, "{k}: {exact} {bound}");
        }
    }
}
