//! Simulation of large tables against what the schemes predict, fluid limits included.

use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::tables::{Process, Scheme, Single};

use crate::case::Case;
use crate::simulation::simulate;

const TRIALS: u64 = 30;
/// A part of buckets or elements that is too rare to be seen in so many trials.
const UNSEEN: f64 = 1e-6;

/// Asserts everything that the scheme predicts; returns how many fluid limits that were.
#[track_caller]
fn assert_predicted<S: Scheme>(scheme: &S, process: Process, seed: u64) -> usize {
    let measured = simulate(scheme, process, TRIALS, seed);
    let mut limits = 0;
    for prediction in scheme.outlook(process).predictions {
        let Some(readings) = measured.of(prediction.metric) else { continue };
        let known = matches!(prediction.kind, Kind::Exact | Kind::Asymptotic | Kind::Refined);
        assert!(known, "{prediction:?}");
        readings.assert_mean(prediction.value, prediction.allowance + UNSEEN, &prediction);
        limits += usize::from(prediction.kind == Kind::Asymptotic);
    }
    limits
}

/// Overflow fractions of elements and arrivals, accesses and h + 1 occupancies.
fn quantities(case: &Case) -> usize {
    case.h as usize + 4
}

const LARGE: [Case; 3] = [
    Case { n: 6000, m: 8192, h: 1, d: 2, alpha: 1.0 },
    Case { n: 8192, m: 2048, h: 4, d: 4, alpha: 0.7 },
    Case { n: 8192, m: 2048, h: 5, d: 2, alpha: 1.0 },
];

#[test]
fn single() {
    for (case, seed) in LARGE.iter().zip(900..) {
        for process in [Process::StaticFill, Process::Alternation] {
            assert_eq!(assert_predicted(&case.single(), process, seed), quantities(case));
        }
    }
}

/// These limits are allowed their distance from exact values, so that simulation alone would let any limit pass.
#[test]
fn limits_of_single_are_near_the_exact_values_of_large_tables() {
    let mut near = 0;
    for case in LARGE {
        for move_back in ["none", "deletion"] {
            let single: Single = case.scheme(&[("move_back", move_back.into())]);
            for process in [Process::StaticFill, Process::Alternation] {
                let predictions = single.outlook(process).predictions;
                for limit in predictions.iter().filter(|p| p.kind == Kind::Asymptotic) {
                    let of_limit =
                        |p: &&Prediction| p.metric == limit.metric && p.kind == Kind::Exact;
                    let exact = predictions.iter().find(of_limit).unwrap().value;
                    let room =
                        1e-9 + 2.0 * exact.max(limit.value) / f64::from(case.m) * f64::from(case.h);
                    assert!(
                        (limit.value - exact).abs() < room,
                        "{case:?} {move_back}: {limit:?} {exact}"
                    );
                    near += 1;
                }
            }
        }
    }
    assert!(near >= 3 * 2 * 2 * 4, "{near}");
}

#[test]
fn multiple() {
    for (case, seed) in LARGE.iter().zip(1000..) {
        for process in [Process::StaticFill, Process::Alternation] {
            assert_eq!(assert_predicted(&case.multiple(), process, seed), quantities(case));
        }
    }
}

/// Sub-tables of equal and of geometric sizes.
#[test]
fn multiple_on_sub_tables() {
    let small = Case { n: 400, m: 200, h: 2, d: 4, alpha: 1.0 };
    let rare = Case { n: 2000, m: 2048, h: 4, d: 4, alpha: 1.0 };
    for (case, seed) in LARGE.iter().chain([&small, &rare]).zip(1700..) {
        for factor in [1.0, 2.0, 0.7] {
            for process in [Process::StaticFill, Process::Alternation] {
                let scheme = case.multiple_on_sub_tables(factor, "none");
                let expected = quantities(case) + case.d as usize;
                assert_eq!(assert_predicted(&scheme, process, seed), expected);
            }
        }
    }
}

#[test]
fn d_random_and_d_left() {
    for (case, seed) in LARGE.iter().zip(1100..) {
        for (ties, sub_tables) in
            [("random", false), ("left", false), ("random", true), ("left", true)]
        {
            for process in [Process::StaticFill, Process::Alternation] {
                let scheme = case.d_random(ties, sub_tables);
                assert_eq!(assert_predicted(&scheme, process, seed), quantities(case));
            }
        }
    }
}

/// The allowance of the second chance scheme is not derived: small tables as well as large ones.
#[test]
fn second_chance() {
    let cases =
        [(4, 2.0, 0.6), (4, 2.0, 1.2), (8, 1.0, 0.8), (6, 1.5, 1.0), (2, 10.0, 0.4), (1, 1.0, 0.9)];
    for ((d, factor, load), seed) in cases.into_iter().zip(1400..) {
        for m in [120, 4096] {
            let n = (f64::from(m) * load) as u32;
            let scheme = Case { n, m, h: 1, d, alpha: 1.0 }.second_chance(factor, &[]);
            for process in [Process::StaticFill, Process::Alternation] {
                // Overflow of elements and of arrivals, accesses, moves, two occupancies, loads.
                assert_eq!(assert_predicted(&scheme, process, seed), 6 + d as usize);
            }
        }
    }
}

/// No scheme gets below the bound of Theorem 6 at its own accesses.
#[test]
fn no_scheme_beats_the_lower_bound() {
    let mut held = 0;
    for (case, seed) in LARGE.iter().zip(1200..) {
        for process in [Process::StaticFill, Process::Alternation] {
            let scheme = case.d_random("left", true);
            let measured = simulate(&scheme, process, TRIALS, seed);
            let (accesses, _) = measured.accesses.mean();
            let geometry = scheme.geometry();
            let bound = loadfactor_schemes::tables::lower_bound(process, accesses, &geometry, &[]);
            let Some(bound) = bound else { continue };
            held += 1;
            assert_eq!((bound.metric, bound.kind), (metrics::OVERFLOW_FRACTION, Kind::LowerBound));
            let (overflow, std_error) = measured.overflow.mean();
            assert!(overflow + 4.0 * std_error >= bound.value, "{case:?}: {overflow} {bound:?}");
        }
    }
    assert!(held > 0, "every bound was 0");
}
