//! SINGLE under alternation, exact for finite `n` and `m`: the Engset distribution.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 1, extended to
//! an insertion probability. A bucket with `k` elements loses one with probability
//! `(k/n)(1 − alpha/m)` and gains one with `(alpha/m)(1 − k/n)`, so that
//! `pi[k] / pi[k−1] = ((n−k+1)/k) · alpha/(m−alpha)`: the paper's `1/(m−1)` becomes
//! `alpha/(m−alpha)`.

use nalgebra::{DMatrix, RowDVector};

use super::occupancy;
use super::start::Start;
use crate::math::ratios;

/// Probability that a bucket holds `k` elements, `k = 0..=h` (Theorem 1, Equation (1)).
///
/// With one bucket and `alpha = 1` it is a point mass at `min(n, h)`: whatever is deleted there comes
/// back there.
pub fn occupancy(n: u64, m: u64, h: u32, alpha: f64) -> Vec<f64> {
    let odds = alpha / (m as f64 - alpha);
    let ratio = |k: u64| {
        if k > n { 0.0 } else { (n - k + 1) as f64 / k as f64 * odds }
    };
    let steps: Vec<f64> = (1..=u64::from(h)).map(ratio).collect();
    ratios::distribution(&steps)
}

/// Overflow fraction (Theorem 1, Equation (2)): `1 − alpha + alpha·pi[h]·(1 − h/n)`.
///
/// It is the fraction of arrivals that overflow, and equally the expected length of the overflow
/// list divided by `n`.
pub fn overflow(n: u64, m: u64, h: u32, alpha: f64) -> f64 {
    let full = occupancy(n, m, h, alpha).last().copied().unwrap_or(0.0);
    let still_full = (1.0 - f64::from(h) / n as f64).max(0.0);
    1.0 - alpha + alpha * full * still_full
}

/// Probability that a bucket holds `k` elements, `k = 0..=h`, after `rounds` of alternation.
///
/// Takes `O(h³·log(rounds))` steps: the powers of the chain's matrix, by squaring.
pub fn occupancy_after(
    (n, m, h): (u64, u64, u32),
    alpha: f64,
    start: Start,
    rounds: u64,
) -> Vec<f64> {
    let law = match start {
        Start::OverflowList => occupancy::static_occupancy(0, m, h, alpha),
        Start::Filled => occupancy::static_occupancy(n, m, h, alpha),
    };
    let mut law = RowDVector::from_vec(law);
    let mut power = round((n, m, h), alpha);
    let mut left = rounds;
    while left > 0 {
        if left % 2 == 1 {
            law *= &power;
        }
        left /= 2;
        power = complete(&power * &power);
    }
    law.as_slice().to_vec()
}

/// Probabilities of a round's transitions (proof of Theorem 1, with the diagonal corrected).
fn round((n, m, h): (u64, u64, u32), alpha: f64) -> DMatrix<f64> {
    let wanted = alpha / m as f64;
    let departs = |k: usize| (k as f64 / n as f64).min(1.0);
    let side = h as usize + 1;
    complete(DMatrix::from_fn(side, side, |k, to| match to {
        _ if to == k + 1 => wanted * (1.0 - departs(k)),
        _ if to + 1 == k => departs(k) * (1.0 - wanted),
        _ => 0.0,
    }))
}

/// Sets the diagonal to what the other transitions leave: these are small and keep their digits, so
/// that squaring does not add up errors.
fn complete(mut transitions: DMatrix<f64>) -> DMatrix<f64> {
    for k in 0..transitions.nrows() {
        transitions[(k, k)] = 0.0;
        transitions[(k, k)] = 1.0 - transitions.row(k).sum();
    }
    transitions
}

/// Overflow fraction of a table whose buckets have this `occupancy`: the elements that are in none.
pub fn listed(n: u64, m: u64, occupancy: &[f64]) -> f64 {
    let stored: f64 = (0_u32..).zip(occupancy).map(|(k, p)| f64::from(k) * p).sum();
    1.0 - stored * m as f64 / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::enumeration::{Tiny, assert_close};
    use crate::tables::theory::erlang;
    use proptest::prelude::*;

    #[test]
    fn appendix_b_as_many_elements_as_buckets() {
        for (m, published) in [(1, 0.0), (2, 1.0 / 3.0), (3, 0.4), (100, 99.0 / 199.0)] {
            assert!((overflow(m, m, 1, 1.0) - published).abs() < 1e-15);
        }
    }

    #[test]
    fn one_bucket_keeps_what_it_has() {
        assert_eq!(occupancy(5, 1, 3, 1.0), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(overflow(5, 1, 3, 1.0), 0.4);
        assert_eq!(occupancy(2, 1, 3, 1.0), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(overflow(2, 1, 3, 1.0), 0.0);
    }

    #[test]
    fn agrees_with_enumeration() {
        for (n, m, h) in [(3, 2, 1), (3, 2, 2), (4, 3, 2), (2, 3, 3), (5, 1, 2)] {
            for alpha in [0.0, 0.3, 1.0] {
                let found = Tiny { n, m, h, d: 1, alpha }.alternation();
                let (n, m, h) = (n as u64, m as u64, h as u32);
                assert_close(&occupancy(n, m, h, alpha), &found.occupancy, 1e-12);
                assert!((overflow(n, m, h, alpha) - found.overflow).abs() < 1e-12);
            }
        }
    }

    const STARTS: [Start; 2] = [Start::OverflowList, Start::Filled];

    #[test]
    fn agrees_with_enumeration_of_every_round() {
        for (n, m, h) in [(3, 2, 1), (3, 2, 2), (4, 3, 2), (2, 3, 3), (5, 1, 2)] {
            for (start, rounds) in STARTS.iter().flat_map(|&s| [0, 1, 2, 3, 7, 20].map(|r| (s, r)))
            {
                let tiny = Tiny { n, m, h, d: 1, alpha: 0.7 };
                let found = tiny.relaxation(start == Start::Filled, rounds);
                let (n, m, h) = (n as u64, m as u64, h as u32);
                let law = occupancy_after((n, m, h), 0.7, start, rounds as u64);
                assert_close(&law, &found.occupancy, 1e-13);
                assert!((listed(n, m, &law) - found.overflow).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn ends_in_equilibrium() {
        for (n, m, h) in [(100, 100, 1), (1_000_000, 100_000, 16), (90, 3, 100)] {
            for (start, rounds) in STARTS.iter().flat_map(|&s| [50 * n, u64::MAX].map(|r| (s, r))) {
                let law = occupancy_after((n, m, h), 0.9, start, rounds);
                assert_close(&law, &occupancy(n, m, h, 0.9), 1e-12);
            }
        }
    }

    proptest! {
        #[test]
        fn list_length_and_arrivals_agree(n in 1_u64..2000, m in 1_u64..500, h in 1_u32..20, alpha in 0.0..=1.0) {
            let mean: f64 = occupancy(n, m, h, alpha).iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
            let listed = 1.0 - m as f64 * mean / n as f64;
            prop_assert!((overflow(n, m, h, alpha) - listed).abs() < 1e-11);
        }

        #[test]
        fn more_room_means_less_overflow(n in 1_u64..2000, m in 1_u64..500, h in 1_u32..20, alpha in 0.0..=1.0) {
            let here = overflow(n, m, h, alpha);
            prop_assert!((0.0..=1.0).contains(&here));
            prop_assert!(overflow(n, m, h + 1, alpha) <= here + 1e-12);
            prop_assert!(overflow(n, m + 1, h, alpha) <= here + 1e-12);
            prop_assert!(overflow(n + 1, m, h, alpha) >= here - 1e-12);
        }
    }

    #[test]
    fn tends_to_erlang() {
        let (n, m) = (30_000_000, 10_000_000);
        assert_close(&occupancy(n, m, 4, 0.7), &erlang::occupancy(2.1, 4), 1e-6);
    }
}
