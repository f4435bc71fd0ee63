//! Samples that are drawn and not measured, and rows of them.

use libm::{exp, log};
use loadfactor_schemes::Rng;
use rand::{RngExt, SeedableRng};

use super::statistics::centre_of;
use super::table::Row;

/// Logarithm of how much slower a machine that drifts is at its last layout than at the first.
const DRIFT: f64 = 0.3;

/// Layouts with their samples, whose scatter is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layouts {
    pub(super) layouts: usize,
    /// Samples of each.
    pub(super) samples: usize,
    /// Standard deviation of the logarithm of a layout.
    pub(super) of_layouts: f64,
    /// Standard deviation of that of a sample in its layout. A tenth of them takes half as long again.
    pub(super) of_samples: f64,
}

impl Layouts {
    /// Samples around `ratio`.
    pub(super) fn draw(&self, ratio: f64, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = Rng::seed_from_u64(seed);
        (0..self.layouts).map(|_| self.layout(log(ratio), &mut rng)).collect()
    }

    /// Samples of a program that takes so many times as long as another one, and of that one, both on a machine that
    /// becomes slower all the time.
    pub(super) fn draw_pair(&self, factor: f64, seed: u64) -> [Vec<Vec<f64>>; 2] {
        let drifting = |mut layouts: Vec<Vec<f64>>| {
            for (number, layout) in layouts.iter_mut().enumerate() {
                let slower = exp(DRIFT * number as f64 / self.layouts as f64);
                layout.iter_mut().for_each(|time| *time *= slower);
            }
            layouts
        };
        [drifting(self.draw(factor, 2 * seed)), drifting(self.draw(1.0, 2 * seed + 1))]
    }

    fn layout(&self, centre: f64, rng: &mut Rng) -> Vec<f64> {
        let centre = centre + self.of_layouts * normal(rng);
        let sample = |_| {
            let disturbed = if rng.random::<f64>() < 0.1 { 1.5 } else { 1.0 };
            disturbed * exp(centre + self.of_samples * normal(rng))
        };
        (0..self.samples).map(sample).collect()
    }

    /// The centre of very many layouts around 1.
    pub(super) fn centre(&self) -> f64 {
        let many = Self { layouts: 100_000, ..*self };
        centre_of(&many.draw(1.0, u64::MAX)).unwrap().value
    }
}

/// A standard normal deviate, close enough: the sum of twelve uniform ones.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>() - 0.5).sum()
}

/// The row of a series that takes so many times as long as the baseline, known to a part in ten thousand.
pub(super) fn row(series: &str, ratio: f64) -> Row {
    let (nanoseconds, close) = (10.0 * ratio, 1.0001);
    Row {
        experiment: "made".into(),
        series: series.into(),
        scheme: "bloom-filter".into(),
        hash: "xxh3".into(),
        at: "bits = 1000".into(),
        elements: 100,
        operation: "miss".into(),
        nanoseconds,
        nanoseconds_low: Some(0.9 * nanoseconds),
        nanoseconds_high: Some(1.1 * nanoseconds),
        baseline: "standard".into(),
        ratio,
        ratio_low: Some(ratio / close),
        ratio_high: Some(ratio * close),
        samples: 60,
        layouts: 6,
        operations: 1000,
        bytes: 128,
        asked: 1000,
        false_positive_rate: Some(0.01),
        metric: None,
        value: None,
    }
}

/// The row of a series whose samples are drawn around such a ratio.
pub(super) fn scattered(series: &str, ratio: f64, made: Layouts, seed: u64) -> Row {
    let centre = centre_of(&made.draw(ratio, seed)).unwrap();
    Row {
        ratio: centre.value,
        ratio_low: centre.interval.map(|interval| interval.low),
        ratio_high: centre.interval.map(|interval| interval.high),
        layouts: made.layouts as u64,
        samples: (made.layouts * made.samples) as u64,
        ..row(series, ratio)
    }
}
