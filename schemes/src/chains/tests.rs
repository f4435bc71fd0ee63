//! Trials against what is predicted of them, and points that are refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::metrics::{COLLISION_FRACTION, SUM_OF_SQUARES, max_load_at_most};
use super::outlook::PAIRS;
use crate::case::{Case, events};
use crate::families;
use crate::keys::{KeySource, Places, TraceKeys};
use crate::measured::{Readings, is_met};
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::{Kind, Prediction};
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{BUCKETS, MAX_LOAD, occupancy};

/// Standard errors that a mean may be off.
const ERRORS: f64 = 5.0;

fn measured(case: &dyn Case, keys: &KeySource, trials: u64) -> Readings {
    Readings::of(case, keys, 1, 0..trials)
}

/// The mean, and how far the expectation may be off. Of a share of so many things that was hardly ever seen or missed, the
/// prediction knows better how it scatters, and one of the things may be seen by chance.
fn mean(readings: &Readings, own: &Prediction, things: f64) -> (f64, f64) {
    let n = readings.values(own.metric).len() as f64;
    let (mean, error) = readings.mean(own.metric).unwrap();
    let rounding = 1e-9 * own.value.abs() + 1e-12;
    if !own.metric.is_fraction() {
        return (mean, ERRORS * error + rounding);
    }
    let error = error.max((own.value * (1.0 - own.value) / (things * n)).sqrt());
    (mean, ERRORS * error + 1.0 / (n * things) + rounding)
}

fn case(scheme: &str, workload: &str, hash: &str, given: &[(&str, Scalar)]) -> Box<dyn Case> {
    families::case(scheme, workload, hash, given).unwrap()
}

fn sized(elements: i64, buckets: i64) -> Vec<(&'static str, Scalar)> {
    vec![("elements", elements.into()), ("buckets", buckets.into()), ("queries", 20_i64.into())]
}

/// Checks each prediction of these kinds; how many there were.
fn check(case: &dyn Case, trials: u64, kinds: &[Kind]) -> usize {
    check_on(case, &KeySource::Random, trials, |own| kinds.contains(&own.kind))
}

/// Checks each prediction that is `wanted`, with these keys; how many there were.
fn check_on(
    case: &dyn Case,
    keys: &KeySource,
    trials: u64,
    wanted: impl Fn(&Prediction) -> bool,
) -> usize {
    let readings = measured(case, keys, trials);
    let buckets = case.number_of(BUCKETS, 0, &|_| None).unwrap();
    let all = case.outlook(&|_| None).predictions;
    let check = |own: &Prediction| {
        let is_law = own.metric.is_like(max_load_at_most(0));
        let things = if is_law { 1.0 } else { buckets };
        let (mean, error) = mean(&readings, own, things);
        let room = error + own.allowance;
        assert!(is_met(own, mean, room), "{case:?}: {}: {mean} ± {room}, {own:?}", own.metric);
    };
    all.iter().filter(|own| wanted(own)).map(check).count()
}

/// A light and a heavy load, fewer elements than buckets, and one bucket.
#[test]
fn one_choice_is_as_predicted() {
    for (elements, buckets) in [(40, 40), (12, 60), (300, 20), (5, 1)] {
        let case = case("chaining", "chains-fill", "random", &sized(elements, buckets));
        let seen = check(&*case, 4000, &[Kind::Exact, Kind::LowerBound, Kind::UpperBound]);
        assert!(seen > 20, "{seen}");
    }
}

/// Every way to put four elements into three buckets, for what is called exact.
#[test]
fn exact_values_are_those_of_all_ways() {
    let (elements, buckets) = (4, 3_usize);
    let mut sums: BTreeMap<Metric, f64> = BTreeMap::new();
    let ways = buckets.pow(elements);
    for way in 0..ways {
        let mut loads = [0_usize; 3];
        (0..elements).for_each(|element| loads[way / buckets.pow(element) % buckets] += 1);
        let squares: usize = loads.iter().map(|load| load * load).sum();
        let most = loads.iter().max().copied().unwrap();
        let mut add = |metric, value: f64| *sums.entry(metric).or_default() += value / ways as f64;
        add(SUM_OF_SQUARES, squares as f64);
        add(COLLISION_FRACTION, (squares - 4) as f64 / 12.0);
        add(PROBES_PER_HIT, (squares + 4) as f64 / 8.0);
        add(MAX_LOAD, most as f64);
        (2..=4).for_each(|k| add(max_load_at_most(k as u16), f64::from(u8::from(most <= k))));
        loads.iter().for_each(|&load| add(occupancy(load as u16), 1.0 / 3.0));
    }
    let case = case("chaining", "chains-fill", "random", &sized(4, 3));
    let found = case.outlook(&|_| None).predictions;
    for (metric, expected) in sums {
        let exact = found.iter().find(|own| own.metric == metric && own.kind == Kind::Exact);
        let value = exact.unwrap().value;
        assert!((value - expected).abs() < 1e-11, "{metric}: {value} {expected}");
    }
}

/// Whether independence of pairs is all that a prediction needs.
fn is_of_pairs(own: &Prediction) -> bool {
    own.kind.is_bound() || own.source == PAIRS
}

/// Whatever the keys are, pairs collide as pairs of a 2-independent family do: with keys that another member put
/// together, a cross product, a progression. The laws that need more than pairs are those of random choices.
#[test]
fn pairs_of_built_keys_are_as_predicted() {
    for attack in ["other-function", "cross-product", "progression"] {
        for hash in ["random", "two-independent", "multiply-shift", "twisted-tabulation"] {
            let given = [sized(24, 20), vec![("attack", attack.into())]].concat();
            let case = case("chaining", "chains-attack", hash, &given);
            assert!(check_on(&*case, &KeySource::Random, 300, is_of_pairs) >= 5);
        }
    }
}

/// 60 flows of 13 bytes: four hosts of a network, each with ports that count up, to one server.
fn flows() -> KeySource {
    let flow = |i: u8| [10, 0, 0, i % 4, 10, 1, 2, 3, 0x80, i / 4, 0, 80, 6];
    let bytes = (0..60).flat_map(flow).collect();
    let keys = TraceKeys::new(bytes, Places::Width(13), (0..60).collect()).unwrap();
    KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: false }
}

/// Nor does it matter that keys are the flows of a trace, the same in all trials.
#[test]
fn pairs_of_flows_are_as_predicted() {
    for hash in ["two-independent", "multiply-shift", "simple-tabulation", "polynomial5"] {
        let given = [sized(24, 20), vec![("keys", "trace".into())]].concat();
        let case = case("chaining", "chains-fill", hash, &given);
        assert!(check_on(&*case, &flows(), 1000, is_of_pairs) >= 5, "{hash}");
    }
}

#[test]
fn keys_built_against_the_function_are_in_one_bucket() {
    for hash in ["random", "murmur3", "polynomial5"] {
        let given = [sized(9, 30), vec![("attack", "known-function".into())]].concat();
        let case = case("chaining", "chains-attack", hash, &given);
        assert_eq!(check(&*case, 3, &[Kind::Exact]), 5);
    }
}

/// Powers of two: a shifted linear space, of which the rank is the whole law.
#[test]
fn linear_functions_on_a_cross_product_are_as_predicted() {
    for hash in ["simple-tabulation", "h3"] {
        for (elements, buckets) in [(16, 16), (64, 16), (8, 32)] {
            let given =
                [sized(elements, buckets), vec![("attack", "cross-product".into())]].concat();
            let case = case("chaining", "chains-attack", hash, &given);
            check(&*case, 1500, &[Kind::Exact, Kind::LowerBound, Kind::UpperBound]);
        }
    }
}

/// Under simple tabulation the span of sixteen words decides of a cross product, so that all buckets that hold anything
/// hold as much.
#[test]
fn a_cross_product_fills_buckets_alike_under_simple_tabulation() {
    let mut given = sized(256, 64);
    given.extend([("attack", "cross-product".into())]);
    let of =
        |hash| measured(&*case("chaining", "chains-attack", hash, &given), &KeySource::Random, 40);
    let (simple, twisted) = (of("simple-tabulation"), of("twisted-tabulation"));
    let even = |own: &Readings| own.sum(occupancy(0)) + own.sum(occupancy(4));
    // Full rank has a probability of 0.78, and then each of 64 buckets holds four elements.
    assert!(even(&simple) > 20.0 && even(&twisted) < 20.0, "{} {}", even(&simple), even(&twisted));
}

#[test]
fn several_choices_are_as_predicted() {
    for scheme in ["d-way-chaining", "d-left-chaining"] {
        for (elements, buckets, choices) in [(120, 120, 2), (400, 100, 2), (90, 180, 3)] {
            let mut given = sized(elements, buckets);
            given.push(("choices", Scalar::Integer(choices)));
            let case = case(scheme, "chains-fill", "random", &given);
            let seen = check(&*case, 1500, &[Kind::Exact, Kind::Refined]);
            assert!(seen >= 3, "{scheme} {seen}");
        }
    }
}

/// The Poisson number of buckets beyond a load is a model: right to some per cent.
#[test]
fn greatest_of_several_choices_is_nearly_as_modelled() {
    for scheme in ["d-way-chaining", "d-left-chaining"] {
        let case = case(scheme, "chains-fill", "random", &sized(2000, 2000));
        let readings = measured(&*case, &KeySource::Random, 200);
        let all = case.outlook(&|_| None).predictions;
        let modelled = all.iter().find(|own| own.metric == MAX_LOAD).unwrap();
        let (mean, error) = mean(&readings, modelled, 1.0);
        assert!((mean - modelled.value).abs() < error + 0.05, "{scheme} {mean} {modelled:?}");
    }
}

/// A hash function of which nothing is proved is held against the same values as random choices, and one that differs
/// contradicts them; bounds are those that are proved of the function.
#[test]
fn every_hash_function_is_held_against_random_choices() {
    let of = |scheme: &str, hash: &str| {
        let all = case(scheme, "chains-fill", hash, &sized(50, 50)).outlook(&|_| None).predictions;
        let (bounds, values): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|own| own.kind.is_bound());
        (bounds.len(), values)
    };
    for scheme in ["chaining", "d-way-chaining", "d-left-chaining"] {
        let (_, values) = of(scheme, "random");
        assert!(values.iter().any(|own| own.metric == PROBES_PER_MISS && own.kind == Kind::Exact));
        assert_eq!(of(scheme, "murmur3"), (0, values));
    }
    assert_eq!((of("chaining", "multiply-shift").0, of("chaining", "random").0), (1, 1));
}

/// What is known of choices that are independent says nothing of those that follow from one another.
#[test]
fn nothing_is_predicted_of_choices_in_a_progression() {
    let given = [sized(50, 50), vec![("choices_from", "double".into())]].concat();
    for (scheme, is_predicted) in [("chaining", true), ("d-way-chaining", false)] {
        let outlook = case(scheme, "chains-fill", "random", &given).outlook(&|_| None);
        assert_eq!(!outlook.predictions.is_empty(), is_predicted, "{scheme}");
    }
}

fn refused(scheme: &str, workload: &str, more: &[(&str, Scalar)]) -> String {
    let given = [sized(100, 99), more.to_vec()].concat();
    families::case(scheme, workload, "xxh3", &given).unwrap_err().to_string()
}

#[test]
fn impossible_points_are_refused() {
    let attack = |name: &str| ("attack", Scalar::from(name));
    assert_eq!(
        refused("d-left-chaining", "chains-fill", &[]),
        "`buckets`: 99 buckets are no 2 equal sub-tables"
    );
    assert_eq!(
        refused("d-way-chaining", "chains-attack", &[attack("known-function")]),
        "`attack`: keys are searched for one choice; this scheme has more"
    );
    let many = [attack("cross-product"), ("queries", 65_500_i64.into())];
    assert_eq!(
        refused("chaining", "chains-attack", &many),
        "`attack`: {0, 1}^16 has 65536 keys, for elements and queries together"
    );
}

/// Two keys in a thousand buckets collide in hardly any trial: a mean that saw no collision is judged by how many keys and
/// trials there were, and not by its spread, which is 0.
#[test]
fn collisions_are_events() {
    let case = case("chaining", "chains-fill", "random", &sized(2, 1000));
    let per_unit = |metric| events(&*case, metric, &|_| None).map(|events| events.per_unit);
    assert_eq!([PROBES_PER_HIT, PROBES_PER_MISS].map(per_unit), [Some(2.0), Some(20.0)]);
    assert_eq!([SUM_OF_SQUARES, MAX_LOAD].map(per_unit), [Some(1.0); 2]);
}

/// `plan` runs it to say how long the whole takes.
#[test]
fn a_shortened_search_is_short() {
    let attack = [("attack", Scalar::from("known-function"))];
    let given = [sized(1_000_000, 1_000_000), attack.to_vec()].concat();
    let case = case("chaining", "chains-attack", "xxh3", &given);
    assert!(case.cost(&KeySource::Random).operations > 1e12);
    assert!(case.shortened(1e7).cost(&KeySource::Random).operations < 2e7);
}
