//! A point of the family of filters.

use std::ops::Range;

use super::params::{BITS_PER_ELEMENT, ELEMENTS, QUERIES, Size};
use super::{Bits, Filter, metrics, trial};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashSpec, Source};
use crate::info::SchemeInfo;
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Seeds};
use crate::params::{ParamError, Scalar};
use crate::prediction::Outlook;

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

/// A filter that is asked for so many absent keys, with a hash function.
#[derive(Debug, Clone)]
struct FilterCase<F> {
    filter: F,
    queries: u64,
    /// Whether the keys are those of a trace: then fewer than `queries` may be absent.
    with_trace: bool,
    hash: HashSpec,
    seed_text: String,
}

impl<F: Filter> FilterCase<F> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let filter = F::from_params(params)?;
        let size = filter.size();
        let range = (filter.range(), "bits");
        let hash = HashSpec::from_params(request.hash, params, size.choices, range)?;
        let queries = params.integer(QUERIES.name)?;
        let with_trace = params.word("keys")? == "trace";
        Ok(Self { filter, queries, with_trace, hash, seed_text: seed_text(request, &size) })
    }
}

/// Workload, size and keys: the same for every filter, hash function and number of choices.
fn seed_text(request: &Request<'_>, size: &Size) -> String {
    let mut text = format!(
        "{} filter of {} elements in {} bits",
        request.workload.name, size.elements, size.bits
    );
    for name in [QUERIES.name].into_iter().chain(KEY_PARAMS.iter().map(|param| param.name)) {
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
        let keys_used = f64::from(elements) + self.queries as f64;
        let words = u64::from(bits.div_ceil(u64::BITS));
        let bytes = 8 * words + u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        Cost { operations: keys_used * f64::from(1 + choices) + 2.0 * words as f64, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.filter.size().elements.into()
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

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        Outlook { predictions: self.filter.predictions(), missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::QUERIES => (!self.with_trace).then_some(self.queries as f64),
            metrics::BITS => Some(self.filter.size().bits.into()),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        let size = self.filter.size();
        vec![
            (ELEMENTS.name, Some(size.elements.into())),
            (BITS_PER_ELEMENT.name, Some(size.bits_per_element().into())),
        ]
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = (operations / f64::from(1 + self.filter.size().choices)) as u64;
        Box::new(Self { queries: self.queries.min(at_most.max(1)), ..self.clone() })
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
        let size = case.filter.size();
        let mut bits = Bits::new(size.bits);
        for number in trials {
            let seeds = Seeds::of(seed, number);
            bits.clear();
            arrivals.begin(seeds.keys);
            let asked = (&case.hash, case.queries);
            let outcome =
                trial::run::<_, S, _>(&case.filter, &mut bits, &mut arrivals, asked, &seeds);
            outcome.record(&size, &bits, with_keys, out);
        }
    }
}
