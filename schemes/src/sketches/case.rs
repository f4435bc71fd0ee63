//! A point of the family of sketches.

use std::ops::Range;

use super::heap::FlowHeap;
use super::outlook;
use super::params::{BYTES, EPSILON, FLOWS_PER_CELL, GIVEN_COUNTS, INNER_PRODUCT, PHI, QUERIES};
use super::readings::Trial;
use super::timed::Packets;
use super::updates::{READ_ONLY, Stream, Updates};
use super::{Flow, Sketch, inner, metrics};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::HashSpec;
use crate::info::SchemeInfo;
use crate::keys::{ChoiceStream, KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::params::{Absent, ParamError, Params, Scalar};
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

/// What a sketch is asked at the end of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Absent keys.
    pub queries: u32,
    /// ε.
    pub epsilon: Option<f64>,
    /// φ.
    pub phi: Option<f64>,
    /// Whether the inner product with a second stream is asked for.
    pub inner_product: bool,
    /// Whether errors are held against their means given the counts.
    pub given_counts: bool,
}

impl Asked {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let number = |name: &str| params.get(name).map(|_| params.number(name)).transpose();
        let flag = |name: &str| -> Result<bool, ParamError> {
            Ok(params.get(name).is_some() && params.flag(name)?)
        };
        Ok(Self {
            queries: params.small(QUERIES.name)?,
            epsilon: number(EPSILON.name)?,
            phi: number(PHI.name)?,
            inner_product: flag(INNER_PRODUCT.name)?,
            given_counts: flag(GIVEN_COUNTS.name)?,
        })
    }

    /// ε‖a‖₁.
    pub fn bound(&self, packets: u32) -> Option<f64> {
        self.epsilon.map(|epsilon| epsilon * f64::from(packets))
    }
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
const MORE_ASKED: Untimed = Untimed(
    "an insertion is an update of one sketch, without a heap of heavy hitters beside it; leave `phi` and `inner_product` out",
);

impl<S: Sketch> SketchCase<S> {
    /// Refuses what is more than updates by 1 and estimates.
    fn check_timed(&self) -> Result<(), Untimed> {
        match () {
            () if self.updates.is_signed() => Err(NEGATIVE_UPDATES),
            () if self.heap_from().is_some() || self.asked.inner_product => Err(MORE_ASKED),
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
        let (packets, flows) = (f64::from(self.updates.packets), self.updates.flows(keys));
        let asked = u64::from(flows) + u64::from(self.asked.queries);
        let ranges = self.sketch.ranges().len() as u64;
        let of_keys = u64::from(flows) * keys.bytes_per_element() + keys.bytes();
        let of_stream = 8 * u64::from(self.updates.packets) + 24 * u64::from(flows);
        let stores = 1 + u64::from(self.asked.inner_product);
        let bytes = stores * self.sketch.store_bytes() + of_stream + 4 * ranges * asked + of_keys;
        let operations = packets * (1.0 + self.sketch.steps()) + 2.0 * (asked * ranges) as f64;
        Cost { operations: operations + self.sketch.bytes() as f64 / 32.0, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.updates.packets.into()
    }

    fn distinct_keys(&self) -> u64 {
        self.updates.wanted().into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let stream = self.updates.stream(keys);
        let flows = stream.counts.len() as u32;
        let ranges = self.sketch.ranges();
        let mut batch = Some(Batch { case: self, stream, seed, trials, out });
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
        let known = Known { updates: &self.updates, asked: &self.asked };
        outlook::of(&self.sketch, &known, measured)
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
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
        stream.begin(seeds.arrivals);
        let keys = self.timed_keys(&each_key_once(keys), stream.counts.len() as u32, seeds.keys)?;
        let estimates = S::ESTIMATES_FLOWS;
        self.sketch.keyed(Packets { hash: self.hash, keys, stream, seeds, estimates })
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        self.check_timed()?;
        let Updates { packets, .. } = self.updates;
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

/// What theory knows of the streams of a point.
#[derive(Debug, Clone, Copy)]
pub struct Known<'k> {
    /// Where the packets come from.
    pub updates: &'k Updates,
    /// What is asked.
    pub asked: &'k Asked,
}

struct Batch<'a, S> {
    case: &'a SketchCase<S>,
    stream: Stream,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl<S: Sketch> Batch<'_, S> {
    fn run(self, choices: &mut dyn ChoiceStream) {
        let Self { case, mut stream, seed, trials, out } = self;
        let SketchCase { sketch, asked, updates, .. } = case;
        let each = sketch.ranges().len();
        let given_counts = outlook::given_counts(sketch, asked, &stream.counts);
        let mut store = sketch.store();
        let mut other = asked.inner_product.then(|| sketch.store());
        let mut heap = FlowHeap::default();
        let mut of_flows = vec![0; each * stream.counts.len()];
        let mut of_absent = vec![0; each * asked.queries as usize];
        for number in trials {
            let seeds = Seeds::of(seed, number);
            choices.begin(&seeds);
            choices.arrive(0, &mut of_flows);
            let absent = choices.strangers(&mut of_absent) as usize;
            stream.begin(seeds.arrivals);
            sketch.clear(&mut store, seeds.scheme);
            heap.clear();
            let trial = Pass { sketch, choices: &of_flows, each, phi: case.heap_from() };
            trial.run(&mut store, &stream, &mut heap);
            let trial = Trial {
                counts: &stream.counts,
                packets: updates.packets,
                choices: &of_flows,
                absent: &of_absent[..each * absent],
                each,
                heap: &heap,
            };
            sketch.record(&store, &trial, asked, out);
            if let Some(other) = &mut other {
                sketch.clear(other, seeds.scheme);
                inner::record(sketch, [&mut store, other], &trial, asked.epsilon, out);
            }
            if let Some(expected) = given_counts {
                out.reading(metrics::AAE_GIVEN_COUNTS, Some(expected.aae));
                out.reading(metrics::ARE_GIVEN_COUNTS, Some(expected.are));
            }
            out.end_of_trial();
        }
    }
}

impl<S: Sketch> SketchCase<S> {
    /// φ, where heavy hitters are kept in a heap.
    fn heap_from(&self) -> Option<f64> {
        self.asked.phi.filter(|_| !S::KEEPS_FLOWS)
    }
}

/// The packets of one trial.
struct Pass<'p, S> {
    sketch: &'p S,
    choices: &'p [u32],
    each: usize,
    /// φ, where heavy hitters are kept in a heap.
    phi: Option<f64>,
}

impl<S: Sketch> Pass<'_, S> {
    fn run(&self, store: &mut S::Store, stream: &Stream, heap: &mut FlowHeap) {
        for (&number, packets) in stream.flows.iter().zip(1_u32..) {
            let own = number as usize;
            let choices = &self.choices[own * self.each..][..self.each];
            let flow = Flow { number, choices };
            self.sketch.update(store, flow, stream.signs[own]);
            if let Some(phi) = self.phi {
                self.keep(
                    self.sketch.estimate(store, flow),
                    number,
                    phi * f64::from(packets),
                    heap,
                );
            }
        }
    }

    /// Keeps the flow in the heap if its estimate reaches the threshold, and drops those whose estimates no longer do.
    fn keep(&self, estimate: i64, flow: u32, threshold: f64, heap: &mut FlowHeap) {
        if estimate as f64 >= threshold {
            heap.set(flow, estimate);
        }
        while heap.min().is_some_and(|(least, _)| (least as f64) < threshold) {
            heap.pop();
        }
    }
}
