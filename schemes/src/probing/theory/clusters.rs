//! Clusters of linear probing: the longest runs of slots that are not empty.

use super::blocks::{Blocks, begins};

/// A probability that is 1 but for what the integral may be off.
const NEARLY_CERTAIN: f64 = 1.0 - 1e-11;

/// An upper bound on the expected length of the longest cluster of n ≤ m − 2 elements: the sum over l of
/// the expected number of clusters of l slots or more, of each at most 1.
pub fn longest_at_most(buckets: u32, elements: u32) -> f64 {
    let (mut longer, mut bound) = (0.0, 0.0);
    for length in (1..=elements).rev() {
        longer += f64::from(buckets) * begins(length, buckets, elements);
        bound += f64::min(longer, 1.0);
    }
    bound
}

/// The probability that some cluster has at least so many slots: n elements in m > n slots. `None` where the integral over
/// blocks takes too long.
pub fn some_at_least(slots: u32, buckets: u32, elements: u32) -> Option<f64> {
    match slots {
        _ if slots > elements => Some(0.0),
        0 | 1 => Some(1.0),
        // All elements are in one cluster.
        _ if buckets == elements + 1 => Some(1.0),
        _ => {
            let mut blocks = Blocks::new(buckets, elements)?;
            (slots..=elements).for_each(|length| blocks.add(length, 1.0));
            Some(blocks.some())
        }
    }
}

/// The expected length of the longest cluster, likewise.
pub fn longest(buckets: u32, elements: u32) -> Option<f64> {
    if buckets <= elements + 1 {
        return Some(elements.into());
    }
    let mut blocks = Blocks::new(buckets, elements)?;
    let mut mean = 0.0;
    for length in (1..=elements).rev() {
        blocks.add(length, 1.0);
        let reached = blocks.some();
        if reached > NEARLY_CERTAIN {
            return Some(mean + f64::from(length));
        }
        mean += reached;
    }
    Some(mean)
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
