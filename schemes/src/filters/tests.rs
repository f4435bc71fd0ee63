//! Trials of filters against what is known of them.

mod edges;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::params::STEPS;
use super::{Balanced, Blocked, Counting, Filter, Partitioned, Standard, metrics};
use crate::case::Record;
use crate::families;
use crate::hash::Choices;
use crate::keys::{KeySource, Places, TraceKeys};
use crate::metric::{Metric, common};
use crate::params::{Params, Scalar};
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
        Self::with_keys((scheme, workload, "random"), &KeySource::Random, given, trials)
    }

    fn with_keys(
        (scheme, workload, hash): (&str, &str, &str),
        keys: &KeySource,
        given: &[(&str, Scalar)],
        trials: u64,
    ) -> Self {
        let case = families::case(scheme, workload, hash, given).unwrap();
        let mut readings = Self::default();
        case.run(keys, 7, 0..trials, &mut readings);
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
                let holds = match own.kind {
                    Kind::UpperBound => off < room,
                    Kind::LowerBound => off > -room,
                    _ => off.abs() < room,
                };
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

/// Elements and absent keys that come many at a time, from independent choices and from progressions.
#[test]
fn drawn_keys_are_as_predicted() {
    let progressions = ["double", "enhanced-square", "enhanced-cube", "enhanced-triangular"];
    let of_bits = ["bloom-filter", "partitioned-bloom-filter"];
    let few = of_bits.into_iter().flat_map(|scheme| {
        ["seeds"].into_iter().chain(progressions).map(move |from| (scheme, from, 20))
    });
    // Choices of so many elements are made at once.
    let many = of_bits.map(|scheme| (scheme, "seeds", 300)).into_iter();
    let counted = [20, 300].map(|elements| ("counting-bloom-filter", "seeds", elements));
    for (scheme, choices_from, elements) in few.chain(many).chain(counted) {
        let bits = if scheme == "counting-bloom-filter" { 4 * 9 } else { 9 } * elements / 2;
        let given = [
            ("elements", number(elements)),
            ("bits", number(bits)),
            ("choices", number(3)),
            ("queries", number(500)),
            ("choices_from", word(choices_from)),
        ];
        let readings = Readings::of(scheme, "membership", &given, 4000);
        let case = families::case(scheme, "membership", "random", &given).unwrap();
        let predicted = case.outlook(&|_| None).predictions.into_iter();
        let mut rates = predicted
            .filter(|own| own.kind == Kind::Exact && own.metric == metrics::FALSE_POSITIVE_RATE);
        let own = rates.next().unwrap();
        let (mean, error) = mean(&readings.0[&own.metric]);
        let off = (mean - own.value).abs();
        assert!(
            error < 2e-3 && off < STANDARD_ERRORS * error,
            "{scheme}, {choices_from}, {elements}: {own:?} {mean} ± {error}"
        );
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

/// A trace of packets with these keys, in captured order.
fn trace(ids: &[u32]) -> KeySource {
    let bytes = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
    let keys = Arc::new(TraceKeys::new(bytes, Places::Width(4), ids.to_vec()).unwrap());
    KeySource::Trace { keys, renew: false, shuffled: false }
}

/// Asked for nothing, a filter gives no answers of which there is a share: its rate is that of its bits alone.
#[test]
fn without_queries_there_is_no_rate_of_answers() {
    let given = [("elements", number(40)), ("bits", number(320)), ("choices", number(3))];
    let given = [&given[..], &[("queries", number(0)), ("deviation", 0.01.into())]].concat();
    let readings = Readings::of("bloom-filter", "membership", &given, 1).0;
    assert!(!readings.contains_key(&metrics::FALSE_POSITIVE_RATE));
    assert!(!readings.contains_key(&metrics::ANSWERS_DEVIATION_FRACTION));
    assert!(readings.contains_key(&metrics::FALSE_POSITIVE_RATE_GIVEN_BITS));
    let case = families::case("bloom-filter", "membership", "random", &given).unwrap();
    let predicted: BTreeSet<Metric> =
        case.outlook(&|_| None).predictions.iter().map(|own| own.metric).collect();
    assert!(!predicted.contains(&metrics::FALSE_POSITIVE_RATE));
    assert!(!predicted.contains(&metrics::ANSWERS_DEVIATION_FRACTION));
    assert!(predicted.contains(&metrics::FALSE_POSITIVE_RATE_GIVEN_BITS));
}

/// All packets of one flow: each but the first comes while another element of its key is there, also of those that
/// replace one.
#[test]
fn repeated_keys_are_a_share_of_all_arrivals() {
    let given = [
        ("elements", number(4)),
        ("bits", number(320)),
        ("choices", number(3)),
        ("queries", number(0)),
        ("rounds", number(6)),
        ("keys", word("trace")),
    ];
    let scheme = ("counting-bloom-filter", "churn", "xxh3");
    let readings = Readings::with_keys(scheme, &trace(&[0; 10]), &given, 1);
    assert_eq!(readings.0[&common::REPEATED_KEY_FRACTION], [0.9]);
}

/// The first n distinct keys are members and all others are strangers, so that of a filter without room for a false
/// positive as many bits are set as there are members.
#[test]
fn distinct_members_are_as_many_as_elements() {
    let given = [
        ("elements", number(3)),
        ("bits", number(1 << 20)),
        ("choices", number(1)),
        ("queries", number(10)),
        ("keys", word("trace")),
        ("members", word("distinct")),
    ];
    let scheme = ("bloom-filter", "membership", "xxh3");
    let readings = Readings::with_keys(scheme, &trace(&[0, 0, 1, 2, 3, 1, 4]), &given, 1).0;
    assert_eq!(readings[&metrics::BITS_SET_FRACTION], [3.0 / f64::from(1 << 20)]);
    assert_eq!(readings[&metrics::FALSE_POSITIVE_RATE], [0.0]);
}

/// Bits are kept in words of 64.
#[test]
fn a_filter_takes_whole_words() {
    let given = [("elements", number(30)), ("bits", number(1000)), ("choices", number(3))];
    let given = [&given[..], &[("queries", number(0))]].concat();
    let case = families::case("bloom-filter", "membership", "random", &given).unwrap();
    assert_eq!(case.cost(&KeySource::Random).bytes, 16 * 8);
}

/// The most places among which a choice was made.
#[derive(Debug, Default)]
struct Spy {
    range: u32,
}

impl Choices for &mut Spy {
    fn next(&mut self, buckets: u32) -> u32 {
        self.range = self.range.max(buckets);
        0
    }
}

fn assert_says_its_range<F: Filter>(given: &[(&str, Scalar)]) {
    let params = Params::complete(F::INFO.params.iter().chain([&STEPS]), given).unwrap();
    let filter = F::from_params(&params).unwrap();
    let (mut spy, mut store) = (Spy::default(), filter.store());
    filter.clear(&mut store, 1);
    (0..filter.size().elements).for_each(|_| filter.insert(&mut store, &mut spy));
    filter.contains(&store, &mut spy);
    let stated = filter.ranges().into_iter().map(|(range, _)| range).max();
    assert_eq!(Some(spy.range), stated, "{filter:?}");
}

/// Whether a hash function is wide enough for all choices is decided by the range that a filter states.
#[test]
fn filters_say_the_widest_range_of_their_choices() {
    let size = [("elements", number(30)), ("bits", number(1000)), ("choices", number(3))];
    assert_says_its_range::<Standard>(&size);
    assert_says_its_range::<Partitioned>(&size);
    assert_says_its_range::<Counting>(&[&size[..], &[("counter_bits", number(2))]].concat());
    for (blocks, bits) in [(100, 64), (10, 64)] {
        let blocks = [
            ("blocks", number(blocks)),
            ("block_bits", number(bits)),
            ("bits_per_element", 8.0.into()),
        ];
        assert_says_its_range::<Blocked>(&blocks);
        let single = [("balancing", word("single")), ("overflow", 0.1.into())];
        assert_says_its_range::<Balanced>(&[&blocks[..], &single].concat());
    }
}
