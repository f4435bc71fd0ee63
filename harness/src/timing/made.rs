//! Rows of made samples.

use super::super::statistics::{Median, median_of};
use super::Row;
use loadfactor_schemes::Rng;
use rand::{RngExt, SeedableRng};

/// The row of a series that takes so many times as long as the baseline, without any spread.
pub(in crate::timing) fn row(series: &str, ratio: f64) -> Row {
    Row {
        experiment: "made".into(),
        series: series.into(),
        scheme: "bloom-filter".into(),
        hash: "xxh3".into(),
        at: "bits = 1000".into(),
        elements: 100,
        operation: "miss".into(),
        nanoseconds: 10.0 * ratio,
        nanoseconds_low: 9.0 * ratio,
        nanoseconds_high: 11.0 * ratio,
        baseline: "standard".into(),
        ratio,
        ratio_low: ratio,
        ratio_high: ratio,
        samples: 60,
        layouts: 6,
        operations: 1000,
        bytes: 128,
        asked: 1000,
        false_positive_rate: Some(0.01),
    }
}

/// The row of a series whose samples scatter by some parts in a hundred around such a ratio, and those of a layout
/// by half of a part in a hundred together.
pub(super) fn scattered(series: &str, ratio: f64, seed: u64) -> Row {
    let mut rng = Rng::seed_from_u64(seed);
    let mut noise = |width: f64| 1.0 + width * (rng.random::<f64>() - 0.5);
    let mut layout = |_| {
        let centre = ratio * noise(0.01);
        (0..10).map(|_| centre * noise(0.04)).collect::<Vec<f64>>()
    };
    let layouts: Vec<Vec<f64>> = (0..6).map(&mut layout).collect();
    let Median { value, interval } = median_of(&layouts, seed).unwrap();
    Row { ratio: value, ratio_low: interval.low, ratio_high: interval.high, ..row(series, ratio) }
}
