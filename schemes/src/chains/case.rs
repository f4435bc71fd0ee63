//! A point of the family of tables with chains.

use std::ops::Range;

use super::chained::Chained;
use super::params::{ATTACK, ELEMENTS, LOAD, QUERIES, Size};
use super::point::{Kind, Point};
use super::theory::leading;
use super::timed::KeyChains;
use super::trial::Batch;
use super::{metrics, outlook, rare};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::info::WorkloadInfo;
use crate::keys::{KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::Outlook;
use crate::rare::{Event, NotRare, Rare};
use crate::timed::{Timed, TimedKeys, Untimed, check_keys, with_hash};

/// The name of the family.
pub(super) const NAME: &str = "chains";

/// The names of the curves.
pub(super) const ONE_CHOICE: &str = "one_choice_order";
pub(super) const TWO_CHOICES: &str = "two_choices_order";
pub(super) const TWO_LEFT: &str = "two_left_order";
pub(super) const HEAVY_GAP: &str = "one_choice_gap_order";

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&CHAINS_FILL, &CHAINS_ATTACK];

static CHAINS_FILL: WorkloadInfo = WorkloadInfo {
    name: "chains-fill",
    summary: "n elements with different keys are inserted; each of them is then looked up, and so many absent keys.",
    decides: &[],
    params: &[QUERIES],
};

static CHAINS_ATTACK: WorkloadInfo = WorkloadInfo {
    name: "chains-attack",
    summary: "The same with keys that are built against a hash function or a family of them. Where keys are searched for, absent ones are drawn and a trial hashes n·m candidates, about.",
    decides: &[],
    params: &[QUERIES, ATTACK],
};

/// A point with the text from which its seeds are derived.
#[derive(Debug, Clone)]
struct ChainsCase {
    point: Point,
    /// Whether fewer absent keys may be asked than are wanted.
    with_trace: bool,
    seed_text: String,
}

/// A point of the scheme of this kind.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read(kind: Kind, request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    let point = Point::read(kind, request)?;
    let with_trace = request.params.word("keys")? == "trace";
    let seed_text = seed_text(request.params, &point.size);
    Ok(Box::new(ChainsCase { point, with_trace, seed_text }))
}

/// Size and keys: the same for every scheme, hash function and number of choices.
fn seed_text(params: &Params, size: &Size) -> String {
    let mut text = format!("chains of {} elements in {} buckets", size.elements, size.buckets);
    let names = KEY_PARAMS.iter().map(|param| param.name);
    for name in names.chain([QUERIES.name, ATTACK.name]) {
        let value = params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

const SEARCHED: Untimed = Untimed(
    "its keys are searched for in each trial; `cross-product` and `progression` are keys that can be timed",
);

impl ChainsCase {
    /// The keys that are built against a family of hash functions, if they are.
    fn built_keys(&self) -> Result<Option<KeySource>, Untimed> {
        if self.point.searches() {
            Err(SEARCHED)
        } else {
            Ok(self.point.attack.map(|own| own.keys(self.point.keys())))
        }
    }
}

impl Case for ChainsCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let Size { elements, buckets } = self.point.size;
        let choices = self.point.ranges.len() as u32;
        let searched =
            if self.point.searches() { f64::from(elements) * f64::from(buckets) } else { 0.0 };
        let operations =
            self.point.keys() as f64 * f64::from(1 + choices) + searched + f64::from(buckets);
        let of_keys = u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        // Keys that are built are kept, with a number for each.
        let built = if self.point.attack.is_some() { 28 * self.point.keys() } else { 0 };
        let bytes = Chained::bytes(buckets, elements, choices) + of_keys + built;
        Cost { operations, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.point.size.elements.into()
    }

    fn distinct_keys(&self) -> u64 {
        self.point.size.elements.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let mut batch = Batch::new(&self.point);
        let keys = match self.point.attack {
            Some(attack) => &attack.keys(self.point.keys()),
            None => keys,
        };
        let ranges = self.point.ranges.clone();
        choice_stream(&self.point.hash, keys, self.point.size.elements, ranges, &mut |stream| {
            batch.run(stream, seed, trials.clone(), out);
        });
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        outlook::of(&self.point)
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::BUCKETS => Some(self.point.size.buckets.into()),
            metrics::ELEMENTS => Some(self.point.size.elements.into()),
            metrics::QUERIES => (!self.with_trace).then_some(self.point.queries.into()),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        vec![
            (ELEMENTS.name, Some(self.point.size.elements.into())),
            (LOAD.name, Some(self.point.size.load().into())),
        ]
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        rare::check(&self.point, event)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        rare::trials(&self.point, event)
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        outlook::of_event(&self.point, event)
    }

    fn curve(&self, name: &str, x: f64) -> Option<f64> {
        let load = self.point.size.load();
        match name {
            ONE_CHOICE => leading::one_choice(load, x),
            TWO_CHOICES => leading::d_choices(load, x, 2),
            TWO_LEFT => leading::d_left(load, x, 2),
            HEAVY_GAP => Some(leading::heavy_gap(x, self.point.size.buckets.into())),
            _ => None,
        }
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        let built = self.built_keys()?;
        let Size { elements, buckets } = self.point.size;
        let (queries, seeds) = (self.point.queries.into(), Seeds::of(seed, 0));
        let keys = built.as_ref().unwrap_or(keys);
        let (keys, width) = TimedKeys::in_slots(keys, elements, queries, seeds.keys)?;
        let firsts = self.point.kind.firsts(&self.point.ranges);
        let ranges = firsts.into_iter().zip(self.point.ranges.iter().copied()).collect();
        with_hash(KeyChains::new(ranges, [buckets, elements], width), self.point.hash, keys, seeds)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        check_keys(&self.point.hash)?;
        let built = self.built_keys()?;
        let Size { elements, buckets } = self.point.size;
        let of_keys =
            self.point.keys() * TimedKeys::BYTES_PER_KEY + built.as_ref().unwrap_or(keys).bytes();
        Ok(KeyChains::bytes_of(buckets, elements) + of_keys)
    }

    fn deletes(&self) -> bool {
        true
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let Point { size, ranges, queries, .. } = &self.point;
        // A key that is searched for takes as many candidates as there are buckets.
        let searched = if self.point.searches() { size.buckets as usize } else { 1 };
        let most = operations / ranges.len().max(searched) as f64;
        let elements = most.clamp(1.0, size.elements.into()) as u32;
        let point = Point {
            size: Size { elements, ..*size },
            queries: (*queries).min(elements),
            ..self.point.clone()
        };
        Box::new(Self { point, ..self.clone() })
    }
}
