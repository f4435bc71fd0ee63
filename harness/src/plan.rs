//! Experiment → points that are ready to run, with what they cost.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;

use loadfactor_schemes::laws::Laws;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::prediction::{Outlook, Prediction};
use loadfactor_schemes::tables::{
    AnyScheme, Geometry, Scheme, SchemeVisitor, lower_bound, outlook_of,
};
use loadfactor_traces::KeyKind;

use crate::definition::{Experiment, Point};
use crate::estimate::moments::Moments;
use crate::trace::LoadedTrace;
use crate::workloads::{
    ConstantLoads, KEY_PARAMS, KeySource, Process, Setup, WORKLOADS, hash_spec, laws, memory,
    operations,
};

/// Part of every point's identity: raise it whenever the same point and seed would give other
/// numbers, so that no journal of the older simulation is resumed.
pub const SIMULATION_VERSION: u32 = 3;

/// Bucket reads and deletions that one batch should cost: some tens of milliseconds.
const OPERATIONS_PER_BATCH: f64 = 4e6;

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
    /// Everything that decides its trials.
    pub setup: Setup,
    /// Digest of everything that decides its numbers.
    pub identity: [u8; 16],
    /// Trials per batch: a function of the point alone, so that runs of other lengths share
    /// batches.
    pub trials_per_batch: u64,
    /// Elements, buckets and bucket size.
    pub geometry: Geometry,
    /// Buckets of each sub-table whose elements are counted.
    pub sub_tables: Vec<u32>,
    /// Bucket reads and deletions of one trial, about.
    pub operations: f64,
}

/// A point that cannot be run.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A parameter cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A name that is registered nowhere.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// What it would name.
        what: &'static str,
        /// The name.
        name: String,
    },
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
            .map(|point| PointPlan::new(point, experiment.seed, trace.as_ref()))
            .collect::<Result<_, _>>()?;
        Ok(Self { experiment, trace, points })
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

impl PointPlan {
    fn new(point: &Point, seed: u64, trace: Option<&LoadedTrace>) -> Result<Self, PlanError> {
        let scheme = AnyScheme::from_params(&point.scheme, &point.params)
            .ok_or_else(|| unknown("scheme", &point.scheme))??;
        let shape = scheme.shape();
        let geometry = shape.geometry;
        let process = Process::from_params(&point.workload, &point.params, geometry.elements)
            .ok_or_else(|| unknown("workload", &point.workload))??;
        let laws = laws(&point.params, shape.sub_tables.len())?;
        let keys = key_source(&point.params, trace)?;
        check_length(point, &keys, process.arrivals(geometry.elements))?;
        let hash = hash_spec(&point.hash, &point.params, &scheme)?;
        let operations = operations(&process, &shape);
        let trials_per_batch = trials_per_batch(operations, &laws);
        let seed_of_point = workload_seed(point, &geometry, seed);
        Ok(Self {
            identity: identity(point, seed_of_point, trace, trials_per_batch),
            setup: Setup {
                scheme,
                hash,
                process,
                laws,
                keys,
                seed: seed_of_point,
                constant_loads: ConstantLoads::default(),
            },
            trials_per_batch,
            geometry,
            sub_tables: shape.sub_tables,
            operations,
        })
    }

    /// Memory of one trial in bytes, without the keys, which all threads share.
    pub fn memory(&self) -> u64 {
        memory(&self.setup.process, &self.setup.scheme.shape(), &self.setup.keys)
    }

    /// How often one trial goes through its trace; `None` where it uses none.
    pub fn passes(&self) -> Option<f64> {
        let KeySource::Trace { keys, .. } = &self.setup.keys else { return None };
        let arrivals = self.setup.process.arrivals(self.geometry.elements);
        Some(arrivals as f64 / keys.packets() as f64)
    }

    /// What theory says of this point.
    pub fn outlook(&self) -> Outlook {
        self.setup.scheme.visit(Predict { process: self.setup.process, laws: &self.setup.laws })
    }

    /// The lower bound on the overflow fraction at the measured accesses per insertion, or at the
    /// predicted ones where nothing was measured; `None` where the scheme has none.
    pub fn bound(&self, measured: Option<f64>, predictions: &[Prediction]) -> Option<Prediction> {
        let metric = Metric::AccessesPerInsertion;
        let predicted = || predictions.iter().find(|p| p.metric == metric).map(|p| p.value);
        let accesses = measured.or_else(predicted)?;
        if !self.setup.scheme.visit(Bounded { process: self.setup.process }) {
            return None;
        }
        lower_bound(self.setup.process.model(), accesses, &self.geometry, predictions)
    }

    /// The same point with a shorter workload, to be timed: at most about `at_most`
    /// operations, or as many as it takes to fill the table.
    pub fn shortened(&self, at_most: f64) -> Self {
        let mut setup = self.setup.clone();
        let shape = setup.scheme.shape();
        let at_most = ((at_most / f64::from(1 + shape.choices)) as u64).max(1);
        setup.process = setup.process.shortened(self.geometry.elements, at_most);
        let operations = operations(&setup.process, &shape);
        Self { setup, operations, sub_tables: shape.sub_tables, ..*self }
    }

    /// Runs one batch, cut to `trials` trials.
    pub fn run(&self, batch: u64, trials: u64) -> Vec<(Metric, Moments)> {
        let first = batch * self.trials_per_batch;
        self.setup.run(first..first + trials)
    }
}

struct Predict<'a> {
    process: Process,
    laws: &'a Laws,
}

impl SchemeVisitor for Predict<'_> {
    type Output = Outlook;
    fn visit<S: Scheme>(self, scheme: &S) -> Self::Output {
        outlook_of(scheme, self.process.model(), self.laws)
    }
}

struct Bounded {
    process: Process,
}

impl SchemeVisitor for Bounded {
    type Output = bool;
    fn visit<S: Scheme>(self, scheme: &S) -> Self::Output {
        scheme.is_bounded(self.process.model())
    }
}

fn unknown(what: &'static str, name: &str) -> PlanError {
    PlanError::Unknown { what, name: name.to_owned() }
}

/// Trials of a batch; where laws are asked for, an even number of them, since pairs of trials give
/// the variances.
fn trials_per_batch(operations: f64, laws: &Laws) -> u64 {
    let trials = (OPERATIONS_PER_BATCH / operations).clamp(1.0, 4096.0) as u64;
    if laws.any() { trials.next_multiple_of(2) } else { trials }
}

fn uses_trace(params: &Params) -> bool {
    params.word("keys").is_ok_and(|keys| keys == "trace")
}

fn key_source(params: &Params, trace: Option<&LoadedTrace>) -> Result<KeySource, PlanError> {
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

/// The seed of a point's trials: the same for every scheme, hash function and number of choices
/// at the same table, insertion probability and workload, so that differences between them are
/// sharper than each alone.
fn workload_seed(point: &Point, geometry: &Geometry, seed: u64) -> u64 {
    let workload = WORKLOADS.iter().find(|info| info.name == point.workload);
    let own = workload.map_or(&[][..], |info| info.params);
    let mut digest = Sha256::new();
    digest.update(seed.to_le_bytes());
    digest.update(format!("{} {geometry:?}", point.workload));
    for name in
        own.iter().chain(KEY_PARAMS).map(|param| param.name).chain(["insertion_probability"])
    {
        let value = point.params.get(name).map_or_else(String::new, ToString::to_string);
        digest.update(format!("\n{name}={value}"));
    }
    let bytes = digest.finalize();
    bytes.iter().take(8).fold(0, |seed, &byte| (seed << 8) | u64::from(byte))
}

fn identity(
    point: &Point,
    seed: u64,
    trace: Option<&LoadedTrace>,
    trials_per_batch: u64,
) -> [u8; 16] {
    let mut digest = Sha256::new();
    digest.update(format!("simulation {SIMULATION_VERSION}\nseed {seed}\n"));
    digest.update(format!("batch {trials_per_batch}\n"));
    digest.update(format!("{} {} {}\n", point.scheme, point.hash, point.workload));
    for (name, value) in point.params.iter() {
        digest.update(format!("{name}={value}\n"));
    }
    if let (true, Some(trace)) = (uses_trace(&point.params), trace) {
        let layout = trace.layout.map_or("capture", |layout| layout.name());
        digest.update(format!("trace {} {layout}\n", trace.digest));
    }
    let mut identity = [0; 16];
    identity.copy_from_slice(&digest.finalize()[..16]);
    identity
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::definition::{File, Input, Options, Scale, parse};

    const EVERY_PART: &str = r#"
title = "one point of everything"
trials = 2
[workload]
kind = "alternation"
rounds = 200
warm_up = 2
[point]
buckets = 64
bucket_size = 2
load = 0.9
choices = 3
insertion_probability = 0.9
[[series]]
label = "random"
scheme = "single"
[[series]]
label = "start"
scheme = "multiple"
workload = { start = "overflow-list" }
[[series]]
label = "static"
scheme = "multiple"
workload = { kind = "static-fill" }
[[series]]
label = "ties"
scheme = "d-random"
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 63
ties = "left"
sub_tables = true
[[series]]
label = "hashes"
scheme = "multiple"
hash = [
    "wang", "multiply-shift", "two-independent", "h3", "simple-tabulation", "toeplitz", "crc32c",
    "murmur3", "xxh3", "siphash",
]
[[series]]
label = "derivations"
scheme = "multiple"
hash = "xxh3"
choices_from = ["slices", "double"]
workload = { keys = "sequential" }
"#;

    const EVERY_COURSE: &str = r#"
title = "one point of every course"
trials = 2
[workload]
kind = "continuous"
duration = 3
[point]
buckets = 64
bucket_size = 2
load = 0.9
choices = 2
[[series]]
label = "continuous"
scheme = "single"
[[series]]
label = "open"
scheme = "multiple"
hash = ["random", "xxh3"]
workload = { kind = "open", duration = 3, start = ["filled", "empty"] }
[[series]]
label = "relaxation"
scheme = "d-random"
workload = { kind = "relaxation", time = [0, 0.5], start = ["filled", "overflow-list"] }
[[series]]
label = "on-off"
scheme = "multiple"
workload = { kind = "on-off", flows = 5, rate = 0.15, burst = 3, warm_up = 100, slots = 1000, largest = 30 }
"#;

    const EVERY_FILL: &str = r#"
title = "every scheme that fills sub-table by sub-table"
trials = 2
[workload]
kind = "static-fill"
[point]
elements = 300
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 100
bucket_size = [1, 3]
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "Cons"
scheme = "conservative"
sub_table_buckets = "140 90 60"
[[series]]
label = "SC and SC2"
scheme = "second-chance"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "SCExt"
scheme = "extreme-second-chance"
sub_table_buckets = "140 90 60"
moves_to = ["any", "later"]
"#;

    /// The numbers that a definition and seed give are a promise, and journals rest on it. If this
    /// fails on purpose, raise [`SIMULATION_VERSION`] and put the new digest here.
    #[test]
    fn the_same_point_and_seed_give_the_same_numbers_as_ever() {
        assert_eq!((SIMULATION_VERSION, digest(EVERY_PART).as_str()), (3, "59fd1e7434f05557"));
    }

    /// The same promise for what does not consist of rounds, and for looks at a single moment.
    #[test]
    fn other_workloads_give_the_same_numbers_as_ever() {
        assert_eq!((SIMULATION_VERSION, digest(EVERY_COURSE).as_str()), (3, "47fff540b7a2538e"));
    }

    /// And for static fills, which are not made element by element everywhere.
    #[test]
    fn static_fills_give_the_same_numbers_as_ever() {
        assert_eq!((SIMULATION_VERSION, digest(EVERY_FILL).as_str()), (3, "fd392fad9157c1e7"));
    }

    fn digest(definition: &str) -> String {
        let path = Path::new("every.toml");
        let options = Options { scale: Scale::Quick, seed: None, trace: None, layout: None };
        let experiment = parse(&Input {
            name: "every",
            definition: File { path, text: definition },
            published: None,
            documents: None,
            options: &options,
            exists: &|_| false,
        });
        let experiment = experiment.unwrap();
        let plan = Plan::new(&experiment, None).unwrap();
        let mut digest = Sha256::new();
        for point in &plan.points {
            for (metric, moments) in point.run(0, 2) {
                digest.update(metric.to_string());
                moments.to_words().iter().for_each(|word| digest.update(word.to_le_bytes()));
            }
        }
        digest.finalize()[..8].iter().map(|b| format!("{b:02x}")).collect()
    }
}
