//! A point of the family of filters.

use std::ops::Range;

use super::params::{BITS_PER_ELEMENT, ELEMENTS, READ_ONLY, STEPS, Size};
use super::stream;
use super::workloads::{Outcome, Workload};
use super::{Filter, metrics, timed};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashKind, HashSpec, Source, Steps};
use crate::info::SchemeInfo;
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Seeds};
use crate::math::elementary::exp2;
use crate::metric::common;
use crate::params::{Absent, ParamError, Scalar};
use crate::prediction::{Kind, Outlook, Prediction};
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
    /// Whether the keys are those of a trace: then fewer than `queries` may be absent.
    with_trace: bool,
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
        let range = (filter.range(), "bits");
        let steps = Steps::named(params.word(STEPS.name)?).unwrap_or_default();
        let hash = HashSpec::from_params(request.hash, params, filter.hash_choices(), range)?;
        let workload = Workload::read(request.workload, params, F::REMOVES)?;
        let with_trace = params.word("keys")? == "trace";
        let is_shuffled = params.word("arrival_order")? == "shuffled";
        let (hash, seed_text) = (hash.with_steps(steps), seed_text(request, &size));
        Ok(Self { filter, workload, with_trace, is_shuffled, hash, seed_text })
    }
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
        let Size { elements, bits, choices } = self.filter.size();
        let of_keys = u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        let bytes = self.filter.bytes() + self.workload.bytes(elements, choices) + of_keys;
        let keys_used = self.workload.keys(elements);
        let words = f64::from(bits.div_ceil(u64::BITS));
        Cost { operations: keys_used * f64::from(1 + choices) + 2.0 * words, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.workload.arrivals(self.filter.size().elements)
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
        match self.workload {
            Workload::Stream { packets } => {
                self.distinct(packets, measured).map_or_else(Outlook::default, |distinct| {
                    stream::outlook(&self.filter, distinct, &self.workload, &self.hash)
                })
            }
            _ => {
                let mut outlook = self.filter.outlook(&self.workload, &self.hash);
                outlook.predictions.extend(self.space_bound());
                outlook
            }
        }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::QUERIES => (!self.with_trace).then_some(self.workload.asked().queries as f64),
            metrics::BITS => Some(self.filter.size().bits.into()),
            metrics::ELEMENTS => Some(self.filter.size().elements.into()),
            _ => self.filter.number_of(things),
        }
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

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = (operations / f64::from(1 + self.filter.size().choices)) as u64;
        Box::new(Self { workload: self.workload.shortened(at_most), ..self.clone() })
    }
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
        let bound = exp2(-self.filter.size().bits_per_element());
        let metric = metrics::FALSE_POSITIVE_RATE;
        self.workload.asked().space_bound.then(|| Prediction {
            kind: Kind::LowerBound,
            ..Prediction::approximate(metric, bound, "n·lg(1/ε) bits")
        })
    }

    /// How many distinct keys the packets of a stream have: all of them if keys are made or not looked at. In a
    /// trace it is what was measured, the same in every trial unless packets are shuffled.
    fn distinct(&self, packets: u32, measured: Means<'_>) -> Option<u32> {
        if !self.with_trace || self.hash.hash() == HashKind::Random {
            return Some(packets);
        }
        let repeated = measured(common::REPEATED_KEY_FRACTION).filter(|_| !self.is_shuffled)?;
        Some((f64::from(packets) * (1.0 - repeated)).round() as u32)
    }

    fn record(&self, outcome: &Outcome, store: &F::Store, out: &mut dyn Record) {
        let asked = self.workload.asked();
        let answered = (outcome.asked > 0).then(|| outcome.positive as f64 / outcome.asked as f64);
        let off = |rate: f64, by: f64| f64::from(u8::from((rate - self.filter.limit()).abs() > by));
        if asked.queries > 0 {
            out.reading(metrics::FALSE_POSITIVE_RATE, answered);
            if let Some(by) = asked.deviation {
                let share = answered.map(|rate| off(rate, by));
                out.reading(metrics::ANSWERS_DEVIATION_FRACTION, share);
            }
            for count in asked.positives_law.iter().flat_map(|&last| 0..=last) {
                let is_it = f64::from(u8::from(outcome.positive == u64::from(count)));
                out.reading(metrics::false_positives(count), Some(is_it));
            }
        }
        // Choices in a progression are not independent: they meet the set bits more or less often.
        if !self.hash.is_progression() {
            let rate = self.filter.rate(store);
            out.reading(metrics::FALSE_POSITIVE_RATE_GIVEN_BITS, Some(rate));
            if let Some(by) = asked.deviation {
                out.reading(metrics::RATE_DEVIATION_FRACTION, Some(off(rate, by)));
            }
        }
        if let Some(denied) = outcome.denied {
            let share = denied as f64 / f64::from(self.filter.size().elements);
            out.reading(metrics::FALSE_NEGATIVE_FRACTION, Some(share));
        }
        self.filter.record(store, out);
    }
}
