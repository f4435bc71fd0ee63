//! Simulation of small and middling tables against refined limits.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::tables::{
    Conservative, ExtremeSecondChance, Process, Scheme, SecondChance,
};

use crate::case::Case;
use crate::simulation::{Measured, simulate};

/// Asserts all refined limits of the scheme; returns how many there were.
#[track_caller]
fn assert_refined<S: Scheme>(scheme: &S, process: Process, trials: u64, seed: u64) -> usize {
    let measured = simulate(scheme, process, trials, seed);
    let predictions = scheme.outlook(process).predictions;
    let refined = predictions.iter().filter(|prediction| prediction.kind == Kind::Refined);
    let judged = refined.filter_map(|prediction| {
        measured.of(prediction.metric)?.assert_mean(
            prediction.value,
            prediction.allowance,
            prediction,
        );
        Some(prediction)
    });
    judged.count()
}

/// Elements, buckets, bucket size, choices, trials.
const SIZES: [(u32, u32, u32, u32, u64); 5] = [
    (45, 50, 1, 3, 20_000),
    (180, 50, 4, 2, 10_000),
    (900, 300, 3, 3, 1000),
    (1800, 1000, 2, 2, 500),
    (3600, 1200, 3, 4, 200),
];

#[test]
fn one_table() {
    let mut judged = 0;
    for ((n, m, h, d, trials), seed) in SIZES.into_iter().zip(2000..) {
        let case = Case { n, m, h, d, alpha: 0.9 };
        judged += assert_refined(&case.multiple(), Process::StaticFill, trials, seed);
        judged +=
            assert_refined(&case.d_random("random", false), Process::StaticFill, trials, seed);
        let trials = trials / 20;
        judged += assert_refined(&case.multiple(), Process::Alternation, trials, seed);
        judged +=
            assert_refined(&case.d_random("random", false), Process::Alternation, trials, seed);
    }
    assert!(judged > 80, "{judged}");
}

#[test]
fn sub_tables() {
    let mut judged = 0;
    for ((n, m, h, d, trials), seed) in SIZES.into_iter().zip(2100..) {
        // d-left has equal sub-tables.
        let case = Case { n, m: m / d * d, h, d, alpha: 1.0 };
        for (process, trials) in
            [(Process::StaticFill, trials), (Process::Alternation, trials / 20)]
        {
            let scheme = case.multiple_on_sub_tables(1.5, "none");
            judged += assert_refined(&scheme, process, trials, seed);
            judged += assert_refined(&case.d_random("left", true), process, trials, seed);
        }
    }
    assert!(judged > 80, "{judged}");
}

fn listed<S: Scheme>(n: u32, h: u32, buckets: &[u32]) -> S {
    let words: Vec<String> = buckets.iter().map(u32::to_string).collect();
    let buckets = Scalar::Word(words.join(" "));
    Case { n, m: 0, h, d: 0, alpha: 1.0 }.scheme(&[("sub_table_buckets", buckets)])
}

#[test]
fn one_move() {
    let mut judged = 0;
    for ((n, buckets, trials), seed) in [
        (60, &[30, 18, 12][..], 20_000),
        (400, &[220, 120, 80, 30], 4000),
        (2000, &[1500, 700, 300], 1000),
        (5000, &[2500, 1200, 700, 300], 300),
    ]
    .into_iter()
    .zip(2200..)
    {
        let fill = Process::StaticFill;
        judged += assert_refined(&listed::<Conservative>(n, 1, buckets), fill, trials, seed);
        judged += assert_refined(&listed::<SecondChance>(n, 1, buckets), fill, trials, seed);
        judged += assert_refined(&listed::<SecondChance>(2 * n, 2, buckets), fill, trials, seed);
        judged += assert_refined(&listed::<ExtremeSecondChance>(n, 1, buckets), fill, trials, seed);
    }
    assert!(judged > 80, "{judged}");
}

/// Second chance in equilibrium: the thesis's sizes, and others.
#[test]
fn one_move_under_alternation() {
    let mut judged = 0;
    for ((n, buckets, trials), seed) in [
        (60, &[30, 18, 12][..], 3000),
        (200, &[125, 142, 91, 43], 1000),
        (400, &[220, 120, 80, 30], 500),
        (1000, &[237, 297, 263, 204], 200),
        (2000, &[1500, 700, 300], 100),
    ]
    .into_iter()
    .zip(2400..)
    {
        let scheme = listed::<SecondChance>(n, 1, buckets);
        judged += assert_refined(&scheme, Process::Alternation, trials, seed);
    }
    assert!(judged > 30, "{judged}");
}

/// With 20,000 elements the overflow is 8 % above its limit, as the last sub-table has 204 buckets.
#[test]
fn a_small_last_sub_table() {
    let scheme: ExtremeSecondChance = listed(20_000, 1, &[11_406, 4672, 3712, 2016, 442, 204]);
    let predictions = scheme.outlook(Process::StaticFill).predictions;
    let of = |metric: Metric, kind| {
        predictions.iter().find(|p| p.metric == metric && p.kind == kind).unwrap()
    };
    let [limit, refined] =
        [Kind::Asymptotic, Kind::Refined].map(|kind| of(metrics::OVERFLOW_FRACTION, kind));
    let measured: Measured = simulate(&scheme, Process::StaticFill, 300, 2300);
    measured.overflow.assert_mean(refined.value, refined.allowance, refined);
    measured.overflow.assert_mean(limit.value, limit.allowance, limit);
    let (overflow, std_error) = measured.overflow.mean();
    assert!((overflow - 0.001446).abs() < 4.0 * std_error + 1e-5, "{overflow} ± {std_error}");
    assert!(refined.value / limit.value > 1.06, "{limit:?} {refined:?}");
    assert!(refined.allowance < 0.05 * refined.value, "{refined:?}");
}
