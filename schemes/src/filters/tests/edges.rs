//! Where theory ends: what is not predicted, not measured, or refused.

use std::sync::Arc;

use super::{Readings, number, word};
use crate::case::Case;
use crate::families;
use crate::filters::block_metrics::{FALSE_POSITIVE_RATE_OF_LOADS, rate_at_most};
use crate::filters::metrics;
use crate::keys::{KeySource, TraceKeys};
use crate::params::{ParamError, Scalar};
use crate::prediction::Kind;

type Given<'g> = &'g [(&'g str, Scalar)];

fn point(scheme: &str, hash: &str, given: Given<'_>) -> Result<Box<dyn Case>, ParamError> {
    families::case(scheme, "membership", hash, given)
}

fn measured(case: &dyn Case, keys: &KeySource) -> Readings {
    let mut readings = Readings::default();
    case.run(keys, 5, 0..20, &mut readings);
    readings
}

/// A trace of so many different keys.
fn trace(keys: u32) -> KeySource {
    let keys: Vec<[u8; 4]> = (0..keys).map(u32::to_be_bytes).collect();
    let keys: TraceKeys = keys.iter().map(|key| &key[..]).collect();
    KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: false }
}

fn size(elements: i64, bits: i64, choices: i64) -> Vec<(&'static str, Scalar)> {
    vec![("elements", number(elements)), ("bits", number(bits)), ("choices", number(choices))]
}

/// Of 40,000 bits, 65,536 values choose some twice and others once.
#[test]
fn uneven_choices_are_not_predicted() {
    for (bits, is_even) in [(40_000, false), (32_768, true)] {
        let own = [("queries", number(100)), ("choices_from", word("slices"))];
        let given = [&size(4000, bits, 4)[..], &own].concat();
        let case = point("bloom-filter", "wang", &given).unwrap();
        assert_eq!(!case.outlook(&|_| None).predictions.is_empty(), is_even, "{bits}");
        let readings = measured(&*case, &KeySource::Random);
        let given_bits = readings.0.get(&metrics::FALSE_POSITIVE_RATE_GIVEN_BITS);
        assert_eq!(given_bits.is_some(), is_even, "{bits}");
        assert!(readings.0.contains_key(&metrics::FALSE_POSITIVE_RATE), "{bits}");
    }
}

fn balanced(own: Given<'_>) -> Result<Box<dyn Case>, ParamError> {
    let shared = [
        ("blocks", number(64)),
        ("choices", number(4)),
        ("queries", number(100)),
        ("block_choices", number(2)),
        ("rate_law", number(5)),
    ];
    point("balanced-bloom-filter", "random", &[&shared[..], own].concat())
}

/// Bits in a progression do not say the rate, nor its law.
#[test]
fn a_law_of_rates_is_that_of_independent_choices() {
    for (from, is_law) in [("seeds", true), ("double", false)] {
        let own = [
            ("block_bits", number(64)),
            ("elements", number(400)),
            ("balancing", word("sequential")),
            ("threshold", number(8)),
            ("choices_from", word(from)),
        ];
        let readings = measured(&*balanced(&own).unwrap(), &KeySource::Random);
        assert_eq!(readings.0.contains_key(&rate_at_most(3)), is_law, "{from}");
    }
}

/// Blocks of one bit beside their counter: no element leaves it 0, and one leaves it 1.
#[test]
fn a_block_of_one_bit_is_a_number() {
    let own = [
        ("block_bits", number(3)),
        ("elements", number(20)),
        ("balancing", word("sequential")),
        ("threshold", number(2)),
    ];
    let case = balanced(&own).unwrap();
    let readings = measured(&*case, &KeySource::Random);
    assert!(readings.0[&FALSE_POSITIVE_RATE_OF_LOADS].iter().all(|rate| rate.is_finite()));
    let predicted = case.outlook(&|_| None).predictions;
    assert!(predicted.len() > 5 && predicted.iter().all(|own| own.value.is_finite()));
}

/// Fifty questions were wanted, and the trace has ten absent keys.
#[test]
fn numbers_of_false_positives_are_of_as_many_answers_as_wanted() {
    let law = [("queries", number(50)), ("positives_law", number(2)), ("keys", word("trace"))];
    let given = [&size(40, 400, 3)[..], &law].concat();
    let case = point("bloom-filter", "xxh3", &given).unwrap();
    let law_of = |keys: u32| {
        let readings = measured(&*case, &trace(keys));
        let mean = |metric| {
            let values: &Vec<f64> = readings.0.get(&metric)?;
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let outlook = case.outlook(&mean);
        let predicted = outlook.predictions;
        let is_predicted = predicted.iter().any(|own| own.metric == metrics::false_positives(1));
        (mean(metrics::false_positives(1)).is_some(), is_predicted, outlook.missing.is_some())
    };
    assert_eq!([law_of(50), law_of(95)], [(false, false, true), (true, true, false)]);
}

/// Elements that are distinct and keys that are absent take as many different keys.
#[test]
fn a_workload_says_how_many_keys_it_takes() {
    let own = [("queries", number(5)), ("keys", word("trace")), ("members", word("distinct"))];
    let given = [&size(40, 400, 3)[..], &own].concat();
    assert_eq!(point("bloom-filter", "xxh3", &given).unwrap().distinct_keys(), 41);
    let made = [&size(40, 400, 3)[..], &own[..1]].concat();
    assert_eq!(point("bloom-filter", "xxh3", &made).unwrap().distinct_keys(), 0);
}

/// What says nothing of a point, or something wrong, is refused by its name.
#[test]
fn parameters_that_do_not_hold_are_refused() {
    let refused = |scheme: &str, own: Given<'_>| {
        let given = [&size(40, 400, 3)[..], &[("queries", number(5))], own].concat();
        point(scheme, "xxh3", &given).map(|_| ()).unwrap_err().name
    };
    let bound = ("space_bound", Scalar::Flag(true));
    let packets = [bound.clone(), ("keys", word("trace"))];
    assert_eq!(refused("bloom-filter", &packets), "space_bound");
    let wrapping = [bound.clone(), ("overflow_rule", word("wrapping"))];
    assert_eq!(refused("counting-bloom-filter", &wrapping), "space_bound");
    assert_eq!(refused("bloom-filter", &[("members", word("distinct"))]), "members");
    let of_blocks = |own: Given<'_>| {
        let shared = [("block_bits", number(64)), ("elements", number(100))];
        balanced(&[&shared[..], own].concat()).map(|_| ()).unwrap_err().name
    };
    let listed = [("balancing", word("sequential")), ("threshold", number(2)), bound];
    assert_eq!(of_blocks(&listed), "space_bound");
    assert_eq!(of_blocks(&[("balancing", word("single"))]), "block_choices");
    let probability = [
        ("balancing", word("sequential")),
        ("accesses", Scalar::Number(1.1)),
        ("insertion_probability", Scalar::Number(0.5)),
    ];
    assert_eq!(of_blocks(&probability), "insertion_probability");
}

/// Large filters whose exact values take minutes: they have none, and what is left is told.
#[test]
fn what_takes_too_long_is_not_predicted() {
    let has_exact = |case: &dyn Case| {
        let is_rate = |own: &crate::prediction::Prediction| {
            own.kind == Kind::Exact && own.metric == metrics::FALSE_POSITIVE_RATE
        };
        case.outlook(&|_| None).predictions.iter().any(is_rate)
    };
    let queries = ("queries", number(0));
    let blocks = [
        ("blocks", number(100)),
        ("block_bits", number(1 << 20)),
        ("elements", number(100_000_000)),
        ("choices", number(64)),
        queries.clone(),
    ];
    assert!(!has_exact(&*point("blocked-bloom-filter", "random", &blocks).unwrap()));
    let progression = [("choices_from", word("enhanced-square")), queries.clone()];
    let enhanced = [&size(1_000_000, 2_000_000_000, 8)[..], &progression].concat();
    assert!(!has_exact(&*point("bloom-filter", "random", &enhanced).unwrap()));
    let wrapping = [("counter_bits", number(1)), ("overflow_rule", word("wrapping")), queries];
    let counters = [&size(80_000, 100_000, 64)[..], &wrapping].concat();
    assert!(!has_exact(&*point("counting-bloom-filter", "random", &counters).unwrap()));
}

/// A look at the time of a trial makes another of fewer elements.
#[test]
fn a_shortened_trial_has_fewer_elements() {
    let given = [&size(100_000_000, 1 << 30, 7)[..], &[("queries", number(10))]].concat();
    let case = point("bloom-filter", "xxh3", &given).unwrap();
    let short = case.shortened(1e6);
    let operations = |case: &dyn Case| case.cost(&KeySource::Random).operations;
    assert!(operations(&*short) < operations(&*case) / 10.0);
}

/// The loads of blocks are memory too: four bytes each beside the eight bits of a small one.
#[test]
fn loads_of_blocks_are_counted_as_memory() {
    let own = [
        ("block_bits", number(8)),
        ("elements", number(100)),
        ("balancing", word("sequential")),
        ("threshold", number(2)),
    ];
    let bytes = balanced(&own).unwrap().cost(&KeySource::Random).bytes;
    assert!(bytes >= 64 * (1 + 4), "{bytes}");
}
