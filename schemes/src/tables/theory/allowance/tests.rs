//! Allowances against exact chains.

mod first_order;

use super::*;
use crate::tables::theory::d_left::Leftmost;
use crate::tables::theory::d_random::LeastLoaded;
use crate::tables::theory::multiple::FirstFree;
use crate::tables::theory::small_table::{self, Pick, SmallTable};
use crate::tables::theory::{d_left, d_random, multiple, relaxation, single_slot};

/// Times the true deviation that an allowance may be, beside [`SLACK`]`/m` of the value.
const SHARP: f64 = 20.0;
const SLACK: f64 = 10.0;
/// What is too rare to be seen: an element in 10^5 of the tables that show it here.
const RARE: f64 = 2e-6;
/// What floating point leaves of a difference.
const ROUNDING: f64 = 1e-11;

/// The allowance covers the deviation, and is sharp.
#[track_caller]
fn fits(exact: f64, fluid: f64, allowance: f64, m: u64, what: &str) {
    let deviation = (exact - fluid).abs();
    let most = SHARP * deviation + SLACK * fluid / m as f64 + RARE;
    assert!(deviation <= allowance + ROUNDING, "{what}: {exact} against {fluid} ± {allowance}");
    assert!(allowance <= most, "{what}: {exact} against {fluid} ± {allowance}, wide");
}

const LOADS: [f64; 11] = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.5, 2.0];
const CHOICES: [u32; 11] = [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512];

/// Calls `check` with tables of single slots, the load, and a name.
fn single_slots(check: impl Fn(Finite, u32, f64, &str)) {
    for m in [64, 256, 1024] {
        for d in CHOICES {
            for (c, alpha) in LOADS.iter().flat_map(|&c| [0.4, 0.7, 1.0].map(|a| (c, a))) {
                let n = (c * m as f64).round() as u64;
                let what = format!("n {n} m {m} d {d} alpha {alpha}");
                check(Finite { n, m, alpha }, d, n as f64 / m as f64, &what);
            }
        }
    }
}

#[track_caller]
fn fits_chain(
    exact: single_slot::SingleSlot,
    limit: &FluidLimit,
    allowance: &Allowance,
    (m, what): (u64, &str),
) {
    fits(exact.overflow, limit.overflow, allowance.overflow, m, what);
    fits(exact.accesses, limit.accesses, allowance.accesses, m, &format!("accesses, {what}"));
}

#[test]
fn fits_exact_chains_of_single_slots_under_alternation() {
    single_slots(|table, d, c, what| {
        let Finite { n, m, alpha } = table;
        let limit = multiple::alternation(c, 1, d, alpha);
        let allowance = table.allowance(&FirstFree { d }, Regime::Alternation, &limit).unwrap();
        fits_chain(single_slot::alternation(n, m, d, alpha), &limit, &allowance, (m, what));
        let same = table.allowance(&LeastLoaded { d }, Regime::Alternation, &limit).unwrap();
        assert!((same.overflow - allowance.overflow).abs() <= 1e-6 * allowance.overflow);
    });
}

#[test]
fn fits_exact_chains_of_single_slots_after_a_static_fill() {
    single_slots(|table, d, c, what| {
        let Finite { n, m, alpha } = table;
        let limit = multiple::static_fill(c, 1, d, alpha).unwrap();
        let allowance = table.allowance(&FirstFree { d }, Regime::StaticFill, &limit).unwrap();
        let exact = single_slot::static_fill(n, m, d, alpha).unwrap();
        fits_chain(exact, &limit, &allowance, (m, what));
    });
}

/// Small tables of two slots: elements and buckets.
const TWO_SLOTS: [(u32, u32); 6] = [(8, 16), (16, 16), (32, 16), (40, 16), (16, 32), (64, 32)];

#[track_caller]
fn fits_two_slots(exact: small_table::Means, limit: &FluidLimit, allowance: &Allowance, m: u64) {
    fits(exact.overflow, limit.overflow, allowance.overflow, m, "overflow");
    for k in 0..=2 {
        let what = format!("m {m} limit {limit:?}, buckets with {k}");
        fits(exact.occupancy[k], limit.occupancy[k], allowance.occupancy[k], m, &what);
    }
}

#[test]
fn fits_exact_chains_of_two_slots() {
    for ((n, m), d) in TWO_SLOTS.iter().flat_map(|&size| (1..=4).map(move |d| (size, d))) {
        let c = f64::from(n) / f64::from(2 * m);
        let table = Finite { n: n.into(), m: m.into(), alpha: 1.0 };
        let fits = |exact, limit: &FluidLimit, allowance: Result<Allowance, _>| {
            fits_two_slots(exact, limit, &allowance.unwrap(), m.into());
        };
        let limit = multiple::alternation(c, 2, d, 1.0);
        let exact = SmallTable { n, m, h: 2, d, rule: Pick::FirstFree }.alternation();
        fits(exact, &limit, table.allowance(&FirstFree { d }, Regime::Alternation, &limit));
        let limit = multiple::static_fill(c, 2, d, 1.0).unwrap();
        let exact = SmallTable { n, m, h: 2, d, rule: Pick::FirstFree }.static_fill();
        fits(exact, &limit, table.allowance(&FirstFree { d }, Regime::StaticFill, &limit));
        let limit = d_random::alternation(c, 2, d, 1.0);
        let exact = SmallTable { n, m, h: 2, d, rule: Pick::LeastLoaded }.alternation();
        fits(exact, &limit, table.allowance(&LeastLoaded { d }, Regime::Alternation, &limit));
        let limit = d_random::static_fill(c, 2, d, 1.0).unwrap();
        let exact = SmallTable { n, m, h: 2, d, rule: Pick::LeastLoaded }.static_fill();
        fits(exact, &limit, table.allowance(&LeastLoaded { d }, Regime::StaticFill, &limit));
    }
}

#[test]
fn one_sub_table_is_d_random() {
    let table = Finite { n: 400, m: 100, alpha: 0.8 };
    let left = d_left::static_fill(1.0, 4, 1, 0.8).unwrap();
    let (a, b) = (
        table.allowance(&Leftmost { d: 1 }, Regime::StaticFill, &left).unwrap(),
        table.allowance(&LeastLoaded { d: 1 }, Regime::StaticFill, &left.table).unwrap(),
    );
    assert!((a.overflow / b.overflow - 1.0).abs() < 1e-4, "{a:?} {b:?}");
    let left = d_left::alternation(1.0, 4, 1, 0.8).unwrap();
    let (a, b) = (
        table.allowance(&Leftmost { d: 1 }, Regime::Alternation, &left).unwrap(),
        table.allowance(&LeastLoaded { d: 1 }, Regime::Alternation, &left.table).unwrap(),
    );
    assert!((a.overflow / b.overflow - 1.0).abs() < 1e-9, "{a:?} {b:?}");
}

#[test]
fn shrinks_like_one_over_m() {
    let limit = multiple::alternation(0.5, 4, 4, 1.0);
    let at = |m| {
        let table = Finite { n: 2 * m, m, alpha: 1.0 };
        let found = table.allowance(&FirstFree { d: 4 }, Regime::Alternation, &limit).unwrap();
        found.refined.overflow.unwrap()
    };
    let (small, large) = (at(100_000), at(1_000_000));
    assert!((small.by / large.by - 10.0).abs() < 1e-6, "{small:?} {large:?}");
    assert!(small.allowance / large.allowance > 50.0, "{small:?} {large:?}");
}

const STARTS: [Start; 2] = [Start::OverflowList, Start::Filled];

#[test]
fn fits_exact_chains_of_single_slots_on_the_way() {
    for (m, d) in [64_u64, 256].iter().flat_map(|&m| [1, 2, 4, 16, 64].map(|d| (m, d))) {
        for (c, alpha) in LOADS.iter().step_by(2).flat_map(|&c| [0.6, 1.0].map(|a| (c, a))) {
            let n = (c * m as f64).round() as u64;
            for (start, t) in STARTS.iter().flat_map(|&s| [0.25, 1.0, 4.0].map(|t| (s, t))) {
                fits_on_the_way((Finite { n, m, alpha }, d), start, (t * n as f64) as u64);
            }
        }
    }
}

#[track_caller]
fn fits_on_the_way((table, d): (Finite, u32), start: Start, rounds: u64) {
    let Finite { n, m, alpha } = table;
    let (c, t) = (n as f64 / m as f64, rounds as f64 / n as f64);
    let what = format!("{table:?} {d} {start:?} after {t}");
    let limit = relaxation::multiple((c, 1), d, alpha, start, t).unwrap();
    let allowance = table
        .allowance(&FirstFree { d }, Regime::Relaxation { start, lifetimes: t }, &limit)
        .unwrap();
    let exact = single_slot::relaxation((n, m), d, alpha, start, rounds).unwrap();
    fits_chain(exact, &limit, &allowance, (m, &what));
}

#[test]
fn fits_exact_chains_of_single_slots_in_the_open_model() {
    single_slots(|table, d, c, what| {
        let Finite { n, m, alpha } = table;
        let limit = multiple::alternation(c, 1, d, alpha);
        let allowance = table.allowance(&FirstFree { d }, Regime::Open, &limit).unwrap();
        fits_chain(single_slot::open(n, m, d, alpha), &limit, &allowance, (m, what));
        let same = table.allowance(&LeastLoaded { d }, Regime::Open, &limit).unwrap();
        assert!((same.overflow - allowance.overflow).abs() <= 1e-6 * allowance.overflow);
    });
}

#[test]
fn fits_exact_chains_of_two_slots_on_the_way() {
    for ((n, m), d) in TWO_SLOTS.iter().flat_map(|&size| [1, 2, 4].map(|d| (size, d))) {
        let c = f64::from(n) / f64::from(2 * m);
        let table = Finite { n: n.into(), m: m.into(), alpha: 1.0 };
        for (start, rounds) in STARTS.iter().flat_map(|&s| [n / 2, 2 * n].map(|r| (s, r))) {
            let t = f64::from(rounds) / f64::from(n);
            let exact = |rule| SmallTable { n, m, h: 2, d, rule }.relaxation(start, rounds);
            let limit = relaxation::multiple((c, 2), d, 1.0, start, t).unwrap();
            let allowance = table
                .allowance(&FirstFree { d }, Regime::Relaxation { start, lifetimes: t }, &limit)
                .unwrap();
            fits_two_slots(exact(Pick::FirstFree), &limit, &allowance, m.into());
            let limit = relaxation::d_random((c, 2), d, 1.0, start, t).unwrap();
            let allowance = table
                .allowance(&LeastLoaded { d }, Regime::Relaxation { start, lifetimes: t }, &limit)
                .unwrap();
            fits_two_slots(exact(Pick::LeastLoaded), &limit, &allowance, m.into());
        }
    }
}

#[test]
fn a_long_relaxation_is_the_equilibrium() {
    let table = Finite { n: 360, m: 100, alpha: 0.9 };
    let same = |a: Allowance, b: Allowance| {
        assert!((a.overflow / b.overflow - 1.0).abs() < 1e-4, "{a:?} {b:?}");
        for (a, b) in a.occupancy.iter().zip(&b.occupancy) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    };
    for start in STARTS {
        let limit = multiple::alternation(0.9, 4, 3, 0.9);
        let long = table
            .allowance(&FirstFree { d: 3 }, Regime::Relaxation { start, lifetimes: 50.0 }, &limit)
            .unwrap();
        same(long, table.allowance(&FirstFree { d: 3 }, Regime::Alternation, &limit).unwrap());
        let limit = d_left::alternation(0.9, 4, 3, 0.9).unwrap();
        let long = table
            .allowance(&Leftmost { d: 3 }, Regime::Relaxation { start, lifetimes: 50.0 }, &limit)
            .unwrap();
        same(long, table.allowance(&Leftmost { d: 3 }, Regime::Alternation, &limit).unwrap());
    }
}

#[test]
fn one_choice_in_the_open_model_has_no_deviation() {
    let table = Finite { n: 400, m: 100, alpha: 0.8 };
    let limit = multiple::alternation(1.0, 4, 1, 0.8);
    let allowance = table.allowance(&FirstFree { d: 1 }, Regime::Open, &limit).unwrap();
    let refined = allowance.refined.overflow.unwrap();
    assert!(refined.by.abs() < 1e-12, "{refined:?}");
    let left = d_left::alternation(1.0, 4, 1, 0.8).unwrap();
    let same = table.allowance(&Leftmost { d: 1 }, Regime::Open, &left).unwrap();
    assert!(same.refined.overflow.unwrap().by.abs() < 1e-8, "{same:?}");
}
