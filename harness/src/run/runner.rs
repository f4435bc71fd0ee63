//! Runs the missing batches of every point on all cores.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::cut::Share;
use super::error::RunError;
use super::interrupt::Interrupt;
use super::journal::{self, Record, Writer};
use super::lock::FolderLock;
use super::mutex::{hold, unlock};
use super::outcome::Outcome;
use super::progress::{Amount, Progress};
use super::records::Records;
use super::tally::{Tally, outcome};
use super::work::{BatchResult, Work};

/// How to run an experiment.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Number of threads; as many as the machine runs at once where it is absent.
    pub threads: Option<usize>,
    /// The points to run; all where it is absent.
    pub only: Option<BTreeSet<usize>>,
    /// Whether to forget first what the journal holds of the points to run.
    pub fresh: bool,
    /// The share of the batches to run; all where it is absent.
    pub share: Option<Share>,
    /// Whether the first failed point ends the run.
    pub fail_fast: bool,
    /// Ends the run early when triggered.
    pub interrupt: Interrupt,
}

impl RunOptions {
    /// Whether the point is among those to run.
    pub fn runs(&self, point: usize) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&point))
    }
}

/// Runs the trials that the stopping rule wants and the folder's journal does not hold yet. The
/// outcome has all points, those not run now as the journal holds them.
///
/// Batches run in waves, each up to the next checkpoint of every point, the costliest first. A
/// batch that fails or panics ends its own point and no other, unless `fail_fast`.
///
/// # Errors
/// [`RunError`] where the journal cannot be read or written.
pub fn run(
    folder: &FolderLock,
    work: &impl Work,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Outcome, RunError> {
    let started = Instant::now();
    let pool = ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build()?;
    let path = journal::path_in(folder.path());
    if options.fresh {
        let points = (0..work.points()).filter(|&point| options.runs(point));
        journal::forget(&path, &points.map(|point| work.identity(point)).collect::<Vec<_>>())?;
    }
    let (mut records, scan) = Records::read(&path)?;
    let writer = Mutex::new(Writer::open(&path, &scan)?);
    let tallies = (0..work.points()).map(|point| Tally::new(work, point, &mut records));
    let tallies = tallies.collect::<Result<Vec<_>, _>>()?;
    let run = Run {
        work,
        options,
        progress,
        tallies: tallies.into_iter().map(Mutex::new).collect(),
        writer,
        halted: AtomicBool::new(false),
        batches: AtomicU64::new(0),
        trials: AtomicU64::new(0),
    };
    let under_way = options.interrupt.running();
    let finished = run.waves(&pool, &mut records);
    progress.finish();
    let synced = hold(&run.writer).sync();
    drop(under_way);
    finished.and(synced)?;
    Ok(Outcome { seconds: started.elapsed().as_secs_f64(), damage: scan.damage, ..run.outcome() })
}

/// One batch to run.
#[derive(Debug)]
struct Job {
    point: usize,
    batch: u64,
    trials: u64,
    cost: f64,
}

/// A run under way.
struct Run<'a, W> {
    work: &'a W,
    options: &'a RunOptions,
    progress: &'a dyn Progress,
    tallies: Vec<Mutex<Tally>>,
    writer: Mutex<Writer>,
    /// Set when a point failed and `fail_fast` is asked.
    halted: AtomicBool,
    batches: AtomicU64,
    trials: AtomicU64,
}

impl<W: Work> Run<'_, W> {
    fn waves(&self, pool: &ThreadPool, records: &mut Records) -> Result<(), RunError> {
        loop {
            let jobs = self.jobs();
            if jobs.is_empty() || self.must_stop() {
                return Ok(());
            }
            self.progress.start(amount(&jobs));
            // A bridge hands out one job at a time, in order: the costliest start first, and no
            // thread is left with a chunk of them while the others are idle.
            pool.install(|| jobs.into_iter().par_bridge().try_for_each(|job| self.perform(&job)))?;
            for tally in &self.tallies {
                hold(tally).advance(records)?;
            }
        }
    }

    /// The missing batches of every point, the costliest first, those of a point in order.
    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (point, tally) in self.tallies.iter().enumerate() {
            let tally = hold(tally);
            let trial_cost = self.work.cost(point) / tally.per_batch() as f64;
            let mine = tally.missing().filter(|&(batch, _)| self.is_mine(point, batch));
            jobs.extend(mine.map(|(batch, trials)| Job {
                point,
                batch,
                trials,
                cost: trial_cost * trials as f64,
            }));
        }
        jobs.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        jobs
    }

    fn is_mine(&self, point: usize, batch: u64) -> bool {
        let is_ours = |share: &Share| share.holds(point, batch);
        self.options.runs(point) && self.options.share.as_ref().is_none_or(is_ours)
    }

    fn must_stop(&self) -> bool {
        self.options.interrupt.is_triggered() || self.halted.load(Ordering::SeqCst)
    }

    fn perform(&self, job: &Job) -> Result<(), RunError> {
        if self.must_stop() || hold(&self.tallies[job.point]).has_failed_before(job.batch) {
            return Ok(());
        }
        match attempt(self.work, job) {
            Ok(result) => self.keep(job, result),
            Err(error) => {
                self.fail(job, error);
                Ok(())
            }
        }
    }

    fn fail(&self, job: &Job, error: String) {
        self.halted.fetch_or(self.options.fail_fast, Ordering::SeqCst);
        self.progress.note(&format!("{}: {error}", self.work.label(job.point)));
        hold(&self.tallies[job.point]).fail(job.batch, error);
    }

    fn keep(&self, job: &Job, result: BatchResult) -> Result<(), RunError> {
        let record = Record {
            identity: hold(&self.tallies[job.point]).identity(),
            batch: job.batch,
            result,
        };
        hold(&self.writer).append(&record)?;
        hold(&self.tallies[job.point]).put(job.batch, record.result);
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.trials.fetch_add(job.trials, Ordering::Relaxed);
        self.progress.batch_done(job.into());
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let interrupted = self.options.interrupt.is_triggered() && !self.jobs().is_empty();
        Outcome {
            batches_run: self.batches.into_inner(),
            trials_run: self.trials.into_inner(),
            interrupted,
            ..outcome(self.tallies.into_iter().map(unlock).collect())
        }
    }
}

impl From<&Job> for Amount {
    fn from(job: &Job) -> Self {
        Amount { trials: job.trials, cost: job.cost }
    }
}

fn amount(jobs: &[Job]) -> Amount {
    jobs.iter().map(Amount::from).sum()
}

/// Runs a batch; a panic in it, and a result that contradicts itself, are errors like any other.
fn attempt(work: &impl Work, job: &Job) -> Result<BatchResult, String> {
    // What a panic leaves half-done is the batch's own and is dropped with it.
    let run = AssertUnwindSafe(|| work.run(job.point, job.batch, job.trials));
    let result = catch_unwind(run).unwrap_or_else(|payload| Err(panic_message(&*payload)))?;
    match result.fault(job.trials) {
        Some(fault) => Err(fault),
        None => Ok(result),
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("the simulation panicked: {}", text.unwrap_or("without a message"))
}
