//! The ratio of two ways of doing the same, on a machine that others use too.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What two ways cost.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// Least time of the first way.
    pub first: Duration,
    /// Least time of the second way.
    pub second: Duration,
    /// Median over the pairs of first to second.
    pub ratio: f64,
    /// Lower and upper quartile of the same.
    pub quartiles: (f64, f64),
}

/// Runs both ways in turns, `pairs` times each and at least once; whoever goes first changes from
/// pair to pair, and each pair gives one ratio, so that a slow phase of the machine meets both.
pub fn compare<A, B>(
    pairs: usize,
    mut first: impl FnMut() -> A,
    mut second: impl FnMut() -> B,
) -> Comparison {
    let mut times: Vec<(Duration, Duration)> = (0..pairs.max(1))
        .map(|pair| match pair % 2 {
            0 => (time(&mut first), time(&mut second)),
            _ => {
                let of_second = time(&mut second);
                (time(&mut first), of_second)
            }
        })
        .collect();
    let least = |of: fn(&(Duration, Duration)) -> Duration| times.iter().map(of).min();
    let (of_first, of_second) = (least(|pair| pair.0), least(|pair| pair.1));
    let ratio = |pair: &(Duration, Duration)| pair.0.as_secs_f64() / pair.1.as_secs_f64();
    times.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let at = |quarter: usize| ratio(&times[quarter * (times.len() - 1) / 4]);
    Comparison {
        first: of_first.unwrap_or_default(),
        second: of_second.unwrap_or_default(),
        ratio: at(2),
        quartiles: (at(1), at(3)),
    }
}

fn time<T>(way: &mut impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    black_box(way());
    start.elapsed()
}
