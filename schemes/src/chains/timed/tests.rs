//! Chains of keys, held against those of trials.

use super::*;
use crate::case::Case;
use crate::families;
use crate::keys::KeySource;
use crate::params::Scalar;
use crate::timed::{Operation, Untimed, first_trial};

const KINDS: [(&str, i64); 4] =
    [("chaining", 1), ("d-way-chaining", 2), ("d-way-chaining", 3), ("d-left-chaining", 3)];

/// 1500 elements in 600 buckets, of which a key with several choices often has the same twice.
fn case(kind: (&str, i64), hash: &str, own: &[(&str, Scalar)]) -> Box<dyn Case> {
    let (scheme, choices) = kind;
    let mut given = vec![("elements", 1500_i64.into()), ("buckets", 600_i64.into())];
    given.push(("queries", 400_i64.into()));
    if choices > 1 {
        given.push(("choices", choices.into()));
    }
    let workload = if own.is_empty() { "chains-fill" } else { "chains-attack" };
    families::case(scheme, workload, hash, &[&given[..], own].concat()).unwrap()
}

/// The sum of the entries read depends on every decision: on the chain to which each key goes, and on its place there.
#[test]
fn look_ups_read_what_those_of_the_trial_of_its_seed_read() {
    for (kind, seed) in KINDS.into_iter().zip(3..) {
        let case = case(kind, "xxh3", &[]);
        let mut table = case.timed(&KeySource::Random, seed).unwrap();
        assert_eq!(table.run(Operation::Insert, 9000), 1500);
        let measured = table.measured().unwrap();
        assert_eq!(measured.0, PROBES_PER_HIT);
        assert!(first_trial(&*case, &KeySource::Random, seed).contains(&measured), "{kind:?}");
        assert_eq!(table.run(Operation::Hit, 1500), 1500);
        assert_eq!((table.answers().asked, table.answers().positive), (400, 0));
        assert!(case.timed_bytes(&KeySource::Random).unwrap() > table.bytes());
    }
}

#[test]
fn what_is_deleted_is_forgotten_and_can_come_again() {
    for kind in KINDS {
        let case = case(kind, "xxh3", &[]);
        let mut table = case.timed(&KeySource::Random, 2).unwrap();
        table.run(Operation::Insert, 1500);
        let full = table.bytes();
        assert!(case.deletes());
        assert_eq!(table.run(Operation::Delete, 1100), 1100);
        assert_eq!(table.run(Operation::Hit, 1500), 400);
        assert_eq!(table.run(Operation::Insert, 1100), 1100);
        assert_eq!((table.run(Operation::Hit, 1500), table.bytes()), (1500, full));
        table.clear();
        assert_eq!(table.run(Operation::Hit, 1500), 0);
    }
}

/// Keys of {0, 1}^16 under simple tabulation, as a trial has them; those that are searched for are refused.
#[test]
fn keys_built_against_a_family_are_timed() {
    let attack = |name: &str| [("attack", Scalar::from(name))];
    let built = case(("chaining", 1), "simple-tabulation", &attack("cross-product"));
    let mut table = built.timed(&KeySource::Random, 6).unwrap();
    table.run(Operation::Insert, 1500);
    let measured = table.measured().unwrap();
    assert!(first_trial(&*built, &KeySource::Random, 6).contains(&measured));
    let searched = case(("chaining", 1), "xxh3", &attack("known-function"));
    assert!(searched.timed(&KeySource::Random, 6).is_err());
    assert!(searched.timed_bytes(&KeySource::Random).is_err());
}

#[test]
fn drawn_choices_are_no_table() {
    for kind in KINDS {
        let drawn = case(kind, "random", &[]).timed(&KeySource::Random, 1);
        assert_eq!(drawn.err(), Some(Untimed::NO_KEYS));
    }
}
