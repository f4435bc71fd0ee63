//! A point of the family.

use std::fmt::Debug;
use std::ops::Range;

use super::params::{ELEMENTS, LOAD, Size};
use super::rare::{self, Counted};
use super::table::{Deletion, Table};
use super::theory::{linear, robin_hood};
use super::timed::{Keyed, MOST_BYTES_OF_SLOT};
use super::trial::Trial;
use super::workload::{Alternation, Workload};
use super::{metrics, outlook};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashKind, HashSpec};
use crate::info::SchemeInfo;
use crate::keys::{KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::metric::Metric;
use crate::params::{Absent, ParamError, Params, Scalar};
use crate::prediction::{Outlook, Prediction};
use crate::rare::{Event, NotRare, Rare};
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::timed::{ByChoices, Timed, TimedKeys, Untimed, check_keys, with_hash};

/// The name of the family.
pub(super) const NAME: &str = "probing";

/// The names of the curves.
pub(super) const LONGEST_CLUSTER_ORDER: &str = "longest_cluster_order";
pub(super) const LONGEST_PROBE_ORDER: &str = "longest_probe_order";
pub(super) const ROBIN_HOOD_ORDER: &str = "robin_hood_longest_order";

/// A scheme: its parameters, its table, and what theory says of it.
pub(super) trait Scheme: Clone + Debug + Send + Sync + Sized + 'static {
    /// What is said of it.
    const INFO: SchemeInfo;
    /// The ways in which its elements can be deleted, the first for a fill, in which none is.
    const DELETIONS: &'static [Deletion];
    /// The metrics of which it has events.
    const EVENTS: &'static [Metric] = &[];
    /// Its table.
    type Table: Table + Clone + Send + 'static;
    /// Its table that stores keys.
    type KeyTable: ByChoices;

    /// Reads its own parameters.
    ///
    /// # Errors
    /// The first one that cannot be used.
    fn from_params(size: Size, params: &Params) -> Result<Self, ParamError>;

    /// n and m.
    fn size(&self) -> &Size;

    /// How many values each choice of an element has.
    fn ranges(&self) -> Vec<u32> {
        vec![self.size().buckets]
    }

    /// Bytes of its table.
    fn bytes(&self) -> u64;

    /// Its empty table.
    fn table(&self, deletion: Deletion) -> Self::Table;

    /// Its empty table that stores keys.
    fn key_table(&self, keyed: Keyed) -> Self::KeyTable;

    /// Which of the metrics that not every scheme has it measures.
    fn has(&self, metric: Metric) -> bool;

    /// The event that more than `beyond` of this metric are counted in a fill; `None` of what is not counted, or cannot
    /// be more.
    fn event(&self, _metric: Metric, _beyond: u64) -> Option<Counted> {
        None
    }

    /// What theory says of these trials, if the choices of all keys are independent and each of their values equally
    /// likely.
    fn predictions(&self, workload: &Workload, measured: Means<'_>) -> Vec<Prediction>;
}

/// The entry of a scheme in the list of schemes.
pub(super) const fn entry<S: Scheme>() -> SchemeEntry {
    SchemeEntry {
        family: NAME,
        info: Described::<S>::INFO,
        case: |request| Ok(Box::new(ProbingCase::<S>::read(request)?)),
    }
}

struct Described<S>(S);

impl<S: Scheme> Described<S> {
    const INFO: &'static SchemeInfo = &S::INFO;
}

/// A table under a workload, with a hash function.
#[derive(Debug, Clone)]
struct ProbingCase<S> {
    scheme: S,
    size: Size,
    workload: Workload,
    hash: HashSpec,
    /// Whether fewer absent keys may be asked than are wanted.
    with_trace: bool,
    seed_text: String,
}

impl<S: Scheme> ProbingCase<S> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let size = Size::from_params(params)?;
        let scheme = S::from_params(size, params)?;
        let workload = Workload::read(request.workload, S::INFO.name, S::DELETIONS, params)?;
        let choices = scheme.ranges().len() as u32;
        let hash = HashSpec::from_params(request.hash, params, choices, (size.buckets, "buckets"))?;
        let with_trace = params.word("keys")? == "trace";
        let seed_text = seed_text(request, &size);
        Ok(Self { scheme, size, workload, hash, with_trace, seed_text })
    }

    /// How elements are deleted, which those of a fill are not.
    fn deletion(&self) -> Deletion {
        self.workload.deletion().unwrap_or(S::DELETIONS[0])
    }

    /// The event in a fill with independent choices.
    ///
    /// # Errors
    /// For other metrics, workloads and hash functions, and counts that cannot be reached.
    fn counted(&self, event: &Event) -> Result<Counted, NotRare> {
        if self.workload.alternation.is_some() {
            return Err(NotRare::nothing());
        }
        if !S::EVENTS.contains(&event.metric) {
            let counted = if S::EVENTS.is_empty() {
                NotRare::nothing()
            } else {
                NotRare::not_counted(event, S::EVENTS)
            };
            return Err(counted);
        }
        let hash = self.hash.hash();
        if hash != HashKind::Random {
            return Err(NotRare::hashed(hash.info().name));
        }
        self.scheme.event(event.metric, event.beyond).ok_or_else(|| {
            let reason = format!("`{}` is never more than {}", event.metric, event.beyond);
            NotRare::new("beyond", reason)
        })
    }

    /// Whether its hash function chooses all slots alike.
    fn is_even(&self) -> bool {
        self.scheme.ranges().iter().all(|&values| self.hash.spread(values).is_none())
    }
}

/// Workload, size and keys: the same for every scheme, hash function and way of deletion.
fn seed_text(request: &Request<'_>, size: &Size) -> String {
    let mut text = format!(
        "{} of {} elements in {} slots",
        request.workload.name, size.elements, size.buckets
    );
    let of_trials = request.workload.params.iter().filter(|param| param.absent != Absent::Optional);
    for name in of_trials.chain(KEY_PARAMS).map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

impl<S: Scheme> Case for ProbingCase<S> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let Size { elements, buckets } = self.size;
        let read = self.arrivals() + u64::from(elements) + u64::from(self.workload.queries);
        let of_keys = u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        let bytes = self.scheme.bytes() + of_keys;
        Cost { operations: read as f64 + f64::from(buckets), bytes }
    }

    fn arrivals(&self) -> u64 {
        self.workload.arrivals(self.size.elements)
    }

    /// A key is stored once.
    fn distinct_keys(&self) -> u64 {
        self.size.elements.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        // Absent keys are hashed by the functions that put the elements into the table.
        let keys = match keys {
            KeySource::Trace { keys, shuffled, .. } => {
                KeySource::Trace { keys: keys.clone(), shuffled: *shuffled, renew: false }
            }
            made => made.clone(),
        };
        let ranges = self.scheme.ranges();
        let table = self.scheme.table(self.deletion());
        let mut trial = Trial::new(table, self.workload, self.size.elements, ranges.len());
        choice_stream(&self.hash, &keys, self.size.elements, ranges, &mut |stream| {
            for number in trials.clone() {
                let readings = trial.run(stream, &Seeds::of(seed, number));
                readings.record(self.workload, &|metric| self.scheme.has(metric), out);
            }
        });
    }

    fn outlook(&self, measured: Means<'_>) -> Outlook {
        let mut predictions = match self.is_even() {
            true => self.scheme.predictions(&self.workload, measured),
            false => Vec::new(),
        };
        predictions.retain(|own| own.metric != PROBES_PER_MISS || self.workload.queries > 0);
        Outlook { predictions, missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::ELEMENTS => Some(self.size.elements.into()),
            metrics::BUCKETS => Some(self.size.buckets.into()),
            metrics::ARRIVALS => Some(self.workload.counted(self.size.elements).into()),
            metrics::QUERIES => (!self.with_trace).then_some(self.workload.queries.into()),
            _ => None,
        }
    }

    /// An element that stays where it was put is found by the slots that its insertion read.
    fn multiple_of(&self, metric: Metric) -> Option<Metric> {
        let is_same = metric == metrics::PROBES_PER_INSERTION
            && self.workload.alternation.is_none()
            && !self.scheme.has(metrics::FAILED_INSERTION_FRACTION);
        is_same.then_some(PROBES_PER_HIT)
    }

    fn curve(&self, name: &str, x: f64) -> Option<f64> {
        let load = self.size.load();
        match name {
            _ if load >= 1.0 => None,
            LONGEST_CLUSTER_ORDER | LONGEST_PROBE_ORDER => Some(linear::longest_order(load, x)),
            ROBIN_HOOD_ORDER => Some(robin_hood::longest_order(load, x)),
            _ => None,
        }
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        self.counted(event).map(drop)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        let counted = self.counted(event)?;
        let table = self.scheme.table(S::DELETIONS[0]);
        Ok(rare::trials(counted, &self.size, self.hash, table))
    }

    fn rare_bytes(&self) -> u64 {
        rare::MOST_BYTES
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        let counted = self.counted(event).ok();
        let exact = counted.and_then(|counted| outlook::of_event(&self.size, counted));
        Outlook { predictions: exact.into_iter().collect(), missing: None }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        vec![
            (ELEMENTS.name, Some(self.size.elements.into())),
            (LOAD.name, Some(self.size.load().into())),
        ]
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        let Size { elements, .. } = self.size;
        let (queries, seeds) = (self.workload.queries.into(), Seeds::of(seed, 0));
        let (keys, width) = TimedKeys::in_slots(keys, elements, queries, seeds.keys)?;
        let table = self.scheme.key_table(Keyed { deletion: self.deletion(), width });
        with_hash(table, self.hash, keys, seeds)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        check_keys(&self.hash)?;
        let Size { elements, buckets } = self.size;
        let of_keys = u64::from(elements) + u64::from(self.workload.queries);
        let of_table = u64::from(buckets) * MOST_BYTES_OF_SLOT;
        Ok(of_table + of_keys * TimedKeys::BYTES_PER_KEY + keys.bytes())
    }

    fn deletes(&self) -> bool {
        true
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = operations.clamp(1.0, f64::from(u32::MAX)) as u32;
        let elements = self.size.elements.min((at_most / 2).max(1));
        let mut workload = self.workload;
        workload.queries = workload.queries.min(at_most);
        workload.alternation =
            workload.alternation.map(|own| Alternation { rounds: own.rounds.min(at_most), ..own });
        Box::new(Self { size: Size { elements, ..self.size }, workload, ..self.clone() })
    }
}
