//! Linear probing: n elements in m slots in a circle, all mⁿ sequences of hash values equally likely.
//!
//! The expectations are made of Q_r(m, n) = Σ_k C(r + k, k)·n(n − 1)…(n − k + 1)/m^k, of Knuth, "The Art of Computer
//! Programming", volume 3, Section 6.4, Theorem K. Its limit is (1 − α)^(−r − 1).

use crate::math::elementary::ln;

/// Q_r(m, n).
pub fn q(r: u32, buckets: u32, elements: u32) -> f64 {
    let (r, m, n) = (f64::from(r), f64::from(buckets), f64::from(elements));
    sum(|k| (r + k + 1.0) / (k + 1.0) * (n - k) / m)
}

/// The mean of Q_r(m, i) over i = 0, …, n − 1, as Σ_i i(i − 1)…(i − k + 1) = n(n − 1)…(n − k)/(k + 1).
pub fn mean_q(r: u32, buckets: u32, elements: u32) -> f64 {
    let (r, m, n) = (f64::from(r), f64::from(buckets), f64::from(elements));
    sum(|k| (r + k + 1.0) / (k + 2.0) * (n - 1.0 - k) / m)
}

/// A sum whose first term is 1, by the quotients of neighbouring terms; they fall from some k on to 0 at the last.
fn sum(quotient: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut term, mut k) = (0.0, 1.0, 0.0);
    while term > sum * f64::EPSILON / 16.0 {
        sum += term;
        term *= quotient(k);
        k += 1.0;
    }
    sum
}

/// Slots read in a look-up of an element: ½·(1 + Q_0(m, n − 1)), Theorem K. It is the mean over the elements, whose
/// sum does not depend on which of two elements keeps a slot.
pub fn probes_per_hit(buckets: u32, elements: u32) -> f64 {
    0.5 * (1.0 + q(0, buckets, elements - 1))
}

/// Slots read in a look-up of an absent key, n < m: ½·(1 + Q_1(m, n)), Theorem K.
pub fn probes_per_miss(buckets: u32, elements: u32) -> f64 {
    0.5 * (1.0 + q(1, buckets, elements))
}

/// The limit of [`probes_per_hit`] at load α.
pub fn limit_of_hits(load: f64) -> f64 {
    0.5 * (1.0 + 1.0 / (1.0 - load))
}

/// The limit of [`probes_per_miss`] at load α.
pub fn limit_of_misses(load: f64) -> f64 {
    0.5 * (1.0 + (1.0 - load).powi(-2))
}

/// How the longest cluster, and the longest search for an element, grow with the number of slots at load α < 1, to the leading
/// order: ln m/(α − 1 − ln α).
///
/// Pittel, "Linear Probing: The Probable Largest Search Time Grows Logarithmically with the Number of Records", Journal of
/// Algorithms 8, 1987.
pub fn longest_order(load: f64, buckets: f64) -> f64 {
    ln(buckets) / (load - 1.0 - ln(load))
}

/// Mean square of the slots read for an element: that of a look-up of an absent key among the i elements before it,
/// Q_3 − ⅔·Q_2 + ½·Q_1 + ⅙ at (m, i), averaged over i. A cluster of l slots makes searches read 1 to l + 1 slots, so that
/// the square is a sum of cubic polynomials of l over clusters, an Abel sum (Knuth, Section 6.4, the proof of
/// Theorem K); its value is held against enumeration in tests.
fn mean_square(buckets: u32, elements: u32) -> f64 {
    let mean = |r| mean_q(r, buckets, elements);
    mean(3) - 2.0 / 3.0 * mean(2) + 0.5 * mean(1) + 1.0 / 6.0
}

/// Expected variance of the slots read over the elements of one table. `None` where digits are lost: see
/// [`variance_of_mean`].
pub fn probe_variance(buckets: u32, elements: u32) -> Option<f64> {
    let mean = probes_per_hit(buckets, elements);
    let of_mean = variance_of_mean(buckets, elements)?;
    Some(mean_square(buckets, elements) - mean * mean - of_mean)
}

/// The limit of [`probe_variance`]: x³/3 − x²/4 − 1/12 with x = 1/(1 − α).
pub fn limit_of_variance(load: f64) -> f64 {
    let x = 1.0 / (1.0 - load);
    x * x * (x / 3.0 - 0.25) - 1.0 / 12.0
}

/// Variance over the tables of the mean number of slots read for an element, from the second moment of the sum of all
/// displacements: Flajolet, Poblete and Viola, "On the Analysis of Linear Probing Hashing", Algorithmica 22, 1998.
///
/// It is the difference of terms of order (m − n)³; `None` where so little is left of it that the seventh decimal
/// would be wrong.
pub fn variance_of_mean(buckets: u32, elements: u32) -> Option<f64> {
    let (n, free, q0) =
        (f64::from(elements), f64::from(buckets - elements), q(0, buckets, elements - 1));
    if free.powi(3) > 1e10 * n {
        return None;
    }
    let own = ((free + n + 3.0) * free + 8.0 * n + 1.0) * free + (5.0 * n + 4.0) * n - 1.0;
    let with_q = ((free + 4.0) * free + 6.0 * n + 3.0) * free + 8.0 * n;
    let mean = 0.5 * (q0 - 1.0);
    Some((own - with_q * q0) / (12.0 * n) - mean * mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_is_its_definition() {
        let falling = |n: f64, k: u32| (0..k).map(|i| n - f64::from(i)).product::<f64>();
        for (r, m, n) in [(0, 7, 5), (1, 7, 7), (2, 12, 9), (3, 5, 4)] {
            let binomial =
                |k: u32| (1..=k).map(|i| f64::from(r + i) / f64::from(i)).product::<f64>();
            let term = |k| binomial(k) * falling(f64::from(n), k) / f64::from(m).powi(k as i32);
            let sum: f64 = (0..=n).map(term).sum();
            assert!((q(r, m, n) - sum).abs() < 1e-12 * sum, "{r}, {m}, {n}");
            let mean = (0..n).map(|i| q(r, m, i)).sum::<f64>() / f64::from(n);
            assert!((mean_q(r, m, n) - mean).abs() < 1e-12 * mean, "{r}, {m}, {n}");
        }
    }

    /// Knuth, Section 6.4: a full table takes √(πm/8) + 1/3 + O(1/√m) slots for an element.
    #[test]
    fn a_full_table_takes_about_the_root_of_its_size() {
        let m = 1_000_000;
        let limit = libm::sqrt(std::f64::consts::PI * f64::from(m) / 8.0) + 1.0 / 3.0;
        assert!((probes_per_hit(m, m) - limit).abs() < 1e-3);
    }

    #[test]
    fn large_tables_approach_the_limits() {
        let (m, n, load) = (10_000_000, 8_000_000, 0.8);
        let near = |value: f64, limit: f64| (value / limit - 1.0).abs() < 2e-5;
        assert!(near(probes_per_hit(m, n), limit_of_hits(load)));
        assert!(near(probes_per_miss(m, n), limit_of_misses(load)));
        let (m, n) = (100_000, 80_000);
        let variance = probe_variance(m, n).unwrap();
        assert!((variance / limit_of_variance(load) - 1.0).abs() < 2e-3, "{variance}");
        // Flajolet, Poblete and Viola: the sum of the displacements has the variance n·(6α − 6α² + 4α³ − α⁴)/(12(1 − α)⁴).
        let scatter = load * (6.0 - load * (6.0 - load * (4.0 - load))) / (12.0 * 0.2_f64.powi(4));
        let of_mean = variance_of_mean(m, n).unwrap() * f64::from(n);
        assert!((of_mean / scatter - 1.0).abs() < 1e-2, "{of_mean} {scatter}");
        assert_eq!(variance_of_mean(1_000_000, 100), None);
    }
}
