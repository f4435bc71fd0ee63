//! From the readings of trials to moments over the trials.

use loadfactor_schemes::case::Record;
use loadfactor_schemes::metric::Metric;

use super::moments::Moments;

/// The moments of each metric over the trials recorded so far.
///
/// A trial is one observation of each metric, whatever the length of its window. Every trial hands its
/// readings over in the same order, so that a metric is found by its place.
#[derive(Debug, Default)]
pub struct Recorder {
    moments: Vec<(Metric, Moments)>,
    /// Place of the next reading.
    next: usize,
}

impl Recorder {
    /// The metrics that had a value in some trial, in the order in which trials read them.
    pub fn moments(self) -> Vec<(Metric, Moments)> {
        self.moments.into_iter().filter(|(_, moments)| moments.count() > 0).collect()
    }
}

impl Record for Recorder {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        if self.next == self.moments.len() {
            self.moments.push((metric, Moments::default()));
        }
        self.moments[self.next].1.extend(value);
        self.next += 1;
    }

    fn end_of_trial(&mut self) {
        self.next = 0;
    }
}
