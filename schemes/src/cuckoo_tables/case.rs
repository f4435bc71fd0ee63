//! A point of the family of cuckoo tables.

use std::ops::Range;

use super::buckets::Buckets;
use super::build::{Builder, Built, Excess};
use super::forest::Forest;
use super::metrics::{CLOSED_LOOP_FRACTION, EXCESS_ELEMENTS, LONGEST_INSERTION, REHASHES};
use super::params::{self, ATTACK, Limits, REHASH_LIMIT, RELATIVE_LOAD, Shape};
use super::timed::CuckooKeys;
use super::{outlook, rare};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::hash::HashSpec;
use crate::info::WorkloadInfo;
use crate::keys::{self, KEY_PARAMS, KeySet, KeySource, Made, Seeds};
use crate::params::{ParamError, Scalar};
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, MadeFor, NotRare, Rare};
use crate::tables::Geometry;
use crate::tables::metrics::{
    ACCESSES_PER_INSERTION, ARRIVALS, ELEMENTS, FAILURE_FRACTION, MOVES_PER_INSERTION,
    OVERFLOW_ELEMENTS,
};
use crate::tables::params::{ELEMENTS as ELEMENTS_PARAM, LOAD};
use crate::tables::theory::allocation;
use crate::timed::{ABSENT, Timed, TimedKeys, Untimed, check_keys, with_hash};

/// The name of the family.
pub(super) const NAME: &str = "cuckoo-tables";

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&BUILD, &ATTACKED];

static BUILD: WorkloadInfo = WorkloadInfo {
    name: "cuckoo-build",
    summary: "n elements arrive at an empty table, one after the other. A build that fails ends there; it is begun anew with other hash functions as often as `rehash_limit` says.",
    decides: &[],
    params: &[REHASH_LIMIT],
};

static ATTACKED: WorkloadInfo = WorkloadInfo {
    name: "cuckoo-attack",
    summary: "The same with keys that are built against a family of hash functions.",
    decides: &[],
    params: &[REHASH_LIMIT, ATTACK],
};

/// A table to be built, with a hash function.
#[derive(Debug, Clone)]
struct CuckooCase {
    shape: Shape,
    limits: Limits,
    hash: HashSpec,
    /// The keys, unless they are those of a trace.
    made: Option<Made>,
    attack: Option<KeySet>,
    seed_text: String,
}

/// Reads a point.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read(request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    let shape = Shape::from_params(request.params)?;
    let limits = Limits::from_params(request.params, shape.geometry.buckets)?;
    let range = (shape.range(), "buckets");
    let hash = HashSpec::from_params(request.hash, request.params, shape.choices, range)?;
    let attack = params::attack(request.params, shape.geometry.elements)?;
    let seed_text = seed_text(request, &shape);
    let made = Made::from_params(request.params)?;
    Ok(Box::new(CuckooCase { shape, limits, hash, made, attack, seed_text }))
}

/// Size and keys: the same for every hash function, number of choices, way to make room and stash.
fn seed_text(request: &Request<'_>, shape: &Shape) -> String {
    let Geometry { elements, buckets, bucket_size } = shape.geometry;
    let mut text =
        format!("cuckoo table of {elements} elements and {buckets} buckets of {bucket_size}");
    for name in KEY_PARAMS.iter().map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    if let Some(attack) = request.params.get(ATTACK.name) {
        text += &format!("\nattack={attack}");
    }
    text
}

impl Case for CuckooCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let geometry = &self.shape.geometry;
        let (n, m) = (u64::from(geometry.elements), u64::from(geometry.buckets));
        let d = u64::from(self.shape.choices);
        let forest = if self.shape.is_graph() { Forest::bytes(geometry.buckets) } else { 0 };
        let of_bucket = Buckets::bytes_per_bucket(&self.shape, &self.limits);
        let bytes = m * of_bucket + forest + n * (4 * d + keys.bytes_per_element());
        let operations = (n * (1 + d) + m) as f64 + self.in_vain();
        // Keys that are built are kept, with a number for each.
        let built = if self.attack.is_some() { 28 * n } else { 0 };
        Cost { operations, bytes: bytes + keys.bytes() + built }
    }

    fn arrivals(&self) -> u64 {
        self.shape.geometry.elements.into()
    }

    fn distinct_keys(&self) -> u64 {
        self.arrivals()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let ranges = vec![self.shape.range(); self.shape.choices as usize];
        let keys = match self.attack {
            Some(set) => &set.keys(self.arrivals()),
            None => keys,
        };
        let mut builder = Builder::new(&self.shape, &self.limits);
        let elements = self.shape.geometry.elements;
        keys::choice_stream(&self.hash, keys, elements, ranges, &mut |stream| {
            for number in trials.clone() {
                let (built, excess) = builder.trial(stream, &Seeds::of(seed, number));
                self.record(&built, excess, out);
            }
        });
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        if !self.is_ideal() {
            return Outlook::default();
        }
        let build = outlook::Build { shape: &self.shape, limits: &self.limits };
        Outlook { predictions: build.predictions(), missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        matches!(things, ARRIVALS | ELEMENTS).then_some(self.shape.geometry.elements.into())
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        let geometry = &self.shape.geometry;
        vec![
            (ELEMENTS_PARAM.name, Some(geometry.elements.into())),
            (LOAD.name, Some(geometry.load().into())),
        ]
    }

    fn place(&self, axis: &str) -> Option<f64> {
        (axis == RELATIVE_LOAD).then(|| self.shape.geometry.load() / self.threshold())
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        self.check_timed()?;
        let (elements, seeds) = (self.shape.geometry.elements, Seeds::of(seed, 0));
        let (keys, _) = TimedKeys::in_slots(keys, elements, self.absent().into(), seeds.keys)?;
        with_hash(CuckooKeys::new(&self.shape, &self.limits), self.hash, keys, seeds)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        self.check_timed()?;
        let geometry = &self.shape.geometry;
        let (h, d) = (geometry.bucket_size.into(), self.shape.choices);
        let stashed =
            allocation::least_overflow(geometry.load(), h, d) * f64::from(geometry.elements);
        let of_keys = u64::from(geometry.elements) + u64::from(self.absent());
        let of_table = CuckooKeys::bytes_of(&self.shape, stashed.ceil() as u64);
        Ok(of_table + of_keys * TimedKeys::BYTES_PER_KEY + keys.bytes())
    }

    fn deletes(&self) -> bool {
        true
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        if self.attack.is_some() {
            return Err(NotRare::nothing());
        }
        MadeFor::new(self.hash, self.made.as_ref())?;
        rare::check(&self.shape, event)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        rare::trials(&self.shape, MadeFor::new(self.hash, self.made.as_ref())?, event)
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        let beyond = u32::try_from(event.beyond).ok().filter(|_| !self.shape.sub_tables);
        let geometry = &self.shape.geometry;
        let exact = beyond.and_then(|s| outlook::more_than(geometry.elements, geometry.buckets, s));
        let exact =
            exact.map(|value| Prediction::exact(EVENT_PROBABILITY, value, outlook::KERNELS));
        Outlook { predictions: exact.into_iter().collect(), missing: None }
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let mut shorter = self.clone();
        let most = (operations as u32 / (1 + self.shape.choices)).max(1);
        shorter.shape.geometry.elements = most.min(self.shape.geometry.elements);
        Box::new(shorter)
    }
}

const REBUILT: Untimed = Untimed(
    "a table that is built anew as soon as that fails is not timed from empty to full; leave `rehash_limit` out",
);

impl CuckooCase {
    /// Absent keys that it is asked for where it is timed.
    fn absent(&self) -> u32 {
        self.shape.geometry.elements.min(ABSENT)
    }

    /// Whether its hash function chooses all buckets alike and independently, as theory has it: of a progression the first
    /// two choices are independent, and further ones follow from them.
    fn is_ideal(&self) -> bool {
        let is_independent = self.shape.choices == 2 || !self.hash.is_progression();
        is_independent && self.hash.spread(self.shape.range()).is_none()
    }

    fn check_timed(&self) -> Result<(), Untimed> {
        check_keys(&self.hash)?;
        if self.limits.rehashes == 0 { Ok(()) } else { Err(REBUILT) }
    }

    /// c*.
    fn threshold(&self) -> f64 {
        allocation::threshold(self.shape.choices, self.shape.geometry.bucket_size.into())
    }

    /// Accesses of the insertions that find no room. A walk in circles is not made, but they are read, a few times: about
    /// √m buckets each, as in a random mapping.
    fn in_vain(&self) -> f64 {
        let geometry = &self.shape.geometry;
        let (h, d) = (geometry.bucket_size.into(), self.shape.choices);
        let left = allocation::least_overflow(geometry.load(), h, d) * f64::from(geometry.elements);
        let most = self.limits.stash.map_or(left, |stash| left.min(f64::from(stash) + 1.0));
        let limit = f64::from(self.limits.evictions);
        let computed = self.limits.walk_along_edges(&self.shape);
        most * if computed { limit.min(3.0 * f64::from(geometry.buckets).sqrt()) } else { limit }
    }

    /// The readings of one trial.
    fn record(&self, built: &Built, excess: Option<Excess>, out: &mut dyn Record) {
        let per_insertion =
            |number: u64| (built.insertions > 0).then(|| number as f64 / built.insertions as f64);
        let share = |happened: bool| Some(f64::from(u8::from(happened)));
        if self.limits.stash != Some(0) {
            out.reading(OVERFLOW_ELEMENTS, Some(built.stashed.into()));
        }
        out.reading(ACCESSES_PER_INSERTION, per_insertion(built.accesses));
        out.reading(MOVES_PER_INSERTION, per_insertion(built.moves));
        if self.limits.stash.is_some() {
            out.reading(FAILURE_FRACTION, share(built.failed));
        }
        if self.limits.rehashes > 0 {
            out.reading(REHASHES, Some(built.rehashes.into()));
        }
        out.reading(LONGEST_INSERTION, Some(built.longest.into()));
        if let Some(Excess { elements, last }) = excess {
            out.reading(EXCESS_ELEMENTS, Some(elements.into()));
            out.reading(CLOSED_LOOP_FRACTION, share(last));
        }
        out.end_of_trial();
    }
}
