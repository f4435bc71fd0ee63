//! Cuckoo hashing: two choices move by move, the stash, and the best placement.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashSpec, RandomSource, Source, derive_seed};
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use loadfactor_schemes::tables::Process;
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::tables::{Cuckoo, Insertion, Scheme, Table, TableVisitor};

use crate::case::Case;
use crate::model::Script;
use crate::simulation::simulate;

/// Cuckoo hashing as Pagh and Rodler have it, with one table: an element a nest.
struct Nests {
    limit: u32,
    nests: Vec<Option<u32>>,
    choices: Vec<[usize; 2]>,
    stash: Vec<u32>,
}

impl Nests {
    fn insert(&mut self, element: u32, choices: [usize; 2]) -> Insertion {
        self.choices[element as usize] = choices;
        let (mut x, mut nest) = (element, choices[0]);
        for evictions in 0..=self.limit {
            let accesses = evictions + 1;
            if self.nests[nest].is_none() {
                self.nests[nest] = Some(x);
                let stored = true;
                return Insertion { accesses, stored, moves: evictions, ..Insertion::default() };
            }
            if evictions < self.limit {
                x = self.nests[nest].replace(x).unwrap();
                let [first, second] = self.choices[x as usize];
                nest = first + second - nest;
            }
        }
        self.stash.push(x);
        let moves = self.limit.saturating_sub(1);
        Insertion { accesses: self.limit + 1, moves, ..Insertion::default() }
    }

    fn holds(&self, element: u32) -> bool {
        self.nests.contains(&Some(element)) || self.stash.contains(&element)
    }

    fn delete(&mut self, element: u32) {
        self.nests.iter_mut().filter(|nest| **nest == Some(element)).for_each(|nest| *nest = None);
        self.stash.retain(|&other| other != element);
    }
}

/// Elements that arrive with these choices, or depart if they are there.
type Steps = Vec<(u32, [u32; 2])>;

struct LikeNests<'s> {
    nests: Nests,
    steps: &'s Steps,
}

impl TableVisitor for LikeNests<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let Self { mut nests, steps } = self;
        let m = nests.nests.len() as u32;
        let mut rng = Rng::seed_from_u64(0);
        for (element, choices) in steps {
            if nests.holds(*element) {
                nests.delete(*element);
                table.delete(*element);
            } else {
                let found = table.insert::<false>(*element, Script::new(choices), &mut rng);
                let choices = choices.map(|choice| (choice % m) as usize);
                prop_assert_eq!(found, nests.insert(*element, choices));
            }
            let taken = nests.nests.iter().flatten().count() as u64;
            prop_assert_eq!(table.overflow() as usize, nests.stash.len());
            prop_assert_eq!(table.occupancy(), [u64::from(m) - taken, taken]);
        }
        Ok(())
    }
}

/// What each step did, and the overflow after it.
struct Trace<'s>(&'s Steps);

impl TableVisitor for Trace<'_> {
    type Output = Vec<(Option<Insertion>, u32)>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let mut rng = Rng::seed_from_u64(0);
        let mut present = [false; 30];
        let step = |(element, choices): &(u32, [u32; 2])| {
            let there = std::mem::replace(&mut present[*element as usize], false);
            let found = (!there).then(|| {
                present[*element as usize] = true;
                table.insert::<false>(*element, Script::new(choices), &mut rng)
            });
            if there {
                table.delete(*element);
            }
            (found, table.overflow())
        };
        self.0.iter().map(step).collect()
    }
}

fn steps() -> impl Strategy<Value = Steps> {
    vec((0..30_u32, any::<[u32; 2]>()), 0..200)
}

proptest! {
    #[test]
    fn two_choices_of_single_slots_are_nests(steps in steps(), m in 1..20_u32, limit in 0..20_u32) {
        let case = Case { n: 30, m, h: 1, d: 2, alpha: 1.0 };
        let nests = Nests {
            limit,
            nests: vec![None; m as usize],
            choices: vec![[0; 2]; 30],
            stash: Vec::new(),
        };
        let scheme = case.cuckoo("random-walk", limit, &[]);
        scheme.table(true, LikeNests { nests, steps: &steps })?;
    }

    /// A bounded stash changes nothing but that some elements are lost, the first when it is full.
    #[test]
    fn a_bounded_stash_only_loses(steps in steps(), size in 0..8_i64, breadth_first: bool) {
        let case = Case { n: 30, m: 6, h: 2, d: 2, alpha: 1.0 };
        let eviction = if breadth_first { "breadth-first" } else { "random-walk" };
        let bound = [("stash_size", Scalar::Integer(size))];
        let unbounded = case.cuckoo(eviction, 5, &[]).table(true, Trace(&steps));
        let bounded = case.cuckoo(eviction, 5, &bound).table(true, Trace(&steps));
        let mut beyond = false;
        for ((free, overflow), (found, same)) in unbounded.into_iter().zip(bounded) {
            prop_assert_eq!(overflow, same);
            prop_assert_eq!(free, found.map(|found| Insertion { lost: false, ..found }));
            let lost = found.is_some_and(|found| found.lost);
            prop_assert!(!lost || i64::from(overflow) > size);
            prop_assert!(beyond || lost == (i64::from(overflow) > size));
            beyond |= i64::from(overflow) > size;
        }
    }
}

/// In how many of so many static fills an element is lost.
struct Failures {
    elements: u32,
    trials: u64,
}

impl TableVisitor for Failures {
    type Output = f64;

    fn visit<T: Table>(self, mut table: T) -> f64 {
        let fails = |trial: &u64| {
            table.clear();
            let mut rng = Rng::seed_from_u64(*trial);
            let seed = derive_seed(1400, *trial);
            let mut source = RandomSource::new(&HashSpec::random(2).unwrap(), seed);
            let mut insert =
                |element| table.insert::<false>(element, source.element(&[]), &mut rng);
            (0..self.elements).map(&mut insert).filter(|found| found.lost).count() > 0
        };
        (0..self.trials).filter(fails).count() as f64
    }
}

#[test]
fn without_a_stash_trials_fail_as_often_as_predicted() {
    let trials = 4000;
    let case = Case { n: 50, m: 110, h: 1, d: 2, alpha: 1.0 };
    for eviction in ["random-walk", "breadth-first"] {
        let scheme = case.cuckoo(eviction, 220, &[("stash_size", Scalar::Integer(0))]);
        let outlook = scheme.outlook(Process::StaticFill);
        let failure = outlook.predictions.iter().find(|p| p.metric == metrics::FAILURE_FRACTION);
        let share = failure.unwrap().value;
        let failures = scheme.table(false, Failures { elements: case.n, trials });
        let expected = share * trials as f64;
        let std_error = (expected * (1.0 - share)).sqrt();
        assert!((failures - expected).abs() < 4.0 * std_error, "{failures} of {expected}");
    }
}

/// Asserts what is predicted of the overflow fraction; the kinds of these predictions.
#[track_caller]
fn assert_predicted(scheme: &Cuckoo, process: Process, trials: u64, seed: u64) -> Vec<Kind> {
    let readings = simulate(scheme, process, trials, seed).overflow;
    let predictions = scheme.outlook(process).predictions;
    let of_overflow = predictions.iter().filter(|p| p.metric == metrics::OVERFLOW_FRACTION);
    let check = |p: &loadfactor_schemes::prediction::Prediction| {
        if p.kind == Kind::LowerBound {
            let (mean, std_error) = readings.mean();
            assert!(mean >= p.value - p.allowance - 4.0 * std_error, "{scheme:?}: {mean} {p:?}");
        } else {
            readings.assert_mean(p.value, p.allowance, (scheme, p));
        }
        p.kind
    };
    of_overflow.map(check).collect()
}

#[test]
fn pairs_overflow_as_the_best_placement_does() {
    for (n, m) in [(5, 5), (60, 100), (100, 100), (300, 100)] {
        let case = Case { n, m, h: 1, d: 2, alpha: 1.0 };
        for (eviction, limit) in [("random-walk", 2 * m), ("breadth-first", m)] {
            let scheme = case.cuckoo(eviction, limit, &[]);
            let kinds = assert_predicted(&scheme, Process::StaticFill, 2000, 1500);
            assert_eq!(kinds, [Kind::Exact, Kind::Asymptotic]);
            let kinds = assert_predicted(&scheme, Process::Alternation, 20, 1600);
            assert_eq!(kinds, [Kind::LowerBound]);
        }
    }
}

/// At, below and above the threshold, with sub-tables and without.
#[test]
fn the_limit_of_the_best_placement_is_met_within_its_allowance() {
    for (d, h, elements) in [
        (2, 1, [110, 128, 150]),
        (3, 1, [225, 235, 246]),
        (4, 1, [246, 250, 300]),
        (2, 2, [450, 459, 520]),
        (2, 4, [980, 1004, 1100]),
        (3, 3, [750, 768, 900]),
    ] {
        for n in elements {
            let case = Case { n, m: 256 / d * d, h, d, alpha: 1.0 };
            let sub_tables = [("sub_tables", Scalar::Flag(true))];
            let breadth_first = case.cuckoo("breadth-first", 256, &sub_tables);
            let kinds = assert_predicted(&breadth_first, Process::StaticFill, 400, 1700);
            assert_eq!(kinds, [Kind::Asymptotic, Kind::LowerBound]);
            let walk = case.cuckoo("random-walk", 500, &sub_tables);
            let kinds = assert_predicted(&walk, Process::StaticFill, 50, 1800);
            assert_eq!(kinds, [Kind::LowerBound]);
        }
    }
}

/// Cuckoo hashing with one choice has nowhere to move an element to.
/// Only near the threshold do some tables have an overflow and others none: away from it, on both sides, a limit is
/// allowed 1/m, for what whole buckets do.
#[test]
fn a_limit_is_allowed_more_near_the_threshold() {
    let m = 10_000;
    let allowance = |n| {
        let case = Case { n, m, h: 1, d: 3, alpha: 1.0 };
        let predictions =
            case.cuckoo("breadth-first", m, &[]).outlook(Process::StaticFill).predictions;
        let of_limit = |p: &&loadfactor_schemes::prediction::Prediction| {
            p.metric == metrics::OVERFLOW_FRACTION && p.kind == Kind::Asymptotic
        };
        predictions.iter().find(of_limit).unwrap().allowance * f64::from(m)
    };
    assert!((allowance(5000) - 1.0).abs() < 1e-6 && (allowance(14_000) - 1.0).abs() < 1e-6);
    assert!(allowance(9179) > 10.0, "{}", allowance(9179));
}

#[test]
fn one_choice_is_single() {
    let case = Case { n: 80, m: 30, h: 2, d: 1, alpha: 1.0 };
    for eviction in ["random-walk", "breadth-first"] {
        for process in [Process::StaticFill, Process::Alternation] {
            let cuckoo = simulate(&case.cuckoo(eviction, 500, &[]), process, 50, 1900);
            let single = simulate(&case.single(), process, 50, 1900);
            assert_eq!(cuckoo.overflow.mean(), single.overflow.mean());
            assert_eq!(cuckoo.accesses.mean(), single.accesses.mean());
        }
    }
}

/// Each number is an element, each choice a bucket of its sub-table.
struct StepByStep;

impl TableVisitor for StepByStep {
    type Output = ();

    fn visit<T: Table>(self, mut table: T) {
        let mut rng = Rng::seed_from_u64(0);
        table.insert::<false>(0, Script::new(&[0, 1]), &mut rng);
        assert_eq!(table.sub_table_loads(), [0.5, 0.0]);
        table.reserve(3);
        let found = table.insert::<false>(2, Script::new(&[0, 0]), &mut rng);
        let moved = Insertion { accesses: 2, stored: true, moves: 1, ..Insertion::default() };
        assert_eq!((found, table.sub_table_loads()), (moved, vec![0.5, 0.5]));
        table.insert_overflowed(1);
        assert_eq!(table.overflow(), 1);
        table.delete(1);
        table.delete(0);
        assert_eq!((table.overflow(), table.sub_table_loads()), (0, vec![0.5, 0.0]));
        table.insert_overflowed(0);
        table.clear();
        assert_eq!((table.overflow(), table.occupancy()), (0, vec![4, 0]));
    }
}

#[test]
fn sub_tables_the_list_and_room_for_more() {
    let case = Case { n: 2, m: 4, h: 1, d: 2, alpha: 1.0 };
    let sub_tables = [("sub_tables", Scalar::Flag(true))];
    case.cuckoo("random-walk", 5, &sub_tables).table(true, StepByStep);
}

/// One element always finds the only bucket, where the fluid bound of Theorem 6 is one half.
#[test]
fn small_tables_are_held_against_the_best_placement_alone() {
    let scheme: Cuckoo = Case { n: 1, m: 1, h: 1, d: 2, alpha: 1.0 }.cuckoo("random-walk", 5, &[]);
    let predictions = scheme.outlook(Process::Alternation).predictions;
    let found: Vec<(Kind, f64)> = predictions.iter().map(|p| (p.kind, p.value)).collect();
    assert_eq!(found, [(Kind::LowerBound, 0.0)]);
    assert!(!scheme.is_bounded(Process::Alternation));
}
