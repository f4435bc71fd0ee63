//! A point of the family of sketches.

use std::ops::Range;

use super::asked::Asked;
use super::batch::Batch;
use super::heavy::Heavy;
use super::outlook::{self, Known};
use super::params::{BYTES, FLOWS_PER_CELL, INNER_PRODUCT};
use super::timed::Packets;
use super::updates::{READ_ONLY, Updates};
use super::{Sketch, metrics};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::HashSpec;
use crate::info::SchemeInfo;
use crate::keys::{Attributes, KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::params::{Absent, ParamError, Scalar};
use crate::prediction::Outlook;
use crate::timed::{Operation, Timed, TimedKeys, Untimed, check_keys};

/// The name of the family.
pub(super) const NAME: &str = "sketches";

/// The entry of a sketch in the list of schemes.
pub const fn entry<S: Sketch>() -> SchemeEntry {
    SchemeEntry {
        family: NAME,
        info: Described::<S>::INFO,
        case: |request| Ok(Box::new(SketchCase::<S>::read(request)?)),
    }
}

struct Described<S>(S);

impl<S: Sketch> Described<S> {
    const INFO: &'static SchemeInfo = &S::INFO;
}

/// A sketch under a stream, with a hash function.
#[derive(Debug, Clone)]
struct SketchCase<S> {
    sketch: S,
    updates: Updates,
    asked: Asked,
    /// Whether absent keys are those of a trace, of which there may be fewer than asked for.
    with_trace: bool,
    hash: HashSpec,
    seed_text: String,
}

/// How often the key of a flow is in memory where a sketch is timed: as one that is drawn, as one that is asked for, and
/// beside its count, with what Rust keeps of its place.
const KEY_OF_FLOW: u64 = 4;

/// Flows that are found by their keys take less than so many times as much as those that are known by their numbers.
const BY_KEY: u64 = 3;

const NEGATIVE_UPDATES: Untimed =
    Untimed("an insertion is an update by 1; `turnstile` has negative ones, too");
const NOT_PACKETS: Untimed = Untimed(
    "an insertion is an update by 1, of packets that begin at an empty sketch; leave `weights` and windows out",
);
const MORE_ASKED: Untimed = Untimed(
    "an insertion is an update of one sketch, without a heap of heavy hitters beside it; leave `phi`, `first` and `inner_product` out",
);

impl<S: Sketch> SketchCase<S> {
    /// Whether heavy hitters are kept in a heap beside the sketch.
    fn has_heap(&self) -> bool {
        Heavy::in_heap::<S>(&self.asked).is_some()
    }

    /// Refuses what is more than updates by 1 and estimates.
    fn check_timed(&self) -> Result<(), Untimed> {
        match () {
            () if self.updates.is_signed() => Err(NEGATIVE_UPDATES),
            () if self.updates.norm().is_none() => Err(NOT_PACKETS),
            () if self.has_heap() || self.asked.inner_product => Err(MORE_ASKED),
            () => check_keys(&self.hash),
        }
    }

    /// So many flows, each once, and absent keys. Flows that are kept have a slot.
    fn timed_keys(&self, keys: &KeySource, flows: u32, seed: u64) -> Result<TimedKeys, Untimed> {
        let queries = self.asked.queries.into();
        if S::KEEPS_FLOWS {
            return Ok(TimedKeys::in_slots(keys, flows, queries, seed)?.0);
        }
        TimedKeys::of(keys, flows, queries, seed).ok_or(Untimed::TOO_FEW_KEYS)
    }

    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let sketch = S::from_params(params)?;
        let ranges = sketch.ranges();
        let widest = ranges.iter().max().copied().unwrap_or(1);
        let choices = ranges.len() as u32;
        let hash = HashSpec::from_params(request.hash, params, choices, (widest, "places"))?;
        let updates = Updates::read(request.workload, params)?;
        if updates.is_signed() && !sketch.takes_negative() {
            let reason = "`turnstile` has negative updates, which this sketch cannot take; `count-min` with `estimate = \"median\"` and `count-sketch` can";
            return Err(ParamError::new("kind", reason));
        }
        let asked = Asked::from_params(params)?;
        if !S::ESTIMATES_FLOWS {
            asked.check_without_counts(S::INFO.name)?;
        }
        if asked.inner_product && !sketch.multiplies() {
            let reason = "no inner product follows from two of these sketches; `count-min` with the minimum gives one";
            return Err(ParamError::new(INNER_PRODUCT.name, reason));
        }
        let with_trace = params.word("keys")? == "trace";
        let seed_text = seed_text(request);
        Ok(Self { sketch, updates, asked, with_trace, hash, seed_text })
    }

    /// Whether its hash function chooses all places alike and independently, as theory has it.
    fn is_ideal(&self) -> bool {
        let is_even = |places: &u32| self.hash.spread(*places).is_none();
        !self.hash.is_progression() && self.sketch.ranges().iter().all(is_even)
    }
}

/// The stream and its keys: the same for every sketch and hash function.
fn seed_text(request: &Request<'_>) -> String {
    let mut text = format!("sketches of a {}", request.workload.name);
    let given = |name: &str| request.params.get(name).is_some();
    let of_trials = request.workload.params.iter().filter(|param| {
        !READ_ONLY.contains(&param.name) && (param.absent != Absent::Optional || given(param.name))
    });
    for name in of_trials.chain(KEY_PARAMS).map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

/// A trace whose keys arrive once each, in the order of the capture, so that flows have the numbers of their keys.
fn each_key_once(keys: &KeySource) -> KeySource {
    match keys {
        KeySource::Trace { keys, .. } => {
            KeySource::Trace { keys: keys.clone(), renew: false, shuffled: false }
        }
        made => made.clone(),
    }
}

impl<S: Sketch> Case for SketchCase<S> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let (packets, flows) = (self.updates.of_trial(keys), self.updates.flows(keys));
        let asked = u64::from(flows) + u64::from(self.asked.queries);
        let ranges = self.sketch.ranges().len() as u64;
        let of_keys = u64::from(flows) * keys.bytes_per_element() + keys.bytes();
        let of_packet = if self.updates.norm().is_none() { 20 } else { 8 };
        let of_stream = of_packet * self.arrivals() + 24 * u64::from(flows);
        let stores = 1 + u64::from(self.asked.inner_product);
        let bytes = stores * self.sketch.store_bytes() + of_stream + 4 * ranges * asked + of_keys;
        let operations = packets * (1.0 + self.sketch.steps()) + 2.0 * (asked * ranges) as f64;
        Cost { operations: operations + self.sketch.bytes() as f64 / 32.0, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.updates.arrivals().into()
    }

    fn distinct_keys(&self) -> u64 {
        self.updates.wanted().into()
    }

    fn is_of_windows(&self) -> bool {
        self.updates.is_of_windows()
    }

    fn attributes(&self) -> Attributes {
        self.updates.attributes()
    }

    fn check_keys(&self, keys: &KeySource) -> Result<(), ParamError> {
        self.updates.check_keys(keys)
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let stream = self.updates.stream(keys);
        let flows = stream.counts.len() as u32;
        let ranges = self.sketch.ranges();
        let reads_norm = self.updates.norm().is_none();
        let (sketch, asked) = (&self.sketch, &self.asked);
        let mut batch = Some(Batch { sketch, asked, reads_norm, stream, seed, trials, out });
        choice_stream(&self.hash, &each_key_once(keys), flows, ranges, &mut |choices| {
            if let Some(batch) = batch.take() {
                batch.run(choices);
            }
        });
    }

    fn outlook(&self, measured: Means<'_>) -> Outlook {
        if !self.is_ideal() {
            return Outlook::default();
        }
        let norm = self.updates.norm().or_else(|| measured(metrics::NORM));
        let known = Known { updates: &self.updates, asked: &self.asked, norm };
        outlook::of(&self.sketch, &known, measured)
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        if !self.sketch.errs_key_by_key() {
            return None;
        }
        match things {
            metrics::FLOWS => self.updates.same_flows().map(f64::from),
            metrics::QUERIES => (!self.with_trace).then_some(self.asked.queries.into()),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn place(&self, axis: &str) -> Option<f64> {
        match axis {
            BYTES => Some(self.sketch.bytes() as f64),
            FLOWS_PER_CELL => {
                let flows = self.updates.same_flows()?;
                self.sketch.cells().map(|cells| f64::from(flows) / f64::from(cells))
            }
            _ => None,
        }
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        self.check_timed()?;
        let seeds = Seeds::of(seed, 0);
        let mut stream = self.updates.stream(keys);
        stream.begin(0, seeds.arrivals);
        let keys = self.timed_keys(&each_key_once(keys), stream.counts.len() as u32, seeds.keys)?;
        let estimates = S::ESTIMATES_FLOWS;
        self.sketch.keyed(Packets { hash: self.hash, keys, stream, seeds, estimates })
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        self.check_timed()?;
        let packets = self.updates.arrivals();
        let flows = KEY_OF_FLOW * u64::from(self.updates.flows(keys));
        let of_keys = u64::from(packets) + flows + u64::from(self.asked.queries);
        let of_sketch = BY_KEY * self.sketch.store_bytes();
        Ok(self.cost(keys).bytes + of_sketch + of_keys * TimedKeys::BYTES_PER_KEY)
    }

    fn times(&self, operation: Operation) -> bool {
        match operation {
            Operation::Insert => true,
            Operation::Hit | Operation::Miss => S::ESTIMATES_FLOWS,
            Operation::Delete => false,
        }
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let packets = (operations / (1.0 + self.sketch.steps())).max(1.0) as u32;
        Box::new(Self { updates: self.updates.shortened(packets), ..self.clone() })
    }
}
