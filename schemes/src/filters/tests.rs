//! Trials of filters against what is known of them.

mod edges;

use std::collections::BTreeMap;

use super::metrics;
use crate::case::Record;
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;

/// Standard errors that a mean may be off.
const STANDARD_ERRORS: f64 = 4.0;

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
    fn of(scheme: &str, workload: &str, given: &[(&str, Scalar)], trials: u64) -> Self {
        let case = families::case(scheme, workload, "random", given).unwrap();
        let mut readings = Self::default();
        case.run(&KeySource::Random, 7, 0..trials, &mut readings);
        readings
    }
}

/// Mean and standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn number(value: i64) -> Scalar {
    Scalar::Integer(value)
}

fn word(value: &str) -> Scalar {
    Scalar::Word(value.to_owned())
}

/// The answers of a filter and its bits are two estimates of one rate, the same in the mean.
#[test]
fn answers_and_bits_say_the_same_rate() {
    let size = [
        ("elements", number(40)),
        ("bits", number(320)),
        ("choices", number(3)),
        ("queries", number(300)),
    ];
    let membership = |scheme: &'static str, own: &[(&'static str, Scalar)]| {
        Readings::of(scheme, "membership", &[&size[..], own].concat(), 2000)
    };
    let wrapping = [("counter_bits", number(2)), ("overflow_rule", word("wrapping"))];
    let churn = [&size[..], &wrapping, &[("rounds", number(100))]].concat();
    for readings in [
        membership("bloom-filter", &[]),
        membership("partitioned-bloom-filter", &[]),
        membership("counting-bloom-filter", &wrapping),
        Readings::of("counting-bloom-filter", "churn", &churn, 2000),
    ] {
        let answers = &readings.0[&metrics::FALSE_POSITIVE_RATE];
        let bits = &readings.0[&metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
        let apart: Vec<f64> = answers.iter().zip(bits).map(|(one, other)| one - other).collect();
        let (mean, error) = mean(&apart);
        assert!(apart.len() == 2000 && error > 0.0 && error < 0.01);
        assert!(mean.abs() < STANDARD_ERRORS * error, "{mean} ± {error}");
    }
}

/// Counters that overflow often, under insertions, replacements and in a stream: every exact value is the mean, no
/// limit is further off than its allowance, and no bound is passed.
#[test]
fn filters_of_counters_are_as_predicted() {
    let mut judged = 0;
    for rule in ["sticky", "wrapping"] {
        for (workload, own) in [
            ("membership", vec![("elements", number(60)), ("queries", number(200))]),
            (
                "churn",
                vec![("elements", number(60)), ("queries", number(200)), ("rounds", number(150))],
            ),
            ("stream", vec![("packets", number(60))]),
        ] {
            let given = [
                &own[..],
                &[("bits", number(640)), ("choices", number(3)), ("counter_bits", number(2))],
                &[("overflow_rule", word(rule)), ("counter_law", number(4))],
            ]
            .concat();
            let readings = Readings::of("counting-bloom-filter", workload, &given, 4000);
            let case = families::case("counting-bloom-filter", workload, "random", &given).unwrap();
            for own in case.outlook(&|_| None).predictions {
                let Some(values) = readings.0.get(&own.metric) else { continue };
                let (mean, error) = mean(values);
                let room = STANDARD_ERRORS * error + own.allowance + 1e-12;
                let off = mean - own.value;
                let holds =
                    if own.kind == Kind::UpperBound { off < room } else { off.abs() < room };
                assert!(holds, "{rule}, {workload}: {own:?}, not {mean} ± {error}");
                judged += 1;
            }
        }
    }
    assert!(judged > 40, "only {judged} predictions");
}

/// An estimate is wrong if all counters are those of others, whatever the multiplicities; minimal increase makes
/// fewer mistakes, and as many false positives.
#[test]
fn estimates_of_multiplicities_are_as_predicted() {
    let mut errors = Vec::new();
    for (increase, exponent) in [("all", 0.0), ("all", 1.0), ("least", 1.0)] {
        let given = [
            ("elements", number(50)),
            ("bits", number(16 * 120)),
            ("choices", number(3)),
            ("queries", number(100)),
            ("multiplicity", number(20)),
            ("exponent", Scalar::Number(exponent)),
            ("increase", word(increase)),
        ];
        let readings = Readings::of("spectral-bloom-filter", "multiset", &given, 3000);
        let case = families::case("spectral-bloom-filter", "multiset", "random", &given).unwrap();
        let exact = case.outlook(&|_| None).predictions;
        let exact: Vec<_> = exact.iter().filter(|own| own.kind == Kind::Exact).collect();
        assert_eq!(exact.len(), if increase == "all" { 4 } else { 3 });
        for own in exact {
            let (mean, error) = mean(&readings.0[&own.metric]);
            let room = STANDARD_ERRORS * error;
            assert!((mean - own.value).abs() < room, "{increase}, {exponent}: {own:?}, not {mean}");
        }
        errors.push(mean(&readings.0[&metrics::WRONG_ESTIMATE_FRACTION]).0);
    }
    assert!(errors[2] < 0.7 * errors[1], "{errors:?}");
}

/// What detects duplicates holds what it is asked for: every packet of made keys is new.
#[test]
fn a_stream_is_as_predicted() {
    for scheme in ["bloom-filter", "partitioned-bloom-filter", "counting-bloom-filter"] {
        let given = [("packets", number(80)), ("bits", number(1200)), ("choices", number(2))];
        let readings = Readings::of(scheme, "stream", &given, 4000);
        let case = families::case(scheme, "stream", "random", &given).unwrap();
        let predicted = case.outlook(&|_| None).predictions;
        let exact = predicted.iter().filter(|own| own.kind == Kind::Exact);
        let mut judged = 0;
        for own in exact {
            let (mean, error) = mean(&readings.0[&own.metric]);
            assert!((mean - own.value).abs() < STANDARD_ERRORS * error, "{scheme}: {own:?} {mean}");
            judged += 1;
        }
        assert_eq!(judged, 3, "{scheme}");
    }
}

/// Bits of a block that follow from two values of their own.
#[test]
fn blocks_of_progressions_are_as_predicted() {
    for (choices_from, bits) in [("double", 24), ("double", 31), ("enhanced-square", 24)] {
        let given = [
            ("blocks", number(10)),
            ("block_bits", number(bits)),
            ("elements", number(50)),
            ("choices", number(3)),
            ("queries", number(200)),
            ("choices_from", word(choices_from)),
        ];
        let readings = Readings::of("blocked-bloom-filter", "membership", &given, 4000);
        let case = families::case("blocked-bloom-filter", "membership", "random", &given).unwrap();
        let predicted = case.outlook(&|_| None).predictions;
        assert_eq!(predicted.len(), 2, "{choices_from}");
        for own in predicted {
            let (mean, error) = mean(&readings.0[&own.metric]);
            let off = (mean - own.value).abs();
            assert!(
                off < STANDARD_ERRORS * error,
                "{choices_from} {bits}: {own:?} {mean} ± {error}"
            );
        }
    }
}

/// Nothing can be taken out of bits.
#[test]
fn churn_is_refused_where_elements_cannot_be_taken_out() {
    let given = [
        ("elements", number(10)),
        ("bits", number(100)),
        ("choices", number(2)),
        ("queries", number(1)),
        ("rounds", number(1)),
    ];
    let error = families::case("bloom-filter", "churn", "random", &given).unwrap_err();
    assert_eq!(error.name, "kind");
    assert!(error.reason.contains("counting-bloom-filter"));
}
