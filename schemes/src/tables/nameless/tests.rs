//! Trials without names against exact laws, and against trials with names.

mod courses;
mod names;

use std::fmt::Debug;
use std::slice;

use super::{Nameless, NamelessVisitor, Shape, run};
use crate::Rng;
use crate::case::Record;
use crate::families;
use crate::hash::Choices;
use crate::keys::{KeySource, Seeds};
use crate::metric::Metric;
use crate::params::Scalar;
use crate::tables::counting::Counting;
use crate::tables::rule::{Reads, Rule};
use crate::tables::theory::{engset, single_slot};
use crate::tables::trial::Rounds;
use crate::tables::{Buckets, Geometry, Insertion, chain, metrics};

/// Standard errors that a mean, or the difference of two, may be off.
const STANDARD_ERRORS: f64 = 4.5;

/// Number, sum and sum of squares of each metric.
#[derive(Default)]
struct Sums(Vec<(Metric, [f64; 3])>);

impl Record for Sums {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        let Some(value) = value else { return };
        let i = self.0.iter().position(|(own, _)| *own == metric).unwrap_or_else(|| {
            self.0.push((metric, [0.0; 3]));
            self.0.len() - 1
        });
        let sums = &mut self.0[i].1;
        [1.0, value, value * value].into_iter().zip(sums).for_each(|(add, sum)| *sum += add);
    }

    fn end_of_trial(&mut self) {}
}

impl Sums {
    /// Mean of a metric and its variance.
    fn mean(&self, wanted: Metric) -> Option<(f64, f64)> {
        let (_, [n, sum, squares]) = *self.0.iter().find(|(metric, _)| *metric == wanted)?;
        let mean = sum / n;
        Some((mean, (squares / n - mean * mean).max(0.0) / (n - 1.0)))
    }
}

type Given<'g> = &'g [(&'g str, Scalar)];

fn measured(scheme: &str, workload: &str, hash: &str, given: Given<'_>, trials: u64) -> Sums {
    let case = families::case(scheme, workload, hash, given).unwrap();
    let mut sums = Sums::default();
    case.run(&KeySource::Random, 7, 0..trials, &mut sums);
    sums
}

fn assert_mean(sums: &Sums, metric: Metric, exact: f64, what: &str) {
    let (mean, variance) = sums.mean(metric).unwrap();
    let room = STANDARD_ERRORS * variance.sqrt() + 1e-12;
    assert!((mean - exact).abs() <= room, "{what}, {metric}: {mean} is not {exact} ± {room}");
}

/// Of each metric.
fn assert_same_means(some: &Sums, others: &Sums, what: &str) {
    for (metric, _) in &some.0 {
        let ((a, of_a), (b, of_b)) = (some.mean(*metric).unwrap(), others.mean(*metric).unwrap());
        let room = STANDARD_ERRORS * (of_a + of_b).sqrt() + 1e-12;
        assert!((a - b).abs() <= room, "{what}: {metric} {a} is not {b} ± {room}");
    }
}

fn number(value: u32) -> Scalar {
    Scalar::Integer(value.into())
}

const ROUNDS: [(&str, Scalar); 2] =
    [("rounds", Scalar::Integer(200)), ("warm_up", Scalar::Number(20.0))];

/// One choice, without names whatever the size.
#[derive(Clone)]
struct FirstChoice;

impl Rule for FirstChoice {
    fn is_certain(&self) -> bool {
        true
    }

    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        mut choices: impl Choices,
        _rng: &mut Rng,
        _reads: &mut impl Reads,
    ) -> Insertion {
        let bucket = choices.next(0);
        let stored = buckets.place_or_overflow(element, bucket);
        Insertion { accesses: 1, stored, ..Insertion::default() }
    }
}

/// Trials of alternation with 20 rounds per element before the window and 2 in it.
struct Trials(Geometry);

impl NamelessVisitor for Trials {
    type Output = Vec<f64>;

    /// The overflow fraction of each trial.
    fn visit<T: Nameless, const R: usize>(self, mut table: T, ranges: [u32; R]) -> Vec<f64> {
        let shape = Shape::new(self.0, ranges);
        let n = u64::from(self.0.elements);
        let rounds = Rounds::Window { filled: true, warm_up: 20 * n, rounds: 2 * n };
        let trial = |number| {
            table.clear();
            let sums;
            (table, sums) = run(table.clone(), &shape, rounds, &Seeds::of(7, number));
            sums.overflow as f64 / sums.readings as f64 / n as f64
        };
        (0..2000).map(trial).collect()
    }
}

/// n, m, h: with a place for each element and with too few.
const TABLES: [(u32, u32, u8); 5] =
    [(50, 100, 1), (100, 50, 1), (96, 32, 4), (12, 3, 4), (7, 1, 3)];

fn assert_near(values: &[f64], exact: f64, what: impl Debug) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let room = STANDARD_ERRORS * (variance / n).sqrt() + 1e-12;
    assert!((mean - exact).abs() <= room, "{what:?}: {mean} is not {exact} ± {room}");
}

/// Theorem 1 of "Hash Tables With Finite Buckets Are Less Resistant to Deletions".
#[test]
fn one_choice_under_alternation_is_engset() {
    for table in TABLES {
        let (elements, buckets, bucket_size) = table;
        let geometry = Geometry { elements, buckets, bucket_size };
        let counters = Counting::new(Buckets::new(&geometry, false), FirstChoice);
        let overflow = Trials(geometry).visit(counters, [buckets]);
        let exact = engset::overflow(elements.into(), buckets.into(), bucket_size.into(), 1.0);
        assert_near(&overflow, exact, table);
    }
}

#[test]
fn buckets_of_one_are_the_chain_of_full_buckets() {
    for (n, m, d) in [(64, 64, 2), (30, 60, 3), (60, 30, 2), (40, 40, 4)] {
        let given = [
            ("elements", number(n)),
            ("buckets", number(m)),
            ("bucket_size", number(1)),
            ("choices", number(d)),
        ];
        let given = [&given[..], &ROUNDS].concat();
        for scheme in ["multiple", "d-random"] {
            let what = format!("{scheme}, {n} elements, {m} buckets, {d} choices");
            let found = measured(scheme, "alternation", "random", &given, 2000);
            let exact = single_slot::alternation(n.into(), m.into(), d, 1.0);
            assert_mean(&found, metrics::OVERFLOW_FRACTION, exact.overflow, &what);
            let filled = measured(scheme, "static-fill", "random", &given[..4], 2000);
            let exact = single_slot::static_fill(n.into(), m.into(), d, 1.0).unwrap();
            assert_mean(&filled, metrics::OVERFLOW_FRACTION, exact.overflow, &what);
        }
    }
}

/// A hash function on random keys takes the way of names. Both have one law, so that means of all that is measured
/// differ by chance alone.
#[test]
fn trials_with_names_have_the_same_law() {
    let word = |text: &str| Scalar::Word(text.into());
    let of_four = [("buckets", number(64)), ("bucket_size", number(4)), ("load", 1.0.into())];
    let sub_tables = [("elements", number(100)), ("buckets_per_element", word("0.45 0.4 0.3 0.1"))];
    let of_two = [
        ("elements", number(100)),
        ("buckets_per_element", word("0.25 0.2 0.1")),
        ("bucket_size", number(2)),
    ];
    let moving_back = |given: &[(&'static str, Scalar)], upon: &str| {
        [given, &[("move_back", word(upon))]].concat()
    };
    let of_choices = |choices| [&of_four[..], &[("choices", number(choices))]].concat();
    let cases: Vec<(&str, Vec<(&str, Scalar)>)> = vec![
        ("single", moving_back(&of_four, "deletion")),
        ("multiple", moving_back(&of_choices(2), "deletion")),
        ("multiple", moving_back(&of_choices(4), "deletion")),
        ("multiple", moving_back(&of_two, "deletion")),
        ("d-random", moving_back(&of_choices(2), "deletion")),
        ("multiple", moving_back(&of_choices(2), "insertion")),
        ("d-random", moving_back(&of_choices(2), "insertion")),
        ("single", of_four.to_vec()),
        ("multiple", of_choices(2)),
        ("multiple", [&of_choices(4)[..], &[("insertion_probability", 0.7.into())]].concat()),
        ("multiple", sub_tables.to_vec()),
        ("multiple", of_two.to_vec()),
        ("d-random", [&of_four[..], &[("choices", number(2))]].concat()),
        ("second-chance", sub_tables.to_vec()),
        ("second-chance", of_two[..2].to_vec()),
        ("second-chance", moving_back(&sub_tables, "deletion")),
        ("second-chance", [&sub_tables[..], &[("hints", word("element"))]].concat()),
        ("second-chance", [&sub_tables[..], &[("hints", word("place"))]].concat()),
        ("extreme-second-chance", sub_tables.to_vec()),
        ("extreme-second-chance", [&sub_tables[..], &[("moves_to", word("later"))]].concat()),
    ];
    for (scheme, given) in cases {
        let given = [&given[..], &ROUNDS].concat();
        let without = measured(scheme, "alternation", "random", &given, 1500);
        let with = measured(scheme, "alternation", "xxh3", &given, 1500);
        assert_eq!(without.0.len(), with.0.len());
        assert_same_means(&without, &with, &format!("{scheme} {given:?}"));
    }
}

/// Trials in lockstep measure what others do, and the means of all of it differ by chance alone.
#[test]
fn trials_in_lockstep_have_the_same_law() {
    let word = |text: &str| Scalar::Word(text.into());
    let counters = [("elements", number(55)), ("buckets", number(40)), ("bucket_size", number(3))];
    let of = |more: &[(&'static str, Scalar)]| [&counters[..], more].concat();
    let back = ("move_back", word("deletion"));
    let split = [("elements", number(60)), ("sub_table_buckets", word("60 40 30 20"))];
    let d_left = [("choices", number(4)), ("sub_tables", true.into()), ("ties", word("left"))];
    let full = |choices, more: &[(&'static str, Scalar)]| {
        let all = [("elements", number(72)), ("buckets", number(24)), ("bucket_size", number(3))];
        [&all, more, &[("choices", number(choices)), back.clone()]].concat()
    };
    let cases = [
        (
            "single",
            vec![
                ("elements", number(30)),
                ("buckets", number(60)),
                ("bucket_size", number(3)),
                back.clone(),
            ],
        ),
        ("multiple", of(&[("choices", number(2)), back.clone()])),
        ("multiple", full(3, &[])),
        ("d-random", full(2, &[])),
        ("d-random", full(4, &d_left[1..])),
        ("multiple", [&split[..], slice::from_ref(&back)].concat()),
        ("d-random", of(&[("choices", number(2)), back.clone()])),
        ("multiple", of(&[("choices", number(2))])),
        ("multiple", split.to_vec()),
        ("d-random", of(&[("choices", number(3))])),
        ("d-random", of(&d_left)),
    ];
    let alternation = [&ROUNDS[..], &[("start", word("overflow-list"))]].concat();
    let times =
        |start| vec![("warm_up", 0.5.into()), ("duration", 1.0.into()), ("start", word(start))];
    let ways = [
        ("alternation", alternation),
        ("relaxation", vec![("time", 0.5.into())]),
        ("open", times("filled")),
        ("open", times("empty")),
    ];
    for (scheme, given) in cases {
        let stay = !given.contains(&back);
        for (workload, more) in ways.iter().filter(|(workload, _)| stay || *workload != "open") {
            let given = [&given[..], more].concat();
            let one_by_one = measured(scheme, workload, "random", &given, 1500);
            let case = families::case(scheme, workload, "random", &given).unwrap();
            let lockstep = case.in_lockstep(&KeySource::Random).unwrap().case;
            let mut together = Sums::default();
            lockstep.run(&KeySource::Random, 7, 0..1500, &mut together);
            let names = |sums: &Sums| sums.0.iter().map(|&(metric, _)| metric).collect::<Vec<_>>();
            assert_eq!(names(&together), names(&one_by_one), "{scheme} {given:?}");
            assert_same_means(&together, &one_by_one, &format!("{scheme} {workload} {given:?}"));
        }
    }
}

/// Double hashing in three sub-tables makes a choice of two values alone, and must not be taken for independent draws,
/// which fill sub-table by sub-table and give other numbers.
#[test]
fn choices_of_two_values_are_no_independent_draws() {
    let sub_tables = ("sub_table_buckets", Scalar::Word("70 50 30".into()));
    for workload in ["static-fill", "alternation"] {
        let mean = |choices_from: &str| {
            let from = ("choices_from", Scalar::Word(choices_from.into()));
            let given = [("elements", number(120)), sub_tables.clone(), from];
            let rounds = if workload == "alternation" { &ROUNDS[..] } else { &[] };
            let given = [&given[..], rounds].concat();
            measured("multiple", workload, "random", &given, 5).mean(metrics::OVERFLOW_FRACTION)
        };
        assert_ne!(mean("double"), mean("seeds"), "{workload}");
    }
}
