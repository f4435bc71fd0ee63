//! The way of one experiment through the stages: plan → run → estimate → report.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use thiserror::Error;

use crate::definition::{Experiment, Stopping};
use crate::derived::derive;
use crate::estimate::comparison::{Subject, compare};
use crate::memory::{self, in_words};
use crate::plan::{Plan, PlanError, PointPlan, attributes, bytes_of_batches, key_kinds};
use crate::report::ownership::{self, OwnershipError};
use crate::report::{self, Circumstances, LastRun, ReportError, Request, Results, Written};
use crate::run::{
    BatchResult, FolderLock, Identity, Outcome, PointOutcome, Progress, RunError, RunOptions,
    Share, Work, has_journal, pending, recorded, run,
};
use crate::threads;
use crate::timing::TimingError;
use crate::trace::{self, LoadError, LoadedTrace};

/// What stops an experiment.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// Its trace cannot be used.
    #[error(transparent)]
    Trace(#[from] LoadError),
    /// It cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its trials need more memory than there is.
    #[error(
        "a trial of {point} needs about {}, {threads} of them run at once, and {} are available: use {}a smaller structure",
        in_words(*bytes as f64),
        in_words(*available as f64),
        fewer_threads(*available / (*bytes).max(1))
    )]
    Memory {
        /// The point that needs most.
        point: String,
        /// Bytes of one of its trials.
        bytes: u64,
        /// Trials at once.
        threads: usize,
        /// Bytes that there are.
        available: u64,
    },
    /// Its results do not fit into memory.
    #[error(
        "the results of {batches} batches take about {}, and {} are available: split the experiment, or ask for fewer trials",
        in_words(*bytes as f64), in_words(*available as f64)
    )]
    Results {
        /// Bytes of the results.
        bytes: u64,
        /// Batches of which they are.
        batches: u64,
        /// Bytes that there are.
        available: u64,
    },
    /// Its folder holds what is not its own.
    #[error(transparent)]
    Ownership(#[from] OwnershipError),
    /// It cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// What it times cannot be timed.
    #[error(transparent)]
    Timing(#[from] TimingError),
    /// There is nothing to report.
    #[error("{} holds no journal: run the experiment first", .0.display())]
    NoJournal(PathBuf),
    /// The journal is empty.
    #[error("the journal in {} holds no finished batch: run the experiment first", .0.display())]
    NoBatches(PathBuf),
    /// The journal is that of other points: another scale, seed or trace was run, or other settings.
    #[error(
        "{} holds {batches} batches, none of them of these points: name the --scale, --seed, --trace and --set of the run{}",
        folder.display(),
        last.as_ref().map_or(String::new(), |last| format!("; the last one had {last}"))
    )]
    OtherPoints {
        /// The folder.
        folder: PathBuf,
        /// Batches in its journal.
        batches: u64,
        /// The last run in the folder.
        last: Option<LastRun>,
    },
    /// Its results cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// An experiment after its run, with the files written.
#[derive(Debug)]
pub struct Conducted<'p> {
    /// What is known of it.
    pub results: Results<'p>,
    /// What the run did.
    pub outcome: Outcome,
    /// The files written, the ones to open first in front.
    pub files: Vec<PathBuf>,
    /// Figures that could not be drawn, each with the reason.
    pub undrawn: Vec<String>,
}

/// From so many points on, writing takes long enough to be told.
const MANY_POINTS: usize = 10_000;

/// Loads what the experiment needs of its trace; synthetic traces are kept in `out/traces`.
///
/// # Errors
/// Where the trace cannot be made or read.
pub fn load_trace(experiment: &Experiment, out: &Path) -> Result<Option<LoadedTrace>, LoadError> {
    let kinds = key_kinds(experiment);
    match &experiment.trace {
        Some(source) if !kinds.is_empty() => {
            trace::load(source, &kinds, attributes(experiment), &trace_folder(out)).map(Some)
        }
        _ => Ok(None),
    }
}

/// Where synthetic traces are kept.
pub fn trace_folder(out: &Path) -> PathBuf {
    out.join("traces")
}

/// Runs what is left of a plan and writes its results into `folder`.
///
/// # Errors
/// Where the folder is in use or holds what is not the experiment's, or the journal or a file cannot be written.
pub fn conduct<'p>(
    plan: &'p Plan<'_>,
    folder: &Path,
    request: &Request,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Conducted<'p>, PipelineError> {
    let started = now();
    check_memory(plan, options, Kept { batches: plan.batches(), bytes: plan.result_bytes() })?;
    ownership::check(plan.experiment, folder)?;
    let lock = FolderLock::take(folder)?;
    let outcome = run(&lock, plan, options, progress)?;
    if plan.points.len() >= MANY_POINTS {
        progress.note(&format!("writing the tables and figures of {} points", plan.points.len()));
    }
    let run = Some(outcome.trials_run);
    let pool = threads::pool(options.threads).map_err(RunError::from)?;
    pool.install(|| write(plan, outcome, &lock, request, started, run))
}

/// Runs what is left of a share of a plan in `folder`, whose journal is all that is written. The share and its points
/// take the place of those in `options`.
///
/// # Errors
/// Where its trials or results do not fit into memory, the folder is in use, or the journal cannot be written.
pub fn conduct_share(
    plan: &Plan<'_>,
    folder: &Path,
    share: Share,
    options: RunOptions,
    progress: &dyn Progress,
) -> Result<Outcome, PipelineError> {
    let only = (0..plan.points.len()).filter(|&point| share.has(point)).collect();
    let kept = Kept::of_share(plan, &share);
    let options = RunOptions { only: Some(only), share: Some(share), ..options };
    check_memory(plan, &options, kept)?;
    let lock = FolderLock::take(folder)?;
    Ok(run(&lock, plan, &options, progress)?)
}

/// What is kept in memory beside the trials that run.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// Batches whose results are kept.
    batches: u64,
    /// Bytes of these and of whatever is made of them.
    bytes: u64,
}

impl Kept {
    /// The batches of a share, of which neither tables nor figures are made.
    fn of_share(plan: &Plan<'_>, share: &Share) -> Self {
        let of_points = (0..plan.points.len()).flat_map(|point| share.batches(point));
        let batches = of_points.fold(0, |all: u64, own| all.saturating_add(own.end - own.start));
        Self { batches, bytes: bytes_of_batches(batches) }
    }
}

/// The advice to run no more trials at once than fit; nothing where not even one does.
fn fewer_threads(fit: u64) -> String {
    if fit == 0 { String::new() } else { format!("--threads {fit}, or ") }
}

/// Refuses trials that do not fit into memory together: running out of it would end the process without a word.
fn check_memory(plan: &Plan<'_>, options: &RunOptions, kept: Kept) -> Result<(), PipelineError> {
    let threads = options.threads.unwrap_or_else(rayon::current_num_threads);
    let points = 0..plan.points.len();
    let asked = points.filter(|point| options.only.as_ref().is_none_or(|o| o.contains(point)));
    let Some(largest) = asked.max_by_key(|&point| plan.points[point].cost.bytes) else {
        return Ok(());
    };
    let bytes = plan.points[largest].cost.bytes;
    let Kept { batches, bytes: results } = kept;
    match memory::available() {
        Some(available) if results > available => {
            Err(PipelineError::Results { bytes: results, batches, available })
        }
        Some(available) if bytes.saturating_mul(threads as u64) > available - results => {
            Err(PipelineError::Memory { point: plan.label(largest), bytes, threads, available })
        }
        _ => Ok(()),
    }
}

/// Writes the results of what the journal in `folder` holds, without running anything.
///
/// # Errors
/// Where the folder is in use, its journal cannot be read or holds nothing of the plan, or a file
/// cannot be written.
pub fn conduct_recorded<'p>(
    plan: &'p Plan<'_>,
    folder: &Path,
    request: &Request,
) -> Result<Conducted<'p>, PipelineError> {
    if !has_journal(folder)? {
        return Err(PipelineError::NoJournal(folder.to_owned()));
    }
    ownership::check(plan.experiment, folder)?;
    let lock = FolderLock::take(folder)?;
    let outcome = recorded(lock.path(), plan)?;
    if outcome.batches_resumed == 0 {
        return Err(nothing_recorded(plan, folder)?);
    }
    write(plan, outcome, &lock, request, now(), None)
}

/// What is known of a plan from the journal in `folder`, which need not exist: nothing is run or written.
///
/// # Errors
/// Where the journal cannot be read.
pub fn recorded_results<'p>(
    plan: &'p Plan<'_>,
    folder: &Path,
) -> Result<Results<'p>, PipelineError> {
    let outcome = recorded(folder, plan)?;
    Ok(results(plan, &outcome.points))
}

fn nothing_recorded(plan: &Plan<'_>, folder: &Path) -> Result<PipelineError, RunError> {
    let batches = pending(folder, plan)?.unused_batches;
    let folder = folder.to_owned();
    Ok(match batches {
        0 => PipelineError::NoBatches(folder),
        _ => PipelineError::OtherPoints { last: LastRun::read(&folder), folder, batches },
    })
}

fn write<'p>(
    plan: &'p Plan<'_>,
    outcome: Outcome,
    folder: &FolderLock,
    request: &Request,
    started: u64,
    trials_run: Option<u64>,
) -> Result<Conducted<'p>, PipelineError> {
    let results = results(plan, &outcome.points);
    let circumstances = Circumstances {
        request: request.clone(),
        started,
        ended: now(),
        trials_run,
        command_line: command_line(),
    };
    let Written { files, undrawn } = report::write(&results, &circumstances, folder.path())?;
    Ok(Conducted { results, outcome, files, undrawn })
}

/// Estimates and verdicts from the points' outcomes; points beyond their end count as not run.
pub fn results<'p>(plan: &'p Plan<'_>, outcomes: &[PointOutcome]) -> Results<'p> {
    let errors = outcomes.iter().enumerate();
    let failures =
        errors.filter_map(|(index, point)| Some((index, point.error.clone()?))).collect();
    let points = plan.points.par_iter().enumerate();
    let of_point = |(index, point)| subject(index, point, outcomes.get(index));
    let (subjects, missing): (Vec<Subject>, Vec<Option<String>>) = points.map(of_point).unzip();
    let missing = missing.into_iter().enumerate();
    let unpredicted = missing.filter_map(|(index, reason)| Some((index, reason?))).collect();
    let comparisons = compare(&subjects, plan.experiment.largest_room);
    let (derived, underived) = derive(plan.experiment, &subjects, &comparisons);
    Results {
        experiment: plan.experiment,
        derived,
        underived,
        trace: plan.trace.as_ref(),
        comparisons,
        subjects,
        failures,
        unpredicted,
        unfinished: outcomes.iter().filter(|point| !point.complete).count(),
        passes: plan.points.iter().filter_map(PointPlan::passes).fold(0.0, f64::max),
        least_trials: outcomes.iter().map(|point| point.trials).min().unwrap_or(0),
        trials: outcomes.iter().map(|point| point.trials).sum(),
    }
}

/// A point with everything that theory says of it, and why a limit is missing.
fn subject(
    index: usize,
    point: &PointPlan,
    outcome: Option<&PointOutcome>,
) -> (Subject, Option<String>) {
    let mut subject = Subject {
        point: index,
        identity: point.identity,
        case: Arc::clone(&point.case),
        measured: outcome.map_or_else(Vec::new, |outcome| outcome.metrics.clone()),
        batches: outcome.map_or_else(Vec::new, |outcome| outcome.batches.clone()),
        predictions: Vec::new(),
    };
    let outlook = point.case.outlook(&|metric| subject.mean(metric));
    subject.predictions = outlook.predictions;
    (subject, outlook.missing)
}

/// The program and its arguments.
fn command_line() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Seconds since 1970, UTC.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

impl Work for Plan<'_> {
    fn points(&self) -> usize {
        self.points.len()
    }

    fn identity(&self, point: usize) -> Identity {
        self.points[point].identity
    }

    fn label(&self, point: usize) -> String {
        let Experiment { series, points, .. } = self.experiment;
        format!("{} (point {})", series[points[point].series], point + 1)
    }

    fn trials_per_batch(&self, point: usize) -> u64 {
        self.points[point].trials_per_batch
    }

    fn stopping(&self, point: usize) -> Stopping {
        self.experiment.stopping_of(point)
    }

    fn keeps_batches(&self, point: usize) -> bool {
        self.points[point].is_paired
    }

    fn cost(&self, point: usize) -> f64 {
        let point = &self.points[point];
        point.cost.operations * point.trials_per_batch as f64
    }

    fn run(&self, point: usize, batch: u64, trials: u64) -> Result<BatchResult, String> {
        let metrics = self.points[point].run(batch, trials);
        Ok(BatchResult { trials, metrics })
    }
}
