//! Simulation against exact results for finite tables.

use loadfactor_schemes::tables::Process::{Alternation, StaticFill};
use loadfactor_schemes::tables::theory::{engset, occupancy, single_slot};

use crate::case::Case;
use crate::simulation::simulate;

const TRIALS: u64 = 2000;

/// n, m and h.
const TABLES: [(u32, u32, u32); 5] =
    [(50, 100, 1), (100, 50, 1), (96, 32, 4), (12, 3, 4), (7, 1, 3)];
const ALPHAS: [f64; 3] = [0.0, 0.6, 1.0];

fn singles() -> impl Iterator<Item = Case> {
    TABLES.into_iter().flat_map(|(n, m, h)| ALPHAS.map(|alpha| Case { n, m, h, d: 1, alpha }))
}

fn single_slots() -> impl Iterator<Item = Case> {
    let tables = [(64, 64, 2), (30, 60, 3), (60, 30, 2), (3, 3, 8)];
    tables.into_iter().flat_map(|(n, m, d)| ALPHAS.map(|alpha| Case { n, m, h: 1, d, alpha }))
}

#[test]
fn single_after_a_static_fill_is_binomial() {
    for (case, seed) in singles().zip(100..) {
        let Case { n, m, h, alpha, .. } = case;
        let (n, m) = (n.into(), m.into());
        let measured = simulate(&case.single(), StaticFill, TRIALS, seed);
        measured.overflow.assert_mean(occupancy::static_overflow(n, m, h, alpha), 0.0, case);
        measured.accesses.assert_mean(alpha, 0.0, case);
        let shares = occupancy::static_occupancy(n, m, h, alpha);
        for (readings, share) in measured.occupancy.iter().zip(shares) {
            readings.assert_mean(share, 0.0, case);
        }
    }
}

#[test]
fn single_under_alternation_is_engset() {
    for (case, seed) in singles().zip(200..) {
        let Case { n, m, h, alpha, .. } = case;
        let (n, m) = (n.into(), m.into());
        let measured = simulate(&case.single(), Alternation, TRIALS, seed);
        measured.overflow.assert_mean(engset::overflow(n, m, h, alpha), 0.0, case);
        measured.accesses.assert_mean(alpha, 0.0, case);
        let shares = engset::occupancy(n, m, h, alpha);
        for (readings, share) in measured.occupancy.iter().zip(shares) {
            readings.assert_mean(share, 0.0, case);
        }
    }
}

#[test]
fn multiple_with_single_slots_is_the_chain_of_full_buckets() {
    for (case, seed) in single_slots().zip(300..) {
        let Case { n, m, d, alpha, .. } = case;
        let (n, m) = (n.into(), m.into());
        for (process, law) in [
            (StaticFill, single_slot::static_fill(n, m, d, alpha).unwrap()),
            (Alternation, single_slot::alternation(n, m, d, alpha)),
        ] {
            let measured = simulate(&case.multiple(), process, TRIALS, seed);
            measured.overflow.assert_mean(law.overflow, 0.0, (case, process));
            measured.accesses.assert_mean(law.accesses, 0.0, (case, process));
        }
    }
}

#[test]
fn d_random_with_single_slots_is_the_same_chain_and_reads_all_choices() {
    for (case, seed) in single_slots().zip(400..) {
        let Case { n, m, d, alpha, .. } = case;
        let (n, m) = (n.into(), m.into());
        for (process, law) in [
            (StaticFill, single_slot::static_fill(n, m, d, alpha).unwrap()),
            (Alternation, single_slot::alternation(n, m, d, alpha)),
        ] {
            for ties in ["random", "left"] {
                let measured = simulate(&case.d_random(ties, false), process, TRIALS, seed);
                measured.overflow.assert_mean(law.overflow, 0.0, (case, process, ties));
                measured.accesses.assert_mean(alpha * f64::from(d), 0.0, (case, process, ties));
            }
        }
    }
}
