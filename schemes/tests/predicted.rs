//! Balancing schemes, filters in blocks and tables in time, simulated trial by trial: every prediction that says what
//! a quantity is must be within some standard errors of the mean, and its own allowance.

#![expect(clippy::unwrap_used, reason = "they are tests")]

use std::collections::BTreeMap;
use std::sync::Arc;

use loadfactor_schemes::case::Record;
use loadfactor_schemes::families;
use loadfactor_schemes::keys::{KeySource, Places, TraceKeys};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::{Kind, Prediction};

/// Standard errors that a mean may be off.
const STD_ERRORS: f64 = 4.5;
const TRIALS: u64 = 2_000;
/// Fewer buckets of all trials than these are not seen to scatter.
const RARE: f64 = 10.0;

/// The readings of all trials.
#[derive(Default)]
struct Readings(BTreeMap<Metric, Vec<f64>>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        assert!(value.is_none_or(f64::is_finite), "{metric}: {value:?}");
        self.0.entry(metric).or_default().extend(value);
    }

    fn end_of_trial(&mut self) {}
}

impl Readings {
    /// The mean and its standard error.
    fn mean(&self, metric: Metric) -> Option<(f64, f64)> {
        let values = self.0.get(&metric).filter(|values| !values.is_empty())?;
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
        Some((mean, (squares / (n - 1.0) / n).sqrt()))
    }
}

/// What is off, a line each.
fn off(scheme: &str, workload: &str, given: &[(&str, Scalar)]) -> Vec<String> {
    off_with((scheme, workload, "random"), &KeySource::Random, given)
}

/// The same of a scheme under a workload with a hash function.
fn off_with(
    (scheme, workload, hash): (&str, &str, &str),
    keys: &KeySource,
    given: &[(&str, Scalar)],
) -> Vec<String> {
    let case = families::case(scheme, workload, hash, given).unwrap();
    let mut readings = Readings::default();
    case.run(keys, 20_261_122, 0..TRIALS, &mut readings);
    let measured = |metric| readings.mean(metric).map(|(mean, _)| mean);
    let predictions = case.outlook(&measured).predictions;
    assert!(predictions.len() > 3, "{scheme}: {predictions:?}");
    let buckets = given.iter().find_map(|(name, value)| match value {
        Scalar::Integer(buckets) if *name == "buckets" => Some(*buckets as f64),
        _ => None,
    });
    let rare = RARE / (TRIALS as f64 * buckets.unwrap_or(200.0));
    let line = |p: &Prediction| {
        let (mean, error) = readings.mean(p.metric)?;
        let unseen = rare * f64::from(u8::from(p.value < rare));
        let room = STD_ERRORS * error + p.allowance + unseen + 1e-9;
        let is_off = match p.kind {
            Kind::Approximate => false,
            Kind::LowerBound => mean < p.value - room,
            Kind::UpperBound => mean > p.value + room,
            Kind::Exact | Kind::Asymptotic | Kind::Refined => (mean - p.value).abs() > room,
        };
        let Prediction { metric, value, kind, allowance, .. } = p;
        is_off.then(|| {
            format!("{scheme} {workload} {metric}: {mean} ± {error}, {kind} {value} ± {allowance}")
        })
    };
    predictions.iter().filter_map(line).collect()
}

fn number(value: f64) -> Scalar {
    value.into()
}

fn count(value: i64) -> Scalar {
    value.into()
}

#[test]
fn loads_are_those_predicted() {
    let size = [("buckets", count(300)), ("load", number(4.0))];
    let d = ("choices", count(3));
    let taking = [("threshold", count(4)), ("insertion_probability", number(0.4))];
    let points: [(&str, Vec<(&str, Scalar)>); 8] = [
        ("balancing-single", vec![("overflow", number(0.0))]),
        ("balancing-single", vec![("overflow", number(0.02))]),
        ("balancing-single", taking.to_vec()),
        ("balancing-sequential", vec![d.clone(), ("accesses", number(1.2))]),
        (
            "balancing-sequential",
            vec![
                d.clone(),
                ("accesses", number(1.2)),
                ("overflow", number(0.1)),
                ("budget", true.into()),
            ],
        ),
        ("balancing-multilevel", vec![d.clone(), ("accesses", number(1.2))]),
        (
            "balancing-multilevel",
            vec![d.clone(), ("accesses", number(1.2)), ("budget", true.into())],
        ),
        ("balancing-offline", vec![("accesses", number(1.2)), ("overflow", number(0.01))]),
    ];
    let found: Vec<String> = points
        .iter()
        .flat_map(|(scheme, own)| off(scheme, "filling", &[&size[..], own].concat()))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// In the middle of a filling too.
#[test]
fn loads_are_predicted_over_time() {
    let given = [
        ("buckets", count(300)),
        ("load", number(2.5)),
        ("threshold", count(2)),
        ("insertion_probability", number(0.5)),
        ("until", number(0.4)),
    ];
    let found = off("balancing-single", "filling", &given);
    assert!(found.is_empty(), "{found:#?}");
}

/// Before the threshold that the construction ends with is reached by any bucket.
#[test]
fn the_bound_is_predicted_over_time() {
    let given = [
        ("buckets", count(300)),
        ("load", number(8.0)),
        ("accesses", number(1.2)),
        ("until", number(0.2)),
    ];
    let found = off("balancing-offline", "filling", &given);
    assert!(found.is_empty(), "{found:#?}");
}

/// Few buckets, of which sub-tables get more even numbers of attempts than a table of all, and the number of elements
/// that are stored scatters as much as the loads.
#[test]
fn small_sub_tables_are_as_predicted() {
    for own in [
        vec![("buckets", count(4)), ("accesses", number(1.2))],
        vec![("buckets", count(20)), ("accesses", number(1.3)), ("overflow", number(0.4))],
        vec![("buckets", count(160)), ("accesses", number(1.2))],
    ] {
        let given = [&[("load", number(8.0)), ("choices", count(2))][..], &own].concat();
        let found = off("balancing-multilevel", "filling", &given);
        assert_eq!(found, Vec::<String>::new());
    }
}

/// A law of loads has a number for each load.
#[test]
fn too_many_elements_per_bucket_are_refused() {
    let refused = |elements| {
        let given = [("buckets", count(1)), ("elements", count(elements))];
        families::case("balancing-single", "filling", "random", &given).map_err(|error| error.name)
    };
    assert_eq!(refused(2_147_483_647).map(|_| ()), Err("elements".to_owned()));
    assert!(refused(1000).is_ok());
}

#[test]
fn false_positives_are_those_predicted() {
    let blocks = [
        ("blocks", count(200)),
        ("block_bits", count(128)),
        ("bits_per_element", number(12.0)),
        ("queries", count(200)),
    ];
    let with = |balancing: &str, d: i64, accesses: f64| {
        vec![
            ("balancing", balancing.into()),
            ("block_choices", count(d)),
            ("accesses", number(accesses)),
        ]
    };
    let no_list = [with("multilevel", 3, 1.2), vec![("overflow_list", false.into())]].concat();
    let single = vec![("balancing", "single".into()), ("overflow", number(0.01))];
    let points: [(&str, Vec<(&str, Scalar)>); 5] = [
        ("blocked-bloom-filter", vec![]),
        ("balanced-bloom-filter", single),
        ("balanced-bloom-filter", with("sequential", 3, 1.2)),
        ("balanced-bloom-filter", with("multilevel", 3, 1.2)),
        ("balanced-bloom-filter", no_list),
    ];
    let found: Vec<String> = points
        .iter()
        .flat_map(|(scheme, own)| off(scheme, "membership", &[&blocks[..], own].concat()))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Scheme, workload, and the parameters that the two need.
type Point = (&'static str, &'static str, Vec<(&'static str, Scalar)>);

fn assert_predicted(points: &[Point]) {
    let found: Vec<String> =
        points.iter().flat_map(|(scheme, workload, given)| off(scheme, workload, given)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// A small table of this bucket size, with more parameters.
fn table<const N: usize>(h: i64, own: [(&'static str, Scalar); N]) -> Vec<(&'static str, Scalar)> {
    let mut given = vec![("buckets", count(24)), ("bucket_size", count(h))];
    given.extend(own);
    given
}

/// Workloads whose steps come from a queue of departures, or from a law of many flows.
#[test]
fn tables_are_as_predicted_in_time() {
    let (load, warm_up) = (("load", number(0.75)), ("warm_up", number(15.0)));
    let duration = ("duration", number(3.0));
    let closed = table(2, [load.clone(), warm_up.clone(), duration.clone()]);
    let flows = [
        ("flows", count(6)),
        ("rate", number(0.1)),
        ("burst", number(3.0)),
        ("warm_up", count(500)),
        ("slots", count(500)),
        ("bin_width", count(4)),
        ("largest", count(19)),
    ];
    assert_predicted(&[
        ("single", "continuous", closed.clone()),
        ("multiple", "continuous", table(1, [load, warm_up, duration, ("choices", count(3))])),
        ("single", "open", closed),
        ("single", "on-off", table(1, flows)),
    ]);
}

/// Trials that a shorter way than a table may make, and those that it may not: with a coin before the first access.
#[test]
fn tables_are_as_predicted_in_rounds() {
    let load = || ("load", number(0.75));
    let choices = || ("choices", count(3));
    let coin = || ("insertion_probability", number(0.6));
    let rounds = || ("rounds", count(60));
    let sub_tables = || ("sub_tables", Scalar::from(true));
    assert_predicted(&[
        ("single", "static-fill", table(2, [load(), coin()])),
        ("multiple", "static-fill", table(2, [load(), choices(), coin()])),
        ("multiple", "static-fill", table(2, [load(), choices()])),
        ("multiple", "static-fill", table(1, [load(), choices(), sub_tables()])),
        ("multiple", "static-fill", table(1, [load(), choices(), sub_tables(), coin()])),
        ("multiple", "alternation", table(1, [load(), choices(), coin(), rounds()])),
        ("second-chance", "static-fill", table(1, [load(), choices()])),
        ("second-chance", "alternation", table(1, [load(), choices(), rounds()])),
    ]);
}

/// A trace that is too short is gone through again and again, each time with hash functions that know nothing of
/// the last ones: its elements are placed as those of an endless one.
#[test]
fn a_short_trace_is_as_good_as_a_long_one() {
    let bytes = (0..100_u16).flat_map(u16::to_be_bytes).collect();
    let trace = TraceKeys::new(bytes, Places::Width(2), (0..100).collect()).unwrap();
    let keys = KeySource::Trace { keys: Arc::new(trace), renew: true, shuffled: false };
    let given = [
        ("buckets", count(24)),
        ("bucket_size", count(2)),
        ("load", number(0.75)),
        ("warm_up", number(15.0)),
        ("duration", number(3.0)),
        ("keys", "trace".into()),
    ];
    let found = off_with(("single", "continuous", "xxh3"), &keys, &given);
    assert!(found.is_empty(), "{found:#?}");
}
