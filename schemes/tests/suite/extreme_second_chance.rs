//! Extreme second chance against a model that follows the formal specification in Section 5.6 of
//! "The Power of One Move" line by line.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use loadfactor_schemes::tables::Process;
use loadfactor_schemes::tables::{
    Deletion, ExtremeSecondChance, Insertion, Scheme, Table, TableVisitor,
};

use crate::case::Case;
use crate::model::{Script, Step};
use crate::simulation::simulate;

/// The sub-tables to which elements in the way may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    /// All, as the formal specification says.
    Any,
    /// Those after their own, as the text before it says.
    Later,
}

#[derive(Debug)]
struct Model {
    to: To,
    /// T_1, …, T_d.
    tables: Vec<Vec<Option<u32>>>,
    /// h_1(x), …, h_d(x) of the elements that came with choices.
    hashes: BTreeMap<u32, Vec<usize>>,
    list: BTreeSet<u32>,
}

impl Model {
    fn new(to: To, sizes: &[usize]) -> Self {
        let tables = sizes.iter().map(|&size| vec![None; size]).collect();
        Self { to, tables, hashes: BTreeMap::new(), list: BTreeSet::new() }
    }

    fn holds(&self, x: u32) -> bool {
        self.list.contains(&x) || self.tables.iter().flatten().any(|&slot| slot == Some(x))
    }

    /// T_i[h_i(x)].
    fn slot(&mut self, x: u32, i: usize) -> &mut Option<u32> {
        &mut self.tables[i][self.hashes[&x][i]]
    }

    /// The leftmost sub-table from `from` on that is empty for x; d if there is none.
    fn leftmost(&mut self, x: u32, from: usize) -> usize {
        let d = self.tables.len();
        (from..d).find(|&i| self.slot(x, i).is_none()).unwrap_or(d)
    }

    fn insert(&mut self, x: u32, choices: &[u32]) -> Insertion {
        let sizes = self.tables.iter().map(Vec::len);
        let h = sizes.zip(choices).map(|(size, &choice)| choice as usize % size).collect();
        self.hashes.insert(x, h);
        let d = self.tables.len();
        let y: Vec<Option<u32>> = (0..d).map(|i| *self.slot(x, i)).collect();
        let z_0 = self.leftmost(x, 0);
        let any = self.to == To::Any;
        let from = |i| if any { 0 } else { i + 1 };
        let z: Vec<usize> = (0..d).map(|i| y[i].map_or(d, |y| self.leftmost(y, from(i)))).collect();
        let least = z.iter().copied().min().unwrap();
        let j = z.iter().position(|&z| z == least).unwrap();
        let moved = z_0 > least;
        let end = least.min(z_0);
        let accesses = match self.to {
            To::Any if z_0 == 0 => 1,
            To::Any => d + self.asked(&y, end) + if moved { asked_in(&y[..=j], end) } else { 0 },
            To::Later => {
                (0..=end.min(d - 1)).map(|i| 1 + if i < end { i } else { 0 }).sum::<usize>()
                    + if moved { j + 1 } else { 0 }
            }
        };
        if moved {
            *self.slot(y[j].unwrap(), least) = y[j];
            *self.slot(x, j) = Some(x);
        } else if z_0 < d {
            *self.slot(x, z_0) = Some(x);
        } else {
            self.list.insert(x);
        }
        Insertion {
            accesses: accesses as u32,
            stored: moved || z_0 < d,
            moves: u32::from(moved),
            ..Insertion::default()
        }
    }

    /// Choices that the elements y were asked for in sub-tables before `end`.
    fn asked(&self, y: &[Option<u32>], end: usize) -> usize {
        (0..end).map(|i| asked_in(y, i)).sum()
    }

    fn delete(&mut self, x: u32) {
        self.list.remove(&x);
        self.tables.iter_mut().flatten().filter(|s| **s == Some(x)).for_each(|s| *s = None);
    }

    fn loads(&self) -> Vec<f64> {
        let load = |t: &Vec<Option<_>>| t.iter().flatten().count() as f64 / t.len() as f64;
        self.tables.iter().map(load).collect()
    }

    /// Every element is in one of its choices.
    fn check(&self) -> Result<(), TestCaseError> {
        for (i, table) in self.tables.iter().enumerate() {
            for (slot, x) in table.iter().enumerate() {
                prop_assert!(x.is_none_or(|x| self.hashes[&x][i] == slot), "{x:?} in {i}, {slot}");
            }
        }
        Ok(())
    }
}

/// How many of the elements y are asked for their choice in sub-table i: not the one that is in it.
fn asked_in(y: &[Option<u32>], i: usize) -> usize {
    y.iter().enumerate().filter(|&(j, y)| j != i && y.is_some()).count()
}

/// Runs the steps through the table and the model and compares them after each.
struct Alike<'c> {
    to: To,
    sizes: &'c [usize],
    steps: &'c [Step],
}

impl TableVisitor for Alike<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let mut model = Model::new(self.to, self.sizes);
        let mut rng = Rng::seed_from_u64(0);
        for step in self.steps {
            match step {
                Step::Toggle(x, _) if model.holds(*x) => {
                    prop_assert_eq!(table.delete(*x), Deletion::default());
                    model.delete(*x);
                }
                Step::Toggle(x, choices) => {
                    let found = table.insert::<false>(*x, Script::new(choices), &mut rng);
                    prop_assert_eq!(found, model.insert(*x, choices));
                }
                Step::List(x) if model.holds(*x) => {}
                Step::List(x) => {
                    table.insert_overflowed(*x);
                    model.list.insert(*x);
                }
                Step::Clear => {
                    table.clear();
                    model = Model::new(self.to, self.sizes);
                }
            }
            model.check()?;
            prop_assert_eq!(table.overflow() as usize, model.list.len());
            prop_assert_eq!(table.sub_table_loads(), model.loads());
        }
        Ok(())
    }
}

/// What the insertions of elements 0, 1, … with these choices come to: whether each was stored and
/// how many it moved, and the loads of the sub-tables in the end.
struct Fill<'c>(&'c [Vec<u32>]);

type Filled = (Vec<(bool, u32)>, Vec<f64>);

impl TableVisitor for Fill<'_> {
    type Output = Filled;

    fn visit<T: Table>(self, mut table: T) -> Filled {
        let mut rng = Rng::seed_from_u64(0);
        let mut insert = |(x, choices): (u32, &Vec<u32>)| {
            let found = table.insert::<false>(x, Script::new(choices), &mut rng);
            (found.stored, found.moves)
        };
        let insertions = (0..).zip(self.0).map(&mut insert).collect();
        (insertions, table.sub_table_loads())
    }
}

/// d sub-tables of which the last has `last` buckets and each other twice those of the next.
fn halving(d: usize, last: usize) -> Vec<usize> {
    (0..d).rev().map(|level| last << level).collect()
}

fn histories() -> impl Strategy<Value = (Vec<usize>, u32, Vec<Step>)> {
    (1..24_u32, 1..3_usize, 1..6_usize).prop_flat_map(|(n, last, d)| {
        let step = prop_oneof![
            60 => (0..n, vec(any::<u32>(), d)).prop_map(|(x, c)| Step::Toggle(x, c)),
            3 => (0..n).prop_map(Step::List),
            1 => Just(Step::Clear),
        ];
        (Just(halving(d, last)), Just(n), vec(step, 0..200))
    })
}

/// Sizes of d sub-tables and the choices of some elements.
fn fills(d: std::ops::Range<usize>) -> impl Strategy<Value = (Vec<usize>, Vec<Vec<u32>>)> {
    (d, 1..3_usize)
        .prop_flat_map(|(d, last)| (Just(halving(d, last)), vec(vec(any::<u32>(), d), 1..40)))
}

fn case(sizes: &[usize], n: u32) -> Case {
    Case { n, m: sizes.iter().sum::<usize>() as u32, h: 1, d: sizes.len() as u32, alpha: 1.0 }
}

/// Each sub-table with `factor` times the buckets of the next.
fn scheme(case: Case, factor: f64, to: To) -> ExtremeSecondChance {
    let moves_to = if to == To::Any { "any" } else { "later" };
    case.scheme(&[
        ("moves_to", Scalar::Word(moves_to.into())),
        ("choices", Scalar::Integer(case.d.into())),
        ("sub_table_factor", Scalar::Number(factor)),
    ])
}

proptest! {
    #[test]
    fn follows_the_specification((sizes, n, steps) in histories()) {
        for to in [To::Any, To::Later] {
            let alike = Alike { to, sizes: &sizes, steps: &steps };
            scheme(case(&sizes, n), 2.0, to).table(true, alike)?;
        }
    }

    #[test]
    fn without_deletions_elements_move_to_later_sub_tables((sizes, choices) in fills(1..6)) {
        let case = case(&sizes, choices.len() as u32);
        let found = scheme(case, 2.0, To::Any).table(false, Fill(&choices));
        let mut model = Model::new(To::Later, &sizes);
        let insertions = (0..).zip(&choices).map(|(x, choices)| {
            let Insertion { stored, moves, .. } = model.insert(x, choices);
            (stored, moves)
        });
        let insertions = insertions.collect::<Vec<_>>();
        prop_assert_eq!(found, (insertions, model.loads()));
    }

    #[test]
    fn without_deletions_two_choices_are_second_chance((sizes, choices) in fills(2..3)) {
        let case = case(&sizes, choices.len() as u32);
        let second_chance = case.second_chance(2.0, &[]).table(false, Fill(&choices));
        prop_assert_eq!(scheme(case, 2.0, To::Any).table(false, Fill(&choices)), second_chance);
    }
}

/// With one sub-table it is SINGLE, whose overflow is known exactly.
#[test]
fn one_choice_is_single() {
    let case = Case { n: 90, m: 100, h: 1, d: 1, alpha: 1.0 };
    for (process, seed) in [(Process::StaticFill, 1600), (Process::Alternation, 1601)] {
        let exact = case.single().outlook(process).predictions;
        let exact = exact.iter().find(|p| p.kind == Kind::Exact).unwrap();
        let measured = simulate(&scheme(case, 1.0, To::Later), process, 400, seed);
        measured.of(exact.metric).unwrap().assert_mean(exact.value, 0.0, process);
    }
}

/// "The Power of One Move", Table 5.2: with four equal sub-tables 0.2 % of 10,000 elements overflow
/// at 1.20 buckets per element, a rounded value.
#[test]
fn equal_sub_tables_overflow_as_published() {
    let overflow = |m, seed| {
        let case = Case { n: 10_000, m, h: 1, d: 4, alpha: 1.0 };
        simulate(&scheme(case, 1.0, To::Later), Process::StaticFill, 400, seed).overflow.mean()
    };
    let (more, more_error) = overflow(11_950, 1602);
    let (less, less_error) = overflow(12_050, 1603);
    assert!(more + 4.0 * more_error > 0.002, "{more} ± {more_error}");
    assert!(less - 4.0 * less_error < 0.002, "{less} ± {less_error}");
}

/// Mean and standard error of each quantity over the trials.
fn moments(trials: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let count = trials.len() as f64;
    let of = |i: usize| {
        let mean = trials.iter().map(|trial| trial[i]).sum::<f64>() / count;
        let squares: f64 = trials.iter().map(|trial| (trial[i] - mean).powi(2)).sum();
        (mean, (squares / (count - 1.0) / count).sqrt())
    };
    (0..trials[0].len()).map(of).collect()
}

/// Overflow, accesses and moves per element, the share of full buckets, and loads of sub-tables: what fills
/// sub-table by sub-table measure is what insertions measure.
#[test]
fn fills_measure_what_insertions_do() {
    const TRIALS: u64 = 400;
    for (to, d, seed) in [(To::Any, 4, 1604), (To::Any, 8, 1605), (To::Later, 4, 1606)] {
        let case = Case { n: 2000, m: 2200, h: 1, d, alpha: 1.0 };
        let scheme = scheme(case, 1.3, to);
        let measured = simulate(&scheme, Process::StaticFill, TRIALS, seed);
        let by_element = [&measured.overflow, &measured.accesses, &measured.moves];
        let by_element = by_element.into_iter().chain([&measured.occupancy[1]]);
        let by_element = by_element.chain(&measured.loads).map(|readings| readings.mean());
        let (mut fill, mut rng) = (scheme.static_fill().unwrap(), Rng::seed_from_u64(seed));
        let trial = |_| {
            let filled = fill.run(&mut rng);
            let per_element = |sum: u64| sum as f64 / f64::from(case.n);
            let full = fill.occupancy()[1] as f64 / f64::from(case.m);
            let own = [filled.overflow.into(), filled.accesses, filled.moves].map(per_element);
            let loads = fill.sub_tables();
            own.into_iter().chain([full]).chain(loads.iter().map(|used| used.load())).collect()
        };
        let by_level = moments(&(0..TRIALS).map(trial).collect::<Vec<_>>());
        assert_eq!(by_level.len(), 4 + d as usize);
        for (i, ((a, a_error), (b, b_error))) in by_element.zip(by_level).enumerate() {
            let error = a_error.hypot(b_error);
            assert!((a - b).abs() <= 4.0 * error, "{to:?} {d} {i}: {a} {b} ± {error}");
        }
    }
}
