use crate::families;
use crate::params::Scalar;
use crate::summaries::metrics;
use crate::summaries::tests::{assert_one_law, not_measured, trials};

/// A table whose elements are of three types, and counters of which some overflow.
fn small() -> Vec<(&'static str, Scalar)> {
    vec![
        ("elements", 30_i64.into()),
        ("sub_table_buckets", "30 8 4".into()),
        ("filter_counters", "100 60 12".into()),
        ("filter_choices", "2 3 4".into()),
        ("filter_counter_bits", "2 16 2".into()),
        ("once", 1_i64.into()),
        ("counter_law", 5_i64.into()),
        ("queries", 40_i64.into()),
    ]
}

#[test]
fn counters_of_keys_and_drawn_ones_answer_alike() {
    assert_one_law("counting-filter-summary", "summary-fill", &small(), 20_000);
}

/// A filter that is looked at alone has the law of that filter among all, and nothing else is measured of the summary.
#[test]
fn one_filter_alone_counts_as_it_does_among_all() {
    let all = trials(("counting-filter-summary", "summary-fill", "random"), &small(), 20_000);
    for own in 0..3_u16 {
        let mut given = small();
        given.push(("law_of_filter", i64::from(own).into()));
        assert_one_law("counting-filter-summary", "summary-fill", &given, 20_000);
        let of = ("counting-filter-summary", "summary-fill", "random");
        assert_eq!(not_measured(of, &given, 20_000), [""; 0]);
        let alone = trials(of, &given, 20_000);
        let metric = metrics::max_counter(own);
        let ((a, error_of_a), (b, error_of_b)) = (all.mean(metric), alone.mean(metric));
        assert!((a - b).abs() < 4.5 * error_of_a.hypot(error_of_b), "{own}: {a} {b}");
        let others = [metrics::FAILING_ELEMENTS, metrics::max_counter((own + 1) % 3)];
        assert!(others.iter().all(|metric| !alone.of.contains_key(metric)));
    }
}

/// Without deletions a counter answers as a bit does.
#[test]
fn counters_answer_as_bits_do() {
    let counting = trials(("counting-filter-summary", "summary-fill", "xxh3"), &small(), 300);
    let mut given = small();
    given.truncate(4);
    given[2].0 = "filter_bits";
    given.push(("queries", 40_i64.into()));
    let bits = trials(("multiple-filter-summary", "summary-fill", "xxh3"), &given, 300);
    let answers = [
        metrics::FAILING_ELEMENTS,
        metrics::SUMMARY_FAILURE_GIVEN_CELLS,
        crate::filters::metrics::FALSE_POSITIVE_RATE,
    ];
    for metric in answers {
        assert_eq!(bits.mean(metric), counting.mean(metric), "{metric}");
    }
}

/// Of the last filter, which at most one element comes to, no counter counts its forty choices twice.
#[test]
fn an_element_counts_once_where_it_is_to() {
    let greatest = |once: i64| {
        let mut given = small();
        given[0].1 = 3_i64.into();
        given[1].1 = "1 2 4".into();
        given[3].1 = "2 3 40".into();
        given[4].1 = "16 16 16".into();
        given[5].1 = once.into();
        given.push(("left_after", true.into()));
        let sums = trials(("counting-filter-summary", "summary-fill", "random"), &given, 200);
        (sums.mean(metrics::max_counter(2)).0, sums.mean(metrics::left_after(2)).0)
    };
    let (once, left) = greatest(1);
    assert!(once == left && greatest(0).0 > 4.0 * left, "{once} {left}");
}

/// Counters of 16 bits forget who left: a table whose elements were all replaced answers for those that are there.
/// A sticky counter of one bit forgets nobody.
#[test]
fn who_was_taken_out_is_forgotten() {
    let replaced = |bits: &str, rounds: i64| {
        let mut given = small();
        given[4].1 = bits.into();
        given.push(("rounds", rounds.into()));
        trials(("counting-filter-summary", "counted-deletion", "xxh3"), &given, 2000)
    };
    let rate = crate::filters::metrics::FALSE_POSITIVE_RATE;
    let ((at_first, error), (later, error_later)) =
        (replaced("16 16 16", 0).mean(rate), replaced("16 16 16", 300).mean(rate));
    assert!((at_first - later).abs() < 4.5 * error.hypot(error_later), "{at_first} {later}");
    let stuck = replaced("1 1 1", 300);
    assert!(stuck.mean(rate).0 > 2.0 * at_first, "{:?}", stuck.mean(rate));
    let failing = metrics::SUMMARY_FAILURE_FRACTION;
    assert!(stuck.mean(failing).0 > replaced("1 1 1", 0).mean(failing).0);
}

/// Of 1000 elements with 256 choices each in one counter, drawn or of keys, none is lost in a wider number.
#[test]
fn counters_of_16_bits_overflow() {
    let overflowed = |elements: i64, hash| {
        let given = [
            ("elements", elements.into()),
            ("sub_table_buckets", "2000 500".into()),
            ("filter_counters", "1 50".into()),
            ("filter_choices", "256 1".into()),
            ("filter_counter_bits", "16 16".into()),
        ];
        let sums = trials(("counting-filter-summary", "summary-fill", hash), &given, 2);
        let greatest = sums.mean(metrics::max_counter(0)).0;
        (sums.mean(crate::filters::metrics::FILTER_OVERFLOW_FRACTION).0, greatest)
    };
    for hash in ["random", "xxh3"] {
        assert_eq!(overflowed(1000, hash), (1.0, 65_535.0), "{hash}");
        assert_eq!(overflowed(255, hash), (0.0, 65_280.0), "{hash}");
    }
}

/// Elements that were replaced by later types leave a type without an element, and the bits of its filter set.
#[test]
fn a_type_without_elements_does_not_fail() {
    let given = [
        ("elements", 3_i64.into()),
        ("sub_table_buckets", "2 1 1".into()),
        ("filter_counters", "9 9 1".into()),
        ("filter_choices", "1 1 1".into()),
        ("filter_counter_bits", "4 4 4".into()),
        ("rounds", 20_i64.into()),
        ("queries", 1_i64.into()),
    ];
    let sums = trials(("counting-filter-summary", "counted-deletion", "xxh3"), &given, 500);
    for (metric, (sum, _)) in &sums.of {
        assert!(sum.is_finite(), "{metric}");
    }
    assert!(sums.mean(metrics::SUMMARY_FAILURE_GIVEN_CELLS).0 > 0.0);
}

/// The law of the greatest counter up to 999, of 10,000 elements of which each counts once, would take hours.
#[test]
fn no_more_is_predicted_than_can_be_worked_out() {
    let outlook = |law: i64| {
        let given = [
            ("elements", 10_000_i64.into()),
            ("sub_table_buckets", "40000 10000".into()),
            ("filter_counters", "1 1000".into()),
            ("filter_choices", "1 7".into()),
            ("filter_counter_bits", "16 16".into()),
            ("once", 2_i64.into()),
            ("counter_law", law.into()),
        ];
        let case = families::case("counting-filter-summary", "summary-fill", "random", &given);
        let outlook = case.unwrap().outlook(&|_| None);
        let of_counters = |value| {
            let metric = metrics::max_counter_at_least(value);
            outlook.predictions.iter().any(|told| told.metric == metric)
        };
        ([1, 3, 999].map(of_counters), outlook.missing.is_some())
    };
    assert_eq!(outlook(3), ([true, true, false], false));
    assert_eq!(outlook(999), ([true, true, false], true));
}

/// The two configurations of Section 4.10.2, and the 7,500 bytes of the bit table.
#[test]
fn bytes_are_those_of_section_4_10_2() {
    for (bits, printed) in [("4 4 4 4 2", 99_775.0), ("4 4 4 3 1", 99_700.0)] {
        let given = [
            ("elements", 10_000_i64.into()),
            ("sub_table_buckets", "40000 10000 5000 2500 2500".into()),
            ("filter_counters", "106000 87500 5500 500 100".into()),
            ("filter_choices", "7 49 49 49 49".into()),
            ("filter_counter_bits", bits.into()),
            ("once", 2_i64.into()),
        ];
        let sums = trials(("counting-filter-summary", "summary-fill", "random"), &given, 1);
        assert_eq!(sums.mean(metrics::SUMMARY_BYTES).0, printed + 7500.0);
    }
}
