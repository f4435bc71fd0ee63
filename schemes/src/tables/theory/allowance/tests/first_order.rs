//! Refined limits against exact chains: they are never off by more than they are allowed, and worth having.

use super::*;
use crate::tables::theory::multilevel::{Count, standard_law};
use crate::tables::theory::sub_tables;

/// Refined limits of a kind, beside the exact values.
#[derive(Default)]
struct Tally {
    /// Those that are not given.
    withheld: usize,
    /// Of those given, the allowance as a part of the value.
    allowed: Vec<f64>,
    /// And as a part of the allowance of the limit.
    gained: Vec<f64>,
}

impl Tally {
    #[track_caller]
    fn add(&mut self, exact: f64, limit: f64, refined: Option<Refined>, what: &str) {
        let Some(refined) = refined else {
            self.withheld += 1;
            return;
        };
        let off = (exact - limit - refined.by).abs();
        assert!(off <= refined.allowance + ROUNDING, "{what}: {exact}, {limit} and {refined:?}");
        self.allowed.push(refined.allowance / limit);
        self.gained.push(refined.allowance / refined.from_limit());
    }

    /// Asserts that no more than the part `withheld` is, and which medians the others have at most.
    #[track_caller]
    fn assert_worth(mut self, withheld: f64, [allowed, gained]: [f64; 2]) {
        let given = self.allowed.len();
        let part = self.withheld as f64 / (given + self.withheld) as f64;
        let medians = [&mut self.allowed, &mut self.gained].map(|values| {
            values.sort_by(f64::total_cmp);
            values[given / 2]
        });
        let found = format!("{given} given, {part} withheld, medians {medians:?}");
        assert!(part <= withheld && medians[0] <= allowed && medians[1] <= gained, "{found}");
    }
}

/// Numbers of choices that are few beside √m, from 64 buckets on.
const FEW_CHOICES: [u32; 4] = [1, 2, 3, 5];

fn tables() -> impl Iterator<Item = (Finite, u32)> {
    let shapes = [64_u64, 256, 1024].into_iter().flat_map(|m| FEW_CHOICES.map(|d| (m, d)));
    shapes.flat_map(|(m, d)| {
        let loads = LOADS.into_iter().flat_map(|c| [0.4, 1.0].map(|alpha| (c, alpha)));
        loads.map(move |(c, alpha)| (Finite { n: (c * m as f64).round() as u64, m, alpha }, d))
    })
}

#[test]
fn single_slots_in_equilibrium() {
    let (mut overflow, mut accesses) = (Tally::default(), Tally::default());
    for (table, d) in tables() {
        let Finite { n, m, alpha } = table;
        let limit = multiple::alternation(n as f64 / m as f64, 1, d, alpha);
        for (regime, exact) in [
            (Regime::Alternation, single_slot::alternation(n, m, d, alpha)),
            (Regime::Open, single_slot::open(n, m, d, alpha)),
        ] {
            let found = table.allowance(&FirstFree { d }, regime, &limit).unwrap().refined;
            let what = format!("{table:?} {d} {regime:?}");
            overflow.add(exact.overflow, limit.overflow, found.overflow, &what);
            accesses.add(exact.accesses, limit.accesses, found.accesses, &what);
        }
    }
    overflow.assert_worth(0.1, [2e-4, 0.2]);
    accesses.assert_worth(0.1, [2e-4, 0.3]);
}

#[test]
fn single_slots_before_the_equilibrium() {
    let (mut overflow, mut accesses) = (Tally::default(), Tally::default());
    for (table, d) in tables().filter(|(table, _)| table.m < 1000) {
        let Finite { n, m, alpha } = table;
        let c = n as f64 / m as f64;
        let mut add = |regime, limit: &FluidLimit, exact: single_slot::SingleSlot| {
            let found = table.allowance(&FirstFree { d }, regime, limit).unwrap().refined;
            let what = format!("{table:?} {d} {regime:?}");
            overflow.add(exact.overflow, limit.overflow, found.overflow, &what);
            accesses.add(exact.accesses, limit.accesses, found.accesses, &what);
        };
        let limit = multiple::static_fill(c, 1, d, alpha).unwrap();
        let exact = single_slot::static_fill(n, m, d, alpha).unwrap();
        add(Regime::StaticFill, &limit, exact);
        for start in STARTS {
            let limit = relaxation::multiple((c, 1), d, alpha, start, 1.0).unwrap();
            let exact = single_slot::relaxation((n, m), d, alpha, start, n).unwrap();
            add(Regime::Relaxation { start, lifetimes: 1.0 }, &limit, exact);
        }
    }
    overflow.assert_worth(0.1, [1e-3, 0.2]);
    accesses.assert_worth(0.1, [1e-3, 0.3]);
}

/// Of buckets of two, three and four. In the smallest tables first order says little.
#[test]
fn small_buckets() {
    let (mut overflow, mut occupancy) = (Tally::default(), Tally::default());
    for (h, m) in [(2, 16), (2, 32), (3, 8), (3, 16), (4, 10)] {
        for (load, d) in [0.5, 0.8, 1.0, 1.3].iter().flat_map(|&c| [1, 2, 3].map(|d| (c, d))) {
            let n = (load * f64::from(m * h)).round() as u32;
            let c = f64::from(n) / f64::from(h * m);
            let table = Finite { n: n.into(), m: m.into(), alpha: 1.0 };
            let mut add =
                |limit: FluidLimit, found: Result<Allowance, _>, exact: small_table::Means| {
                    let (found, what) = (found.unwrap().refined, format!("{table:?} {h} {d}"));
                    overflow.add(exact.overflow, limit.overflow, found.overflow, &what);
                    for k in 0..=h as usize {
                        let refined = found.occupancy.get(k).copied().flatten();
                        occupancy.add(exact.occupancy[k], limit.occupancy[k], refined, &what);
                    }
                };
            let small = |rule| SmallTable { n, m, h, d, rule };
            let (first, least) = (FirstFree { d }, LeastLoaded { d });
            let limit = multiple::static_fill(c, h, d, 1.0).unwrap();
            let found = table.allowance(&first, Regime::StaticFill, &limit);
            add(limit, found, small(Pick::FirstFree).static_fill());
            let limit = d_random::static_fill(c, h, d, 1.0).unwrap();
            let found = table.allowance(&least, Regime::StaticFill, &limit);
            add(limit, found, small(Pick::LeastLoaded).static_fill());
            if n <= 32 {
                let limit = multiple::alternation(c, h, d, 1.0);
                let found = table.allowance(&first, Regime::Alternation, &limit);
                add(limit, found, small(Pick::FirstFree).alternation());
                let limit = d_random::alternation(c, h, d, 1.0);
                let found = table.allowance(&least, Regime::Alternation, &limit);
                add(limit, found, small(Pick::LeastLoaded).alternation());
            }
        }
    }
    overflow.assert_worth(0.5, [4e-2, 0.5]);
    occupancy.assert_worth(0.5, [4e-2, 0.5]);
}

/// The j-th choice in the j-th sub-table, held against the law of "The Power of One Move".
#[test]
fn sub_tables_of_single_slots() {
    let (mut overflow, mut accesses, mut loads) =
        (Tally::default(), Tally::default(), Tally::default());
    for buckets in [&[80_u32, 40][..], &[100, 50, 25], &[160, 80, 40, 20], &[600, 300, 150]] {
        let m: u32 = buckets.iter().sum();
        for load in [0.3, 0.5, 0.7, 0.9, 1.2, 2.0] {
            let n = (load * f64::from(m)).round();
            let c = n / f64::from(m);
            let table = Finite { n: n as u64, m: m.into(), alpha: 1.0 };
            let shares: Vec<f64> = buckets.iter().map(|&b| f64::from(b) / f64::from(m)).collect();
            let limit = sub_tables::static_fill(c, 1, &shares, 1.0).unwrap();
            let rule = sub_tables::Chain { shares: &shares };
            let found = table.allowance(&rule, Regime::StaticFill, &limit).unwrap().refined;
            let exact = standard_law(n as u32, buckets).unwrap();
            let what = format!("{buckets:?} {n}");
            overflow.add(exact.overflow.mean() / n, limit.table.overflow, found.overflow, &what);
            accesses.add(exact.accesses, limit.table.accesses, found.accesses, &what);
            let taken = exact.sub_tables.iter().map(Count::mean).zip(buckets);
            for (i, (taken, &buckets)) in taken.enumerate() {
                let refined = found.loads.get(i).copied().flatten();
                loads.add(taken / f64::from(buckets), limit.occupancy[i][1], refined, &what);
            }
        }
    }
    overflow.assert_worth(0.3, [1e-3, 0.2]);
    accesses.assert_worth(0.3, [1e-3, 0.2]);
    loads.assert_worth(0.1, [1e-3, 0.2]);
}

/// Where choices are many beside √m, or overflow is too rare, nothing is said.
#[test]
fn is_withheld_where_first_order_says_nothing() {
    let refined = |n, m, h, d| {
        let table = Finite { n, m, alpha: 1.0 };
        let limit = multiple::alternation(n as f64 / (m * u64::from(h)) as f64, h, d, 1.0);
        table.allowance(&FirstFree { d }, Regime::Alternation, &limit).unwrap().refined.overflow
    };
    assert!(refined(64, 64, 1, 2).is_some());
    assert_eq!(refined(64, 64, 1, 16), None);
    assert_eq!(refined(30, 64, 4, 3), None);
}
