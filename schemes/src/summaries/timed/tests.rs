//! Tables with keys: what they find, and what they keep of their elements.

use super::*;
use crate::families;
use crate::keys::{Arrivals as _, Made};
use crate::params::Scalar;
use crate::summaries::pruned::PrunedTable;
use crate::timed::{Operation, Structure as _};

type Given = Vec<(&'static str, Scalar)>;

fn timed(scheme: &str, hash: &str, own: &Given) -> Result<Box<dyn Timed>, Untimed> {
    let all = [("elements", Scalar::from(1000_i64)), ("queries", 5000_i64.into())];
    let given = [&all[..], own].concat();
    let case = families::case(scheme, "summary-fill", hash, &given).unwrap();
    case.timed(&KeySource::Random, 7)
}

/// A multilevel table, with what its summary is given.
fn levels(own: &[(&'static str, Scalar)]) -> Given {
    [&[("sub_table_buckets", "4000 1000 500 250 250".into())], own].concat()
}

/// Every scheme, and whether elements can be taken out.
fn schemes() -> Vec<(&'static str, Given, bool)> {
    let cells = [("cells", 15_000_i64.into()), ("cell_choices", 15_i64.into())];
    let choices = ("filter_choices", "7 20 20 20 20".into());
    let places = "10600 12000 2000 300 200";
    let bits = [("filter_bits", places.into()), choices.clone()];
    let counters =
        [("filter_counters", places.into()), choices, ("filter_counter_bits", "8 8 8 8 8".into())];
    let buckets = vec![("buckets", 6000_i64.into()), ("choices", 5_i64.into())];
    vec![
        ("mht", levels(&[]), true),
        ("single-filter-summary", levels(&cells), false),
        ("multiple-filter-summary", levels(&bits), false),
        ("counting-filter-summary", levels(&counters), true),
        ("interpolation-summary", levels(&[("string_bits", 50_i64.into())]), true),
        ("fast-hash-table", buckets, true),
    ]
}

/// Look-ups end in the bucket that holds the key, or in one that does not: a full table knows each of its elements, and
/// no absent key, whatever the summary tells.
#[test]
fn every_element_is_found_and_no_absent_key_is() {
    for (scheme, own, _) in schemes() {
        let mut table = timed(scheme, "xxh3", &own).unwrap();
        assert_eq!(table.run(Operation::Hit, 1000), 0, "it is empty");
        assert_eq!(table.run(Operation::Insert, 400), 400);
        assert_eq!(table.run(Operation::Insert, 4000), 600);
        assert_eq!(table.run(Operation::Hit, 2500), 2500, "{scheme}");
        assert_eq!(table.answers().positive, 0, "{scheme}");
        table.clear();
        assert_eq!(table.run(Operation::Hit, 1000), 0);
        assert_eq!(table.run(Operation::Insert, 1000), 1000);
        assert_eq!(table.run(Operation::Hit, 1000), 1000);
    }
}

#[test]
fn what_is_deleted_is_forgotten() {
    for (scheme, own, _) in schemes().into_iter().filter(|(.., removes)| *removes) {
        let mut table = timed(scheme, "xxh3", &own).unwrap();
        table.run(Operation::Insert, 1000);
        assert_eq!(table.run(Operation::Delete, 700), 700);
        assert_eq!(table.run(Operation::Hit, 1000), 300, "{scheme}");
        assert_eq!(table.run(Operation::Insert, 700), 700);
        assert_eq!(table.run(Operation::Hit, 1000), 1000, "{scheme}");
    }
}

#[test]
fn drawn_choices_are_no_structure() {
    for (scheme, own, _) in schemes() {
        assert_eq!(timed(scheme, "random", &own).err(), Some(Untimed::NO_KEYS));
    }
}

/// Keys that crowd a small table, so that counters overflow and buckets keep several: after insertions and deletions
/// each element is in the bucket of a trial's table that was built of those that are left, and is found there.
#[test]
fn keys_are_kept_where_the_trial_keeps_its_elements() {
    let (elements, buckets, choices, bits) = (60, 90, 3, 2);
    let hash = HashSpec::new(crate::hash::HashKind::Xxh3, crate::hash::Derivation::Seeds, 3, 16);
    let source = || Hashed::<crate::hash::Xxh3>::new(&hash.unwrap(), 5);
    let empty = || PrunedTable::new(buckets, elements, choices, bits);
    let mut keys = Made::new(false);
    keys.begin(9);
    let all: Vec<Vec<u8>> = (0..elements).map(|own| keys.newcomer(own).unwrap().to_vec()).collect();
    let mut table = PrunedKeys::new(empty(), (elements, buckets), source(), 16);
    all.iter().for_each(|key| table.insert(key));
    for left in (0..all.len()).rev() {
        let mut trial = empty();
        for (element, key) in (0..).zip(&all[..=left]) {
            trial.spread(element, source().element(key));
        }
        trial.prune(left as u32 + 1);
        let crowded = (0..buckets).map(|own| trial.elements_in(own)).max();
        assert!(crowded > Some(1) || left < 45, "{left}");
        for bucket in 0..buckets {
            let counter = (table.counter(bucket), trial.elements_in(bucket));
            assert_eq!(counter, (trial.counter(bucket) as u16, table.elements_in(bucket)));
        }
        assert!(all[..=left].iter().all(|key| table.contains(key)));
        assert!(!all[left + 1..].iter().any(|key| table.contains(key)));
        table.delete(&all[left]);
    }
}
