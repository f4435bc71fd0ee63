//! Courses drawn ahead against exact laws, and against courses that are followed step by step.

use super::*;
use crate::tables::theory::erlang;
use crate::tables::theory::on_off::OnOff;

const SPAN: [(&str, Scalar); 2] =
    [("warm_up", Scalar::Number(15.0)), ("duration", Scalar::Number(10.0))];

/// Bursts that the system forgets within a hundred slots.
const FLOWS: OnOff = OnOff { flows: 8, rate: 0.06, burst: 4.0 };

fn flows(rate: f64) -> Vec<(&'static str, Scalar)> {
    vec![
        ("flows", number(FLOWS.flows)),
        ("rate", rate.into()),
        ("burst", FLOWS.burst.into()),
        ("warm_up", number(400)),
        ("slots", number(600)),
        ("bin_width", number(1)),
        ("largest", number(12)),
    ]
}

fn table(elements: u32, buckets: u32, bucket_size: u32) -> Vec<(&'static str, Scalar)> {
    vec![
        ("elements", number(elements)),
        ("buckets", number(buckets)),
        ("bucket_size", number(bucket_size)),
    ]
}

/// The buckets of one choice are loss systems of their own, and the number in the system is Poisson.
#[test]
fn one_choice_with_poisson_arrivals_is_erlang() {
    for (n, m, h) in [(40, 50, 1), (60, 20, 2), (9, 1, 8), (300, 100, 4)] {
        let given = [&table(n, m, h)[..], &SPAN].concat();
        let what = format!("{n} elements, {m} buckets of {h}");
        let found = measured("single", "open", "random", &given, 600);
        let (load, places) = (f64::from(n) / f64::from(m * h), h);
        let exact = erlang::overflow(load, places, 1.0);
        assert_mean(&found, metrics::OVERFLOW_FRACTION, exact, &what);
        assert_mean(&found, metrics::SYSTEM_ELEMENTS, n.into(), &what);
    }
}

/// Beyond the loss system of all places.
#[test]
fn buckets_of_one_with_poisson_arrivals_are_the_chain_of_full_buckets() {
    for (n, m, d) in [(50, 50, 2), (30, 60, 3), (60, 30, 4)] {
        let given = [&table(n, m, 1)[..], &[("choices", number(d))], &SPAN].concat();
        let what = format!("{n} elements, {m} buckets, {d} choices");
        let found = measured("multiple", "open", "random", &given, 600);
        let exact = single_slot::open(n.into(), m.into(), d, 1.0);
        assert_mean(&found, metrics::OVERFLOW_FRACTION, exact.overflow, &what);
        assert_mean(&found, metrics::ACCESSES_PER_INSERTION, exact.accesses, &what);
    }
}

/// From an empty system, whose number of elements at time t is n·(1 − e⁻ᵗ) on average: the window is where it
/// should be.
#[test]
fn windows_of_poisson_arrivals_begin_and_end_in_time() {
    let n = 30;
    let in_system =
        |from: f64, to: f64| f64::from(n) * (1.0 - ((-from).exp() - (-to).exp()) / (to - from));
    for (warm_up, duration) in [(0.0, 0.5), (0.3, 1.0), (1.0, 0.01)] {
        let own =
            [("start", "empty".into()), ("warm_up", warm_up.into()), ("duration", duration.into())];
        let given = [&table(n, 20, 1)[..], &own].concat();
        let found = measured("single", "open", "random", &given, 4000);
        let exact = in_system(warm_up, warm_up + duration);
        assert_mean(&found, metrics::SYSTEM_ELEMENTS, exact, "from an empty system");
    }
}

/// The number of elements on the list is a chain of full buckets, whatever the times of its steps.
#[test]
fn buckets_of_one_with_lifetimes_are_the_chain_of_full_buckets() {
    for (n, m, d) in [(50, 50, 2), (30, 60, 3), (60, 30, 4), (9, 7, 2)] {
        let given = [&table(n, m, 1)[..], &[("choices", number(d))], &SPAN].concat();
        let what = format!("{n} elements, {m} buckets, {d} choices");
        let found = measured("multiple", "continuous", "random", &given, 600);
        let exact = single_slot::alternation(n.into(), m.into(), d, 1.0);
        assert_mean(&found, metrics::OVERFLOW_FRACTION, exact.overflow, &what);
        assert_mean(&found, metrics::ACCESSES_PER_INSERTION, exact.accesses, &what);
    }
}

/// The share of slots after which as many are in the system is that of the queue's law.
#[test]
fn flows_fill_the_system_as_the_queue() {
    let given = [&table(1, 12, 1)[1..], &flows(FLOWS.rate)].concat();
    let found = measured("single", "on-off", "random", &given, 1200);
    assert_mean(&found, metrics::SYSTEM_ELEMENTS, FLOWS.mean(), "on-off");
    assert_mean(&found, metrics::ARRIVALS_PER_SLOT, FLOWS.arrivals(), "on-off");
    for (number, &share) in (0..12).zip(&FLOWS.law().unwrap().shares) {
        assert_mean(&found, metrics::system_share(number), share, "on-off");
    }
}

/// Trials in which a value is there, of which a mean has a standard error to speak of.
const ENOUGH: f64 = 100.0;

/// A hash function on random keys is followed step by step. Means of all that is measured differ by chance alone.
#[test]
fn courses_drawn_ahead_have_the_law_of_those_step_by_step() {
    let word = |text: &str| Scalar::Word(text.into());
    let plain =
        |h, d| vec![("buckets", number(16)), ("bucket_size", number(h)), ("choices", number(d))];
    let sub_tables = vec![("sub_table_buckets", word("8 5 3 2"))];
    let of_two = [&sub_tables[..], &[("bucket_size", number(2))]].concat();
    let three_of_two = vec![("sub_table_buckets", word("8 5 3")), ("bucket_size", number(2))];
    let likely = ("insertion_probability", Scalar::Number(0.8));
    let cases = [
        ("single", plain(2, 1)[..2].to_vec()),
        ("multiple", plain(1, 2)),
        ("multiple", plain(2, 3)),
        ("multiple", [&plain(2, 3)[..], &[likely]].concat()),
        ("multiple", three_of_two),
        ("multiple", sub_tables.clone()),
        ("multiple", of_two),
        ("d-random", plain(1, 2)),
        ("second-chance", sub_tables.clone()),
        ("extreme-second-chance", sub_tables.clone()),
        ("extreme-second-chance", [&sub_tables[..], &[("moves_to", word("later"))]].concat()),
    ];
    for (scheme, given) in cases {
        let open = [&given[..], &[("elements", number(20))], &SPAN].concat();
        let of_flows = [given, flows(0.1)].concat();
        for (workload, given) in [("continuous", &open), ("open", &open), ("on-off", &of_flows)] {
            let [ahead, by_steps] =
                ["random", "xxh3"].map(|hash| measured(scheme, workload, hash, given, 300));
            assert_eq!(ahead.0.len(), by_steps.0.len(), "{scheme}, {workload}");
            for (metric, [number, ..]) in &ahead.0 {
                let other = by_steps.mean(*metric).unwrap();
                let ((a, of_a), (b, of_b)) = (ahead.mean(*metric).unwrap(), other);
                let room = STANDARD_ERRORS * (of_a + of_b).sqrt() + 1e-12;
                let what = format!("{scheme} {workload} {given:?}: {metric}");
                assert!(
                    *number < ENOUGH || (a - b).abs() <= room,
                    "{what} {a} is not {b} ± {room}"
                );
            }
        }
    }
}
