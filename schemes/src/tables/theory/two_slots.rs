//! Exact chains for buckets of size 2 and any number of choices, to check limits against.

use std::collections::BTreeMap;

use super::start::Start;
use crate::math::elementary::pow;

/// Which of the `d` chosen buckets gets the element.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pick {
    FirstFree,
    LeastLoaded,
}

/// Buckets with exactly 0, 1 and 2 elements.
type State = [u32; 3];
type Law = BTreeMap<State, f64>;

/// What a chain says on average.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means {
    pub(super) overflow: f64,
    pub(super) occupancy: [f64; 3],
}

/// Means after `n` insertions into `m` empty buckets.
pub(super) fn static_fill(n: u32, m: u32, d: u32, rule: Pick) -> Means {
    means(&filled(n, m, d, rule), n, m)
}

/// Means in equilibrium of alternation.
pub(super) fn alternation(n: u32, m: u32, d: u32, rule: Pick) -> Means {
    relaxation((n, m, d), rule, Start::OverflowList, 30 * n)
}

/// Means after `rounds` of alternation.
pub(super) fn relaxation(
    (n, m, d): (u32, u32, u32),
    rule: Pick,
    start: Start,
    rounds: u32,
) -> Means {
    let before = filled(if start == Start::Filled { n } else { 0 }, m, d, rule);
    let round = |law: Law, _| insert(&delete(&law, n), d, rule);
    means(&(0..rounds).fold(before, round), n, m)
}

fn filled(n: u32, m: u32, d: u32, rule: Pick) -> Law {
    (0..n).fold(Law::from([([m, 0, 0], 1.0)]), |law, _| insert(&law, d, rule))
}

fn means(law: &Law, n: u32, m: u32) -> Means {
    let share = |k: usize| law.iter().map(|(b, p)| p * f64::from(b[k])).sum::<f64>() / f64::from(m);
    let occupancy = [0, 1, 2].map(share);
    let stored = (occupancy[1] + 2.0 * occupancy[2]) * f64::from(m);
    Means { overflow: 1.0 - stored / f64::from(n), occupancy }
}

fn insert(law: &Law, d: u32, rule: Pick) -> Law {
    let mut after = Law::new();
    for (&state, p) in law {
        let [empty, half] = raised(state, d, rule);
        let [b0, b1, b2] = state;
        add(&mut after, state, p * (1.0 - empty - half));
        add(&mut after, [b0.wrapping_sub(1), b1 + 1, b2], p * empty);
        add(&mut after, [b0, b1.wrapping_sub(1), b2 + 1], p * half);
    }
    after
}

/// Probabilities that an empty and that a half full bucket gets the element.
fn raised([b0, b1, b2]: State, d: u32, rule: Pick) -> [f64; 2] {
    let m = f64::from(b0 + b1 + b2);
    let all = |buckets: u32| pow(f64::from(buckets) / m, f64::from(d));
    match rule {
        Pick::LeastLoaded => [1.0 - all(b1 + b2), all(b1 + b2) - all(b2)],
        Pick::FirstFree => {
            let each = (1.0 - all(b2)) / f64::from((b0 + b1).max(1));
            [f64::from(b0) * each, f64::from(b1) * each]
        }
    }
}

fn delete(law: &Law, n: u32) -> Law {
    let mut after = Law::new();
    for (&[b0, b1, b2], p) in law {
        let (half, full) = (f64::from(b1) / f64::from(n), f64::from(2 * b2) / f64::from(n));
        add(&mut after, [b0, b1, b2], p * (1.0 - half - full));
        add(&mut after, [b0 + 1, b1.wrapping_sub(1), b2], p * half);
        add(&mut after, [b0, b1 + 1, b2.wrapping_sub(1)], p * full);
    }
    after
}

fn add(law: &mut Law, state: State, p: f64) {
    if p > 1e-18 {
        *law.entry(state).or_default() += p;
    }
}
