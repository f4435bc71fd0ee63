//! Runs of a toy whose batches are cheap, and what is left after all that can happen to them.

mod damage;
mod failures;
mod inspection;
mod resume;
mod shards;

use std::path::PathBuf;
use std::sync::Mutex;

use loadfactor_schemes::tables::metrics;
use tempfile::TempDir;

use super::*;
use crate::definition::Stopping;
use crate::estimate::moments::Moments;

/// How a batch fails: by this error, unless it panics before.
type Incident = fn() -> String;

/// A work of a few points whose numbers are scrambled from point, batch and trial.
struct Toy {
    points: usize,
    per_batch: u64,
    /// Part of every identity: another definition.
    definition: u8,
    /// A batch of a point that fails, and how.
    incident: Option<(usize, u64, Incident)>,
    /// Triggered after so many batches.
    stop: Option<(Interrupt, usize)>,
    /// The batches run, in their order.
    calls: Mutex<Vec<(usize, u64, u64)>>,
}

impl Toy {
    fn new() -> Self {
        Self {
            points: 3,
            per_batch: 10,
            definition: 0,
            incident: None,
            stop: None,
            calls: Mutex::default(),
        }
    }

    fn calls(&self) -> Vec<(usize, u64, u64)> {
        mutex::hold(&self.calls).clone()
    }

    fn note_call(&self, call: (usize, u64, u64)) {
        let mut calls = mutex::hold(&self.calls);
        calls.push(call);
        if let Some((interrupt, after)) = &self.stop
            && calls.len() >= *after
        {
            interrupt.trigger();
        }
    }
}

/// A number in [0, 1) that looks random.
fn scramble(point: usize, trial: u64) -> f64 {
    let mut x = (point as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ trial;
    for _ in 0..3 {
        x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

impl Toy {
    fn run(&self, point: usize, batch: u64, trials: u64) -> Result<BatchResult, String> {
        self.note_call((point, batch, trials));
        if let Some((p, b, incident)) = self.incident
            && (p, b) == (point, batch)
        {
            return Err(incident());
        }
        let first = batch * self.per_batch;
        let overflow: Moments =
            (first..first + trials).map(|trial| scramble(point, trial)).collect();
        let metrics = vec![(metrics::OVERFLOW_FRACTION, overflow)];
        Ok(BatchResult { trials, metrics })
    }
}

/// A toy whose points all end by one rule.
struct Under<'t>(&'t Toy, Stopping);

impl Work for Under<'_> {
    fn points(&self) -> usize {
        self.0.points
    }

    fn identity(&self, point: usize) -> Identity {
        let mut identity = [self.0.definition; 16];
        identity[0] = point as u8;
        identity
    }

    fn label(&self, point: usize) -> String {
        format!("point {point}")
    }

    fn trials_per_batch(&self, _: usize) -> u64 {
        self.0.per_batch
    }

    fn stopping(&self, _: usize) -> Stopping {
        self.1
    }

    fn cost(&self, point: usize) -> f64 {
        (point % 2) as f64 + 1.0
    }

    fn run(&self, point: usize, batch: u64, trials: u64) -> Result<BatchResult, String> {
        self.0.run(point, batch, trials)
    }
}

/// Ten batches for each point, the last of them cut.
const RULE: Stopping = Stopping::Trials(95);

const PRECISION: Stopping = Stopping::Precision {
    metric: metrics::OVERFLOW_FRACTION,
    relative: 0.05,
    min_trials: 20,
    max_trials: 2000,
};

fn threads(count: usize) -> RunOptions {
    RunOptions { threads: Some(count), ..RunOptions::default() }
}

/// A folder of results that goes away with the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn journal(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    fn lock(&self) -> FolderLock {
        FolderLock::take(self.0.path()).unwrap()
    }

    fn run(&self, toy: &Toy, rule: &Stopping, options: &RunOptions) -> Result<Outcome, RunError> {
        run(&self.lock(), &Under(toy, *rule), options, &Silent)
    }

    /// The points after a run of two threads.
    fn points(&self, toy: &Toy, rule: &Stopping) -> Vec<PointOutcome> {
        self.run(toy, rule, &threads(2)).unwrap().points
    }
}

/// Every bit of the points' numbers.
fn bits(points: &[PointOutcome]) -> Vec<(u64, Vec<[u64; 5]>)> {
    let words = |point: &PointOutcome| point.metrics.iter().map(|(_, m)| m.to_words()).collect();
    points.iter().map(|point| (point.trials, words(point))).collect()
}

/// The points of a run that nothing disturbs.
fn undisturbed(rule: &Stopping) -> Vec<PointOutcome> {
    Folder::new().run(&Toy::new(), rule, &threads(1)).unwrap().points
}
