//! Splitting beside exact laws, enumeration and plain trials.

use super::super::case::Scheme;
use super::super::hopscotch::Hopscotch;
use super::super::metrics::{FAILED_INSERTIONS, LONGEST_CLUSTER, LONGEST_PROBE};
use super::super::params::{NEIGHBOURHOOD, Size};
use super::super::robin_hood::RobinHood;
use super::super::table::{Deletion, Table};
use super::super::theory::{clusters, passing};
use super::enumerated::sequences;
use super::{hits, table};
use crate::case::Case;
use crate::families;
use crate::measured::{plain, split};
use crate::metric::Metric;
use crate::params::{Params, Scalar};
use crate::prediction::Kind;
use crate::rare::{Branch, Event, Rare};

fn case(scheme: &str, elements: u32, buckets: u32, own: &[(&str, Scalar)]) -> Box<dyn Case> {
    let given: [(&str, Scalar); 3] =
        [("elements", elements.into()), ("buckets", buckets.into()), ("queries", 0_u32.into())];
    families::case(scheme, "probing-fill", "random", &[&given, own].concat()).unwrap()
}

fn more_than(metric: Metric, beyond: u64) -> Event {
    Event { metric, beyond, ever: false }
}

fn exact(case: &dyn Case, event: &Event) -> f64 {
    let predictions = case.event_outlook(event).predictions;
    predictions.iter().find(|own| own.kind == Kind::Exact).unwrap().value
}

/// Fails where 40 runs of splitting are 4.5 standard errors away from the exact law, or decide nothing.
fn assert_estimated(case: &dyn Case, event: &Event) -> f64 {
    let exact = exact(case, event);
    let mut rare = case.rare(event).unwrap();
    let (found, error) = split(&mut *rare, 50, 1..41);
    let what = format!("{event:?}: {found} ± {error}, not {exact}");
    assert!((found - exact).abs() < 4.5 * error, "{what}");
    assert!(error < 0.3 * exact, "{what}: decides nothing");
    exact
}

#[test]
fn clusters_are_as_their_exact_law() {
    let case = case("linear-probing", 50, 100, &[]);
    let all =
        [16, 32, 40].map(|beyond| assert_estimated(&*case, &more_than(LONGEST_CLUSTER, beyond)));
    assert!(all[2] < 1e-6, "{all:?}");
}

#[test]
fn searches_of_robin_hood_are_as_their_exact_law() {
    let case = case("robin-hood", 60, 100, &[]);
    let all = [8, 12, 15].map(|beyond| assert_estimated(&*case, &more_than(LONGEST_PROBE, beyond)));
    assert!(all[2] < 1e-6, "{all:?}");
}

/// The table itself says when an insertion fails, and the law of what passes a slot how probable that is.
#[test]
fn failures_of_hopscotch_are_as_their_exact_law() {
    for (neighbourhood, beyond) in [(8_i64, 1e-1), (14, 1e-5)] {
        let own = [("neighbourhood", neighbourhood.into())];
        let case = case("hopscotch", 60, 100, &own);
        let found = assert_estimated(&*case, &more_than(FAILED_INSERTIONS, 0));
        assert!(found < beyond, "{found}");
    }
}

/// All sequences of hash values, and the tables themselves.
#[test]
fn laws_are_those_of_all_sequences() {
    for (m, n) in [(6, 4), (7, 5), (6, 5)] {
        let weight = f64::from(m).powi(-(n as i32));
        let mut robin_hood = table::<RobinHood>(n, m, Deletion::BackShift);
        let given = [(NEIGHBOURHOOD.name, 2_u32.into())];
        let params = Params::complete(&[NEIGHBOURHOOD], &given).unwrap();
        let size = Size { elements: n, buckets: m };
        let mut hopscotch = Hopscotch::from_params(size, &params).unwrap().table(Deletion::Freed);
        let [mut long_cluster, mut long_probe, mut failure] = [0.0; 3];
        for homes in sequences(m, n) {
            robin_hood.clear();
            hopscotch.clear();
            let mut failed = false;
            for (element, home) in (0..).zip(homes) {
                robin_hood.insert(element, &[home]);
                failed = failed || !hopscotch.insert(element, &[home]).stored;
            }
            let longest = hits(&robin_hood, n).into_iter().max().unwrap();
            let count = |happens| weight * f64::from(u8::from(happens));
            long_cluster += count(robin_hood.slots().longest_cluster() > 2);
            long_probe += count(longest > 2);
            failure += count(failed);
        }
        let near = |found: Option<f64>, expected: f64| {
            assert!((found.unwrap() - expected).abs() < 1e-10, "{m} {n}: {found:?} {expected}");
        };
        near(clusters::some_at_least(3, m, n), long_cluster);
        if n + 1 < m {
            near(passing::some_at_least(2, m, n), long_probe);
            near(passing::some_at_least(2, m, n), failure);
        }
    }
}

#[test]
fn splitting_and_plain_trials_agree() {
    let own = [("neighbourhood", 7_i64.into())];
    for (scheme, own, event) in [
        ("linear-probing", &[][..], more_than(LONGEST_CLUSTER, 30)),
        ("robin-hood", &[], more_than(LONGEST_PROBE, 7)),
        ("hopscotch", &own, more_than(FAILED_INSERTIONS, 0)),
    ] {
        let case = case(scheme, 45, 64, own);
        let mut rare = case.rare(&event).unwrap();
        let (plain, plain_error) = plain(&mut *rare, 1..3001);
        let (found, error) = split(&mut *rare, 50, 1..21);
        assert!(plain > 5.0 * plain_error && plain < 0.5, "{scheme}: {plain} ± {plain_error}");
        let room = 4.5 * error.hypot(plain_error);
        assert!((found - plain).abs() < room, "{scheme}: {found}, plain {plain}, room {room}");
    }
}

/// A history that goes on from what was kept of others is followed as in a trial that knows none of them.
#[test]
fn what_is_kept_is_what_would_be_run_again() {
    let own = [("neighbourhood", 14_i64.into())];
    let branch = |step, seed| Branch { step, seed };
    let history = [branch(0, 1), branch(20, 2), branch(30, 3), branch(35, 4), branch(40, 5)];
    for (scheme, own, event) in [
        ("linear-probing", &[][..], more_than(LONGEST_CLUSTER, 40)),
        ("robin-hood", &[], more_than(LONGEST_PROBE, 15)),
        ("hopscotch", &own, more_than(FAILED_INSERTIONS, 0)),
    ] {
        let case = case(scheme, 45, 64, own);
        let mut all = case.rare(&event).unwrap();
        for end in 1..=history.len() {
            let followed = |rare: &mut dyn Rare| {
                let mut rises = Vec::new();
                (rare.run(&history[..end], &mut rises), rises)
            };
            let alone = followed(&mut *case.rare(&event).unwrap());
            assert!(alone.1.len() > 1 && alone.0 == 0.0, "{scheme} {end}");
            assert_eq!(followed(&mut *all), alone, "{scheme} {end}");
        }
    }
}

#[test]
fn what_is_not_counted_is_refused() {
    let refused = |scheme: &str, event: Event| {
        case(scheme, 40, 64, &[]).check_rare(&event).unwrap_err().param
    };
    assert_eq!(refused("linear-probing", more_than(LONGEST_CLUSTER, 40)), "beyond");
    assert_eq!(refused("hopscotch", more_than(FAILED_INSERTIONS, 1)), "beyond");
    assert_eq!(refused("linear-probing", more_than(LONGEST_PROBE, 5)), "event");
    assert_eq!(refused("quadratic-probing", more_than(LONGEST_CLUSTER, 5)), "event");
}
