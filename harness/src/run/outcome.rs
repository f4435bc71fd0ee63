//! What a run gives back.

use loadfactor_schemes::metric::Metric;

use super::journal::Damage;
use super::work::BatchResult;
use crate::estimate::moments::Moments;

/// What a run gives for one point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointOutcome {
    /// Trials that the moments rest on.
    pub trials: u64,
    /// The moments of each quantity, in the order in which the batches report them.
    pub metrics: Vec<(Metric, Moments)>,
    /// The batches that they are made of, in order, where [`Work::keeps_batches`](super::Work::keeps_batches)
    /// asks for them.
    pub batches: Vec<BatchResult>,
    /// Whether these are all the trials that the stopping rule wants.
    pub complete: bool,
    /// Why the point failed, if it did; the moments are those of the batches before.
    pub error: Option<String>,
}

/// What a run left behind, point by point.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// One for each point, in their order.
    pub points: Vec<PointOutcome>,
    /// Batches run now.
    pub batches_run: u64,
    /// Batches taken from the journal.
    pub batches_resumed: u64,
    /// Trials run now.
    pub trials_run: u64,
    /// Whether the user ended the run before its end.
    pub interrupted: bool,
    /// Time that the run took, in seconds.
    pub seconds: f64,
    /// What could not be read of the journal.
    pub damage: Vec<Damage>,
}

impl Outcome {
    /// Number of points that failed.
    pub fn failed(&self) -> usize {
        self.points.iter().filter(|point| point.error.is_some()).count()
    }

    /// Whether every point has all its trials.
    pub fn is_complete(&self) -> bool {
        self.points.iter().all(|point| point.complete)
    }
}
