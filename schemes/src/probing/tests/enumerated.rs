//! Means over all sequences of hash values.

use super::super::case::Scheme;
use super::super::hopscotch::Hopscotch;
use super::super::linear_probing::LinearProbing;
use super::super::params::{NEIGHBOURHOOD, Size};
use super::super::robin_hood::RobinHood;
use super::super::table::{Deletion, Table};
use super::super::theory::{clusters, linear, passing, robin_hood, tombstones};
use super::{hits, table};
use crate::params::Params;

/// Slots and elements, full tables among them.
const SIZES: [(u32, u32); 7] = [(2, 1), (3, 2), (4, 2), (4, 3), (5, 4), (6, 4), (4, 4)];

/// What a table shows of itself, each a mean over all sequences.
#[derive(Debug, Default, Clone, Copy)]
struct Means {
    hit: f64,
    variance: f64,
    miss: f64,
    insertion: f64,
    longest_cluster: f64,
    longest_hit: f64,
}

/// All mⁿ sequences of n hash values.
pub(super) fn sequences(buckets: u32, elements: u32) -> impl Iterator<Item = Vec<u32>> {
    (0..buckets.pow(elements)).map(move |number| {
        (0..elements).map(|element| number / buckets.pow(element) % buckets).collect()
    })
}

fn means<T: Table>(mut table: T, buckets: u32, elements: u32) -> Means {
    let mut means = Means::default();
    let weight = f64::from(buckets).powi(-(elements as i32));
    let n = f64::from(elements);
    for homes in sequences(buckets, elements) {
        table.clear();
        let inserted = (0..).zip(&homes).map(|(element, &home)| table.insert(element, &[home]));
        let read: u32 = inserted.map(|insertion| insertion.probes).sum();
        let all = hits(&table, elements);
        let mean = f64::from(all.iter().sum::<u32>()) / n;
        let square = f64::from(all.iter().map(|probes| probes * probes).sum::<u32>()) / n;
        let misses: u32 = (0..buckets).map(|home| table.miss(&[home])).sum();
        means.hit += weight * mean;
        means.variance += weight * (square - mean * mean);
        means.miss += weight * f64::from(misses) / f64::from(buckets);
        means.insertion += weight * f64::from(read) / n;
        means.longest_hit += weight * f64::from(all.iter().max().copied().unwrap_or_default());
        means.longest_cluster += weight * f64::from(table.slots().longest_cluster());
    }
    means
}

#[track_caller]
fn assert_equal(found: f64, expected: f64, what: (&str, u32, u32)) {
    assert!((found - expected).abs() < 1e-9, "{what:?}: {found}, enumerated {expected}");
}

#[test]
fn linear_probing_is_as_enumerated() {
    for (m, n) in SIZES {
        let means = means(table::<LinearProbing>(n, m, Deletion::BackShift), m, n);
        assert_equal(linear::probes_per_hit(m, n), means.hit, ("hit", m, n));
        assert_equal(linear::probes_per_hit(m, n), means.insertion, ("insertion", m, n));
        let variance = linear::probe_variance(m, n).unwrap();
        assert_equal(variance, means.variance, ("variance", m, n));
        if n < m {
            assert_equal(linear::probes_per_miss(m, n), means.miss, ("miss", m, n));
        }
        if n < m - 1 {
            let bound = clusters::longest_at_most(m, n);
            assert!(bound >= means.longest_cluster - 1e-12, "{m}, {n}: {bound} {means:?}");
            let exact = clusters::longest(m, n).unwrap();
            assert_equal(exact, means.longest_cluster, ("longest cluster", m, n));
            // Where there is one cluster at most, the bound is what it bounds.
            assert!(n > 1 || bound <= means.longest_cluster + 1e-12, "{m}, {n}: {bound} {means:?}");
        }
    }
}

#[test]
fn robin_hood_is_as_enumerated() {
    for (m, n) in SIZES {
        let means = means(table::<RobinHood>(n, m, Deletion::BackShift), m, n);
        assert_equal(linear::probes_per_hit(m, n), means.hit, ("hit", m, n));
        assert_equal(linear::probes_per_hit(m, n), means.insertion, ("insertion", m, n));
        let variance = robin_hood::probe_variance(m, n).unwrap();
        assert_equal(variance, means.variance, ("variance", m, n));
        if n < m {
            assert_equal(robin_hood::probes_per_miss(m, n), means.miss, ("miss", m, n));
        }
        if n + 1 < m {
            let most = passing::most(m, n).unwrap();
            assert_equal(1.0 + most, means.longest_hit, ("longest hit", m, n));
        }
    }
}

/// With a neighbourhood of all slots no insertion fails.
#[test]
fn hopscotch_is_as_enumerated() {
    for (m, n) in SIZES {
        let given = [(NEIGHBOURHOOD.name, m.into())];
        let params = Params::complete(&[NEIGHBOURHOOD], &given).unwrap();
        let scheme = Hopscotch::from_params(Size { elements: n, buckets: m }, &params).unwrap();
        let means = means(scheme.table(Deletion::Freed), m, n);
        let hit = 1.0 + f64::from(n - 1) / f64::from(2 * m);
        assert_equal(hit, means.hit, ("hit", m, n));
        assert_equal(f64::from(n) / f64::from(m), means.miss, ("miss", m, n));
        assert_equal(linear::probes_per_hit(m, n), means.insertion, ("insertion", m, n));
    }
}

/// All hash values and departures of fills with rounds: means of the tombstones and of the slots read for an absent key.
fn with_tombstones(buckets: u32, elements: u32, rounds: u32) -> [f64; 2] {
    let mut table = table::<LinearProbing>(elements, buckets, Deletion::Tombstones);
    let (mut sums, mut ways) = ([0, 0], 0);
    for homes in sequences(buckets, elements + rounds) {
        for departures in sequences(elements, rounds) {
            table.clear();
            let (first, later) = homes.split_at(elements as usize);
            (0..).zip(first).for_each(|(element, &home)| {
                table.insert(element, &[home]);
            });
            for (&element, &home) in departures.iter().zip(later) {
                table.delete(element);
                table.insert(element, &[home]);
            }
            sums[0] += table.slots().tombstones();
            sums[1] += (0..buckets).map(|home| table.miss(&[home])).sum::<u32>();
            ways += buckets;
        }
    }
    sums.map(|sum| f64::from(sum) / f64::from(ways))
}

/// Bounds hold, and meet what they bound where they can: a table of one element whose empty slot is taken by its own hash
/// value or by that of the slot before.
#[test]
fn tombstones_of_linear_probing_are_as_enumerated() {
    for (m, n, rounds) in [(2, 1, 5), (3, 1, 4), (4, 2, 3), (3, 2, 4)] {
        let [fraction, misses] = with_tombstones(m, n, rounds);
        let least = tombstones::fraction_at_least(rounds, m, n);
        let least_misses = tombstones::probes_per_miss_at_least(rounds, m, n);
        assert!(least <= fraction + 1e-12, "{m} {n}: {least} {fraction}");
        assert!(least_misses <= misses + 1e-12, "{m} {n}: {least_misses} {misses}");
        assert!(misses <= f64::from(m));
    }
    // One element in two slots always finds its own slot empty or a tombstone: it is exact.
    let [fraction, misses] = with_tombstones(2, 1, 5);
    assert_equal(tombstones::fraction_at_least(5, 2, 1), fraction, ("tombstones", 2, 1));
    assert_equal(tombstones::probes_per_miss_at_least(5, 2, 1), misses, ("misses", 2, 1));
}
