//! What a trial measures, for tests that hold a structure with keys against it.

use crate::case::{Case, Record};
use crate::keys::KeySource;
use crate::metric::Metric;

#[derive(Default)]
struct Readings(Vec<(Metric, f64)>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.0.extend(value.map(|value| (metric, value)));
    }

    fn end_of_trial(&mut self) {}
}

/// The readings of the first trial, which has the keys and hash functions of the structure with the same seed.
pub(crate) fn first_trial(case: &dyn Case, keys: &KeySource, seed: u64) -> Vec<(Metric, f64)> {
    let mut readings = Readings::default();
    case.run(keys, seed, 0..1, &mut readings);
    readings.0
}
