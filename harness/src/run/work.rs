//! What a run is given.

use loadfactor_schemes::metric::Metric;

use crate::estimate::moments::Moments;
use crate::estimate::stopping::Stopping;

/// Digest of all that decides a point's numbers.
pub type Identity = [u8; 16];

/// What the trials of one batch measured.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchResult {
    /// Trials that were run.
    pub trials: u64,
    /// The moments of each quantity over these trials, each quantity once.
    pub metrics: Vec<(Metric, Moments)>,
}

impl BatchResult {
    /// What contradicts that these are the results of `trials` trials, in words.
    pub(super) fn fault(&self, trials: u64) -> Option<String> {
        if self.trials != trials {
            return Some(format!("a batch of {trials} trials reports {}", self.trials));
        }
        let mut seen = Vec::with_capacity(self.metrics.len());
        for (metric, moments) in &self.metrics {
            if moments.count() > trials {
                let count = moments.count();
                return Some(format!("`{metric}` has {count} values in {trials} trials"));
            }
            if seen.contains(metric) {
                return Some(format!("`{metric}` is reported twice"));
            }
            seen.push(*metric);
        }
        None
    }
}

/// The points of an experiment and how to run their trials.
pub trait Work: Sync {
    /// Number of points; they are numbered from 0.
    fn points(&self) -> usize;

    /// Digest of all that decides the point's numbers: parameters, seed, digest of the trace,
    /// version of the simulation, trials per batch. Journalled batches with another identity are
    /// not used.
    fn identity(&self, point: usize) -> Identity;

    /// The point in a few words, for messages.
    fn label(&self, point: usize) -> String;

    /// Trials in a full batch of this point; 0 counts as 1.
    fn trials_per_batch(&self, point: usize) -> u64;

    /// When this point has had enough trials.
    fn stopping(&self, point: usize) -> Stopping;

    /// Whether the outcome of this point keeps each batch beside the moments over all.
    fn keeps_batches(&self, _point: usize) -> bool {
        false
    }

    /// Cost of one full batch in any unit that all points share, for the order of work and the
    /// time left.
    fn cost(&self, point: usize) -> f64;

    /// Runs the first `trials` trials of a batch; fewer than a full batch only in a point's last.
    ///
    /// # Errors
    /// A message on what went wrong; it becomes the error of the point.
    fn run(&self, point: usize, batch: u64, trials: u64) -> Result<BatchResult, String>;
}
