//! Robin Hood hashing with linear probing: the elements of a cluster stand in the order of their hash values.
//!
//! Let C be how many elements pass from one slot to the next, having found it full, and X how many have the hash
//! value of a slot. The X elements are displaced by C, C + 1, …, C + X − 1 slots, and C + X − 1 of them or none pass
//! on. As every slot is like any other, C before a slot and C behind it have one law; hence the sums of the
//! displacements and of their squares over all elements have the means m·E(C) and m·E(C²).

use super::{linear, passing};
use crate::math::elementary::ln;

/// Slots read in a look-up of an absent key, n < m: it ends behind the elements that pass and those with its hash
/// value, E(C) + n/m + 1.
pub fn probes_per_miss(buckets: u32, elements: u32) -> f64 {
    let load = f64::from(elements) / f64::from(buckets);
    1.0 + load * linear::probes_per_hit(buckets, elements)
}

/// The limit of [`probes_per_miss`] at load α.
pub fn limit_of_misses(load: f64) -> f64 {
    1.0 + load * linear::limit_of_hits(load)
}

/// Mean square of the displacement of an element, (m/n)·E[C²]: ½·Q_1 − ⅔·Q_0 + ⅓ − ⅙·(1 − (n − 1)/m) at (m, n − 1). The
/// coefficients are those of the limit, in which C is the queue of an M/D/1 server; that the form is exact is not
/// proved here, but held against the law of C and against enumeration in tests.
fn mean_square(buckets: u32, elements: u32) -> f64 {
    let others = elements - 1;
    let empty = 1.0 - f64::from(others) / f64::from(buckets);
    0.5 * linear::q(1, buckets, others) - 2.0 / 3.0 * linear::q(0, buckets, others) + 1.0 / 3.0
        - empty / 6.0
}

/// Expected variance of the slots read over the elements of one table. `None` where digits are lost: see
/// [`linear::variance_of_mean`].
pub fn probe_variance(buckets: u32, elements: u32) -> Option<f64> {
    if elements == 1 {
        // Not the rounding of the sum below: the measured variance is 0 without any error.
        return Some(0.0);
    }
    let mean = linear::probes_per_hit(buckets, elements) - 1.0;
    let of_mean = linear::variance_of_mean(buckets, elements)?;
    Some(mean_square(buckets, elements) - mean * mean - of_mean)
}

/// The limit of [`probe_variance`]: x²/4 − x/6 + 1/12 − 1/(6x) with x = 1/(1 − α).
pub fn limit_of_variance(load: f64) -> f64 {
    let x = 1.0 / (1.0 - load);
    x * (0.25 * x - 1.0 / 6.0) + 1.0 / 12.0 - 1.0 / (6.0 * x)
}

/// How the longest search for an element grows with the number of slots at load α < 1, to the leading order: ln m/ln z, where
/// z^(−c) is how the probability falls that c elements pass a slot.
pub fn longest_order(load: f64, buckets: f64) -> f64 {
    ln(buckets) / ln(passing::decay(load))
}

#[cfg(test)]
mod tests {
    use super::super::passing::at_least;
    use super::*;

    /// The closed form beside the law of C.
    #[test]
    fn squares_are_those_of_the_law_of_what_passes() {
        for (m, n) in [(2, 2), (9, 7), (60, 20), (100, 90), (120, 120)] {
            let square: f64 = (1..n).map(|c| f64::from(2 * c - 1) * at_least(c, m, n)).sum();
            let expected = f64::from(m) / f64::from(n) * square;
            let found = mean_square(m, n);
            assert!(
                (found - expected).abs() < 1e-9 * expected.max(1.0),
                "{m}, {n}: {found} {expected}"
            );
        }
    }

    #[test]
    fn one_element_does_not_vary() {
        for m in [1, 2, 5, 1000] {
            assert_eq!(
                (probe_variance(m, 1), linear::probe_variance(m, 1)),
                (Some(0.0), Some(0.0))
            );
        }
    }

    #[test]
    fn large_tables_approach_the_limits() {
        let (m, n, load) = (100_000, 80_000, 0.8);
        let variance = probe_variance(m, n).unwrap() / limit_of_variance(load);
        let misses = probes_per_miss(m, n) / limit_of_misses(load);
        assert!(
            (variance - 1.0).abs() < 2e-3 && (misses - 1.0).abs() < 2e-4,
            "{variance} {misses}"
        );
    }
}
