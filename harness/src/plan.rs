//! Experiment → points that are ready to run, with what they cost.

use std::ops::Range;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;

use loadfactor_schemes::case::{Case, Cost, Lockstep};
use loadfactor_schemes::keys::{Attributes, KeySource};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::prediction::Outlook;
use loadfactor_traces::KeyKind;

use crate::definition::{Experiment, Point};
use crate::estimate::moments::Moments;
use crate::estimate::recorder::Recorder;
use crate::estimate::stopping::first_checkpoint;
use crate::trace::LoadedTrace;

/// Part of every point's identity: raise it whenever the same point and seed would give other
/// numbers, so that no journal of the older simulation is resumed.
pub const SIMULATION_VERSION: u32 = 6;

/// Operations that one batch should cost: some tens of milliseconds. Where a trial costs more, one trial is a batch, or as many
/// as go in lockstep.
const OPERATIONS_PER_BATCH: f64 = 4e6;

/// Most trials of a batch where differences to another point are asked for, whose errors are told from
/// batches of both.
const TRIALS_PER_PAIRED_BATCH: u64 = 50;

/// An experiment whose points are ready to run.
#[derive(Debug)]
pub struct Plan<'e> {
    /// The experiment.
    pub experiment: &'e Experiment,
    /// The trace, where a point uses one.
    pub trace: Option<LoadedTrace>,
    /// One entry per point of the experiment, in its order.
    pub points: Vec<PointPlan>,
}

/// A point that is ready to run.
#[derive(Debug)]
pub struct PointPlan {
    /// What its trials do.
    pub case: Arc<dyn Case>,
    /// The keys of arriving elements.
    pub keys: KeySource,
    /// Seed from which the trials' seeds are derived.
    pub seed: u64,
    /// Digest of everything that decides its numbers.
    pub identity: [u8; 16],
    /// Trials per batch: a function of the point alone, of whether it is held against another, and of whether it has enough
    /// trials for lockstep, so that runs of other lengths share batches.
    pub trials_per_batch: u64,
    /// Trials that go in lockstep; 1 where each goes alone.
    pub at_once: u64,
    /// Whether a ratio or difference holds it against another point.
    pub is_paired: bool,
    /// What a trial takes.
    pub cost: Cost,
}

/// What the rows of a point take in memory while they are written, about.
const BYTES_PER_POINT: u64 = 30_000;

/// What a batch takes with the moments of all its metrics, about.
const BYTES_PER_BATCH: u64 = 1_000;

/// Bytes that so many batches take with the moments of all their metrics, about.
pub fn bytes_of_batches(batches: u64) -> u64 {
    batches.saturating_mul(BYTES_PER_BATCH)
}

/// Bytes that so many points take while their tables and figures are made, about, their batches aside.
pub fn bytes_of_points(points: usize) -> u64 {
    points as u64 * BYTES_PER_POINT
}

/// A point that cannot be run.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A parameter cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The trace is too short, and the definition wants that to be an error.
    #[error(
        "the trace has {packets} usable packets where {arrivals} elements arrive in a trial; use a longer trace, fewer rounds, or `trace_end = \"renew\"`"
    )]
    TraceTooShort {
        /// Packets with a key.
        packets: usize,
        /// Elements that arrive in one trial.
        arrivals: u64,
    },
    /// The trace has too few different keys for what the workload does with them.
    #[error(
        "the trace has {distinct} different keys where {needed} are needed, each of another element or absent; use a longer trace, other `key_fields`, or fewer elements"
    )]
    TooFewKeys {
        /// Different keys.
        distinct: usize,
        /// How many a trial takes.
        needed: u64,
    },
    /// A point takes its keys from a trace that was not loaded.
    #[error("`keys = \"trace\"` needs a trace: name one under `workload.trace` or with --trace")]
    NoTrace,
}

impl<'e> Plan<'e> {
    /// The plan of an experiment with its trace.
    ///
    /// # Errors
    /// The first point that cannot be run.
    pub fn new(experiment: &'e Experiment, trace: Option<LoadedTrace>) -> Result<Self, PlanError> {
        let points = experiment
            .points
            .iter()
            .enumerate()
            .map(|(index, point)| {
                let pairing = match experiment.holds_against_another(index) {
                    true => Pairing::InGroups,
                    false => Pairing::None {
                        trials: first_checkpoint(&experiment.stopping_of(index), 1),
                    },
                };
                PointPlan::new(point, experiment.seed, trace.as_ref(), pairing)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { experiment, trace, points })
    }

    /// Batches of all points, as far as it is known before the run: a point that ends at a precision has at least
    /// those of its first checkpoint.
    pub fn batches(&self) -> u64 {
        self.batches_of(|_| true)
    }

    /// Batches of the points that are run.
    fn batches_of(&self, runs: impl Fn(usize) -> bool) -> u64 {
        let of = |(index, point): (usize, &PointPlan)| {
            let rule = &self.experiment.stopping[self.experiment.points[index].series];
            first_checkpoint(rule, point.trials_per_batch).div_ceil(point.trials_per_batch.max(1))
        };
        let run = self.points.iter().enumerate().filter(|(index, _)| runs(*index));
        run.map(of).fold(0, u64::saturating_add)
    }

    /// Bytes that the results of all points take while tables and figures are made, about.
    pub fn result_bytes(&self) -> u64 {
        self.result_bytes_of(|_| true)
    }

    /// The same where only some points are run: the others have rows, but no batches.
    pub fn result_bytes_of(&self, runs: impl Fn(usize) -> bool) -> u64 {
        bytes_of_batches(self.batches_of(runs)).saturating_add(bytes_of_points(self.points.len()))
    }

    /// The plan whose points draw the random numbers of their k-th trials from one seed, also where they see
    /// other keys, and keep each trial: whatever is made of several points then has the error of its trials.
    ///
    /// # Errors
    /// The first point that cannot be run.
    pub fn paired(
        experiment: &'e Experiment,
        trace: Option<LoadedTrace>,
    ) -> Result<Self, PlanError> {
        let points = experiment.points.iter();
        let first = points.clone().next().map(|point| seed_of_point(&*point.case, experiment.seed));
        let Some(seed) = first else { return Ok(Self { experiment, trace, points: Vec::new() }) };
        let pairing = Pairing::ByTrial { seed };
        let points = points
            .map(|point| PointPlan::new(point, experiment.seed, trace.as_ref(), pairing))
            .collect::<Result<_, _>>()?;
        Ok(Self { experiment, trace, points })
    }
}

/// How a point is held against others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pairing {
    /// It stands alone, with so many trials at least.
    None { trials: u64 },
    /// A ratio or difference of the definition holds it against another, batch by batch.
    InGroups,
    /// Trial by trial; those of all points draw from this seed.
    ByTrial { seed: u64 },
}

impl Pairing {
    /// Most trials of a batch.
    fn trials_per_batch(self) -> u64 {
        match self {
            Pairing::None { .. } => u64::MAX,
            Pairing::InGroups => TRIALS_PER_PAIRED_BATCH,
            Pairing::ByTrial { .. } => 1,
        }
    }

    /// The case with trials in lockstep, where it stands alone and they are faster so.
    fn in_lockstep(self, case: &dyn Case, keys: &KeySource) -> Option<Lockstep> {
        let Pairing::None { trials } = self else { return None };
        case.in_lockstep(keys).filter(|lockstep| trials >= lockstep.pays_from)
    }
}

/// The kinds of trace key that the points of an experiment ask for, in a fixed order.
pub fn key_kinds(experiment: &Experiment) -> Vec<KeyKind> {
    let mut names: Vec<&str> = experiment
        .points
        .iter()
        .filter(|point| uses_trace(&point.params))
        .filter_map(|point| point.params.word("key_fields").ok())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter_map(|name| name.parse().ok()).collect()
}

/// What the points of an experiment take of the packets of its trace beside their keys.
pub fn attributes(experiment: &Experiment) -> Attributes {
    let points = experiment.points.iter().filter(|point| uses_trace(&point.params));
    points.map(|point| point.case.attributes()).fold(Attributes::default(), Attributes::or)
}

impl PointPlan {
    fn new(
        point: &Point,
        seed: u64,
        trace: Option<&LoadedTrace>,
        pairing: Pairing,
    ) -> Result<Self, PlanError> {
        let case = Arc::clone(&point.case);
        let keys = key_source(&point.params, trace)?;
        check_length(point, &keys, case.arrivals())?;
        check_keys(&keys, case.distinct_keys())?;
        case.check_keys(&keys)?;
        let (case, at_once): (Arc<dyn Case>, _) = match pairing.in_lockstep(&*case, &keys) {
            Some(Lockstep { case, at_once, .. }) => (case.into(), at_once),
            None => (case, 1),
        };
        let cost = case.cost(&keys);
        let most = pairing.trials_per_batch();
        let trials_per_batch = trials_per_batch(&*case, cost.operations, at_once, most);
        let seed = match pairing {
            Pairing::ByTrial { seed } => seed,
            Pairing::None { .. } | Pairing::InGroups => seed_of_point(&*case, seed),
        };
        let is_paired = !matches!(pairing, Pairing::None { .. });
        let identity = identity(point, &*case, seed, trace, trials_per_batch, at_once);
        Ok(Self { case, keys, seed, identity, trials_per_batch, at_once, is_paired, cost })
    }

    /// How often one trial goes through its trace; `None` where it uses none, or only a window of one.
    pub fn passes(&self) -> Option<f64> {
        let KeySource::Trace { keys, .. } = &self.keys else { return None };
        if self.case.is_of_windows() {
            return None;
        }
        Some(self.case.arrivals() as f64 / keys.packets() as f64)
    }

    /// The same point with a shorter workload, to be timed: at most about `at_most`
    /// operations, or as many as it takes to fill the structure.
    pub fn shortened(&self, at_most: f64) -> Self {
        let case: Arc<dyn Case> = self.case.shortened(at_most).into();
        let cost = case.cost(&self.keys);
        Self { case, cost, keys: self.keys.clone(), ..*self }
    }

    /// Runs one batch, cut to `trials` trials.
    pub fn run(&self, batch: u64, trials: u64) -> Vec<(Metric, Moments)> {
        let first = batch * self.trials_per_batch;
        self.run_trials(first..first + trials)
    }

    /// Runs these trials; the moments of each metric over them, in a fixed order.
    pub fn run_trials(&self, trials: Range<u64>) -> Vec<(Metric, Moments)> {
        let mut recorder = Recorder::default();
        self.case.run(&self.keys, self.seed, trials, &mut recorder);
        recorder.moments()
    }

    /// What theory says where nothing was measured.
    pub fn outlook(&self) -> Outlook {
        self.case.outlook(&|_| None)
    }
}

/// Trials of a batch, at most so many, and a multiple of those that go in lockstep; an even number of them where pairs of trials
/// give variances.
fn trials_per_batch(case: &dyn Case, operations: f64, at_once: u64, most: u64) -> u64 {
    let trials = (OPERATIONS_PER_BATCH / operations).clamp(1.0, 4096.0).max(1.0) as u64;
    let trials = trials.next_multiple_of(at_once).min(most);
    if case.in_pairs() { trials.next_multiple_of(2) } else { trials }
}

fn uses_trace(params: &Params) -> bool {
    params.word("keys").is_ok_and(|keys| keys == "trace")
}

/// The keys of a point with these parameters.
///
/// # Errors
/// Where they are those of a trace that was not loaded.
pub fn key_source(params: &Params, trace: Option<&LoadedTrace>) -> Result<KeySource, PlanError> {
    match params.word("keys")? {
        "trace" => {
            let kind = params.word("key_fields")?;
            let keys = trace.and_then(|trace| trace.keys.get(kind)).ok_or(PlanError::NoTrace)?;
            let keep = params.word("repeated_keys")? == "keep";
            let keys = Arc::clone(if keep { &keys.all } else { &keys.distinct });
            let renew = params.word("trace_end")? == "renew";
            let shuffled = params.word("arrival_order")? == "shuffled";
            Ok(KeySource::Trace { keys, renew, shuffled })
        }
        "sequential" => Ok(KeySource::Sequential),
        _ => Ok(KeySource::Random),
    }
}

fn check_length(point: &Point, keys: &KeySource, arrivals: u64) -> Result<(), PlanError> {
    match keys {
        KeySource::Trace { keys, .. }
            if (keys.packets() as u64) < arrivals && point.params.word("trace_end")? == "error" =>
        {
            Err(PlanError::TraceTooShort { packets: keys.packets(), arrivals })
        }
        _ => Ok(()),
    }
}

fn check_keys(keys: &KeySource, needed: u64) -> Result<(), PlanError> {
    match keys {
        KeySource::Trace { keys, .. } if (keys.distinct() as u64) < needed => {
            Err(PlanError::TooFewKeys { distinct: keys.distinct(), needed })
        }
        _ => Ok(()),
    }
}

/// The seed of a point's trials: the same for every point whose case asks for the same random numbers.
pub fn seed_of_point(case: &dyn Case, seed: u64) -> u64 {
    let mut digest = Sha256::new();
    digest.update(seed.to_le_bytes());
    digest.update(case.seed_text());
    let bytes = digest.finalize();
    bytes.iter().take(8).fold(0, |seed, &byte| (seed << 8) | u64::from(byte))
}

/// Of a point whose trials are those of `case`.
fn identity(
    point: &Point,
    case: &dyn Case,
    seed: u64,
    trace: Option<&LoadedTrace>,
    trials_per_batch: u64,
    at_once: u64,
) -> [u8; 16] {
    let mut digest = Sha256::new();
    digest.update(format!("simulation {SIMULATION_VERSION}\nseed {seed}\n"));
    digest.update(format!("batch {trials_per_batch}\n"));
    if at_once > 1 {
        digest.update("in lockstep\n");
    }
    if case.revision() > 0 {
        digest.update(format!("revision {}\n", case.revision()));
    }
    digest.update(format!("{} {} {}\n", point.scheme, point.hash, point.workload));
    for (name, value) in point.params.iter() {
        digest.update(format!("{name}={value}\n"));
    }
    if let (true, Some(trace)) = (uses_trace(&point.params), trace) {
        let layout = trace.reading.layout;
        let layout = layout.map_or("capture".to_owned(), |layout| layout.to_string());
        digest.update(format!("trace {} {layout}\n", trace.digest));
        let selection = trace.reading.selection();
        if !selection.is_empty() {
            digest.update(format!("of which {selection}\n"));
        }
    }
    let mut identity = [0; 16];
    identity.copy_from_slice(&digest.finalize()[..16]);
    identity
}

#[cfg(test)]
mod lockstep;
#[cfg(test)]
mod pairing;
#[cfg(test)]
mod promise;
#[cfg(test)]
mod rare;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod trace;
