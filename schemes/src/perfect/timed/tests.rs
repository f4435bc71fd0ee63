//! A table of keys, held against a trial.

use crate::case::Case;
use crate::families;
use crate::keys::KeySource;
use crate::perfect::metrics::PLACES_PER_ELEMENT;
use crate::timed::{Operation, Untimed, first_trial};

fn case(hash: &str, elements: i64, buckets_per_element: f64) -> Box<dyn Case> {
    let given = [
        ("elements", elements.into()),
        ("buckets_per_element", buckets_per_element.into()),
        ("square_limit", 6.0.into()),
    ];
    families::case("fks", "perfect-build", hash, &given).unwrap()
}

/// Every key is found in its one place, with large buckets and with hardly any, and the table has as many places as that
/// of the trial of its seed.
#[test]
fn every_element_is_found_and_no_absent_key_is() {
    for (seed, (elements, buckets_per_element)) in
        [(1, 1.0), (2, 0.5), (700, 1.0), (700, 0.3), (700, 5.0)].into_iter().enumerate()
    {
        let (seed, all) = (seed as u64, elements as u64);
        let case = case("xxh3", elements, buckets_per_element);
        let mut table = case.timed(&KeySource::Random, seed).unwrap();
        for _ in 0..2 {
            assert_eq!(table.run(Operation::Insert, all - 1), all - 1);
            assert_eq!(table.run(Operation::Hit, all), 0, "the set is not there yet");
            assert_eq!(table.run(Operation::Insert, 9), 1);
            assert_eq!(table.run(Operation::Hit, 2 * all), 2 * all);
            assert_eq!((table.answers().asked, table.answers().positive), (all, 0));
            let (metric, places) = table.measured().unwrap();
            let first = first_trial(&*case, &KeySource::Random, seed);
            assert_eq!(metric, PLACES_PER_ELEMENT);
            assert!(first.contains(&(metric, places)), "{elements} {places}");
            assert!(case.timed_bytes(&KeySource::Random).unwrap() > table.bytes());
            table.clear();
            assert_eq!(table.run(Operation::Hit, all), 0);
        }
    }
}

/// A set that is built at once has no single insertions, and nothing is taken out of it.
#[test]
fn only_look_ups_are_timed() {
    let case = case("xxh3", 50, 1.0);
    let timed: Vec<_> = Operation::ALL.into_iter().filter(|&own| case.times(own)).collect();
    assert_eq!(timed, [Operation::Hit, Operation::Miss]);
}

#[test]
fn drawn_values_are_no_table() {
    let case = case("random", 50, 1.0);
    assert_eq!(case.timed(&KeySource::Random, 1).err(), Some(Untimed::NO_KEYS));
    assert_eq!(case.timed_bytes(&KeySource::Random), Err(Untimed::NO_KEYS));
}
