//! Statistical checks that tests of hash families share; all with fixed seeds.

use super::{HashFamily, derive_seed, reduce};

/// Members drawn by the checks that average over a family.
const MEMBERS: u64 = 20_000;

/// Cells in each contingency table.
const CELLS: usize = 64;

/// The quantile 1 − 10^−6 of the chi-square distribution with 63 degrees of freedom.
const CHI_SQUARE_LIMIT: f64 = 132.3;

fn chi_square(counts: &[u64; CELLS]) -> f64 {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / CELLS as f64;
    counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
}

/// Over random members, the values of `N` keys fall evenly into the cells of
/// their joint distribution, each value cut into `side` parts (side^N = 64).
fn assert_jointly_even<F: HashFamily, const N: usize>(keys: [&[u8]; N], side: u32) {
    let mut counts = [0; CELLS];
    for member in 0..MEMBERS {
        let hash = F::with_seed(derive_seed(2024, member), 13);
        let cell = |cell, key: &&[u8]| cell * side + reduce(hash.hash(key), side);
        counts[keys.iter().fold(0, cell) as usize] += 1;
    }
    let statistic = chi_square(&counts);
    assert!(statistic < CHI_SQUARE_LIMIT, "{}: {keys:?}: {statistic}", F::INFO.name);
}

/// Pairs of keys, close to each other, have independent uniform values.
pub(super) fn assert_pairs_independent<F: HashFamily>() {
    assert_jointly_even::<F, 2>([&[0; 13], &[1; 13]], 8);
    assert_jointly_even::<F, 2>([b"flow number 1", b"flow number 2"], 8);
    assert_jointly_even::<F, 2>([b"flow", b"flow\0"], 8);
    assert_jointly_even::<F, 2>([&[], &[0]], 8);
}

/// Triples of keys, close to each other, have independent uniform values.
pub(super) fn assert_triples_independent<F: HashFamily>() {
    assert_jointly_even::<F, 3>([&[0; 13], &[1; 13], &[2; 13]], 4);
    assert_jointly_even::<F, 3>([&[], &[0], &[1, 0]], 4);
}

/// One member spreads consecutive numbers, as big-endian keys of 13 bytes,
/// over 64 buckets no less evenly than random values would.
pub(super) fn assert_even_on_counters<F: HashFamily>() {
    let hash = F::with_seed(11, 13);
    let mut counts = [0; CELLS];
    for number in 0..1_u64 << 16 {
        let mut key = [0; 13];
        key[5..].copy_from_slice(&number.to_be_bytes());
        counts[reduce(hash.hash(&key), CELLS as u32) as usize] += 1;
    }
    let statistic = chi_square(&counts);
    assert!(statistic < CHI_SQUARE_LIMIT, "{}: {statistic}", F::INFO.name);
}

mod tests {
    use super::super::{Crc32c, Toeplitz, TwoIndependent};
    use super::*;

    #[test]
    #[should_panic(expected = "toeplitz")]
    fn pairs_of_a_linear_family_are_rejected() {
        assert_pairs_independent::<Toeplitz>();
    }

    #[test]
    #[should_panic(expected = "crc32c")]
    fn members_related_by_a_constant_are_rejected() {
        assert_pairs_independent::<Crc32c>();
    }

    #[test]
    #[should_panic(expected = "two-independent")]
    fn triples_of_a_two_independent_family_are_rejected() {
        assert_triples_independent::<TwoIndependent>();
    }
}
