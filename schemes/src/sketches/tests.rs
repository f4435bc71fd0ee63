//! Trials of every sketch against what is predicted of them.

use std::ops::Range;
use std::sync::Arc;

use super::metrics;
use crate::case::Case;
use crate::families;
use crate::keys::{KeySource, TraceKeys};
use crate::measured::{Readings, is_met};
use crate::params::Scalar;
use crate::prediction::{Kind, Prediction};

mod streams;

type Given = Vec<(&'static str, Scalar)>;

fn readings(case: &dyn Case, keys: &KeySource, trials: Range<u64>) -> Readings {
    Readings::of(case, keys, 7, trials)
}

fn case(scheme: &str, workload: &str, hash: &str, given: &[Given]) -> Box<dyn Case> {
    families::case(scheme, workload, hash, &given.concat()).unwrap()
}

/// Runs trials; each value is within 4 standard errors and its allowance, each bound holds by as much. How many
/// predictions there were.
fn assert_predicted(case: &dyn Case, keys: &KeySource, trials: u64) -> usize {
    let readings = readings(case, keys, 0..trials);
    let outlook = case.outlook(&|metric| readings.mean(metric).map(|(mean, _)| mean));
    for own in &outlook.predictions {
        let (mean, error) = readings.mean(own.metric).unwrap();
        let room = 4.0 * error + own.allowance + 1e-9;
        assert!(is_met(own, mean, room), "{case:?}: {mean} ± {error}, {own:?}");
    }
    outlook.predictions.len()
}

fn zipf(own: Given) -> Given {
    let common: Given = vec![
        ("flows", 60_i64.into()),
        ("packets", 500_i64.into()),
        ("queries", 20_i64.into()),
        ("epsilon", 0.05.into()),
    ];
    [common, own].concat()
}

fn expected() -> Given {
    zipf(vec![("counts", "expected".into())])
}

fn rows(rows: i64, columns: i64) -> Given {
    vec![("rows", rows.into()), ("columns", columns.into())]
}

fn trace() -> KeySource {
    let names: Vec<[u8; 1]> = (0..200_u32).map(|i| [(i * i % 23) as u8]).collect();
    let keys: TraceKeys = names.iter().map(|name| &name[..]).collect();
    KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: true }
}

#[test]
fn count_min_errs_as_predicted() {
    for (d, w) in [(1, 16), (3, 8), (4, 30)] {
        let case = case("count-min", "zipf-stream", "random", &[rows(d, w), expected()]);
        assert_eq!(assert_predicted(&*case, &KeySource::Random, 1500), 9);
    }
    let heavy: Given = vec![("phi", 0.08.into())];
    let drawn = case("count-min", "zipf-stream", "random", &[rows(3, 40), zipf(heavy)]);
    assert_eq!(assert_predicted(&*drawn, &KeySource::Random, 500), 6);
}

/// The standard deviation of a trial that the law of errors gives is that of trials, or up to √2 times as much where few
/// flows meet. Samples of 4,000 trials know theirs to some per cent.
#[test]
fn errors_scatter_as_predicted() {
    const TRIALS: u64 = 4000;
    for (scheme, d, w) in
        [("count-min", 1, 16), ("count-min", 2, 60), ("count-min", 3, 60), ("count-sketch", 3, 100)]
    {
        let case = case(scheme, "zipf-stream", "random", &[rows(d, w), expected()]);
        let readings = readings(&*case, &KeySource::Random, 0..TRIALS);
        let all = case.outlook(&|_| None).predictions;
        for metric in [metrics::AAE, metrics::ARE, metrics::ABSENT_ERROR] {
            let is_exact = |own: &&Prediction| own.metric == metric && own.kind == Kind::Exact;
            let scatter = all.iter().find(is_exact).unwrap().scatter;
            let seen = readings.mean(metric).unwrap().1 * (TRIALS as f64).sqrt();
            let ratio = scatter / seen;
            assert!((0.9..1.55).contains(&ratio), "{scheme} {d} {w} {metric}: {ratio}");
        }
    }
}

#[test]
fn medians_err_as_predicted() {
    let median: Given = vec![("estimate", "median".into())];
    let case = case("count-min", "turnstile", "random", &[rows(5, 8), median, expected()]);
    assert_eq!(assert_predicted(&*case, &KeySource::Random, 1500), 7);
}

/// A real hash function on the keys of a trace, whose counts give the mean error.
#[test]
fn packets_of_a_trace_err_as_their_counts_say() {
    let own: Given =
        vec![("keys", "trace".into()), ("packets", 200_i64.into()), ("given_counts", true.into())];
    let case = case("count-min", "packet-stream", "siphash", &[rows(2, 6), own]);
    assert_eq!(assert_predicted(&*case, &trace(), 2000), 3);
}

/// What a trial measures depends on the seed and its number, not on how trials are cut into batches.
#[test]
fn trials_do_not_depend_on_batches() {
    let case = case("count-min", "zipf-stream", "murmur3", &[rows(2, 8), zipf(vec![])]);
    let of =
        |trials: Range<u64>| Readings::of(&*case, &KeySource::Random, 3, trials).sum(metrics::AAE);
    assert!((of(0..7) - of(0..3) - of(3..7)).abs() < 1e-9);
}

#[test]
fn negative_updates_are_refused_by_the_minimum() {
    let given = [rows(2, 8), zipf(vec![])].concat();
    let error = families::case("count-min", "turnstile", "random", &given).unwrap_err();
    assert!(error.to_string().starts_with("`kind`: `turnstile` has negative updates"), "{error}");
}

#[test]
fn signs_err_as_predicted() {
    let case_ = |workload| case("count-sketch", workload, "random", &[rows(3, 12), expected()]);
    for workload in ["zipf-stream", "turnstile"] {
        assert_eq!(assert_predicted(&*case_(workload), &KeySource::Random, 1500), 7);
    }
}

#[test]
fn sketches_that_err_less_keep_their_bounds() {
    let heavy = [expected(), vec![("phi", 0.08.into())]];
    let conservative =
        case("conservative-update", "zipf-stream", "random", &[rows(3, 13), heavy.concat()]);
    assert_eq!(assert_predicted(&*conservative, &KeySource::Random, 500), 11);
    let two = case("count-min-two-hashes", "zipf-stream", "random", &[rows(3, 13), heavy.concat()]);
    assert_eq!(assert_predicted(&*two, &KeySource::Random, 1500), 5);
    let even =
        case("count-min-two-hashes", "zipf-stream", "random", &[rows(3, 12), heavy.concat()]);
    assert!(even.outlook(&|_| None).missing.is_some());
}

/// With two rows, the least of two counters is known exactly by going through the values of one other flow.
#[test]
fn two_hashes_meet_in_all_rows_or_in_one() {
    let given: Given = vec![
        ("flows", 1_i64.into()),
        ("packets", 10_i64.into()),
        ("queries", 10_i64.into()),
        ("counts", "expected".into()),
    ];
    let case = case("count-min-two-hashes", "zipf-stream", "random", &[rows(2, 3), given]);
    let readings = readings(&*case, &KeySource::Random, 0..3000);
    let (mean, error) = readings.mean(metrics::ABSENT_ERROR).unwrap();
    assert!((mean - 10.0 / 9.0).abs() < 4.0 * error, "{mean} ± {error}");
}

/// Two hash functions, random or quadratic ones, and as many flows of equal counts.
fn two_hashes(functions: &str, columns: i64, flows: i64, queries: i64) -> Box<dyn Case> {
    let given: Given = vec![
        ("functions", functions.into()),
        ("flows", flows.into()),
        ("packets", flows.into()),
        ("exponent", 0.0.into()),
        ("counts", "expected".into()),
        ("queries", queries.into()),
        ("epsilon", (0.96 / flows as f64).into()),
    ];
    case("count-min-two-hashes", "zipf-stream", "random", &[rows(4, columns), given])
}

#[test]
fn quadratic_functions_err_as_predicted() {
    let case = two_hashes("quadratic", 101, 20, 60);
    assert_eq!(assert_predicted(&*case, &KeySource::Random, 4000), 2);
    assert_eq!(case.number_of(metrics::QUERIES, 0, &|_| None), None);
}

/// Pairwise independent functions with which estimates are off more than twice as often as the theorem allows.
#[test]
fn quadratic_functions_break_the_bound_of_two_hashes() {
    let [quadratic, random] = ["quadratic", "hashed"].map(|functions| {
        let predictions = two_hashes(functions, 2503, 100, 1).outlook(&|_| None).predictions;
        let exceeds = |own: &&Prediction| own.metric == metrics::ABSENT_ERROR_EXCEEDS;
        predictions.iter().find(exceeds).cloned().unwrap()
    });
    assert_eq!((quadratic.kind, random.kind), (Kind::Exact, Kind::UpperBound));
    assert!(quadratic.value > 2.0 * random.value, "{quadratic:?} {random:?}");
}

#[test]
fn quadratic_functions_need_a_prime_and_no_more_keys_than_columns() {
    let refused = |d: i64, w: i64, flows: i64| {
        let stream: Given = vec![("flows", flows.into()), ("packets", 500_i64.into())];
        let own: Given = vec![("functions", "quadratic".into()), ("queries", 5_i64.into())];
        let given = [rows(d, w), stream, own].concat();
        families::case("count-min-two-hashes", "zipf-stream", "random", &given).err()
    };
    assert_eq!(refused(3, 13, 8), None);
    for (d, w) in [(3, 12), (1, 13), (13, 13)] {
        let error = refused(d, w, 8).unwrap().to_string();
        assert!(error.starts_with("`functions`: quadratic functions need a prime"), "{error}");
    }
    let error = refused(3, 13, 9).unwrap().to_string();
    assert!(error.contains("as many keys as there are columns, 13, and not on 14"), "{error}");
}

/// The bounds of sketches that keep flows hold in every trial, and all heavy hitters are found.
#[test]
fn sketches_of_entries_keep_their_bounds_in_every_trial() {
    for (scheme, share) in [("space-saving", 1.0 / 12.0), ("misra-gries", 1.0 / 13.0)] {
        let entries: Given = vec![("entries", 12_i64.into()), ("phi", 0.09.into())];
        let case = case(scheme, "zipf-stream", "random", &[entries, zipf(vec![])]);
        for trial in 0..50 {
            let one = readings(&*case, &KeySource::Random, trial..trial + 1);
            let value = |metric| one.values(metric).first().copied();
            assert!(value(metrics::MAX_ERROR).unwrap() <= 500.0 * share, "{scheme} {trial}");
            assert!(value(metrics::RECALL).is_none_or(|recall| recall == 1.0));
        }
        assert_eq!(assert_predicted(&*case, &KeySource::Random, 50), 2);
    }
}

#[test]
fn numbers_of_flows_are_estimated_as_predicted() {
    let stream: Given = vec![
        ("flows", 300_i64.into()),
        ("packets", 300_i64.into()),
        ("exponent", 0.0.into()),
        ("counts", "expected".into()),
    ];
    let bits: Given = vec![("bits", 200_i64.into())];
    let linear = case("linear-counting", "zipf-stream", "random", &[bits, stream.clone()]);
    assert_eq!(assert_predicted(&*linear, &KeySource::Random, 3000), 4);
    let registers: Given = vec![("registers", 16_i64.into())];
    let many: Given = vec![("flows", 3000_i64.into()), ("packets", 3000_i64.into())];
    let given = [registers, stream[2..].to_vec(), many];
    let registers = case("hyperloglog", "zipf-stream", "random", &given);
    assert_eq!(assert_predicted(&*registers, &KeySource::Random, 2000), 3);
}

/// Of few flows for each register, the number of flows takes a seventh off the square of the error: the limit is 6 standard
/// errors away.
#[test]
fn hyperloglog_errs_less_than_of_a_poisson_number() {
    let given: Given = vec![
        ("registers", 64_i64.into()),
        ("flows", 400_i64.into()),
        ("packets", 400_i64.into()),
        ("exponent", 0.0.into()),
        ("counts", "expected".into()),
    ];
    let case = case("hyperloglog", "zipf-stream", "random", &[given]);
    let readings = readings(&*case, &KeySource::Random, 0..4000);
    let (mean, error) = readings.mean(metrics::CARDINALITY_SQUARE_ERROR).unwrap();
    let of_kind = |kind| {
        let predictions = case.outlook(&|_| None).predictions;
        let is_it =
            |own: &&Prediction| own.metric == metrics::CARDINALITY_SQUARE_ERROR && own.kind == kind;
        predictions.iter().find(is_it).map(|own| own.value).unwrap()
    };
    assert!((mean - of_kind(Kind::Refined)).abs() < 4.0 * error, "{mean} ± {error}");
    assert!(of_kind(Kind::Asymptotic) - mean > 4.0 * error, "{mean} ± {error}");
}

#[test]
fn what_hashpipe_reports_is_heavy() {
    let own: Given = vec![("phi", 0.05.into())];
    let case = case("hashpipe", "zipf-stream", "random", &[rows(2, 6), zipf(own)]);
    assert_eq!(assert_predicted(&*case, &KeySource::Random, 100), 1);
}

#[test]
fn inner_products_err_as_predicted() {
    for (d, number) in [(1, 12), (3, 11)] {
        let own: Given = vec![("inner_product", true.into())];
        let given = [rows(d, 16), expected(), own.clone()];
        let case = case("count-min", "zipf-stream", "random", &given);
        assert_eq!(assert_predicted(&*case, &KeySource::Random, 1500), number);
        let refused = [rows(d, 16), expected(), own].concat();
        let error = families::case("count-sketch", "zipf-stream", "random", &refused);
        assert!(error.unwrap_err().to_string().starts_with("`inner_product`: no inner product"));
    }
}

/// With seven flows the second stream has the packets of flow 0 in each of them; of two packets it may get none.
#[test]
fn an_empty_second_stream_has_no_inner_product() {
    let own: Given = vec![
        ("flows", 7_i64.into()),
        ("packets", 2_i64.into()),
        ("exponent", 0.0.into()),
        ("inner_product", true.into()),
    ];
    let case = case("count-min", "zipf-stream", "random", &[rows(2, 8), own]);
    let readings = readings(&*case, &KeySource::Random, 0..100);
    let read = readings.values(metrics::INNER_PRODUCT_ERROR);
    assert!((1..100).contains(&read.len()) && read.iter().all(|x| x.is_finite()), "{read:?}");
}

/// Flows with the same number of packets each.
fn even(flows: i64, packets: i64) -> Given {
    vec![
        ("flows", flows.into()),
        ("packets", packets.into()),
        ("exponent", 0.0.into()),
        ("counts", "expected".into()),
        ("epsilon", 0.1.into()),
    ]
}

/// Fingerprints of four bits are confused often enough that overestimates are seen.
#[test]
fn heavy_keeper_keeps_its_bounds() {
    let own: Given = vec![
        ("phi", 0.05.into()),
        ("entries", 12_i64.into()),
        ("fingerprint_bits", 4_i64.into()),
        ("base", 1.2.into()),
    ];
    let case = case("heavy-keeper", "zipf-stream", "random", &[rows(2, 8), expected(), own]);
    assert_eq!(assert_predicted(&*case, &KeySource::Random, 400), 5);
    let overestimated = readings(&*case, &KeySource::Random, 0..400).mean(metrics::OVERESTIMATED);
    assert!(overestimated.unwrap().0 > 0.0);
}

/// Of flows of one packet, the last to take a cell over is in it, and the first of all is in a heap for one. Each later
/// packet that finds the first flow takes its cell with probability 1/b.
#[test]
fn heavy_keeper_forgets_flows_of_one_packet_as_it_should() {
    let (n, w, b) = (60_i32, 16.0_f64, 1.5_f64);
    let own: Given =
        vec![("entries", 1_i64.into()), ("fingerprint_bits", 30_i64.into()), ("base", b.into())];
    let given = [rows(1, 16), even(n.into(), n.into()), own];
    let readings = readings(
        &*case("heavy-keeper", "zipf-stream", "random", &given),
        &KeySource::Random,
        0..2000,
    );
    let occupied = w * (1.0 - (1.0 - 1.0 / w).powi(n));
    let first_left = 1.0 - (1.0 - 1.0 / (w * b)).powi(n - 1);
    let expected = 1.0 - (occupied + first_left) / f64::from(n);
    let (mean, error) = readings.mean(metrics::ARE).unwrap();
    assert!((mean - expected).abs() < 4.0 * error, "{mean} ± {error}, {expected}");
}

/// The error bound of the paper is of a flow that holds its cell. Two flows of equal size that meet do not both hold it:
/// one of them loses nearly all of its packets, which happens more often than the bound says, by 4 standard errors.
#[test]
fn flows_of_equal_size_exceed_the_error_bound_of_heavy_keeper() {
    let own: Given = vec![("entries", 2_i64.into())];
    let case = case("heavy-keeper", "zipf-stream", "random", &[rows(1, 2), even(2, 2000), own]);
    let (mean, error) =
        readings(&*case, &KeySource::Random, 0..300).mean(metrics::ERROR_EXCEEDS).unwrap();
    let predictions = case.outlook(&|_| None).predictions;
    let bound = predictions.iter().find(|own| own.metric == metrics::ERROR_EXCEEDS).unwrap();
    assert!(mean > bound.value + 4.0 * error, "{mean} ± {error}, {bound:?}");
}

/// With λ = 1 flows leave their buckets often, and the largest have more packets than a counter of the light part holds.
#[test]
fn elastic_keeps_its_bounds() {
    for (lambda, packets) in [(8_i64, 500_i64), (1, 3000)] {
        let own: Given = vec![
            ("buckets", 6_i64.into()),
            ("lambda", lambda.into()),
            ("packets", packets.into()),
            ("phi", 0.05.into()),
        ];
        let case = case("elastic", "zipf-stream", "random", &[rows(2, 16), expected(), own]);
        assert_eq!(assert_predicted(&*case, &KeySource::Random, 300), 3);
    }
}

/// Flows of one packet leave all but the occupied buckets' packets to the light part. With one bucket the last flow has a
/// flag, and every other is met by the packets of all but two in its column.
#[test]
fn elastic_errs_on_flows_of_one_packet_as_it_should() {
    let (n, w) = (60.0_f64, 16.0);
    let run = |buckets: i64| {
        let own: Given = vec![("buckets", buckets.into())];
        let case = case("elastic", "zipf-stream", "random", &[rows(1, 16), even(60, 60), own]);
        readings(&*case, &KeySource::Random, 0..2000)
    };
    for buckets in [1, 7] {
        let b = buckets as f64;
        let expected = 1.0 - b * (1.0 - (1.0 - 1.0 / b).powi(60)) / n;
        let (mean, error) = run(buckets).mean(metrics::LIGHT_FRACTION).unwrap();
        assert!((mean - expected).abs() < 4.0 * error + 1e-12, "{mean} ± {error}, {expected}");
    }
    let expected = ((n - 1.0) * (n - 2.0) + (n - 1.0)) / (n * w);
    let (mean, error) = run(1).mean(metrics::AAE).unwrap();
    assert!((mean - expected).abs() < 4.0 * error, "{mean} ± {error}, {expected}");
}

/// The filter is small enough that it takes some flows for known ones.
#[test]
fn flow_radar_decodes_as_predicted() {
    let table: Given = vec![
        ("cells", 40_i64.into()),
        ("flow_filter_bits", 600_i64.into()),
        ("flow_filter_choices", 2_i64.into()),
    ];
    for flows in [20, 30, 40] {
        let given = [table.clone(), even(flows, 2 * flows)];
        let case = case("flow-radar", "zipf-stream", "random", &given);
        assert_eq!(case.place("flows_per_cell"), Some(flows as f64 / 40.0));
        assert_eq!(assert_predicted(&*case, &KeySource::Random, 1500), 3);
    }
}

/// Where all flows are decoded, each was taken for new, and no packet is counted for another flow.
#[test]
fn what_flow_radar_decodes_completely_is_exact() {
    let table: Given = vec![("cells", 100_i64.into()), ("flow_filter_bits", 400_i64.into())];
    let case = case("flow-radar", "zipf-stream", "random", &[table, zipf(vec![])]);
    let mut complete = 0;
    for trial in 0..60 {
        let one = readings(&*case, &KeySource::Random, trial..trial + 1);
        if one.values(metrics::DECODING_FAILURE) == [0.0] {
            complete += 1;
            assert_eq!(one.values(metrics::AAE), [0.0], "{trial}");
        }
    }
    assert!((5..55).contains(&complete), "{complete}");
}

/// What is asked of the counts of flows has no effect on a sketch that estimates none.
#[test]
fn sketches_without_counts_are_not_asked_for_them() {
    let read = |scheme: &str, size: &Given, own: (&'static str, Scalar)| {
        let is_of_trace = own.0 == "given_counts";
        let workload = if is_of_trace { "packet-stream" } else { "zipf-stream" };
        let stream: Given = match is_of_trace {
            true => vec![("packets", 9_i64.into()), ("keys", "trace".into())],
            false => vec![("packets", 9_i64.into()), ("flows", 9_i64.into())],
        };
        families::case(scheme, workload, "siphash", &[&size[..], &stream, &[own]].concat())
    };
    let (bits, registers) = (vec![("bits", 200_i64.into())], vec![("registers", 16_i64.into())]);
    for own in [
        ("queries", 5_i64.into()),
        ("epsilon", 0.1.into()),
        ("phi", 0.1.into()),
        ("first", 3_i64.into()),
        ("given_counts", true.into()),
    ] {
        for (scheme, size) in [("linear-counting", &bits), ("hyperloglog", &registers)] {
            let expected = format!(
                "`{}`: not a parameter of `{scheme}`, which estimates no counts of flows",
                own.0
            );
            assert_eq!(read(scheme, size, own.clone()).unwrap_err().to_string(), expected);
        }
        read("count-min", &rows(2, 16), own).unwrap();
    }
    read("linear-counting", &bits, ("queries", 0_i64.into())).unwrap();
}
