//! How far one point has come.

use std::collections::BTreeMap;

use super::error::RunError;
use super::outcome::{Outcome, PointOutcome};
use super::records::Records;
use super::work::{BatchResult, Identity, Work};
use crate::estimate::stopping::{Stopping, first_checkpoint, next_checkpoint};

/// The batches of one point on their way into its moments.
///
/// Batches arrive in any order and are merged in the order of their numbers.
#[derive(Debug)]
pub(super) struct Tally {
    identity: Identity,
    per_batch: u64,
    rule: Stopping,
    /// Trials up to the next checkpoint.
    target: u64,
    /// Batches merged: all below this number.
    merged: u64,
    sum: BatchResult,
    /// The batches merged, where they are kept.
    kept: Option<Vec<BatchResult>>,
    /// Batches that wait for one with a lower number.
    waiting: BTreeMap<u64, BatchResult>,
    resumed: u64,
    complete: bool,
    /// The failed batch of lowest number and its error.
    failure: Option<(u64, String)>,
}

impl Tally {
    /// The tally of a point with all that `records` hold of it up to the first checkpoint that
    /// they do not reach.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub(super) fn new(
        work: &impl Work,
        point: usize,
        records: &mut Records,
    ) -> Result<Self, RunError> {
        let (rule, per_batch) = (work.stopping(point), work.trials_per_batch(point).max(1));
        let mut tally = Self {
            identity: work.identity(point),
            per_batch,
            target: first_checkpoint(&rule, per_batch),
            rule,
            merged: 0,
            sum: BatchResult { trials: 0, metrics: Vec::new() },
            kept: work.keeps_batches(point).then(Vec::new),
            waiting: BTreeMap::new(),
            resumed: 0,
            complete: false,
            failure: None,
        };
        tally.advance(records)?;
        Ok(tally)
    }

    /// Asks the stopping rule at every checkpoint that is reached, and takes what `records` hold
    /// up to the one that is not.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub(super) fn advance(&mut self, records: &mut Records) -> Result<(), RunError> {
        self.take_recorded(records)?;
        while !self.complete && self.failure.is_none() && self.merged == self.batches() {
            match next_checkpoint(&self.rule, self.per_batch, self.target, &self.sum.metrics) {
                Ok(None) => self.complete = true,
                Ok(Some(target)) => {
                    self.target = target;
                    self.take_recorded(records)?;
                }
                Err(error) => self.fail(self.merged, error.to_string()),
            }
        }
        Ok(())
    }

    /// Takes the result of a batch.
    pub(super) fn put(&mut self, batch: u64, result: BatchResult) {
        self.waiting.insert(batch, result);
        while let Some(next) = self.waiting.remove(&self.merged) {
            self.merge(next);
            self.merged += 1;
        }
    }

    fn merge(&mut self, batch: BatchResult) {
        add(&mut self.sum, &batch);
        if let Some(kept) = &mut self.kept {
            kept.push(batch);
        }
    }

    /// Takes the failure of a batch; of several, that of the lowest number counts.
    pub(super) fn fail(&mut self, batch: u64, error: String) {
        if self.failure.as_ref().is_none_or(|(first, _)| batch < *first) {
            self.failure = Some((batch, error));
        }
    }

    /// Whether a batch has failed.
    fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Whether a batch before this one has failed, so that it need not run. Those before the
    /// failed one run all the same, even where another thread was faster: what is kept of the
    /// point does not depend on the number of threads.
    pub(super) fn has_failed_before(&self, batch: u64) -> bool {
        self.failure.as_ref().is_some_and(|(failed, _)| *failed < batch)
    }

    /// The batches up to the next checkpoint that are not here yet, each with its trials.
    pub(super) fn missing(&self) -> impl Iterator<Item = (u64, u64)> {
        (self.merged..self.batches())
            .filter(|batch| !self.has_failed() && !self.waiting.contains_key(batch))
            .map(|batch| (batch, self.trials_of(batch)))
    }

    pub(super) fn identity(&self) -> Identity {
        self.identity
    }

    pub(super) fn per_batch(&self) -> u64 {
        self.per_batch
    }

    /// Trials up to the next checkpoint.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    /// Trials that are here, merged or waiting.
    pub(super) fn trials(&self) -> u64 {
        self.sum.trials + self.waiting.values().map(|result| result.trials).sum::<u64>()
    }

    /// Batches taken from the journal.
    pub(super) fn resumed(&self) -> u64 {
        self.resumed
    }

    /// What is known of the point now: also batches that still wait, in the order of their
    /// numbers, unless the one that they wait for has failed.
    pub(super) fn outcome(mut self) -> PointOutcome {
        if !self.has_failed() {
            std::mem::take(&mut self.waiting).into_values().for_each(|batch| self.merge(batch));
        }
        PointOutcome {
            trials: self.sum.trials,
            metrics: self.sum.metrics,
            batches: self.kept.unwrap_or_default(),
            complete: self.complete,
            error: self.failure.map(|(_, error)| error),
        }
    }

    fn take_recorded(&mut self, records: &mut Records) -> Result<(), RunError> {
        for (batch, trials) in self.missing().collect::<Vec<_>>() {
            if let Some(result) = records.get(self.identity, batch, trials)? {
                self.resumed += 1;
                self.put(batch, result);
            }
        }
        Ok(())
    }

    fn batches(&self) -> u64 {
        self.target.div_ceil(self.per_batch)
    }

    fn trials_of(&self, batch: u64) -> u64 {
        self.per_batch.min(self.target - batch * self.per_batch)
    }
}

/// The outcome of a run that ends with these tallies and ran nothing itself.
pub(super) fn outcome(tallies: Vec<Tally>) -> Outcome {
    Outcome {
        batches_run: 0,
        batches_resumed: tallies.iter().map(Tally::resumed).sum(),
        trials_run: 0,
        interrupted: false,
        seconds: 0.0,
        damage: Vec::new(),
        points: tallies.into_iter().map(Tally::outcome).collect(),
    }
}

fn add(sum: &mut BatchResult, next: &BatchResult) {
    sum.trials += next.trials;
    for (metric, moments) in &next.metrics {
        match sum.metrics.iter_mut().find(|(known, _)| known == metric) {
            Some((_, known)) => known.merge(moments),
            None => sum.metrics.push((*metric, *moments)),
        }
    }
}
