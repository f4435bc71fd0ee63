//! Tables with keys, held against those of trials.

use std::sync::Arc;

use rand::SeedableRng;

use super::*;
use crate::Rng;
use crate::case::Record;
use crate::families;
use crate::hash::{Derivation, HashKind, HashSpec, Seeds as OfSeeds, Source, Xxh3};
use crate::keys::{Arrivals as _, KeySource, Made, Places, Seeds, TraceKeys};
use crate::metric::Metric;
use crate::params::{Params, Scalar};
use crate::tables::{
    Conservative, Cuckoo, DRandom, ExtremeSecondChance, Multiple, Scheme, SecondChance, Single,
    Table, TableVisitor, metrics,
};
use crate::timed::{Operation, Timed, TimedKeys, Untimed};

const ELEMENTS: u32 = 1000;
const SEED: u64 = 11;

/// A scheme for a thousand elements.
fn scheme<S: Scheme>(given: &[(&str, Scalar)]) -> S {
    let all = [&[("elements", i64::from(ELEMENTS).into())], given].concat();
    S::from_params(&Params::complete(S::INFO.params, &all).unwrap()).unwrap()
}

fn timed<S: Scheme>(scheme: &S, elements: u32) -> Box<dyn Timed> {
    let seeds = Seeds::of(SEED, 0);
    let keys = TimedKeys::of(&KeySource::Random, elements, 500, seeds.keys).unwrap();
    structure(scheme, spec(scheme), keys, seeds).unwrap()
}

fn spec<S: Scheme>(scheme: &S) -> HashSpec {
    HashSpec::new(HashKind::Xxh3, Derivation::Seeds, scheme.choices(), 16).unwrap()
}

/// The length of the overflow list of a trial's table after each insertion of an element, then after each deletion in
/// the same order, and again of both.
struct Lengths<'s, S>(&'s S);

impl<S: Scheme> TableVisitor for Lengths<'_, S> {
    type Output = Vec<u32>;

    fn visit<T: Table>(self, mut table: T) -> Vec<u32> {
        let seeds = Seeds::of(SEED, 0);
        let mut source = OfSeeds::<Xxh3>::new(&spec(self.0), seeds.hash);
        let mut chance = Rng::seed_from_u64(seeds.scheme);
        let mut lengths = Vec::new();
        for _ in 0..2 {
            let mut keys = Made::new(false);
            keys.begin(seeds.keys);
            for element in 0..ELEMENTS {
                let (key, _) = keys.arrive(element);
                table.insert::<false>(element, source.element(key), &mut chance);
                lengths.push(table.overflow());
            }
            for element in 0..ELEMENTS {
                table.delete(element);
                lengths.push(table.overflow());
            }
        }
        lengths
    }
}

/// Every decision of a table with keys is that of the trial's table, deletions and moves included; it knows its
/// elements in between.
#[track_caller]
fn assert_as_in_a_trial<S: Scheme>(given: &[(&str, Scalar)]) {
    let scheme: S = scheme(given);
    let expected = scheme.table(true, Lengths(&scheme));
    assert!(expected.iter().any(|&length| length > 0), "{given:?}: nothing overflows");
    let mut table = timed(&scheme, ELEMENTS);
    let mut lengths = Vec::new();
    for _ in 0..2 {
        for operation in [Operation::Insert, Operation::Delete] {
            for done in 0..u64::from(ELEMENTS) {
                assert_eq!(table.run(operation, 1), 1);
                let (metric, share) = table.measured().unwrap();
                assert_eq!(metric, metrics::OVERFLOW_FRACTION);
                lengths.push((share * f64::from(ELEMENTS)).round() as u32);
                if done % 100 == 0 {
                    let left = u64::from(ELEMENTS) - done - 1;
                    let stored = if operation == Operation::Insert { done + 1 } else { left };
                    assert_eq!(table.run(Operation::Hit, ELEMENTS.into()), stored);
                    assert_eq!(table.answers().false_positive_rate(), Some(0.0));
                }
            }
        }
    }
    assert_eq!(lengths, expected, "{} {given:?}", S::INFO.name);
}

fn shape(buckets: i64, bucket_size: i64) -> [(&'static str, Scalar); 2] {
    [("buckets", buckets.into()), ("bucket_size", bucket_size.into())]
}

fn with<'a>(shape: &[(&'a str, Scalar)], more: &[(&'a str, Scalar)]) -> Vec<(&'a str, Scalar)> {
    [shape, more].concat()
}

#[test]
fn one_choice() {
    assert_as_in_a_trial::<Single>(&shape(270, 4));
    let half = ("insertion_probability", 0.5.into());
    assert_as_in_a_trial::<Single>(&with(&shape(1100, 1), &[half]));
    for upon in ["deletion", "insertion"] {
        assert_as_in_a_trial::<Single>(&with(&shape(300, 3), &[("move_back", upon.into())]));
    }
}

#[test]
fn the_first_free_of_some_choices() {
    let two = ("choices", 2_i64.into());
    assert_as_in_a_trial::<Multiple>(&with(&shape(550, 2), std::slice::from_ref(&two)));
    let listed = ("sub_table_buckets", "600 300 150".into());
    assert_as_in_a_trial::<Multiple>(&[listed]);
    for upon in ["deletion", "insertion"] {
        let more = [two.clone(), ("move_back", upon.into())];
        assert_as_in_a_trial::<Multiple>(&with(&shape(550, 2), &more));
        let split = [("choices", 3_i64.into()), ("move_back", upon.into())];
        let split = [&split[..], &[("sub_tables", true.into())]].concat();
        assert_as_in_a_trial::<Multiple>(&with(&shape(1050, 1), &split));
    }
}

#[test]
fn the_least_loaded_of_some_choices() {
    let three = ("choices", 3_i64.into());
    assert_as_in_a_trial::<DRandom>(&with(&shape(500, 2), std::slice::from_ref(&three)));
    let d_left = [three.clone(), ("sub_tables", true.into()), ("ties", "left".into())];
    assert_as_in_a_trial::<DRandom>(&with(&shape(510, 2), &d_left));
    let back = [three, ("move_back", "deletion".into())];
    assert_as_in_a_trial::<DRandom>(&with(&shape(500, 2), &back));
}

#[test]
fn a_random_walk() {
    let two = [("choices", 2_i64.into())];
    assert_as_in_a_trial::<Cuckoo>(&with(&shape(1000, 1), &two));
    assert_as_in_a_trial::<Cuckoo>(&with(&shape(250, 4), &[("choices", 3_i64.into())][..1]));
    let split = [("choices", 3_i64.into()), ("sub_tables", true.into())];
    assert_as_in_a_trial::<Cuckoo>(&with(&shape(333, 3), &split));
}

#[test]
fn the_shortest_sequence_of_moves() {
    let breadth_first = ("eviction", "breadth-first".into());
    let of = |given: &[(&'static str, Scalar)]| with(given, std::slice::from_ref(&breadth_first));
    let two = [("choices", 2_i64.into()), ("eviction_limit", 20_i64.into())];
    assert_as_in_a_trial::<Cuckoo>(&of(&with(&shape(1000, 1), &two)));
    assert_as_in_a_trial::<Cuckoo>(&of(&with(&shape(240, 4), &[two[0].clone()])));
    let split = [("choices", 3_i64.into()), ("sub_tables", true.into())];
    assert_as_in_a_trial::<Cuckoo>(&of(&with(&shape(330, 3), &split)));
}

/// Sub-tables of a multilevel table for a thousand elements.
fn levels(buckets: &'static str) -> (&'static str, Scalar) {
    ("sub_table_buckets", buckets.into())
}

#[test]
fn an_element_in_the_way_that_moves_right() {
    for own in ["600 300 150", "300 300 200 100", "900"] {
        assert_as_in_a_trial::<Conservative>(&[levels(own)]);
    }
}

#[test]
fn the_first_element_in_the_way_that_has_room_in_the_next_sub_table() {
    for own in ["600 300 150", "300 300 200 100", "900"] {
        assert_as_in_a_trial::<SecondChance>(&[levels(own)]);
        let back = ("move_back", "deletion".into());
        assert_as_in_a_trial::<SecondChance>(&[levels(own), back]);
        let hints = ("hints", "place".into());
        assert_as_in_a_trial::<SecondChance>(&[levels(own), hints]);
    }
    for own in ["300 150 50", "150 150 100 50"] {
        assert_as_in_a_trial::<SecondChance>(&[levels(own), ("bucket_size", 2_i64.into())]);
    }
}

#[test]
fn the_element_in_the_way_that_gets_furthest_to_the_left() {
    for own in ["600 300 150", "300 300 200 100"] {
        for moves_to in ["any", "later"] {
            let given = [levels(own), ("moves_to", moves_to.into())];
            assert_as_in_a_trial::<ExtremeSecondChance>(&given);
        }
    }
}

/// Takes the overflow fractions of trials.
#[derive(Default)]
struct Overflow(Vec<f64>);

impl Record for Overflow {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.0.extend(value.filter(|_| metric == metrics::OVERFLOW_FRACTION));
    }

    fn end_of_trial(&mut self) {}
}

/// Keys of 13 bytes, as those of connections are.
fn trace() -> KeySource {
    let bytes = (0..3000_u32).flat_map(|key| [&key.to_le_bytes()[..], &[7; 9]].concat()).collect();
    let keys = TraceKeys::new(bytes, Places::Width(13), (0..3000).collect()).unwrap();
    KeySource::Trace { keys: Arc::new(keys), renew: false, shuffled: false }
}

/// What a definition has timed is what its trials would be made of, to the last element.
#[test]
fn the_overflow_of_a_timed_table_is_that_of_the_trial_of_its_seed() {
    for (scheme, hash, keys) in [
        ("d-random", "xxh3", "random"),
        ("cuckoo", "crc32c", "random"),
        ("multiple", "xxh3", "trace"),
        ("second-chance", "crc32c", "trace"),
    ] {
        let given = [
            ("elements", i64::from(ELEMENTS).into()),
            ("buckets", 500_i64.into()),
            ("bucket_size", 2_i64.into()),
            ("choices", 2_i64.into()),
            ("keys", keys.into()),
        ];
        let case = families::case(scheme, "static-fill", hash, &given).unwrap();
        let source = if keys == "trace" { trace() } else { KeySource::Random };
        let mut trial = Overflow::default();
        case.run(&source, SEED, 0..1, &mut trial);
        let mut table = case.timed(&source, SEED).unwrap();
        assert_eq!(table.run(Operation::Insert, 5000), 1000);
        assert_eq!(table.measured(), Some((metrics::OVERFLOW_FRACTION, trial.0[0])), "{scheme}");
        assert!(case.deletes() && trial.0[0] > 0.0);
        assert!(case.timed_bytes(&source).unwrap() > table.bytes());
        let bytes = table.bytes();
        assert!((16 * 1000..32 * 1000).contains(&bytes), "{scheme}: {bytes} bytes");
    }
}

/// Why a point has nothing to time.
fn untimed(scheme: &str, workload: &str, given: &[(&str, Scalar)], keys: &KeySource) -> Untimed {
    let case = families::case(scheme, workload, "xxh3", given).unwrap();
    case.timed(keys, SEED).err().unwrap()
}

#[test]
fn what_has_no_table_with_keys_says_why() {
    let two: [(&str, Scalar); 3] =
        [("buckets", 64_i64.into()), ("load", 0.5.into()), ("choices", 2_i64.into())];
    let random = KeySource::Random;
    let bounded = with(&two, &[("stash_size", 3_i64.into())]);
    assert_eq!(untimed("cuckoo", "static-fill", &bounded, &random), Untimed::NO_STRUCTURE);
    let named = with(&two, &[("hints", "element".into())]);
    assert_eq!(untimed("second-chance", "static-fill", &named, &random), Untimed::NO_STRUCTURE);
    let rounds = with(&two, &[("rounds", 100_i64.into())]);
    let reason = untimed("multiple", "alternation", &rounds, &random).0;
    assert!(reason.contains("`kind = \"static-fill\"`"), "{reason}");
    let keys: Vec<[u8; 17]> = (0..40).map(|key| [key; 17]).collect();
    let wide: TraceKeys = keys.iter().map(|key| &key[..]).collect();
    let wide = KeySource::Trace { keys: Arc::new(wide), renew: true, shuffled: false };
    let reason = untimed("multiple", "static-fill", &two, &wide).0;
    assert!(reason.contains("at most 16 bytes"), "{reason}");
    let drawn = families::case("multiple", "static-fill", "random", &two).unwrap();
    assert_eq!(drawn.timed(&random, SEED).err(), Some(Untimed::NO_KEYS));
    assert!(!drawn.deletes());
    let named = with(&shape(1050, 1), &[two[2].clone(), ("hints", "element".into())]);
    assert!(scheme::<SecondChance>(&named).key_footprint().is_none());
}
