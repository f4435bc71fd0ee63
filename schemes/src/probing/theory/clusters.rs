//! Clusters of linear probing: the longest runs of slots that are not empty.

use libm::lgamma;

use crate::math::elementary::{exp, ln};

/// An upper bound on the expected length of the longest cluster of n ≤ m − 2 elements: the sum over l of
/// the expected number of clusters of l slots or more, of each at most 1.
///
/// A cluster of exactly l slots begins at a given slot with probability
/// C(n, l)·(l + 1)^(l − 1)·(m − n − 1)·(m − l − 1)^(n − l − 1)/mⁿ: Knuth, "The Art of Computer Programming", volume 3,
/// Section 6.4, the proof of Theorem K.
pub fn longest_at_most(buckets: u32, elements: u32) -> f64 {
    let (mut longer, mut bound) = (0.0, 0.0);
    for length in (1..=elements).rev() {
        longer += f64::from(buckets) * begins(length, buckets, elements);
        bound += f64::min(longer, 1.0);
    }
    bound
}

/// The probability that a cluster of exactly this length begins at a given slot.
fn begins(length: u32, buckets: u32, elements: u32) -> f64 {
    let [m, n, l] = [buckets, elements, length].map(f64::from);
    let ways = lgamma(n + 1.0) - lgamma(l + 1.0) - lgamma(n - l + 1.0);
    let inside = (l - 1.0) * ln(l + 1.0);
    let outside = ln(m - n - 1.0) + (n - l - 1.0) * ln(m - l - 1.0);
    exp(ways + inside + outside - n * ln(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element is in one cluster.
    #[test]
    fn all_elements_are_in_clusters() {
        for (m, n) in [(3, 1), (10, 8), (500, 450)] {
            let each = (1..=n).map(|l| f64::from(l) * begins(l, m, n) * f64::from(m));
            assert!((each.sum::<f64>() - f64::from(n)).abs() < 1e-9 * f64::from(n), "{m}, {n}");
        }
    }
}
