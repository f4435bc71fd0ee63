//! Fills against the enumeration of small cases, against element by element, and against fluid limits.

use std::iter::once;

use rand::{RngExt, SeedableRng};

use super::reference::Reference;
use super::*;
use crate::keys::Seeds;
use crate::tables::by_load::{ByLoad, Steps};
use crate::tables::theory::second_chance;
use crate::tables::trial::Rounds;
use crate::tables::workloads::course::Averages;

const RULES: [InsertionRule; 7] = [
    InsertionRule::Standard { bucket_size: 1 },
    InsertionRule::Standard { bucket_size: 2 },
    InsertionRule::Standard { bucket_size: 3 },
    InsertionRule::Conservative,
    InsertionRule::SecondChance,
    InsertionRule::SecondChanceOfTwo,
    InsertionRule::ExtremeSecondChance,
];

/// A rule; extreme second chance that asks for all sub-tables; or the standard scheme as with many elements.
#[derive(Debug, Clone, Copy)]
enum Way {
    Rule(InsertionRule),
    Anywhere,
    AtOnce { bucket_size: u8 },
}

impl Way {
    fn all() -> impl Iterator<Item = Self> {
        let at_once = [1, 2, 3].map(|bucket_size| Self::AtOnce { bucket_size });
        RULES.map(Self::Rule).into_iter().chain([Self::Anywhere]).chain(at_once)
    }

    fn fill(self, elements: usize, sizes: &[usize]) -> StaticFill {
        match self {
            Way::Rule(rule) => fill(rule, elements, sizes),
            Way::Anywhere => {
                fill(InsertionRule::ExtremeSecondChance, elements, sizes).asking_everywhere()
            }
            Way::AtOnce { bucket_size } => {
                let rule = InsertionRule::Standard { bucket_size };
                let chosen = sizes.iter().map(|&size| Chosen::new(size as u32)).collect();
                StaticFill { sub_tables: Kept::Chosen(chosen), ..fill(rule, elements, sizes) }
            }
        }
    }
}

/// Standard errors that a mean may be off: several hundred are looked at, with a fixed seed.
const STANDARD_ERRORS: f64 = 4.5;

fn fill(rule: InsertionRule, elements: usize, sizes: &[usize]) -> StaticFill {
    StaticFill::of_sizes(rule, elements as u32, sizes.iter().map(|&size| size as u32)).unwrap()
}

/// What a fill says of itself: accesses, moves, overflow, and elements in each sub-table.
fn quantities(filled: Filled, stored: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let Filled { accesses, moves, overflow } = filled;
    [accesses as f64, moves as f64, overflow.into()].into_iter().chain(stored).collect()
}

fn measured(fill: &mut StaticFill, rng: &mut Rng) -> Vec<f64> {
    let filled = fill.run(rng);
    let stored = fill.sub_tables().into_iter().map(|sub_table| sub_table.elements as f64);
    quantities(filled, stored)
}

fn by_load(way: Way, elements: usize, sizes: &[usize]) -> Option<ByLoad> {
    let fill = way.fill(elements, sizes);
    if let Way::Rule(InsertionRule::Standard { bucket_size }) = way {
        let sizes: Vec<u32> = sizes.iter().map(|&size| size as u32).collect();
        let geometry =
            Geometry { elements: elements as u32, buckets: sizes.iter().sum(), bucket_size };
        return ByLoad::in_turn(&geometry, sizes);
    }
    let (rule, elements, buckets) = fill.moving()?;
    ByLoad::filling(rule, elements, buckets)
}

/// The same of so many fills in lockstep, with their squares: with short numbers and with long ones; none where fills go one after
/// the other.
fn in_lockstep(way: Way, elements: usize, sizes: &[usize], trials: u64) -> Vec<Sums> {
    let short = by_load(way, elements, sizes);
    let both = short.into_iter().flat_map(|short| [short.clone(), short.long()]);
    both.map(|fill| sums_in_lockstep(&fill, trials)).collect()
}

fn sums_in_lockstep(by_load: &ByLoad, trials: u64) -> Sums {
    let mut found = Sums::default();
    let seeds = |trial| Seeds::of(6, trial);
    by_load.run(
        &Steps::Rounds(Rounds::Filling),
        Averages::default(),
        0..trials,
        seeds,
        |sums, _, outcome| {
            let filled =
                Filled { accesses: sums.accesses, moves: sums.moves, overflow: outcome.overflow };
            let stored = outcome.sub_tables.iter().map(|sub_table| sub_table.elements as f64);
            found.add(&with_squares(quantities(filled, stored)));
        },
    );
    found
}

fn by_element(way: Way, sizes: &[usize], choices: &[Vec<usize>]) -> Vec<f64> {
    let (filled, counts) = match way {
        Way::Rule(rule) => Reference::fill(rule, sizes, choices),
        Way::Anywhere => Reference::fill_anywhere(sizes, choices),
        Way::AtOnce { bucket_size } => {
            Reference::fill(InsertionRule::Standard { bucket_size }, sizes, choices)
        }
    };
    quantities(filled, counts.iter().map(|level| level.iter().sum::<usize>() as f64))
}

/// Sums of values and of their squares.
#[derive(Default)]
struct Sums {
    count: f64,
    of: Vec<[f64; 2]>,
}

impl Sums {
    fn add(&mut self, values: &[f64]) {
        self.count += 1.0;
        self.of.resize(values.len(), [0.0; 2]);
        for (sums, value) in self.of.iter_mut().zip(values) {
            *sums = [sums[0] + value, sums[1] + value * value];
        }
    }

    /// Means and variances.
    fn moments(&self) -> Vec<(f64, f64)> {
        let moments = |&[sum, squares]: &[f64; 2]| {
            let mean = sum / self.count;
            (mean, (squares / self.count - mean * mean).max(0.0))
        };
        self.of.iter().map(moments).collect()
    }
}

/// Every way in which elements can choose buckets.
fn all_choices(elements: usize, sizes: &[usize]) -> impl Iterator<Item = Vec<Vec<usize>>> {
    let ways = sizes.iter().product::<usize>().pow(elements as u32);
    (0..ways).map(move |mut way| {
        let mut digit = |base: usize| {
            let digit = way % base;
            way /= base;
            digit
        };
        (0..elements).map(|_| sizes.iter().map(|&size| digit(size)).collect()).collect()
    })
}

/// The values and their squares, so that means of both are the first two moments.
fn with_squares(values: Vec<f64>) -> Vec<f64> {
    let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
    [values, squares].concat()
}

/// First and second moments over many trials against the exact ones.
#[test]
fn has_the_law_of_every_way_to_choose() {
    const TRIALS: u32 = 100_000;
    let mut rng = Rng::seed_from_u64(1);
    let cases: [(usize, &[usize]); 5] =
        [(3, &[2]), (3, &[2, 1]), (4, &[2, 1]), (3, &[2, 2, 1]), (5, &[1, 2, 1, 1])];
    for ((elements, sizes), way) in
        cases.iter().flat_map(|case| Way::all().map(move |way| (case, way)))
    {
        let mut exact = Sums::default();
        for choices in all_choices(*elements, sizes) {
            exact.add(&with_squares(by_element(way, sizes, &choices)));
        }
        let mut fill = way.fill(*elements, sizes);
        let mut found = Sums::default();
        (0..TRIALS).for_each(|_| found.add(&with_squares(measured(&mut fill, &mut rng))));
        let in_lockstep = in_lockstep(way, *elements, sizes, TRIALS.into());
        for (i, exact) in exact.moments().into_iter().enumerate() {
            let error = (exact.1 / f64::from(TRIALS)).sqrt();
            for found in once(&found).chain(&in_lockstep) {
                near((found.moments()[i].0, error), exact.0, 1e-9, (way, elements, sizes, i));
            }
        }
    }
}

/// First and second moments in tables of every number of sub-tables, crowded and not, that take more
/// chunks than one.
#[test]
fn has_the_moments_of_element_by_element() {
    const TRIALS: usize = 1000;
    let mut rng = Rng::seed_from_u64(2);
    for d in 1..=MOST_SUB_TABLES {
        for (elements, way) in
            [300, 150].into_iter().flat_map(|n| Way::all().map(move |way| (n, way)))
        {
            let sizes: Vec<usize> = (0..d).map(|i| 200 / d + 3 * (d - i)).collect();
            let mut fill = way.fill(elements, &sizes);
            let [mut fast, mut slow] = [Sums::default(), Sums::default()];
            for _ in 0..TRIALS {
                fast.add(&with_squares(measured(&mut fill, &mut rng)));
                let choose = |_| sizes.iter().map(|&size| rng.random_range(0..size)).collect();
                let choices: Vec<Vec<usize>> = (0..elements).map(choose).collect();
                slow.add(&with_squares(by_element(way, &sizes, &choices)));
            }
            let in_lockstep = in_lockstep(way, elements, &sizes, TRIALS as u64);
            for (i, slow) in slow.moments().into_iter().enumerate() {
                for fast in once(&fast).chain(&in_lockstep) {
                    let fast = fast.moments()[i];
                    let error = ((fast.1 + slow.1) / TRIALS as f64).sqrt();
                    near((fast.0, error), slow.0, 1e-9, (way, elements, &sizes, i));
                }
            }
        }
    }
}

/// Table 5.1(b): the sizes of each rule, in buckets per element.
const TABLE: [(InsertionRule, [f64; 4]); 6] = [
    (InsertionRule::Standard { bucket_size: 1 }, [0.7867, 0.5149, 0.3152, 0.1782]),
    (InsertionRule::Conservative, [0.5214, 0.4134, 0.2802, 0.1774]),
    (InsertionRule::SecondChance, [0.4694, 0.4562, 0.2512, 0.1082]),
    (InsertionRule::ExtremeSecondChance, [0.3774, 0.3624, 0.2857, 0.1276]),
    (InsertionRule::Standard { bucket_size: 2 }, [0.2970, 0.1735, 0.1059, 0.0493]),
    (InsertionRule::SecondChanceOfTwo, [0.2048, 0.1961, 0.0954, 0.0299]),
];

/// Overflow, moves and accesses per element, and the loads of sub-tables; with their standard errors.
fn per_element(rule: InsertionRule, sizes: &[f64], n: usize, trials: u32) -> Vec<(f64, f64)> {
    let mut rng = Rng::seed_from_u64(3);
    let sizes: Vec<usize> = sizes.iter().map(|size| (size * n as f64).round() as usize).collect();
    let mut fill = fill(rule, n, &sizes);
    let mut sums = Sums::default();
    for _ in 0..trials {
        let Filled { accesses, moves, overflow } = fill.run(&mut rng);
        let of_one = |sum: u64| sum as f64 / n as f64;
        let mut values = vec![of_one(overflow.into()), of_one(moves), of_one(accesses)];
        values.extend(fill.sub_tables().iter().map(SubTableUse::load));
        sums.add(&values);
    }
    let error = |variance: f64| (variance / f64::from(trials - 1)).sqrt();
    sums.moments().into_iter().map(|(mean, variance)| (mean, error(variance))).collect()
}

#[track_caller]
fn near((mean, error): (f64, f64), limit: f64, allowance: f64, what: impl std::fmt::Debug) {
    let room = STANDARD_ERRORS * error + allowance;
    assert!((mean - limit).abs() <= room, "{what:?}: {mean} ± {error}, not {limit}");
}

/// With a million elements a finite table is hardly away from its limit.
#[test]
fn has_the_fluid_limits() {
    const N: usize = 1_000_000;
    for (rule, sizes) in TABLE {
        let limit = rule.static_fill(&sizes).unwrap();
        let found = per_element(rule, &sizes, N, 40);
        let allowance = 10.0 / N as f64;
        near(found[0], limit.overflow, allowance, (rule, "overflow"));
        near(found[1], limit.moves, allowance, (rule, "moves"));
        for (i, occupancy) in limit.occupancy.iter().enumerate() {
            let stored: f64 = (0_u32..).zip(occupancy).map(|(k, share)| f64::from(k) * share).sum();
            let load = stored / f64::from(rule.bucket_size());
            near(found[3 + i], load, allowance / sizes[i], (rule, "load", i));
        }
        if rule == InsertionRule::SecondChance {
            let limit = second_chance::static_fill(&sizes).unwrap();
            near(found[2], limit.accesses, allowance, "accesses");
        }
    }
}

#[test]
fn occupancy_counts_every_bucket() {
    let bucket_size = 2;
    for way in [Way::Rule(InsertionRule::Standard { bucket_size }), Way::AtOnce { bucket_size }] {
        let mut fill = way.fill(5, &[1, 3]);
        let filled = fill.run(&mut Rng::seed_from_u64(4));
        let occupancy = fill.occupancy();
        assert_eq!(occupancy.iter().sum::<u64>(), 4);
        assert_eq!(occupancy[1] + 2 * occupancy[2] + u64::from(filled.overflow), 5);
        assert_eq!(fill.sub_tables()[0], SubTableUse { elements: 2, places: 2 });
    }
}

/// Many elements go neither bucket by bucket nor in lockstep if none moves.
#[test]
fn choices_of_many_elements_are_made_at_once() {
    for rule in RULES {
        for (elements, many) in [(MANY - 1, false), (MANY, true)] {
            let fill = fill(rule, elements as usize, &[50_000, 50]);
            let is_at_once = matches!(fill.sub_tables, Kept::Chosen(_));
            assert_eq!(is_at_once, many && !fill.moves());
        }
    }
}

/// Where elements move, in as many sub-tables as are usual: all choices are drawn there, which must not be many.
#[test]
fn fills_go_in_lockstep_where_few_choices_are_drawn() {
    let usual = [3, 4, 5];
    let any: Vec<usize> = (1..=MOST_SUB_TABLES).collect();
    let goes: [&[usize]; 11] =
        [&any, &any, &any, &usual, &usual, &usual, &[3, 4], &[], &[], &[], &[]];
    for (way, expected) in Way::all().zip(goes) {
        let goes = |d: &usize| by_load(way, 5, &vec![2; *d]).is_some();
        let found: Vec<_> = (1..=MOST_SUB_TABLES).filter(goes).collect();
        assert_eq!(found, expected, "{way:?}");
    }
}

#[test]
fn rules_with_moves_have_eight_sub_tables_at_most() {
    for rule in RULES {
        let without_moves = matches!(rule, InsertionRule::Standard { .. });
        assert_eq!(StaticFill::of_sizes(rule, 5, [1; 9].into_iter()).is_some(), without_moves);
    }
}

/// Trial by trial: elements in the way move to the same places whether or not they are also asked for
/// sub-tables in which their choices are known to be full.
#[test]
fn asking_for_earlier_sub_tables_moves_nothing_there() {
    let mut rng = Rng::seed_from_u64(5);
    let sizes = [20, 15, 10, 5];
    for _ in 0..200 {
        let choose = |_| sizes.map(|size| rng.random_range(0..size)).to_vec();
        let choices: Vec<Vec<usize>> = (0..60).map(choose).collect();
        let later = by_element(Way::Rule(InsertionRule::ExtremeSecondChance), &sizes, &choices);
        let any = by_element(Way::Anywhere, &sizes, &choices);
        assert!(any[0] > later[0]);
        assert_eq!(any[1..], later[1..]);
    }
}
