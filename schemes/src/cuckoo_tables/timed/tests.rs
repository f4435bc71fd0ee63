//! Tables of keys, held against those of trials.

use super::super::slots::{Elements, InTrial, Slots};
use super::*;
use crate::case::Case;
use crate::families;
use crate::hash::{Choices as _, Derivation, HashKind, HashSpec, Hashed, Source as _, Xxh3};
use crate::keys::{Arrivals as _, KeySource, Made};
use crate::params::Scalar;
use crate::tables::Geometry;
use crate::timed::{Operation, Untimed, first_trial};

const ELEMENTS: u32 = 150;

/// Shapes in which 150 elements do not all find room.
fn shapes() -> Vec<Shape> {
    let shape = |buckets, bucket_size, choices, sub_tables| {
        let geometry = Geometry { elements: ELEMENTS, buckets, bucket_size };
        Shape { geometry, choices, sub_tables }
    };
    vec![
        shape(150, 1, 2, false),
        shape(150, 1, 2, true),
        shape(150, 1, 3, true),
        shape(50, 3, 2, false),
        shape(37, 4, 3, false),
    ]
}

/// Keys of so many bytes, and the choices of each.
fn keys(shape: &Shape, width: usize, source: &mut Hashed<Xxh3>) -> (Vec<Vec<u8>>, Vec<u32>) {
    let mut made = Made::new(false);
    made.begin(4);
    let keys: Vec<Vec<u8>> =
        (0..ELEMENTS).map(|own| made.newcomer(own).unwrap()[..width].to_vec()).collect();
    let stride = if shape.sub_tables { shape.range() } else { 0 };
    let mut all = Vec::new();
    for key in &keys {
        let mut choices = source.element(key);
        all.extend((0..shape.choices).map(|j| j * stride + choices.next(shape.range())));
    }
    (keys, all)
}

/// After each insertion every slot holds the key of the element that a trial has there, and the stash those that are
/// left over.
fn assert_as_in_a_trial(shape: &Shape, limits: &Limits, width: usize) {
    let spec = HashSpec::new(HashKind::Xxh3, Derivation::Seeds, shape.choices, width).unwrap();
    let mut source = Hashed::<Xxh3>::new(&spec, 6);
    let (keys, choices) = keys(shape, width, &mut source);
    let elements = Elements { choices: &choices, each: shape.choices };
    let (mut slots, mut rng) = (Slots::new(shape), Rng::seed_from_u64(8));
    let mut eviction = Eviction::new(shape, limits);
    let mut table = CuckooKeys::new(shape, limits);
    table.clear(8);
    let mut stashed = 0;
    for (element, bytes) in (0..).zip(&keys) {
        let mut in_trial = InTrial { slots: &mut slots, elements };
        let left_over = eviction.insert(&mut in_trial, element, &mut rng).left_over;
        table.insert(bytes, &mut source);
        stashed += left_over.iter().len();
        let in_stash = left_over.map(|own| table.stash.contains(key(&keys[own as usize])));
        assert_eq!((in_stash.unwrap_or(true), table.stash.len()), (true, stashed));
        for bucket in 0..shape.geometry.buckets {
            let own = (0..slots.used(bucket)).map(|slot| slots.element(bucket, slot));
            let own: Vec<Key> = own.map(|element| key(&keys[element as usize])).collect();
            assert_eq!(table.buckets.keys(bucket), own, "{shape:?} {limits:?} {bucket}");
        }
    }
    assert!(stashed > 0, "{shape:?}");
    assert!(keys.iter().all(|bytes| table.contains(bytes, &mut source)));
}

#[test]
fn every_slot_holds_what_it_holds_in_a_trial() {
    for shape in shapes() {
        for breadth_first in [false, true] {
            let limits = Limits { breadth_first, evictions: 20, stash: None, rehashes: 0 };
            assert_as_in_a_trial(&shape, &limits, 16);
            assert_as_in_a_trial(&shape, &limits, 13);
        }
    }
}

fn case(hash: &str, own: &[(&str, Scalar)]) -> Box<dyn Case> {
    let size = [("elements", 400_i64.into()), ("buckets", 840_i64.into())];
    families::case("cuckoo-table", "cuckoo-build", hash, &[&size[..], own].concat()).unwrap()
}

/// As many elements are in the stash as in the trial of each seed, or the build fails where that of the trial does.
#[test]
fn the_same_builds_fail() {
    for eviction in ["random-walk", "breadth-first"] {
        for stash in [None, Some(0_i64), Some(1)] {
            let bound = stash.map(|size| ("stash_size", size.into()));
            let own: Vec<_> = [("eviction", eviction.into())].into_iter().chain(bound).collect();
            let case = case("xxh3", &own);
            let mut seen = Vec::new();
            for seed in 0..40 {
                let mut table = case.timed(&KeySource::Random, seed).unwrap();
                assert_eq!(table.run(Operation::Insert, 900), 400);
                let (metric, value) = table.measured().unwrap();
                let first = first_trial(&*case, &KeySource::Random, seed);
                assert!(first.contains(&(metric, value)), "{own:?} {seed} {value}");
                let lost = 400 - table.run(Operation::Hit, 400);
                assert_eq!(lost > 0, metric == FAILURE_FRACTION && value > 0.0);
                assert_eq!(table.answers().positive, 0);
                assert!(case.timed_bytes(&KeySource::Random).unwrap() > table.bytes());
                seen.push(value);
            }
            assert!(seen.contains(&0.0) && seen.iter().any(|&value| value > 0.0), "{own:?}");
        }
    }
}

#[test]
fn what_is_deleted_is_forgotten() {
    let case = case("xxh3", &[("choices", 3_i64.into())]);
    let mut table = case.timed(&KeySource::Random, 3).unwrap();
    table.run(Operation::Insert, 400);
    assert_eq!(table.run(Operation::Hit, 400), 400);
    assert_eq!(table.run(Operation::Delete, 250), 250);
    assert_eq!(table.run(Operation::Hit, 400), 150);
    assert_eq!(table.run(Operation::Insert, 250), 250);
    assert_eq!(table.run(Operation::Hit, 400), 400);
    assert_eq!(table.run(Operation::Delete, 400), 400);
    assert_eq!(table.run(Operation::Hit, 400), 0);
}

#[test]
fn drawn_choices_and_tables_that_are_built_again_are_refused() {
    let refused = |hash, own: &[(&str, Scalar)]| {
        let case = case(hash, own);
        let reason = case.timed(&KeySource::Random, 1).err();
        assert_eq!(case.timed_bytes(&KeySource::Random).err(), reason);
        reason.unwrap()
    };
    assert_eq!(refused("random", &[]), Untimed::NO_KEYS);
    let again = [("stash_size", 0_i64.into()), ("rehash_limit", 3_i64.into())];
    assert!(refused("xxh3", &again).to_string().contains("`rehash_limit`"));
}
