//! Predictions beside trials.

use rand::{Rng as _, SeedableRng};

use super::super::theory::{secondary, uniform};
use crate::Rng;
use crate::families;
use crate::keys::KeySource;
use crate::measured::{Readings, is_met};
use crate::params::Scalar;
use crate::prediction::Kind;

/// Exact predictions within five standard errors of 600 trials, limits within five and their allowance, bounds on
/// their side; how many there were.
fn assert_met(scheme: &str, workload: &str, hash: &str, own: &[(&str, Scalar)]) -> usize {
    let given = [own, &[("buckets", 64_i64.into()), ("queries", 40_i64.into())]].concat();
    let case = families::case(scheme, workload, hash, &given).unwrap();
    let readings = Readings::of(&*case, &KeySource::Random, 20_261_123, 0..600);
    let mean = |metric| readings.mean(metric).map(|(mean, _)| mean);
    let predictions = case.outlook(&mean).predictions;
    for own in &predictions {
        let (mean, error) = readings.mean(own.metric).unwrap();
        let room = 5.0 * error + own.allowance + 1e-12;
        let is_met = own.kind == Kind::Approximate || is_met(own, mean, room);
        assert!(is_met, "{scheme}, {workload}, {hash}: {mean} ± {room} beside {own:?}");
    }
    predictions.len()
}

#[test]
fn fills_are_as_predicted() {
    for hash in ["random", "xxh3"] {
        for elements in [1_i64, 40, 60, 63, 64] {
            let own = [("elements", elements.into())];
            for (scheme, number) in [
                ("linear-probing", 10),
                ("robin-hood", 11),
                ("quadratic-probing", 2),
                ("double-hashing-table", 4),
            ] {
                let found = assert_met(scheme, "probing-fill", hash, &own);
                assert!(elements >= 63 || found == number, "{scheme}, {elements}: {found}");
            }
        }
    }
}

#[test]
fn back_shifted_tables_are_as_predicted() {
    for load in [0.6, 0.95, 1.0] {
        let own =
            [("load", load.into()), ("rounds", 300_i64.into()), ("deletion", "back-shift".into())];
        for scheme in ["linear-probing", "robin-hood"] {
            assert!(assert_met(scheme, "probing-alternation", "random", &own) > 2);
        }
    }
}

#[test]
fn tombstones_are_within_their_bound() {
    let own = [("load", 0.8.into()), ("rounds", 300_i64.into()), ("deletion", "tombstones".into())];
    for (scheme, number) in [("linear-probing", 4), ("robin-hood", 2), ("quadratic-probing", 6)] {
        assert_eq!(assert_met(scheme, "probing-alternation", "random", &own), number);
    }
}

/// Nothing is predicted of tables that miss elements.
#[test]
fn hopscotch_is_as_predicted_where_no_insertion_fails() {
    let with = |neighbourhood: i64| [("load", 0.8.into()), ("neighbourhood", neighbourhood.into())];
    assert_eq!(assert_met("hopscotch", "probing-fill", "random", &with(32)), 5);
    assert_eq!(assert_met("hopscotch", "probing-fill", "random", &with(3)), 0);
    let rounds = [&with(32)[..], &[("rounds", 300_i64.into())]].concat();
    assert_eq!(assert_met("hopscotch", "probing-alternation", "random", &rounds), 2);
}

/// A random order of the slots for each key.
fn order(buckets: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..buckets).collect();
    for i in (1..buckets).rev() {
        order.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
    }
    order
}

/// A random order of the slots that begins with this one.
fn order_from(home: usize, buckets: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order = order(buckets, rng);
    let place = order.iter().position(|&slot| slot == home).unwrap();
    order.swap(0, place);
    order
}

/// Tables of 24 slots and 20 elements with tombstones, 4000 of them: the model of uniform probing within five standard
/// errors, of which the greatest relative one is that of misses, below 0.012. The misses are an approximation, by which
/// another 0.05 is allowed.
#[test]
fn uniform_probing_is_as_simulated() {
    let (m, n, rounds, trials) = (24, 20, 15, 4000);
    let mut rng = Rng::seed_from_u64(5);
    let [mut fill, mut hits, mut misses, mut tombstones] = [0.0; 4];
    for _ in 0..trials {
        // Whether a slot was ever used, and the probes of the element in it.
        let (mut used, mut probes) = (vec![false; m], vec![None; m]);
        let insert = |used: &mut [bool], probes: &mut [Option<usize>], rng: &mut Rng| {
            let order = order(m, rng);
            let free = order.iter().position(|&slot| probes[slot].is_none()).unwrap();
            used[order[free]] = true;
            probes[order[free]] = Some(free + 1);
        };
        let mean =
            |probes: &[Option<usize>]| probes.iter().flatten().sum::<usize>() as f64 / n as f64;
        (0..n).for_each(|_| insert(&mut used, &mut probes, &mut rng));
        fill += mean(&probes);
        for _ in 0..rounds {
            let full: Vec<usize> = (0..m).filter(|&slot| probes[slot].is_some()).collect();
            probes[full[(rng.next_u64() % n as u64) as usize]] = None;
            insert(&mut used, &mut probes, &mut rng);
        }
        hits += mean(&probes);
        let order = order(m, &mut rng);
        misses += order.iter().position(|&slot| !used[slot]).map_or(m, |full| full + 1) as f64;
        tombstones += (used.iter().filter(|&&used| used).count() - n) as f64 / m as f64;
    }
    let near = |sum: f64, expected: f64, room: f64| {
        let mean = sum / f64::from(trials);
        assert!((mean / expected - 1.0).abs() < room, "{mean} {expected}");
    };
    let known = uniform::Tombstones::after(rounds, m as u32, n as u32);
    near(fill, uniform::probes_per_hit(m as u32, n as u32), 0.02);
    near(hits, known.probes_per_hit(), 0.03);
    near(misses, known.probes_per_miss(), 0.06 + 0.05);
    near(tombstones, known.tombstone_fraction(), 0.02);
}

/// 60 tables of 256 slots, each hash value with an order of its own, which begins with it: within a twenty-fifth, which is
/// five standard errors and the distance from the limit.
#[test]
fn secondary_clustering_is_as_simulated() {
    let (m, n, trials) = (256, 179, 60);
    let mut rng = Rng::seed_from_u64(9);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..trials {
        let orders: Vec<Vec<usize>> = (0..m).map(|home| order_from(home, m, &mut rng)).collect();
        let mut full = vec![false; m];
        let read =
            |full: &[bool], home: usize| orders[home].iter().position(|&slot| !full[slot]).unwrap();
        for _ in 0..n {
            let home = (rng.next_u64() % m as u64) as usize;
            let free = read(&full, home);
            hits += free + 1;
            full[orders[home][free]] = true;
        }
        misses += (0..m).map(|home| read(&full, home) + 1).sum::<usize>();
    }
    let load = n as f64 / m as f64;
    let hit = hits as f64 / (n * trials) as f64 / secondary::probes_per_hit(load);
    let miss = misses as f64 / (m * trials) as f64 / secondary::probes_per_miss(load);
    assert!((hit - 1.0).abs() < 0.04 && (miss - 1.0).abs() < 0.04, "{hit} {miss}");
}
