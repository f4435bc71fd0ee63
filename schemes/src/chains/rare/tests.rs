//! Splitting against laws that are known exactly, and against plain trials.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::families;
use crate::measured::{plain, split};
use crate::params::Scalar;
use crate::prediction::Kind;
use crate::rare::{Event, Rare};
use crate::tables::metrics::{MAX_LOAD, OVERFLOW_ELEMENTS};

fn case(scheme: &str, hash: &str, elements: u32, buckets: u32) -> Box<dyn Case> {
    let given: [(&str, Scalar); 2] = [("elements", elements.into()), ("buckets", buckets.into())];
    families::case(scheme, "chains-fill", hash, &given).unwrap()
}

fn longer_than(beyond: u64) -> Event {
    Event { metric: MAX_LOAD, beyond, ever: false }
}

/// Fails where 40 runs of splitting are 4.5 standard errors away from the truth, or decide nothing.
fn assert_estimated(rare: &mut dyn Rare, particles: u32, exact: f64, what: &str) {
    let (found, error) = split(rare, particles, 1..41);
    assert!((found - exact).abs() < 4.5 * error, "{what}: {found} ± {error}, not {exact}");
    assert!(error < 0.25 * exact, "{what}: {found} ± {error} decides nothing of {exact}");
}

/// Down to some 1e-12.
#[test]
fn one_choice_is_as_its_exact_law() {
    let case = case("chaining", "random", 60, 60);
    let mut least = 1.0_f64;
    for beyond in [4, 9, 14] {
        let event = longer_than(beyond);
        let predictions = case.event_outlook(&event).predictions;
        let exact = predictions.iter().find(|own| own.kind == Kind::Exact).unwrap().value;
        let what = format!("beyond {beyond}");
        assert_estimated(&mut *case.rare(&event).unwrap(), 100, exact, &what);
        least = least.min(exact);
    }
    assert!(least < 5e-12, "{least}");
}

/// The law of the loads after each element, by all choices of two buckets: the probability that the greatest load is
/// beyond each number. Loads of buckets that are chosen alike are kept in order.
fn greatest(elements: u32, groups: [u32; 2], left: bool) -> Vec<f64> {
    let buckets = groups[0] + groups[1];
    let [first, second] = match left {
        true => [0..groups[0], groups[0]..buckets],
        false => [0..buckets, 0..buckets],
    };
    let ways = f64::from(first.end - first.start) * f64::from(second.end - second.start);
    let mut law = BTreeMap::from([(vec![0_u32; buckets as usize], 1.0)]);
    for _ in 0..elements {
        let mut next: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        for (loads, p) in &law {
            for (i, j) in first.clone().flat_map(|i| second.clone().map(move |j| (i, j))) {
                let (i, j) = (i as usize, j as usize);
                let mut loads = loads.clone();
                let shorter = if loads[j] < loads[i] { j } else { i };
                loads[shorter] += 1;
                let split = if left { groups[0] as usize } else { loads.len() };
                loads[..split].sort_unstable();
                loads[split..].sort_unstable();
                *next.entry(loads).or_default() += p / ways;
            }
        }
        law = next;
    }
    let exceeds = |k: u32| {
        let beyond = law.iter().filter(|(loads, _)| loads.iter().any(|&load| load > k));
        beyond.map(|(_, p)| p).sum()
    };
    (0..elements).map(exceeds).collect()
}

/// Every way in which nine elements choose two of six buckets. Long chains are rarer where the two are of two sub-tables.
#[test]
fn two_choices_are_as_enumerated() {
    for (scheme, left, beyond, particles) in
        [("d-way-chaining", false, [3, 5], 200), ("d-left-chaining", true, [2, 3], 200)]
    {
        let exact = greatest(9, [3, 3], left);
        let case = case(scheme, "random", 9, 6);
        for beyond in beyond {
            let event = longer_than(beyond);
            let exact = exact[beyond as usize];
            let what = format!("{scheme} beyond {beyond}");
            assert_estimated(&mut *case.rare(&event).unwrap(), particles, exact, &what);
            let predictions = case.event_outlook(&event).predictions;
            let bound = predictions.iter().find(|own| own.kind == Kind::UpperBound).unwrap();
            assert!(exact < bound.value, "{what}: {exact} {bound:?}");
        }
    }
}

/// Loads of four to seven and a half, at probabilities that plain trials see.
#[test]
fn splitting_and_plain_trials_agree() {
    for (scheme, elements, buckets, beyond) in [
        ("d-way-chaining", 200, 50, 6),
        ("d-left-chaining", 150, 20, 9),
        ("d-left-chaining", 60, 10, 7),
    ] {
        let case = case(scheme, "random", elements, buckets);
        let mut rare = case.rare(&longer_than(beyond)).unwrap();
        let (plain, plain_error) = plain(&mut *rare, 1..3001);
        let (found, error) = split(&mut *rare, 50, 1..21);
        assert!(plain > 4.0 * plain_error && plain < 0.5, "{scheme}: {plain} ± {plain_error}");
        assert!(
            (found - plain).abs() < 4.5 * error.hypot(plain_error),
            "{scheme}: {found} ± {error}, plain {plain} ± {plain_error}"
        );
    }
}

#[test]
fn what_is_not_counted_is_refused() {
    let refused = |hash: &str, event: Event| {
        case("chaining", hash, 20, 20).check_rare(&event).unwrap_err().param
    };
    assert_eq!(refused("random", longer_than(20)), "beyond");
    assert_eq!(refused("random", longer_than(0)), "beyond");
    assert_eq!(refused("xxh3", longer_than(3)), "hash");
    let other = Event { metric: OVERFLOW_ELEMENTS, ..longer_than(3) };
    assert_eq!(refused("random", other), "event");
    let given: [(&str, Scalar); 3] = [
        ("elements", 20_u32.into()),
        ("buckets", 20_u32.into()),
        ("choices_from", "double".into()),
    ];
    let derived = families::case("d-way-chaining", "chains-fill", "random", &given).unwrap();
    assert_eq!(derived.check_rare(&longer_than(3)).unwrap_err().param, "choices_from");
    let given: [(&str, Scalar); 3] =
        [("elements", 20_u32.into()), ("buckets", 20_u32.into()), ("attack", "progression".into())];
    let attacked = families::case("chaining", "chains-attack", "random", &given).unwrap();
    assert!(attacked.check_rare(&longer_than(3)).is_err());
}
