//! Streams of traces: counted in bytes, in windows, and which of their flows are first.

use super::*;
use crate::keys::Places;

const SECOND: u64 = 1_000_000_000;

/// A trace of these keys, lengths and times in seconds.
fn timed(packets: &[(u8, u32, u64)]) -> TraceKeys {
    let keys: Vec<[u8; 1]> = packets.iter().map(|packet| [packet.0]).collect();
    let keys: TraceKeys = keys.iter().map(|key| &key[..]).collect();
    let keys = keys.with_lengths(packets.iter().map(|packet| packet.1).collect()).unwrap();
    keys.with_times(packets.iter().map(|packet| packet.2 * SECOND).collect()).unwrap()
}

fn captured(keys: TraceKeys) -> KeySource {
    KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: false }
}

/// Sixty packets, one each second, of twelve keys and of lengths up to nine bytes.
fn minute() -> Vec<(u8, u32, u64)> {
    (0..60_u32).map(|i| ((i * i % 23) as u8, 1 + i * 7 % 9, u64::from(i))).collect()
}

fn packets(number: i64, own: Given) -> Given {
    [vec![("keys", "trace".into()), ("packets", number.into())], own].concat()
}

fn in_bytes(own: Given) -> Given {
    [vec![("weights", "bytes".into())], own].concat()
}

fn refusal(scheme: &str, given: &[Given]) -> String {
    families::case(scheme, "packet-stream", "siphash", &given.concat()).unwrap_err().to_string()
}

fn sizes(scheme: &str) -> Given {
    match scheme {
        "space-saving" | "misra-gries" => vec![("entries", 5_i64.into())],
        _ => rows(3, 5),
    }
}

/// A packet of nine bytes is nine packets of one byte, one behind the other.
#[test]
fn a_packet_counts_as_many_as_its_bytes() {
    let repeated = minute()
        .into_iter()
        .flat_map(|(key, length, time)| (0..length).map(move |_| (key, 1, time)));
    let repeated: Vec<_> = repeated.collect();
    let all = repeated.len() as i64;
    let [minute, repeated] = [minute(), repeated].map(|packets| captured(timed(&packets)));
    let heavy = || vec![("first", 4_i64.into())];
    for scheme in
        ["count-min", "count-sketch", "conservative-update", "space-saving", "misra-gries"]
    {
        let of = |number, weights: Given| {
            let given = [sizes(scheme), packets(number, [weights, heavy()].concat())];
            case(scheme, "packet-stream", "siphash", &given)
        };
        let seen = readings(&*of(60, in_bytes(vec![])), &minute, 0..20);
        let expected = readings(&*of(all, vec![]), &repeated, 0..20);
        // A heap sees estimates once a packet, and may hold other flows than after each byte.
        let of_heavy = match scheme {
            "space-saving" | "misra-gries" => vec![metrics::RECALL, metrics::REPORTED_ARE],
            _ => vec![],
        };
        for metric in [vec![metrics::AAE, metrics::ARE], of_heavy].concat() {
            assert_eq!(seen.mean(metric), expected.mean(metric), "{scheme}");
        }
        assert_eq!(seen.mean(metrics::NORM), Some((all as f64, 0.0)));
        assert_eq!(expected.mean(metrics::NORM), None);
    }
}

/// Errors in bytes have the mean that follows from the counts in bytes, and bounds rest on the measured ‖a‖₁.
#[test]
fn errors_in_bytes_are_as_the_counts_in_bytes_say() {
    let keys = captured(timed(&minute()));
    let own = packets(60, in_bytes(vec![("given_counts", true.into()), ("epsilon", 0.1.into())]));
    let point = case("count-min", "packet-stream", "siphash", &[rows(2, 6), own]);
    assert_eq!(assert_predicted(&*point, &keys, 2000), 4);
    for scheme in ["space-saving", "misra-gries"] {
        let own = packets(60, in_bytes(vec![("phi", 0.1.into()), ("entries", 11_i64.into())]));
        let point = case(scheme, "packet-stream", "siphash", &[own]);
        assert_eq!(assert_predicted(&*point, &keys, 10), 2, "{scheme}");
    }
}

/// The law of errors is not computed of counts that are too large, in no trial if in some of them: the outlook says so.
#[test]
fn counts_that_are_too_large_are_told() {
    let of = |length: u32, window: Given| {
        let packets_of =
            |(key, own, time): (u8, u32, u64)| (key, if time < 45 { own } else { length }, time);
        let keys = captured(timed(&minute().into_iter().map(packets_of).collect::<Vec<_>>()));
        let own = packets(60, in_bytes([vec![("given_counts", true.into())], window].concat()));
        let point = case("count-min", "packet-stream", "siphash", &[rows(2, 6), own]);
        let seen = readings(&*point, &keys, 0..6);
        let mean = |metric| seen.mean(metric).map(|(mean, _)| mean);
        assert!(mean(metrics::AAE).is_some());
        (mean(metrics::AAE_GIVEN_COUNTS).is_some(), point.outlook(&mean).missing.is_some())
    };
    for window in [vec![], vec![("windows", 4_i64.into())]] {
        assert_eq!(of(9, window.clone()), (true, false));
        assert_eq!(of(1 << 17, window), (false, true));
    }
}

/// Every trial has the same packets, whatever their order: only hash functions differ, and intervals are over them.
#[test]
fn trials_of_a_trace_differ_in_hash_functions_alone() {
    let own = packets(60, vec![("given_counts", true.into())]);
    let point = case("count-min", "packet-stream", "siphash", &[rows(1, 8), own]);
    for shuffled in [false, true] {
        let keys = Arc::new(timed(&minute()));
        let keys = KeySource::Trace { keys, renew: true, shuffled };
        let seen = readings(&*point, &keys, 0..200);
        let (_, of_counts) = seen.mean(metrics::AAE_GIVEN_COUNTS).unwrap();
        let (_, of_errors) = seen.mean(metrics::AAE).unwrap();
        assert!(of_counts < 1e-9 && of_errors > 0.01, "{of_counts} {of_errors}");
    }
}

/// A trial has the numbers of a trace that is nothing but its window.
#[test]
fn a_trial_is_of_one_window() {
    let minute = minute();
    let keys = captured(timed(&minute));
    for window in [("windows", 4_i64.into()), ("window", 15.0.into())] {
        let own = packets(60, in_bytes(vec![window.clone()]));
        let point = case("count-min", "packet-stream", "siphash", &[rows(2, 4), own]);
        point.check_keys(&keys).unwrap();
        let number = if window.0 == "windows" { 4 } else { 3 };
        for trial in 0..6 {
            let start = 15 * (trial as usize % number);
            let alone = captured(timed(&minute[start..start + 15]));
            let own = packets(15, in_bytes(vec![]));
            let of_alone = case("count-min", "packet-stream", "siphash", &[rows(2, 4), own]);
            let expected = readings(&*of_alone, &alone, trial..trial + 1);
            let seen = readings(&*point, &keys, trial..trial + 1);
            for metric in [metrics::NORM, metrics::AAE, metrics::ARE, metrics::MAX_ERROR] {
                let [own, expected] = [&seen, &expected].map(|readings| readings.sum(metric));
                assert!((own - expected).abs() < 1e-9, "{window:?} {trial}: {own} {expected}");
            }
        }
    }
}

/// Space-Saving gives the counter of the second flow to the third, which it then reports in its place.
#[test]
fn the_first_flows_are_those_of_the_greatest_counts() {
    let keys: TraceKeys = [b"a", b"a", b"b", b"a", b"c"].map(|key| &key[..]).into_iter().collect();
    let own = packets(5, vec![("first", 2_i64.into())]);
    let entries: Given = vec![("entries", 2_i64.into())];
    let point = case("space-saving", "packet-stream", "siphash", &[entries, own.clone()]);
    let keys = captured(keys);
    let seen = readings(&*point, &keys, 0..1);
    let expected = [
        (metrics::PRECISION, 0.5),
        (metrics::RECALL, 0.5),
        (metrics::F1, 0.5),
        (metrics::REPORTED_FLOWS, 2.0),
        (metrics::REPORTED_ARE, 0.5),
    ];
    for (metric, value) in expected {
        assert_eq!(seen.sum(metric), value, "{metric}");
    }
    let wide = case("count-min", "packet-stream", "siphash", &[rows(4, 1 << 12), own]);
    let seen = readings(&*wide, &keys, 0..5);
    assert_eq!(seen.mean(metrics::F1), Some((1.0, 0.0)));
    assert_eq!(seen.mean(metrics::REPORTED_ARE), Some((0.0, 0.0)));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let made: Given = vec![("packets", 60_i64.into())];
    let bytes = refusal("count-min", &[rows(2, 6), made.clone(), in_bytes(vec![])]);
    assert!(bytes.starts_with("`weights`: keys that are made have no lengths"), "{bytes}");
    let times = refusal("count-min", &[rows(2, 6), made, vec![("window", 1.0.into())]]);
    assert!(times.starts_with("`window`: keys that are made have no times"), "{times}");
    let both = vec![("window", 1.0.into()), ("windows", 2_i64.into())];
    assert!(
        refusal("count-min", &[rows(2, 6), packets(60, both)]).starts_with("`window`: packets")
    );
    let many = vec![("windows", 61_i64.into())];
    let many = refusal("count-min", &[rows(2, 6), packets(60, many)]);
    assert_eq!(many, "`windows`: 60 packets cannot be divided into 61 parts");
    let heavy = vec![("phi", 0.1.into()), ("first", 2_i64.into())];
    assert!(refusal("count-min", &[rows(2, 6), packets(60, heavy)]).starts_with("`first`: heavy"));
}

/// A file of keys has no lengths and no times, and a trace may be shorter than a window.
#[test]
fn a_trace_that_lacks_what_is_asked_for_is_refused() {
    let refused = |keys: TraceKeys, own: Given| {
        let point = case("count-min", "packet-stream", "siphash", &[rows(2, 6), packets(60, own)]);
        point.check_keys(&captured(keys)).unwrap_err().to_string()
    };
    let bare = || TraceKeys::new(vec![1, 2, 1], Places::Width(1), vec![0, 1, 0]).unwrap();
    let lengths = refused(bare(), in_bytes(vec![]));
    assert!(lengths.starts_with("`weights`: the trace does not tell the lengths"), "{lengths}");
    assert!(lengths.ends_with("use a capture or `weights = \"packets\"`"), "{lengths}");
    let times = refused(bare(), vec![("window", 1.0.into())]);
    assert!(times.starts_with("`window`: the trace does not tell the times"), "{times}");
    let parts = refused(bare(), vec![("windows", 4_i64.into())]);
    assert!(parts.starts_with("`windows`: the first 60 packets"), "{parts}");
    let short = refused(timed(&minute()), vec![("window", 60.0.into())]);
    assert!(short.starts_with("`window`: the first 60 packets"), "{short}");
}
