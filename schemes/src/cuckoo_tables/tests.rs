//! Builds beside what theory says of them.

use crate::case::Case;
use crate::families;
use crate::keys::KeySource;
use crate::measured::{Readings, is_met, plain, split};
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;
use crate::rare::Event;
use crate::tables::metrics::{FAILURE_FRACTION, MOVES_PER_INSERTION, OVERFLOW_ELEMENTS};

use super::metrics::{CLOSED_LOOP_FRACTION, EXCESS_ELEMENTS, REHASHES};

type Given<'g> = [(&'g str, Scalar)];

fn case(own: &Given<'_>) -> Box<dyn Case> {
    families::case("cuckoo-table", "cuckoo-build", "random", own).unwrap()
}

/// n elements in m buckets.
fn size(n: i64, m: i64) -> [(&'static str, Scalar); 2] {
    [("elements", n.into()), ("buckets", m.into())]
}

fn readings(case: &dyn Case, trials: u64) -> Readings {
    Readings::of(case, &KeySource::Random, 7, 0..trials)
}

/// Asserts that every prediction is within four and a half standard errors and its allowance of so many trials, and
/// that these are predicted in this way.
#[track_caller]
fn agree(own: &Given<'_>, trials: u64, predicted: &[(Metric, Kind)]) {
    let case = case(own);
    let readings = readings(&*case, trials);
    let predictions = case.outlook(&|_| None).predictions;
    let named: Vec<(Metric, Kind)> = predictions.iter().map(|p| (p.metric, p.kind)).collect();
    for wanted in predicted {
        assert!(named.contains(wanted), "{own:?}: {wanted:?} is not among {named:?}");
    }
    for known in predictions {
        let (found, error) = readings.mean(known.metric).unwrap();
        // Of an event that no trial saw the error is not 0.
        let room = 4.5 * error.max(1.0 / trials as f64) + known.allowance;
        assert!(is_met(&known, found, room), "{own:?}: {found} ± {error}, not {known:?}");
    }
}

#[test]
fn one_table_is_as_predicted() {
    let exact = [(EXCESS_ELEMENTS, Kind::Exact), (CLOSED_LOOP_FRACTION, Kind::Exact)];
    let walk = [
        (OVERFLOW_ELEMENTS, Kind::Exact),
        (MOVES_PER_INSERTION, Kind::Asymptotic),
        (MOVES_PER_INSERTION, Kind::Refined),
        (MOVES_PER_INSERTION, Kind::UpperBound),
    ];
    agree(&size(100, 400), 8000, &[&exact[..], &walk].concat());
    agree(&size(60, 100), 3000, &exact);
    let failure = [(FAILURE_FRACTION, Kind::Exact)];
    for stash in 0..3_i64 {
        agree(&[&size(40, 80)[..], &[("stash_size", stash.into())]].concat(), 4000, &failure);
    }
    let rehash = [("stash_size", 0_i64.into()), ("rehash_limit", 3_i64.into())];
    let rehashed = [(FAILURE_FRACTION, Kind::Exact), (REHASHES, Kind::Exact)];
    agree(&[&size(45, 80)[..], &rehash].concat(), 3000, &rehashed);
    // Walks that give up early fail more often.
    let short = [("stash_size", 0_i64.into()), ("eviction_limit", 3_i64.into())];
    agree(&[&size(40, 80)[..], &short].concat(), 1000, &[(FAILURE_FRACTION, Kind::LowerBound)]);
}

#[test]
fn two_tables_are_as_predicted() {
    let own = [("sub_tables", true.into()), ("stash_size", 0_i64.into())];
    for n in [30, 50, 60] {
        agree(&[&size(n, 100)[..], &own].concat(), 3000, &[(FAILURE_FRACTION, Kind::Exact)]);
    }
}

/// Three choices or buckets of two: a bound far below the threshold, none or all near and above it.
#[test]
fn other_shapes_are_as_predicted() {
    let own = [("eviction", "breadth-first".into()), ("stash_size", 0_i64.into())];
    let limit = (FAILURE_FRACTION, Kind::Asymptotic);
    let three = |n, m| [&size(n, m)[..], &own, &[("choices", 3_i64.into())]].concat();
    agree(&three(7, 8), 4000, &[(FAILURE_FRACTION, Kind::UpperBound)]);
    agree(&three(1400, 2000), 60, &[limit]);
    agree(&three(2200, 2000), 20, &[limit]);
    let pairs = |n, m| [&size(n, m)[..], &own, &[("bucket_size", 2_i64.into())]].concat();
    agree(&pairs(1300, 1000), 60, &[limit]);
    agree(&pairs(2200, 1000), 20, &[limit]);
}

/// A walk and a search leave the same number of elements over, and that is the excess of the graph, in every trial.
#[test]
fn no_way_to_make_room_leaves_over_fewer_than_the_graph() {
    for (n, split) in [(20, false), (30, true), (50, false), (45, true)] {
        for eviction in ["random-walk", "breadth-first"] {
            let own = [("sub_tables", split.into()), ("eviction", eviction.into())];
            let readings = readings(&*case(&[&size(n, 50)[..], &own].concat()), 300);
            let [left, excess] =
                [OVERFLOW_ELEMENTS, EXCESS_ELEMENTS].map(|metric| readings.values(metric));
            assert_eq!((left.len(), left), (300, excess), "{n} {eviction}");
        }
    }
}

fn beyond(beyond: u64) -> Event {
    Event { metric: EXCESS_ELEMENTS, beyond, ever: false }
}

/// Stashes that are too small about once in a thousand, a million and a hundred million builds, with choices that are drawn
/// and with those of keys.
#[test]
fn splitting_finds_the_law_of_the_excess() {
    for hash in ["random", "xxh3"] {
        let case = families::case("cuckoo-table", "cuckoo-build", hash, &size(60, 200)).unwrap();
        for (places, most) in [(0, 1e-1), (1, 1e-3), (2, 1e-5)] {
            let exact = case.event_outlook(&beyond(places)).predictions[0].value;
            let (found, error) = split(&mut *case.rare(&beyond(places)).unwrap(), 100, 0..60);
            let told = format!("{hash}, {places}: {found} ± {error}, exactly {exact}");
            assert!((found - exact).abs() < 4.5 * error, "{told}");
            assert!(error < 0.3 * exact && exact < most, "{told}");
        }
    }
}

#[test]
fn splitting_and_plain_trials_agree_in_two_tables() {
    let case = case(&[&size(40, 100)[..], &[("sub_tables", true.into())]].concat());
    let mut rare = case.rare(&beyond(1)).unwrap();
    let (plain, plain_error) = plain(&mut *rare, 1..30_001);
    let (found, error) = split(&mut *rare, 100, 0..60);
    assert!(plain > 3.0 * plain_error, "{plain} ± {plain_error}");
    assert!((found - plain).abs() < 4.5 * error.hypot(plain_error), "{found} ± {error}, {plain}");
}

#[test]
fn events_that_cannot_be_counted_are_refused() {
    let refused = |own: &Given<'_>, event: &Event| {
        case(&[&size(20, 60)[..], own].concat()).check_rare(event).unwrap_err().param
    };
    assert_eq!(refused(&[], &beyond(20)), "beyond");
    assert_eq!(refused(&[("choices", 3_i64.into())], &beyond(0)), "choices");
    let other = Event { metric: OVERFLOW_ELEMENTS, ..beyond(0) };
    assert_eq!(refused(&[], &other), "event");
}

#[test]
fn a_size_has_to_be_said() {
    let refused = |own: &Given<'_>| {
        families::case("cuckoo-table", "cuckoo-build", "random", own).unwrap_err().name
    };
    assert_eq!(refused(&[("buckets", 60_i64.into())]), "elements");
    let odd = [&size(20, 61)[..], &[("sub_tables", true.into())]].concat();
    assert_eq!(refused(&odd), "buckets");
}

/// Keys by which simple tabulation is nearly linear make a quarter of its builds fail, and hardly any of those of twisted
/// tabulation, as of random choices: of 200 builds about 50 and 2.
#[test]
fn a_cross_product_is_bad_for_simple_tabulation_alone() {
    let failed = |hash: &str| {
        let own = [("stash_size", 0_i64.into()), ("sub_tables", true.into())];
        let own = [&size(256, 640)[..], &own, &[("attack", "cross-product".into())]].concat();
        let case = families::case("cuckoo-table", "cuckoo-attack", hash, &own).unwrap();
        readings(&*case, 200).sum(FAILURE_FRACTION)
    };
    let [simple, twisted, random] =
        ["simple-tabulation", "twisted-tabulation", "random"].map(failed);
    assert!(simple > 25.0 && twisted < 12.0 && random < 12.0, "{simple} {twisted} {random}");
}

/// Slices of 13 bits choose some of 5000 buckets twice as often as others, and three choices of double hashing are one
/// bucket far more often than independent ones: nothing is predicted of either.
#[test]
fn choices_that_are_not_even_and_independent_have_no_prediction() {
    let predicted = |buckets: i64, own: &Given<'_>| {
        let own = [&size(1000, buckets)[..], own].concat();
        let case = families::case("cuckoo-table", "cuckoo-build", "xxh3", &own).unwrap();
        case.outlook(&|_| None).predictions.len()
    };
    let slices = [("choices_from", "slices".into()), ("slice_bits", 13_i64.into())];
    assert_eq!(predicted(5000, &slices), 0);
    assert!(predicted(4096, &slices) > 0);
    let chosen = |choices: i64, from: &str| {
        let own = [("choices", choices.into()), ("choices_from", from.into())];
        let search = [("stash_size", 0_i64.into()), ("eviction", "breadth-first".into())];
        predicted(4096, &[own, search].concat())
    };
    assert_eq!(chosen(3, "double"), 0);
    assert!(chosen(3, "seeds") > 0 && chosen(2, "double") > 0);
}

/// The law is not computed of so large a stash, and failing is too rare to be anything but bounded.
#[test]
fn a_large_stash_has_no_exact_failure() {
    let predictions = |stash: i64| {
        let own = [&size(400, 1000)[..], &[("stash_size", stash.into())]].concat();
        let of_failure = case(&own).outlook(&|_| None).predictions;
        of_failure
            .into_iter()
            .filter(|own| own.metric == FAILURE_FRACTION)
            .map(|own| own.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(predictions(2), [Kind::Exact, Kind::UpperBound]);
    assert_eq!(predictions(1000), [Kind::UpperBound]);
}

#[test]
fn rehashes_of_builds_that_cannot_fail_are_refused() {
    let own = [&size(20, 60)[..], &[("rehash_limit", 3_i64.into())]].concat();
    let refused = families::case("cuckoo-table", "cuckoo-build", "random", &own).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`rehash_limit`: no build fails, as the stash takes every element; give `stash_size`, such as 0"
    );
}

#[test]
fn a_set_that_is_too_small_is_refused() {
    let own = [&size(70_000, 140_000)[..], &[("attack", "cross-product".into())]].concat();
    let refused = families::case("cuckoo-table", "cuckoo-attack", "xxh3", &own).unwrap_err();
    assert_eq!(refused.to_string(), "`attack`: the set has 65536 keys for 70000 elements");
}
