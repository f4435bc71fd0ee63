//! A hash function of few bits: its slices do not choose all buckets alike, and predictions know it.

use loadfactor_schemes::case::Record;
use loadfactor_schemes::families;
use loadfactor_schemes::keys::KeySource;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::{Kind, Outlook, Prediction};
use loadfactor_schemes::tables::metrics;

const TRIALS: u64 = 400;
const METRICS: [Metric; 2] = [metrics::OVERFLOW_FRACTION, metrics::ACCESSES_PER_INSERTION];

/// The sums of values and of their squares over the trials.
#[derive(Default)]
struct Sums([[f64; 2]; 2]);

impl Record for Sums {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        let sums = METRICS.iter().position(|&wanted| wanted == metric).zip(value);
        if let Some((i, value)) = sums {
            self.0[i][0] += value;
            self.0[i][1] += value * value;
        }
    }

    fn end_of_trial(&mut self) {}
}

impl Sums {
    /// Mean and standard error.
    fn mean(&self, metric: usize) -> (f64, f64) {
        let [sum, squares] = self.0[metric].map(|sum| sum / TRIALS as f64);
        (sum, ((squares - sum * sum).max(0.0) / (TRIALS - 1) as f64).sqrt())
    }
}

/// 10 bits on 640 buckets: 384 of them have two of the 1,024 values, 256 have one.
fn table(scheme: &str, workload: &str, choices: i64, more: &[(&str, Scalar)]) -> (Sums, Outlook) {
    let given: [(&str, Scalar); 5] = [
        ("buckets", 640_i64.into()),
        ("bucket_size", 2_i64.into()),
        ("load", 0.8.into()),
        ("choices_from", "slices".into()),
        ("slice_bits", 10_i64.into()),
    ];
    let choices = [("choices", choices.into())];
    let choices = if scheme == "single" { &[][..] } else { &choices[..] };
    let given = [&given[..], choices, more].concat();
    let case = families::case(scheme, workload, "xxh3", &given).unwrap();
    let mut sums = Sums::default();
    case.run(&KeySource::Random, 7, 0..TRIALS, &mut sums);
    (sums, case.outlook(&|_| None))
}

/// Simulation and prediction, with four standard errors and what a limit leaves open.
fn agrees(scheme: &str, workload: &str, choices: i64, more: &[(&str, Scalar)], kind: Kind) {
    let (sums, outlook) = table(scheme, workload, choices, more);
    for (i, metric) in METRICS.into_iter().enumerate() {
        let (mean, error) = sums.mean(i);
        let of_metric = |p: &&Prediction| {
            p.metric == metric && (p.kind == kind || metric != METRICS[0] && p.kind == Kind::Exact)
        };
        let predicted = outlook.predictions.iter().find(of_metric).unwrap();
        let room = 4.0 * error + predicted.allowance + 1e-12;
        assert!((mean - predicted.value).abs() < room, "{scheme}: {mean} ± {error}, {predicted:?}");
    }
}

const ROUNDS: i64 = 2000;

fn alternation() -> [(&'static str, Scalar); 1] {
    [("rounds", ROUNDS.into())]
}

#[test]
fn one_choice_is_exact() {
    agrees("single", "alternation", 1, &alternation(), Kind::Exact);
    agrees("single", "static-fill", 1, &[], Kind::Exact);
}

#[test]
fn several_choices_have_the_limit_of_two_kinds_of_bucket() {
    for scheme in ["multiple", "d-random"] {
        agrees(scheme, "alternation", 2, &alternation(), Kind::Asymptotic);
        agrees(scheme, "static-fill", 2, &[], Kind::Asymptotic);
    }
}

/// The test above could not tell otherwise: with random choices the overflow is another one.
#[test]
fn unevenness_is_seen() {
    for (scheme, choices) in [("single", 1), ("multiple", 2), ("d-random", 2)] {
        let (sums, outlook) = table(scheme, "alternation", choices, &alternation());
        let (_, error) = sums.mean(0);
        let of_overflow = |outlook: &Outlook| {
            let found = outlook.predictions.iter().find(|p| p.metric == METRICS[0]).cloned();
            found.unwrap()
        };
        let even = [("slice_bits", 32_i64.into()), ("rounds", ROUNDS.into())];
        let (_, even) = table(scheme, "alternation", choices, &even);
        let (uneven, even) = (of_overflow(&outlook), of_overflow(&even));
        let room = 8.0 * error + uneven.allowance + even.allowance;
        assert!(uneven.value - even.value > room, "{scheme}: {uneven:?} {even:?} {error}");
    }
}

/// What is known for buckets that are chosen alike is not said of others.
#[test]
fn schemes_without_such_a_law_predict_nothing() {
    let (_, outlook) = table("second-chance", "static-fill", 2, &[]);
    assert!(outlook.predictions.is_empty());
    let reason = outlook.missing.unwrap();
    assert!(reason.contains("does not choose all buckets alike"), "{reason}");
}

/// 600 and 424 buckets are 1,024 together, of which every one has one value; but each choice falls into a
/// sub-table of its own, where they are not alike. Three sub-tables of 256 are even.
#[test]
fn sub_tables_are_judged_one_by_one() {
    let missing = |scheme: &str, sizes: &str| {
        let given: [(&str, Scalar); 4] = [
            ("elements", 700_i64.into()),
            ("sub_table_buckets", sizes.into()),
            ("choices_from", "slices".into()),
            ("slice_bits", 10_i64.into()),
        ];
        families::case(scheme, "static-fill", "xxh3", &given).unwrap().outlook(&|_| None).missing
    };
    for scheme in ["multiple", "second-chance"] {
        assert!(missing(scheme, "600 424").is_some(), "{scheme}");
        assert_eq!(missing(scheme, "256 256 256"), None, "{scheme}");
    }
}
