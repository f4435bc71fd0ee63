//! Simulation against brute force: every hash outcome of a tiny table.

use std::collections::BTreeMap;

use loadfactor_schemes::tables::Process::StaticFill;

use crate::case::Case;
use crate::simulation::{Measured, simulate};

const TRIALS: u64 = 20_000;

/// Which of the chosen buckets take an element, each equally likely, and after how many reads.
/// None of them where the element overflows.
type Rule = fn(loads: &[u32], choices: &[usize], h: u32) -> (Vec<usize>, u32);

/// Probability of each vector of bucket loads.
type Law = BTreeMap<Vec<u32>, f64>;

/// Exact means after a static fill.
struct Means {
    overflow: f64,
    accesses: f64,
    occupancy: Vec<f64>,
}

#[test]
fn multiple() {
    for (case, seed) in tiny().zip(500..) {
        let means = enumerate(&case, false, first_free);
        means.assert_met(&simulate(&case.multiple(), StaticFill, TRIALS, seed), case);
    }
}

#[test]
fn least_loaded_with_random_ties() {
    for (case, seed) in tiny().zip(600..) {
        let means = enumerate(&case, false, least_loaded);
        let scheme = case.d_random("random", false);
        means.assert_met(&simulate(&scheme, StaticFill, TRIALS, seed), case);
    }
}

#[test]
fn least_loaded_with_ties_to_the_left() {
    for (case, seed) in tiny().zip(700..) {
        let means = enumerate(&case, false, leftmost_least_loaded);
        let scheme = case.d_random("left", false);
        means.assert_met(&simulate(&scheme, StaticFill, TRIALS, seed), case);
    }
}

#[test]
fn sub_tables_with_either_ties() {
    for (case, seed) in splittable().zip(800..) {
        for (ties, rule) in [("random", least_loaded as Rule), ("left", leftmost_least_loaded)] {
            let means = enumerate(&case, true, rule);
            let scheme = case.d_random(ties, true);
            means.assert_met(&simulate(&scheme, StaticFill, TRIALS, seed), (case, ties));
        }
    }
}

/// The tests above could not tell the rules apart if their laws were the same.
#[test]
fn the_rules_differ() {
    let case = Case { n: 7, m: 4, h: 2, d: 2, alpha: 1.0 };
    let overflow = |sub_tables, rule| enumerate(&case, sub_tables, rule).overflow;
    let laws = [
        overflow(false, first_free),
        overflow(false, least_loaded),
        overflow(true, least_loaded),
        overflow(true, leftmost_least_loaded),
    ];
    for pair in laws.windows(2) {
        assert!((pair[0] - pair[1]).abs() > 1e-3, "{laws:?}");
    }
}

fn tiny() -> impl Iterator<Item = Case> {
    let tables = [(4, 3, 2, 2), (6, 2, 3, 2), (5, 3, 1, 3), (8, 3, 2, 3)];
    tables.into_iter().flat_map(|(n, m, h, d)| [0.5, 1.0].map(|alpha| Case { n, m, h, d, alpha }))
}

fn splittable() -> impl Iterator<Item = Case> {
    let tables = [(5, 4, 2, 2), (7, 4, 2, 2), (6, 3, 2, 3)];
    tables.into_iter().map(|(n, m, h, d)| Case { n, m, h, d, alpha: 1.0 })
}

fn first_free(loads: &[u32], choices: &[usize], h: u32) -> (Vec<usize>, u32) {
    match choices.iter().position(|&bucket| loads[bucket] < h) {
        Some(read) => (vec![choices[read]], read as u32 + 1),
        None => (Vec::new(), choices.len() as u32),
    }
}

fn least_loaded(loads: &[u32], choices: &[usize], h: u32) -> (Vec<usize>, u32) {
    let least = choices.iter().map(|&bucket| loads[bucket]).min().unwrap();
    let tied = choices.iter().copied().filter(|&bucket| loads[bucket] == least && least < h);
    (tied.collect(), choices.len() as u32)
}

fn leftmost_least_loaded(loads: &[u32], choices: &[usize], h: u32) -> (Vec<usize>, u32) {
    let (mut takers, reads) = least_loaded(loads, choices, h);
    takers.truncate(1);
    (takers, reads)
}

fn enumerate(case: &Case, sub_tables: bool, rule: Rule) -> Means {
    let outcomes = outcomes(case, sub_tables);
    let mut law = Law::from([(vec![0; case.m as usize], 1.0)]);
    let mut reads = 0.0;
    for _ in 0..case.n {
        let before = std::mem::take(&mut law);
        for (loads, p) in before {
            *law.entry(loads.clone()).or_default() += p * (1.0 - case.alpha);
            let each = p * case.alpha / outcomes.len() as f64;
            for choices in &outcomes {
                let (takers, accesses) = rule(&loads, choices, case.h);
                reads += each * f64::from(accesses);
                spread(&mut law, &loads, &takers, each);
            }
        }
    }
    means(case, &law, reads / f64::from(case.n))
}

/// Adds the states that follow when one of the `takers` takes an element.
fn spread(law: &mut Law, loads: &[u32], takers: &[usize], p: f64) {
    if takers.is_empty() {
        *law.entry(loads.to_vec()).or_default() += p;
    }
    for &bucket in takers {
        let mut after = loads.to_vec();
        after[bucket] += 1;
        *law.entry(after).or_default() += p / takers.len() as f64;
    }
}

/// Every vector of d choices, all equally likely.
fn outcomes(case: &Case, sub_tables: bool) -> Vec<Vec<usize>> {
    let (m, d) = (case.m as usize, case.d as usize);
    let range = if sub_tables { m / d } else { m };
    let mut all = vec![Vec::new()];
    for j in 0..d {
        let first = if sub_tables { j * range } else { 0 };
        let longer = |start: &Vec<usize>| {
            let start = start.clone();
            (first..first + range).map(move |bucket| [&start[..], &[bucket]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn means(case: &Case, law: &Law, accesses: f64) -> Means {
    let mut means = Means { overflow: 0.0, accesses, occupancy: vec![0.0; case.h as usize + 1] };
    for (loads, p) in law {
        means.overflow += p * f64::from(case.n - loads.iter().sum::<u32>()) / f64::from(case.n);
        for &load in loads {
            means.occupancy[load as usize] += p / f64::from(case.m);
        }
    }
    means
}

impl Means {
    #[track_caller]
    fn assert_met(&self, measured: &Measured, what: impl std::fmt::Debug) {
        measured.overflow.assert_mean(self.overflow, 0.0, &what);
        measured.accesses.assert_mean(self.accesses, 0.0, &what);
        for (readings, &share) in measured.occupancy.iter().zip(&self.occupancy) {
            readings.assert_mean(share, 0.0, &what);
        }
    }
}
