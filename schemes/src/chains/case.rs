//! A point of the family of tables with chains.

use std::ops::{Range, RangeInclusive};

use super::attack::Attack;
use super::chained::Chained;
use super::metrics;
use super::outlook;
use super::params::{ATTACK, BUCKETS, CHOICES, ELEMENTS, LOAD, QUERIES, Size};
use super::schemes::Kind;
use super::theory::leading;
use super::trial::Batch;
use crate::case::{Case, Cost, Means, Record, Request};
use crate::hash::HashSpec;
use crate::info::WorkloadInfo;
use crate::keys::{KEY_PARAMS, KeySource, choice_stream};
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::Outlook;

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

/// A table with chains under a workload, with a hash function.
#[derive(Debug, Clone)]
pub(super) struct ChainsCase {
    pub(super) kind: Kind,
    pub(super) size: Size,
    /// Buckets among which each choice is made.
    pub(super) ranges: Vec<u32>,
    pub(super) queries: u32,
    pub(super) attack: Option<Attack>,
    pub(super) hash: HashSpec,
    /// Whether fewer absent keys may be asked than are wanted.
    with_trace: bool,
    seed_text: String,
}

/// A point of the scheme of this kind.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read(kind: Kind, request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    let params = request.params;
    let size = Size::from_params(params)?;
    let choices = if kind == Kind::One { 1 } else { params.small(CHOICES.name)? };
    let ranges = kind.ranges(&size, choices)?;
    let widest = ranges.iter().max().copied().unwrap_or(0);
    let hash = HashSpec::from_params(request.hash, params, choices, (widest, BUCKETS.name))?;
    let queries = params.small(QUERIES.name)?;
    let keys = u64::from(size.elements) + u64::from(queries);
    let attack = match params.get(ATTACK.name) {
        Some(_) => Some(Attack::read(params, choices, keys)?),
        None => None,
    };
    let with_trace = params.word("keys")? == "trace";
    let seed_text = seed_text(params, &size);
    Ok(Box::new(ChainsCase { kind, size, ranges, queries, attack, hash, with_trace, seed_text }))
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

/// Standard deviations of a load up to which shares of buckets and laws of the greatest load are measured, and
/// elements beyond that.
const REACH: (f64, f64) = (4.0, 12.0);

impl ChainsCase {
    /// Loads of which the share of buckets is measured: the same in every trial.
    pub(super) fn loads_measured(&self) -> RangeInclusive<u16> {
        let most = 2.0 * self.size.load() + 8.0;
        0..=most.min(255.0) as u16
    }

    /// Numbers of which it is measured whether the greatest load is above: from the least that is possible on.
    pub(super) fn maxima_measured(&self) -> RangeInclusive<u16> {
        let load = self.size.load();
        let most = load + REACH.0 * load.sqrt() + REACH.1;
        load.ceil().min(255.0) as u16..=most.min(255.0) as u16
    }

    /// Elements and absent keys.
    fn keys(&self) -> u64 {
        u64::from(self.size.elements) + u64::from(self.queries)
    }

    /// Whether its keys are searched for under the function of the trial or another one.
    fn searches(&self) -> bool {
        self.attack.is_some_and(Attack::searches)
    }
}

impl Case for ChainsCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let Size { elements, buckets } = self.size;
        let choices = self.ranges.len() as u32;
        let searched = if self.searches() { f64::from(elements) * f64::from(buckets) } else { 0.0 };
        let operations =
            self.keys() as f64 * f64::from(1 + choices) + searched + f64::from(buckets);
        let of_keys = u64::from(elements) * keys.bytes_per_element() + keys.bytes();
        // Keys that are built are kept, with a number for each.
        let built = if self.attack.is_some() { 28 * self.keys() } else { 0 };
        let bytes = Chained::bytes(buckets, elements, choices) + of_keys + built;
        Cost { operations, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.size.elements.into()
    }

    fn distinct_keys(&self) -> u64 {
        self.size.elements.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let mut batch = Batch::new(self);
        let keys = match self.attack {
            Some(attack) => &attack.keys(self.keys()),
            None => keys,
        };
        let ranges = self.ranges.clone();
        choice_stream(&self.hash, keys, self.size.elements, ranges, &mut |stream| {
            batch.run(stream, seed, trials.clone(), out);
        });
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        outlook::of(self)
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::BUCKETS => Some(self.size.buckets.into()),
            metrics::ELEMENTS => Some(self.size.elements.into()),
            metrics::QUERIES => (!self.with_trace).then_some(self.queries.into()),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        vec![
            (ELEMENTS.name, Some(self.size.elements.into())),
            (LOAD.name, Some(self.size.load().into())),
        ]
    }

    fn curve(&self, name: &str, x: f64) -> Option<f64> {
        let load = self.size.load();
        match name {
            ONE_CHOICE => leading::one_choice(load, x),
            TWO_CHOICES => leading::d_choices(load, x, 2),
            TWO_LEFT => leading::d_left(load, x, 2),
            HEAVY_GAP => Some(leading::heavy_gap(x, self.size.buckets.into())),
            _ => None,
        }
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        // A key that is searched for takes as many candidates as there are buckets.
        let of_element =
            self.ranges.len().max(if self.searches() { self.size.buckets as usize } else { 1 });
        let most = (operations / of_element as f64).clamp(1.0, self.size.elements.into());
        let size = Size { elements: most as u32, ..self.size };
        Box::new(Self { size, queries: self.queries.min(most as u32), ..self.clone() })
    }
}
