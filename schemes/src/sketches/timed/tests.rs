//! Sketches that are given keys, held against those of trials.

use std::sync::Arc;

use crate::case::Case;
use crate::families;
use crate::keys::{KeySource, Places, TraceKeys};
use crate::params::Scalar;
use crate::sketches::SCHEMES;
use crate::sketches::metrics::AAE;
use crate::timed::{Operation, Untimed, first_trial};

type Given = Vec<(&'static str, Scalar)>;

/// Sketches that estimate counts, all of them too small for their flows.
fn sketches() -> Vec<(&'static str, Given)> {
    let rows = |rows: i64| vec![("rows", rows.into()), ("columns", 31_i64.into())];
    vec![
        ("count-min", rows(3)),
        ("count-min", [rows(3), vec![("estimate", "median".into())]].concat()),
        ("conservative-update", rows(4)),
        ("count-min-two-hashes", rows(4)),
        ("count-sketch", rows(5)),
        ("space-saving", vec![("entries", 40_i64.into())]),
        ("misra-gries", vec![("entries", 40_i64.into())]),
        ("hashpipe", rows(3)),
        ("heavy-keeper", [rows(2), vec![("entries", 20_i64.into())]].concat()),
        ("elastic", [rows(2), vec![("buckets", 40_i64.into())]].concat()),
        ("flow-radar", radar()),
    ]
}

/// A FlowRadar that decodes some flows, some of them with a wrong number of packets: its filter takes new flows for known
/// ones.
fn radar() -> Given {
    vec![
        ("cells", 400_i64.into()),
        ("flow_filter_bits", 1500_i64.into()),
        ("flow_filter_choices", 2_i64.into()),
    ]
}

/// None is forgotten: a sketch that looks at the numbers of flows cannot be timed as it is in trials.
#[test]
fn all_sketches_with_estimates_are_held_against_their_trials() {
    let held: Vec<&str> = sketches().into_iter().map(|(scheme, _)| scheme).collect();
    let without = ["linear-counting", "hyperloglog"];
    for scheme in SCHEMES {
        let name = scheme.info.name;
        assert!(held.contains(&name) || without.contains(&name), "{name}");
    }
}

fn case(scheme: &str, workload: &str, hash: &str, own: &Given) -> Box<dyn Case> {
    let mut given = vec![("packets", 3000_i64.into()), ("queries", 150_i64.into())];
    match workload {
        "packet-stream" => given.push(("keys", "trace".into())),
        _ => given.push(("flows", 300_i64.into())),
    }
    families::case(scheme, workload, hash, &[&given[..], own].concat()).unwrap()
}

/// 2000 packets of 13 bytes of 400 flows, of which the earlier ones have more.
fn trace() -> KeySource {
    let ids: Vec<u32> = (0..2000).map(|packet: u32| packet.pow(2) / 61 % 400).collect();
    let mut numbers: Vec<u32> = Vec::new();
    let mut bytes = Vec::new();
    let number = |own: &u32| match numbers.iter().position(|known| known == own) {
        Some(number) => number as u32,
        None => {
            numbers.push(*own);
            numbers.len() as u32 - 1
        }
    };
    let ids: Vec<u32> = ids.iter().map(number).collect();
    ids.iter().for_each(|id| bytes.extend([&id.to_be_bytes()[..], &[7; 9]].concat()));
    let keys = TraceKeys::new(bytes, Places::Width(13), ids).unwrap();
    KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: false }
}

/// The average error depends on every update and every estimate: that of all flows is the trial's to the last digit, and
/// so it is when the sketch was emptied and given the stream again.
fn assert_as_in_a_trial(scheme: &str, workload: &str, own: &Given, keys: &KeySource) {
    let case = case(scheme, workload, "xxh3", own);
    let first = first_trial(&*case, keys, 4);
    let error = first.into_iter().find(|(metric, _)| *metric == AAE).unwrap();
    assert!(error.1 > 0.0, "{scheme}");
    let mut sketch = case.timed(keys, 4).unwrap();
    for _ in 0..2 {
        assert_eq!(sketch.run(Operation::Insert, 1700), 1700);
        assert_eq!(sketch.run(Operation::Insert, 9000), 1300);
        assert_eq!(sketch.measured(), Some(error), "{scheme} {workload}");
        assert!(case.timed_bytes(keys).unwrap() > sketch.bytes(), "{scheme}");
        sketch.clear();
        assert_eq!(sketch.run(Operation::Hit, 300), 0, "{scheme}");
    }
}

#[test]
fn a_sketch_has_the_errors_of_the_trial_of_its_seed() {
    for (scheme, own) in sketches() {
        assert_as_in_a_trial(scheme, "zipf-stream", &own, &KeySource::Random);
        assert_as_in_a_trial(scheme, "packet-stream", &own, &trace());
    }
}

/// Of a sketch that is never below the count every flow of the stream is known, and so it is of the Elastic Sketch, as long
/// as no counter is full; one that is never above it, or that keeps its flows, says of no absent key that it had a packet.
#[test]
fn hits_and_misses_are_estimates() {
    for (scheme, own) in sketches() {
        let case = case(scheme, "zipf-stream", "xxh3", &own);
        let mut sketch = case.timed(&KeySource::Random, 2).unwrap();
        sketch.run(Operation::Insert, 3000);
        let all = sketch.run(Operation::Hit, 1000);
        let answers = sketch.answers();
        assert_eq!(answers.asked, 150);
        match scheme {
            "count-min" | "conservative-update" | "count-min-two-hashes" | "elastic" => {
                assert_eq!((all, answers.positive > 100), (1000, true), "{scheme}");
            }
            "count-sketch" => assert!(all > 500 && answers.positive < 100),
            _ => assert!(answers.positive == 0 && (20..1000).contains(&all), "{scheme} {all}"),
        }
    }
}

fn operations(scheme: &str, own: &Given) -> Vec<Operation> {
    let case = case(scheme, "zipf-stream", "xxh3", own);
    Operation::ALL.into_iter().filter(|&own| case.times(own)).collect()
}

/// A sketch that counts flows has updates alone, and they set what a trial's do.
#[test]
fn sketches_without_estimates_have_no_look_ups() {
    let bits = vec![("bits", 500_i64.into())];
    let registers = vec![("registers", 64_i64.into())];
    for (scheme, own) in [("linear-counting", bits), ("hyperloglog", registers)] {
        let none = [&own[..], &[("queries", 0_i64.into())]].concat();
        assert_eq!(operations(scheme, &none), [Operation::Insert]);
        let case = case(scheme, "zipf-stream", "xxh3", &none);
        let mut sketch = case.timed(&KeySource::Random, 2).unwrap();
        assert_eq!(sketch.run(Operation::Insert, 9000), 3000);
        assert_eq!((sketch.measured(), sketch.bytes() > 0), (None, true));
    }
    let (scheme, own) = &sketches()[0];
    assert_eq!(operations(scheme, own), Operation::ALL[..3]);
}

#[test]
fn what_is_more_than_a_sketch_is_refused() {
    let refused = |workload, hash, more: &[(&'static str, Scalar)]| {
        let own = [&sketches()[1].1[..], more].concat();
        let case = case("count-min", workload, hash, &own);
        let reason = case.timed(&KeySource::Random, 1).err();
        assert_eq!(case.timed_bytes(&KeySource::Random).err(), reason);
        reason.unwrap()
    };
    assert_eq!(refused("zipf-stream", "random", &[]), Untimed::NO_KEYS);
    let phi = [("phi", 0.01.into())];
    assert!(refused("zipf-stream", "xxh3", &phi).to_string().contains("`phi`"));
    assert!(refused("turnstile", "xxh3", &[]).to_string().contains("`turnstile`"));
}

/// Keys of a trace that are fewer than the flows.
#[test]
fn a_trace_has_to_have_enough_keys() {
    let own =
        [&sketches()[0].1[..], &[("keys", "trace".into()), ("flows", 500_i64.into())]].concat();
    let mut given = vec![("packets", 3000_i64.into()), ("queries", 150_i64.into())];
    given.extend(own);
    let case = families::case("count-min", "zipf-stream", "xxh3", &given).unwrap();
    assert_eq!(case.timed(&trace(), 1).err(), Some(Untimed::TOO_FEW_KEYS));
}
