//! A point of the family of sketches.

use std::ops::Range;

use super::asked::Asked;
use super::heap::FlowHeap;
use super::heavy::Heavy;
use super::outlook::{self, Known};
use super::params::{BYTES, INNER_PRODUCT};
use super::stream::Stream;
use super::trial::Trial;
use super::updates::{READ_ONLY, Updates};
use super::{Flow, Sketch, inner, metrics};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::HashSpec;
use crate::info::SchemeInfo;
use crate::keys::{Attributes, ChoiceStream, KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::params::{Absent, ParamError, Scalar};
use crate::prediction::Outlook;

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

impl<S: Sketch> SketchCase<S> {
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
        let norm = self.updates.norm().or_else(|| measured(metrics::NORM));
        let known = Known { updates: &self.updates, asked: &self.asked, norm };
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
        (axis == BYTES).then(|| self.sketch.bytes() as f64)
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let packets = (operations / (1.0 + self.sketch.steps())).max(1.0) as u32;
        Box::new(Self { updates: self.updates.shortened(packets), ..self.clone() })
    }
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
        let SketchCase { sketch, asked, .. } = case;
        let each = sketch.ranges().len();
        let given_counts = |stream: &Stream| outlook::given_counts(sketch, asked, &stream.counts);
        let in_every_trial = (!stream.has_windows()).then(|| given_counts(&stream)).flatten();
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
            stream.begin(number, seeds.arrivals);
            sketch.clear(&mut store, seeds.scheme);
            heap.clear();
            let pass = Pass { sketch, choices: &of_flows, each, heavy: case.heavy_in_heap() };
            pass.run(&mut store, &stream, &mut heap);
            let trial = Trial {
                counts: &stream.counts,
                norm: stream.norm(),
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
            let expected = match stream.has_windows() {
                true => given_counts(&stream),
                false => in_every_trial,
            };
            if let Some(expected) = expected {
                out.reading(metrics::AAE_GIVEN_COUNTS, Some(expected.aae));
                out.reading(metrics::ARE_GIVEN_COUNTS, Some(expected.are));
            }
            if case.updates.norm().is_none() {
                out.reading(metrics::NORM, Some(trial.norm));
            }
            out.end_of_trial();
        }
    }
}

impl<S: Sketch> SketchCase<S> {
    /// Which heavy hitters are kept in a heap, if any are.
    fn heavy_in_heap(&self) -> Option<Heavy> {
        Heavy::asked(&self.asked).filter(|_| !S::KEEPS_FLOWS)
    }
}

/// The packets of one trial.
struct Pass<'p, S> {
    sketch: &'p S,
    choices: &'p [u32],
    each: usize,
    /// Which heavy hitters are kept in a heap, if any are.
    heavy: Option<Heavy>,
}

impl<S: Sketch> Pass<'_, S> {
    fn run(&self, store: &mut S::Store, stream: &Stream, heap: &mut FlowHeap) {
        let mut norm = 0;
        for (number, weight) in stream.updates() {
            let choices = &self.choices[number as usize * self.each..][..self.each];
            let flow = Flow { number, choices };
            self.sketch.update(store, flow, weight);
            norm += weight.unsigned_abs();
            if let Some(heavy) = self.heavy {
                heavy.keep(heap, number, self.sketch.estimate(store, flow), norm as f64);
            }
        }
    }
}
