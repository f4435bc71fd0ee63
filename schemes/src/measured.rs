//! What tests measure: readings of trials and estimates of rare events, each with its standard error.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::case::{Case, Record};
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::prediction::{Kind, Prediction};
use crate::rare::{Branch, Rare, splitting};

/// The readings of trials, metric by metric.
#[derive(Default)]
pub struct Readings(BTreeMap<Metric, Vec<f64>>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.0.entry(metric).or_default().extend(value);
    }

    fn end_of_trial(&mut self) {}
}

impl Readings {
    /// Those of these trials.
    pub fn of(case: &dyn Case, keys: &KeySource, seed: u64, trials: Range<u64>) -> Self {
        let mut readings = Self::default();
        case.run(keys, seed, trials, &mut readings);
        readings
    }

    /// Those of a metric in the order of the trials, without trials in which there was nothing to measure. Panics where no
    /// trial reads the metric.
    pub fn values(&self, metric: Metric) -> &[f64] {
        &self.0[&metric]
    }

    /// Their sum.
    pub fn sum(&self, metric: Metric) -> f64 {
        self.values(metric).iter().sum()
    }

    /// Their mean and its standard error; `None` where nothing was measured.
    pub fn mean(&self, metric: Metric) -> Option<(f64, f64)> {
        self.0.get(&metric).filter(|values| !values.is_empty()).map(|values| mean(values))
    }
}

/// The mean of independent values, and its standard error.
pub fn mean(values: &[f64]) -> (f64, f64) {
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (number * (number - 1.0))).sqrt())
}

/// The probability of an event by splitting: mean and standard error over runs with these seeds.
pub fn split(rare: &mut dyn Rare, particles: u32, seeds: Range<u64>) -> (f64, f64) {
    let run = |seed| splitting::estimate(rare, particles, seed).probability;
    mean(&seeds.map(run).collect::<Vec<_>>())
}

/// The same as the share of plain trials with these seeds in which the event came about.
pub fn plain(rare: &mut dyn Rare, seeds: Range<u64>) -> (f64, f64) {
    let run = |seed| rare.run(&[Branch { step: 0, seed }], &mut Vec::new());
    mean(&seeds.map(run).collect::<Vec<_>>())
}

/// Whether a mean is within so much room of a prediction, or on the side of a bound.
pub fn is_met(own: &Prediction, mean: f64, room: f64) -> bool {
    match own.kind {
        Kind::LowerBound => mean >= own.value - room,
        Kind::UpperBound => mean <= own.value + room,
        _ => (mean - own.value).abs() <= room,
    }
}

mod tests {
    use super::*;

    /// Of 1, 2 and 6 the squared deviations add up to 14, and 14/(3·2) is the square of the error.
    #[test]
    fn standard_errors_are_those_of_means() {
        let (mean, error) = mean(&[1.0, 2.0, 6.0]);
        assert!((mean - 3.0).abs() < 1e-15 && (error * error - 14.0 / 6.0).abs() < 1e-12);
    }
}
