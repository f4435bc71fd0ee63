//! Both ways of filling a table and its summary, against each other.

use std::collections::BTreeMap;

use crate::case::Record;
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;

/// Every reading that has a value.
#[derive(Default)]
pub(super) struct Readings(pub(super) Vec<(Metric, f64)>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.0.extend(value.map(|value| (metric, value)));
    }

    fn end_of_trial(&mut self) {}
}

/// Sums of readings and of their squares, and the number of trials.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) of: BTreeMap<Metric, (f64, f64)>,
    trials: f64,
}

impl Record for Sums {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        let (sum, squares) = self.of.entry(metric).or_default();
        let value = value.unwrap_or_default();
        *sum += value;
        *squares += value * value;
    }

    fn end_of_trial(&mut self) {
        self.trials += 1.0;
    }
}

impl Sums {
    /// The mean of a metric and its standard error.
    pub(super) fn mean(&self, metric: Metric) -> (f64, f64) {
        let (sum, squares) = self.of[&metric];
        let mean = sum / self.trials;
        let variance = (squares / self.trials - mean * mean).max(0.0);
        (mean, (variance / self.trials).sqrt())
    }
}

/// Trials of this scheme.
pub(super) fn trials(
    (scheme, workload, hash): (&str, &str, &str),
    given: &[(&str, Scalar)],
    trials: u64,
) -> Sums {
    let case = families::case(scheme, workload, hash, given).unwrap();
    let mut sums = Sums::default();
    case.run(&KeySource::Random, 11, 0..trials, &mut sums);
    sums
}

/// Asserts that elements with keys, one after the other, and elements whose choices are drawn have the same means:
/// all metrics within four and a half standard errors, which are not all 0.
pub(super) fn assert_one_law(scheme: &str, workload: &str, given: &[(&str, Scalar)], number: u64) {
    let drawn = trials((scheme, workload, "random"), given, number);
    let keyed = trials((scheme, workload, "siphash"), given, number);
    let names = |sums: &Sums| sums.of.keys().copied().collect::<Vec<_>>();
    assert_eq!(names(&drawn), names(&keyed), "both measure the same");
    let mut scatter = 0;
    for metric in names(&drawn) {
        let ((a, error_of_a), (b, error_of_b)) = (drawn.mean(metric), keyed.mean(metric));
        let room = 4.5 * error_of_a.hypot(error_of_b);
        scatter += usize::from(room > 0.0);
        assert!((a - b).abs() <= room + 1e-12 * a.abs(), "{metric}: {a} {b} {room}");
    }
    assert!(scatter >= 3, "{scatter} metrics scatter");
}

#[test]
fn a_table_is_filled_alike_by_elements_and_by_sub_tables() {
    let given = [
        ("elements", 30_i64.into()),
        ("sub_table_buckets", "40 10 5 3".into()),
        ("left_after", true.into()),
    ];
    assert_one_law("mht", "summary-fill", &given, 20_000);
}

/// Table 4.2, column by column: what 10,000 elements leave in each sub-table, from 400 trials.
#[test]
fn sub_tables_hold_what_table_4_2_says() {
    let given = [
        ("elements", 10_000_i64.into()),
        ("sub_table_buckets", "40000 10000 5000 2500 2500".into()),
    ];
    let sums = trials(("mht", "summary-fill", "random"), &given, 400);
    for (own, printed) in [(1, 8848.07), (2, 1088.08), (3, 63.45), (4, 0.41)] {
        let (mean, error) = sums.mean(super::metrics::elements_in(own));
        assert!((mean - printed).abs() < 4.5 * error + 0.005, "{own}: {mean} ± {error}");
    }
    assert_eq!(sums.mean(super::metrics::CRISIS_FRACTION).0, 0.0);
    assert_eq!(sums.mean(super::metrics::TABLE_BUCKETS), (60_000.0, 0.0));
}

/// Predictions that are not what trials measured by more than four and a half standard errors, beside how far theory
/// itself may be from them.
pub(super) fn not_measured(
    (scheme, workload, hash): (&str, &str, &str),
    given: &[(&str, Scalar)],
    number: u64,
) -> Vec<String> {
    let sums = trials((scheme, workload, hash), given, number);
    let case = families::case(scheme, workload, hash, given).unwrap();
    let mut wrong = Vec::new();
    for told in case.outlook(&|_| None).predictions {
        let (mean, error) = sums.mean(told.metric);
        // A share that no trial saw may be as large as this.
        let unseen = 10.0 / number as f64 * f64::from(u8::from(error == 0.0));
        let (above, room) = (mean - told.value, told.allowance + 4.5 * error + unseen);
        let holds = match told.kind {
            Kind::Exact | Kind::Asymptotic => above.abs() <= room + 1e-9,
            Kind::LowerBound => above >= -room,
            Kind::UpperBound => above <= room,
            Kind::Refined | Kind::Approximate => true,
        };
        if !holds {
            wrong.push(format!("{scheme} {told:?}: {mean} ± {error}"));
        }
    }
    wrong
}

/// Bytes of a summary with its bit table, for 10,000 elements and the table of Section 4.8, or ten times as many.
fn bytes(scheme: &str, is_large: bool, own: &[(&str, Scalar)]) -> f64 {
    let (elements, sizes) = match is_large {
        false => (10_000_i64, "40000 10000 5000 2500 2500"),
        true => (100_000, "400000 100000 50000 25000 12500 12500"),
    };
    let table = [("elements", elements.into()), ("sub_table_buckets", sizes.into())];
    let sums = trials((scheme, "summary-fill", "random"), &[&table[..], own].concat(), 1);
    sums.mean(super::metrics::SUMMARY_BYTES).0
}

/// Table 4.3 of both sizes, but for the filters of 100,000 elements.
#[test]
fn bytes_are_those_of_table_4_3() {
    let interpolation =
        |large, bits: i64| bytes("interpolation-summary", large, &[("string_bits", bits.into())]);
    assert_eq!([interpolation(false, 55), interpolation(true, 61)], [80_000.0, 875_000.0]);
    let single = |large, cells: i64, choices: i64| {
        let own = [("cells", cells.into()), ("cell_choices", choices.into())];
        bytes("single-filter-summary", large, &own)
    };
    assert_eq!(single(false, 120_000, 4), 47_500.0);
    assert_eq!(single(true, 1_200_000, 4), 525_000.0);
}

/// The printed 379,000 bytes are neither those of the third filter as printed, 550k, nor those of 55k, ten times that
/// for 10,000 elements; they are those of 55k with 55,000 bytes more, which is to say of 495k. Beside these stands one
/// bit, in a byte of its own, for the last type, which the document gives no filter.
#[test]
fn readings_of_the_third_filter_of_table_4_3() {
    let of = |third: &str| {
        let sizes = format!("1060000 875000 {third} 1000 1000 1");
        let own =
            [("filter_bits", sizes.as_str().into()), ("filter_choices", "1 1 1 1 1 1".into())];
        bytes("multiple-filter-summary", true, &own)
    };
    assert_eq!(["550000", "55000", "495000"].map(of), [385_876.0, 324_001.0, 379_001.0]);
}

/// Every prediction that is called exact or a bound against 20,000 trials of a table and summaries that fail often.
#[test]
fn what_theory_says_is_what_trials_measure() {
    let table = [
        ("elements", Scalar::from(30_i64)),
        ("sub_table_buckets", "30 8 4".into()),
        ("queries", 40_i64.into()),
    ];
    let counting = [
        ("filter_counters", Scalar::from("100 60 12")),
        ("filter_choices", "2 3 2".into()),
        ("filter_counter_bits", "2 16 2".into()),
        ("once", 1_i64.into()),
        ("counter_law", 4_i64.into()),
    ];
    let cells = [("cells", Scalar::from(120_i64)), ("cell_choices", 3_i64.into())];
    let counted = [
        ("type_counter_bits", Scalar::from("3 16 1")),
        ("law_of_type", 2_i64.into()),
        ("counter_law", 4_i64.into()),
    ];
    let schemes: [(&str, Vec<(&str, Scalar)>); 5] = [
        ("mht", vec![("left_after", true.into())]),
        ("single-filter-summary", cells.to_vec()),
        ("counting-single-filter-summary", [&cells[..], &counted].concat()),
        (
            "multiple-filter-summary",
            vec![("filter_bits", "100 60 12".into()), ("filter_choices", "2 3 2".into())],
        ),
        ("counting-filter-summary", counting.to_vec()),
    ];
    for (scheme, own) in schemes {
        let given = [&table[..], &own].concat();
        let of = (scheme, "summary-fill", "random");
        assert_eq!(not_measured(of, &given, 20_000), [""; 0]);
        let predictions = families::case(scheme, "summary-fill", "random", &given).unwrap();
        let predictions = predictions.outlook(&|_| None).predictions;
        let named = |metric| predictions.iter().any(|told: &_| told.metric == metric);
        let failures = super::metrics::FAILING_ELEMENTS_GIVEN_CELLS;
        assert!(named(super::metrics::CRISIS_FRACTION) && named(failures) == (scheme != "mht"));
    }
}

/// What keys leave out of the measurement of an interpolation summary is not predicted of them either.
#[test]
fn what_is_predicted_of_an_interpolation_summary_is_measured() {
    let given = [
        ("elements", Scalar::from(30_i64)),
        ("sub_table_buckets", "60 30".into()),
        ("queries", 20_i64.into()),
        ("string_bits", 8_i64.into()),
    ];
    for hash in ["random", "siphash"] {
        let of = ("interpolation-summary", "summary-fill", hash);
        let sums = trials(of, &given, 20);
        let case = families::case(of.0, of.1, of.2, &given).unwrap();
        for told in case.outlook(&|_| None).predictions {
            assert!(sums.of.contains_key(&told.metric), "{hash}: {}", told.metric);
        }
    }
}

/// Values of a progression that are drawn are as good as those of keys, where nobody is asked for again: under both
/// workloads of the table alone. Means of 4000 trials, within four and a half standard errors.
#[test]
fn drawn_progressions_are_those_of_keys() {
    let table = [("elements", Scalar::from(14_i64)), ("sub_table_buckets", "16 8 8".into())];
    for (workload, own) in [
        ("summary-fill", ("left_after", true.into())),
        ("lazy-deletion", ("deleted", 4_i64.into())),
    ] {
        let given = [&table[..], &[("choices_from", "double".into()), own]].concat();
        let [drawn, keyed] =
            ["random", "siphash"].map(|hash| trials(("mht", workload, hash), &given, 4000));
        assert!(drawn.of.keys().eq(keyed.of.keys()), "{workload}");
        for &metric in drawn.of.keys() {
            let ((a, error_of_a), (b, error_of_b)) = (drawn.mean(metric), keyed.mean(metric));
            let room = 4.5 * error_of_a.hypot(error_of_b);
            assert!((a - b).abs() <= room, "{workload} {metric}: {a} {b} {room}");
        }
        assert!(drawn.mean(super::metrics::CRISIS_FRACTION).0 > 0.02, "{workload}");
    }
}

/// The third choice of a progression follows from the first two, so that nothing is predicted of three sub-tables; with
/// two of them the laws of independent choices hold.
#[test]
fn laws_are_for_progressions_of_two_sub_tables() {
    let of = |workload: &str, hash: &str, sizes: &str| {
        let own = match workload {
            "lazy-deletion" => ("deleted", Scalar::from(3_i64)),
            _ => ("left_after", true.into()),
        };
        let given = [
            ("elements", Scalar::from(9_i64)),
            ("sub_table_buckets", sizes.into()),
            ("choices_from", "double".into()),
            own,
        ];
        let case = families::case("mht", workload, hash, &given).unwrap();
        let predicts = !case.outlook(&|_| None).predictions.is_empty();
        (predicts, not_measured(("mht", workload, hash), &given, 4000))
    };
    for workload in ["summary-fill", "lazy-deletion"] {
        for hash in ["random", "siphash"] {
            assert_eq!(of(workload, hash, "12 5"), (true, Vec::new()), "{workload} {hash}");
            assert_eq!(of(workload, hash, "12 6 3"), (false, Vec::new()), "{workload} {hash}");
        }
    }
}

/// A summary is asked for elements, whose drawn values are not kept.
#[test]
fn a_summary_refuses_drawn_progressions() {
    let given = [
        ("elements", Scalar::from(9_i64)),
        ("sub_table_buckets", "12 6 3".into()),
        ("cells", 30_i64.into()),
        ("cell_choices", 3_i64.into()),
        ("choices_from", "double".into()),
    ];
    let error =
        families::case("single-filter-summary", "summary-fill", "random", &given).unwrap_err();
    assert_eq!(error.name, "choices_from");
    assert!(error.reason.contains("not kept where they are drawn"), "{error:?}");
}
