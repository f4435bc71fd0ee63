//! A point of the family of filters.

use std::ops::Range;

use super::params::{
    BITS_PER_ELEMENT, DEVIATION, ELEMENTS, MEMBERS, READ_ONLY, SPACE_BOUND, STEPS, Size, unknown,
};
use super::stream;
use super::workloads::{Outcome, Workload};
use super::{Filter, Taken, metrics, timed};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashKind, HashSpec, Source, Steps};
use crate::info::SchemeInfo;
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Made, Seeds};
use crate::math::elementary::exp2;
use crate::metric::{Metric, common};
use crate::occupancy;
use crate::params::{Absent, ParamError, Scalar};
use crate::prediction::{Kind, Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, MadeFor, NotRare, Rare};
use crate::timed::{Timed, TimedKeys, Untimed};

/// The name of the family.
pub(super) const NAME: &str = "filters";

/// The entry of a filter in the list of schemes.
pub const fn entry<F: Filter>() -> SchemeEntry {
    SchemeEntry {
        family: NAME,
        info: Described::<F>::INFO,
        case: |request| Ok(Box::new(FilterCase::<F>::read(request)?)),
    }
}

struct Described<F>(F);

impl<F: Filter> Described<F> {
    const INFO: &'static SchemeInfo = &F::INFO;
}

/// A filter under a workload, with a hash function.
#[derive(Debug, Clone)]
struct FilterCase<F> {
    filter: F,
    workload: Workload,
    /// The keys, unless they are those of a trace.
    made: Option<Made>,
    /// Whether its packets arrive in another order in each trial.
    is_shuffled: bool,
    hash: HashSpec,
    seed_text: String,
}

impl<F: Filter> FilterCase<F> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let filter = F::from_params(params)?;
        let size = filter.size();
        let steps = params.word(STEPS.name)?;
        let steps = Steps::named(steps).ok_or_else(|| unknown(&STEPS, steps))?;
        let hash = hash_of(&filter, request)?.with_steps(steps);
        let workload = Workload::read::<F>(request.workload, params)?;
        let made = Made::from_params(params)?;
        let is_shuffled = params.word("arrival_order")? == "shuffled";
        let seed_text = seed_text(request, &size);
        let case = Self { filter, workload, made, is_shuffled, hash, seed_text };
        case.check()
    }

    /// Whether the keys are those of a trace: then fewer than `queries` may be absent.
    fn with_trace(&self) -> bool {
        self.made.is_none()
    }

    /// Words of 64 bits that the filter has.
    fn words(&self) -> f64 {
        self.filter.size().bits.div_ceil(u64::BITS).into()
    }

    /// Which choices of a trial the filter takes together, of those that are drawn.
    fn takes_together(&self) -> Option<Taken> {
        let is_drawn = self.hash.hash() == HashKind::Random && !self.with_trace();
        let taken = match self.hash.is_progression() {
            true if self.hash.steps() != Steps::Any => return None,
            true => Taken::Progressions,
            false => Taken::Independent,
        };
        let asks = matches!(self.workload, Workload::Membership(_)) && is_drawn;
        (asks && F::TAKES.contains(&taken)).then_some(taken)
    }

    /// What the parameters are that say nothing of this filter or these keys.
    fn check(self) -> Result<Self, ParamError> {
        let asked = self.workload.asked();
        if asked.split && !self.with_trace() {
            let reason = "the keys of a trace are split, and those of this point are made";
            return Err(ParamError::new(MEMBERS.name, reason));
        }
        if asked.deviation.is_some() && self.filter.limit().is_none() {
            let reason =
                "it is a distance from (1 − e^(−k·n/m))^k, which is not the limit of this filter";
            return Err(ParamError::new(DEVIATION.name, reason));
        }
        let refuse = |reason| Err(ParamError::new(SPACE_BOUND.name, reason));
        match asked.space_bound {
            true if !self.filter.answers_as_a_set() => {
                refuse("the bound is one of sets that are their bits alone and deny no element")
            }
            true if self.with_trace() && !asked.split => refuse(
                "packets with one key are one element: with `members = \"distinct\"` the bound holds",
            ),
            _ => Ok(self),
        }
    }
}

/// The hash function, which has to reach every place among which a choice is made.
fn hash_of<F: Filter>(filter: &F, request: &Request<'_>) -> Result<HashSpec, ParamError> {
    let ranges = filter.ranges();
    let widest = ranges.into_iter().max_by_key(|(places, _)| *places).unwrap_or((0, "bits"));
    HashSpec::from_params(request.hash, request.params, filter.hash_choices(), widest)
}

/// The curve of [`least_rate`].
pub(super) const LEAST_RATE: &str = "least_false_positive_rate";

/// The least false positive rate of any set of so many bits per element, from a large universe.
fn least_rate(bits_per_element: f64) -> f64 {
    exp2(-bits_per_element)
}

/// Workload, size and keys: the same for every filter, hash function and number of choices.
fn seed_text(request: &Request<'_>, size: &Size) -> String {
    let mut text = format!(
        "{} filter of {} elements in {} bits",
        request.workload.name, size.elements, size.bits
    );
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

impl<F: Filter> Case for FilterCase<F> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let one_by_one = self.cost_one_by_one(keys);
        if self.takes_together() != Some(Taken::Independent) {
            return one_by_one;
        }
        let Size { elements, choices, .. } = self.filter.size();
        let chosen = f64::from(choices) * occupancy::operations(elements.into());
        let asked = self.workload.asked().queries as f64 / 4.0;
        Cost { operations: chosen + asked + 2.0 * self.words(), ..one_by_one }
    }

    fn cost_one_by_one(&self, keys: &KeySource) -> Cost {
        let Size { elements, choices, .. } = self.filter.size();
        let of_keys = u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        let bytes = self.filter.bytes() + self.workload.bytes(elements, choices) + of_keys;
        let keys_used = self.workload.keys(elements);
        Cost { operations: keys_used * f64::from(1 + choices) + 2.0 * self.words(), bytes }
    }

    fn revision_one_by_one(&self) -> u32 {
        2
    }

    fn arrivals(&self) -> u64 {
        self.workload.arrivals(self.filter.size().elements)
    }

    fn distinct_keys(&self) -> u64 {
        self.workload.distinct_keys(self.filter.size().elements)
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        // A second pass must not renew the hash functions of what is in the filter.
        let keys = match keys {
            KeySource::Trace { keys, shuffled, .. } => {
                KeySource::Trace { keys: keys.clone(), shuffled: *shuffled, renew: false }
            }
            made => made.clone(),
        };
        let with_keys = matches!(keys, KeySource::Trace { .. });
        let elements = self.filter.size().elements;
        let batch = Batch { case: self, with_keys, seed, trials, out };
        keys::visit(&self.hash, &keys, elements, batch);
    }

    fn outlook(&self, measured: Means<'_>) -> Outlook {
        let mut outlook = match self.workload {
            // Theory knows choices alone that fall on all places alike.
            _ if !self.is_even() => Outlook::default(),
            Workload::Stream { packets } => {
                self.distinct(packets, measured).map_or_else(Outlook::default, |distinct| {
                    stream::outlook(&self.filter, distinct, &self.workload, &self.hash)
                })
            }
            Workload::Membership(asked) if !asked.split => {
                // Packets whose key has come before are no further elements.
                let elements = self.distinct(self.filter.size().elements, measured);
                elements.map_or_else(Outlook::default, |elements| {
                    self.filter.holding(elements).outlook(&self.workload, &self.hash)
                })
            }
            _ => self.filter.outlook(&self.workload, &self.hash),
        };
        if self.too_few_were_asked(measured) {
            outlook.predictions.retain(|own| !rests_on_number_asked(own.metric));
            outlook.missing = Some(TOO_FEW.to_owned());
        }
        outlook.predictions.extend(self.space_bound());
        outlook.predictions.extend(self.join(&outlook.predictions));
        if self.workload.asked().queries == 0 {
            outlook.predictions.retain(|own| !rests_on_answers(own.metric));
        }
        outlook
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::QUERIES => {
                (!self.with_trace()).then_some(self.workload.asked().queries as f64)
            }
            metrics::BITS => Some(self.filter.size().bits.into()),
            metrics::ELEMENTS => Some(self.filter.size().elements.into()),
            _ => self.filter.number_of(things),
        }
    }

    /// Bits of drawn elements came one from each word once, and those in a block followed from the block. Then elements and absent
    /// keys whose choices are drawn came one after the other, and then independent choices one after the other.
    fn revision(&self) -> u32 {
        match self.takes_together() {
            None => 2,
            Some(Taken::Progressions) => 3,
            Some(Taken::Independent) => 4,
        }
    }

    fn curve(&self, name: &str, x: f64) -> Option<f64> {
        (name == LEAST_RATE).then(|| least_rate(x))
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        let size = self.filter.size();
        vec![
            (ELEMENTS.name, Some(size.elements.into())),
            (BITS_PER_ELEMENT.name, Some(size.bits_per_element().into())),
        ]
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        timed::filter(self.filter.clone(), self.hash, keys, self.workload.asked().queries, seed)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        if self.hash.hash() == HashKind::Random {
            return Err(Untimed::NO_KEYS);
        }
        let asked = u64::from(self.filter.size().elements) + self.workload.asked().queries;
        Ok(self.cost(keys).bytes + asked * TimedKeys::BYTES_PER_KEY)
    }

    fn deletes(&self) -> bool {
        F::REMOVES
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        self.filter.rare(&self.workload, MadeFor::new(self.hash, self.made.as_ref())?, event)
    }

    /// Of an event that is counted as 0 or 1, the mean is the probability.
    fn event_outlook(&self, event: &Event) -> Outlook {
        let is_mean = |p: &Prediction| {
            p.metric == event.metric && p.metric == metrics::FILTER_OVERFLOW_FRACTION
        };
        let all = self.filter.outlook(&self.workload, &self.hash).predictions.into_iter();
        let of_event = |p: Prediction| Prediction { metric: EVENT_PROBABILITY, ..p };
        Outlook { predictions: all.filter(is_mean).map(of_event).collect(), missing: None }
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let Size { elements, choices, .. } = self.filter.size();
        let at_most = (operations / f64::from(1 + choices)).max(1.0) as u64;
        let fewer = self.workload.elements_of(at_most, elements);
        let (filter, workload) = (self.filter.holding(fewer), self.workload.shortened(at_most));
        Box::new(Self { filter, workload, ..self.clone() })
    }
}

/// Why laws of the number of false positives are not given.
const TOO_FEW: &str = "the trace has fewer absent keys than `queries`, so that numbers of false positives are not those among so many answers";

/// Whether a metric is about the number of false positives among as many answers as were wanted.
fn rests_on_number_asked(metric: Metric) -> bool {
    metric.is_like(metrics::false_positives(0)) || metric == metrics::ANSWERS_DEVIATION_FRACTION
}

/// Whether a metric is measured only where absent keys are asked for.
fn rests_on_answers(metric: Metric) -> bool {
    metric == metrics::FALSE_POSITIVE_RATE || rests_on_number_asked(metric)
}

struct Batch<'a, F> {
    case: &'a FilterCase<F>,
    with_keys: bool,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl<F: Filter> Keyed for Batch<'_, F> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, with_keys, seed, trials, out } = self;
        let FilterCase { filter, workload, hash, .. } = case;
        let mut store = filter.store();
        for number in trials {
            let seeds = Seeds::of(seed, number);
            filter.clear(&mut store, seeds.scheme);
            arrivals.begin(seeds.keys);
            let outcome = workload.run::<F, S, A>(filter, &mut store, &mut arrivals, hash, &seeds);
            case.record(&outcome, &store, out);
            if with_keys {
                let repeated = outcome.repeated as f64 / outcome.arrived as f64;
                out.reading(common::REPEATED_KEY_FRACTION, Some(repeated));
            }
            out.end_of_trial();
        }
    }
}

impl<F: Filter> FilterCase<F> {
    /// The least false positive rate of any set of so many bits per element.
    fn space_bound(&self) -> Option<Prediction> {
        let bound = least_rate(self.filter.size().bits_per_element());
        let metric = metrics::FALSE_POSITIVE_RATE;
        self.workload.asked().space_bound.then(|| Prediction {
            kind: Kind::LowerBound,
            ..Prediction::approximate(metric, bound, "n·lg(1/ε) bits")
        })
    }

    /// What a join sends, by these false positive rates.
    fn join(&self, rates: &[Prediction]) -> Vec<Prediction> {
        let asked = self.workload.asked();
        let Some(join) = asked.join.filter(|_| !self.with_trace() || asked.split) else {
            return Vec::new();
        };
        join.predictions(self.elements_and_bits(), asked.queries, rates)
    }

    fn elements_and_bits(&self) -> (u32, u32) {
        let Size { elements, bits, .. } = self.filter.size();
        (elements, bits)
    }

    /// Whether trials answered, and none was asked as often as wanted.
    fn too_few_were_asked(&self, measured: Means<'_>) -> bool {
        let asked = self.workload.asked();
        let wanted = asked.positives_law.map(|_| metrics::false_positives(0));
        let wanted = wanted.or(asked.deviation.map(|_| metrics::ANSWERS_DEVIATION_FRACTION));
        let answered = measured(metrics::FALSE_POSITIVE_RATE).is_some();
        wanted.is_some_and(|metric| answered && measured(metric).is_none())
    }

    /// Whether its hash function chooses all places alike.
    fn is_even(&self) -> bool {
        self.filter.ranges().iter().all(|(places, _)| self.hash.spread(*places).is_none())
    }

    /// How many distinct keys the packets of a stream have: all of them if keys are made or not looked at. In a
    /// trace it is what was measured, the same in every trial unless packets are shuffled.
    fn distinct(&self, packets: u32, measured: Means<'_>) -> Option<u32> {
        if !self.with_trace() || self.hash.hash() == HashKind::Random {
            return Some(packets);
        }
        let repeated = measured(common::REPEATED_KEY_FRACTION).filter(|_| !self.is_shuffled)?;
        Some((f64::from(packets) * (1.0 - repeated)).round() as u32)
    }

    fn record(&self, outcome: &Outcome, store: &F::Store, out: &mut dyn Record) {
        let asked = self.workload.asked();
        let answered = (outcome.asked > 0).then(|| outcome.positive as f64 / outcome.asked as f64);
        // What depends on the number of questions is that of as many as were wanted.
        let all_asked = outcome.asked == asked.queries;
        let limit = self.filter.limit();
        let off =
            |rate: f64, by: f64| limit.map(|limit| f64::from(u8::from((rate - limit).abs() > by)));
        if asked.queries > 0 {
            out.reading(metrics::FALSE_POSITIVE_RATE, answered);
            if let Some(by) = asked.deviation {
                let share = answered.filter(|_| all_asked).and_then(|rate| off(rate, by));
                out.reading(metrics::ANSWERS_DEVIATION_FRACTION, share);
            }
            for count in asked.positives_law.iter().flat_map(|&last| 0..=last) {
                let is_it = f64::from(u8::from(outcome.positive == u64::from(count)));
                out.reading(metrics::false_positives(count), all_asked.then_some(is_it));
            }
        }
        if let Some(join) = asked.join {
            let positive = all_asked.then_some(outcome.positive);
            join.record(self.elements_and_bits(), positive, out);
        }
        // Choices in a progression are not independent, and uneven ones prefer bits that are likely set: they meet
        // the set bits more or less often than their number says.
        let is_known = !self.hash.is_progression() && self.is_even();
        let rate = is_known.then(|| self.filter.rate(store));
        if let Some(rate) = rate {
            out.reading(metrics::FALSE_POSITIVE_RATE_GIVEN_BITS, Some(rate));
            if let Some(by) = asked.deviation {
                out.reading(metrics::RATE_DEVIATION_FRACTION, off(rate, by));
            }
        }
        if let Some(denied) = outcome.denied {
            let share = denied as f64 / f64::from(self.filter.size().elements);
            out.reading(metrics::FALSE_NEGATIVE_FRACTION, Some(share));
        }
        if let Some(estimates) = outcome.estimates {
            let of_members =
                |sum: f64| (estimates.members > 0).then(|| sum / f64::from(estimates.members));
            let wrong = of_members(estimates.wrong.into());
            out.reading(metrics::WRONG_ESTIMATE_FRACTION, wrong);
            out.reading(metrics::ESTIMATE_ERROR, of_members(estimates.excess as f64));
        }
        self.filter.record(store, rate, out);
    }
}
