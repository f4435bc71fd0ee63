//! Balancing schemes and filters in blocks, simulated trial by trial: every prediction that says what a quantity is
//! must be within some standard errors of the mean, and its own allowance.

#![expect(clippy::unwrap_used, reason = "they are tests")]

use std::collections::BTreeMap;

use loadfactor_schemes::case::Record;
use loadfactor_schemes::families;
use loadfactor_schemes::keys::KeySource;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::{Kind, Prediction};

/// Standard errors that a mean may be off.
const STD_ERRORS: f64 = 4.5;
const TRIALS: u64 = 2_000;
/// A share of so few buckets of all trials is not seen to scatter.
const RARE: f64 = 10.0 / (TRIALS as f64 * 200.0);

/// The readings of all trials.
#[derive(Default)]
struct Readings(BTreeMap<Metric, Vec<f64>>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
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
    let case = families::case(scheme, workload, "random", given).unwrap();
    let mut readings = Readings::default();
    case.run(&KeySource::Random, 20_261_122, 0..TRIALS, &mut readings);
    let measured = |metric| readings.mean(metric).map(|(mean, _)| mean);
    let predictions = case.outlook(&measured).predictions;
    assert!(predictions.len() > 3, "{scheme}: {predictions:?}");
    let line = |p: &Prediction| {
        let (mean, error) = readings.mean(p.metric)?;
        let room =
            STD_ERRORS * error + p.allowance + RARE * f64::from(u8::from(p.value < RARE)) + 1e-9;
        let is_off = match p.kind {
            Kind::Approximate => false,
            Kind::LowerBound => mean < p.value - room,
            Kind::UpperBound => mean > p.value + room,
            Kind::Exact | Kind::Asymptotic | Kind::Refined => (mean - p.value).abs() > room,
        };
        let Prediction { metric, value, kind, allowance, .. } = p;
        is_off.then(|| format!("{scheme} {metric}: {mean} ± {error}, {kind} {value} ± {allowance}"))
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
