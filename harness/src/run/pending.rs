//! What a folder's journal holds of an experiment, without running anything.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use super::error::RunError;
use super::journal::{self, Damage};
use super::outcome::Outcome;
use super::records::Records;
use super::tally::{Tally, outcome};
use super::work::{Identity, Work};
use crate::estimate::stopping::{Stopping, ceiling};

/// What is left to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// One for each point, in their order.
    pub points: Vec<PointPending>,
    /// Journalled batches of no point of the experiment as it is now: its definition, seed, trace
    /// or simulation version was another then.
    pub unused_batches: u64,
    /// What could not be read of the journal.
    pub damage: Vec<Damage>,
}

/// What is left to run of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointPending {
    /// Batches that the journal holds.
    pub batches_done: u64,
    /// Batches to run until the stopping rule is next asked.
    pub batches_left: u64,
    /// Trials that the journal holds.
    pub trials_done: u64,
    /// Trials at which the stopping rule is next asked.
    pub trials_wanted: u64,
    /// Trials after which the point ends in any case.
    pub trials_at_most: u64,
    /// Cost of what is left until the stopping rule is next asked, in the unit of
    /// [`Work::cost`].
    pub cost_left: f64,
}

/// What is left to run of an experiment whose results are in `folder`, which need not exist.
///
/// # Errors
/// [`RunError`] where the journal cannot be read.
pub fn pending(folder: &Path, work: &impl Work) -> Result<Pending, RunError> {
    let path = journal::path_in(folder);
    let (mut records, scan) = Records::read(&path)?;
    let tallies = tallies(work, &mut records)?;
    let known: BTreeSet<Identity> = tallies.iter().map(Tally::identity).collect();
    let points = tallies.iter().enumerate();
    Ok(Pending {
        points: points.map(|(point, tally)| left(work, point, tally)).collect(),
        unused_batches: records.foreign_to(&known) + scan.unknown,
        damage: scan.damage,
    })
}

/// What a shard has and lacks of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ShareOfPoint {
    /// Batches that its journal holds.
    pub done: u64,
    /// Batches of its share that it lacks.
    pub left: u64,
    /// Cost of these, in the unit of [`Work::cost`].
    pub cost_left: f64,
}

/// What the journal in `folder`, which need not exist, has and lacks of the batches of a share, for each point.
/// `share` gives those of a point: of one that ends after a number of trials only these are looked at, however many
/// it has, and of one that ends at a precision all that its rule asks for.
///
/// # Errors
/// [`RunError`] where the journal cannot be read.
pub fn left_of_share<Batches: Iterator<Item = Range<u64>>>(
    folder: &Path,
    work: &impl Work,
    share: impl Fn(usize) -> Batches,
) -> Result<Vec<ShareOfPoint>, RunError> {
    let (mut records, _) = Records::read(&journal::path_in(folder))?;
    let of_point = |point| match work.stopping(point) {
        Stopping::Trials(trials) => {
            Ok(of_batches(work, point, trials, share(point).flatten(), &records))
        }
        Stopping::Precision { .. } => {
            let tally = Tally::new(work, point, &mut records)?;
            let is_ours = share(point).next().is_some();
            let missing = tally.missing().filter(|_| is_ours);
            let (left, trials) =
                missing.fold((0, 0), |(n, sum), (_, trials)| (n + 1, sum + trials));
            Ok(ShareOfPoint { done: tally.resumed(), left, cost_left: cost(work, point, trials) })
        }
    };
    (0..work.points()).map(of_point).collect()
}

/// What is done and left of these batches of a point that ends after so many trials.
fn of_batches(
    work: &impl Work,
    point: usize,
    trials: u64,
    batches: impl Iterator<Item = u64>,
    records: &Records,
) -> ShareOfPoint {
    let (identity, per_batch) = (work.identity(point), work.trials_per_batch(point).max(1));
    let (mut done, mut left, mut trials_left) = (0, 0, 0);
    for batch in batches {
        let of_batch = per_batch.min(trials.saturating_sub(batch * per_batch));
        match records.holds(identity, batch, of_batch) {
            true => done += 1,
            false => {
                left += 1;
                trials_left += of_batch;
            }
        }
    }
    ShareOfPoint { done, left, cost_left: cost(work, point, trials_left) }
}

/// Cost of so many trials of a point, in the unit of [`Work::cost`].
fn cost(work: &impl Work, point: usize, trials: u64) -> f64 {
    work.cost(point) * trials as f64 / work.trials_per_batch(point).max(1) as f64
}

/// The outcome of the batches that the folder's journal holds, as a run that has nothing left to
/// do or is interrupted at once gives it. The folder need not exist. While a run goes on there, it is what the
/// journal holds at the moment.
///
/// # Errors
/// [`RunError`] where the journal cannot be read.
pub fn recorded(folder: &Path, work: &impl Work) -> Result<Outcome, RunError> {
    let path = journal::path_in(folder);
    let (mut records, scan) = Records::read(&path)?;
    let tallies = tallies(work, &mut records)?;
    Ok(Outcome { damage: scan.damage, ..outcome(tallies) })
}

fn tallies(work: &impl Work, records: &mut Records) -> Result<Vec<Tally>, RunError> {
    (0..work.points()).map(|point| Tally::new(work, point, records)).collect()
}

fn left(work: &impl Work, point: usize, tally: &Tally) -> PointPending {
    let trials_left: u64 = tally.missing().map(|(_, trials)| trials).sum();
    PointPending {
        batches_done: tally.resumed(),
        batches_left: tally.missing().count() as u64,
        trials_done: tally.trials(),
        trials_wanted: tally.target(),
        trials_at_most: ceiling(&work.stopping(point)),
        cost_left: cost(work, point, trials_left),
    }
}
