//! Bloom filters: sets that may say yes to what they do not hold, and never no to what they do.
//!
//! Notation as in the papers: n elements in m bits, k choices per element, m/n bits per element. The
//! false positive probability is that of an absent key before the set is fixed; the false positive rate
//! is the share of absent keys to which one filter says yes.

mod balanced;
mod bits;
pub mod block_metrics;
mod blocked;
mod case;
mod counters;
mod counting;
mod drawn;
mod fill;
mod join;
mod marks;
pub mod metrics;
pub mod params;
mod partitioned;
mod rare;
mod spectral;
mod standard;
mod stream;
#[cfg(test)]
mod tests;
mod theory;
mod timed;
mod workloads;

use std::fmt;

use crate::case::Record;
use crate::family::{CurveInfo, Family, SchemeEntry};
use crate::hash::{Choices, HashSpec, Together};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;
use crate::rare::{Event, MadeFor, NotRare, Rare};

pub use balanced::Balanced;
pub use bits::Bits;
pub use blocked::Blocked;
pub use case::entry;
pub use counters::{Counters, OverflowRule};
pub use counting::Counting;
pub use join::Join;
pub use params::Size;
pub use partitioned::Partitioned;
pub use spectral::Spectral;
pub use standard::Standard;
pub use workloads::{Asked, Multiplicities, Workload};

/// Choices of many keys that a filter takes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// All of them are drawn.
    Independent,
    /// They are those of double hashing and its kin, whose steps may be any.
    Progressions,
}

/// A configured filter: how it keeps elements, and what theory says of it.
pub trait Filter: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// Whether elements can be taken out again.
    const REMOVES: bool = false;

    /// Whether it tells how often an element was inserted.
    const COUNTS: bool = false;

    /// The choices that it takes together, where elements are inserted and absent keys asked for and nothing else.
    const TAKES: &'static [Taken] = &[];

    /// Whether an element to which it says yes would leave its answers as they are, so that these depend on how many
    /// elements came, and not on which of them were taken for known ones.
    const IS_UNION: bool = true;

    /// What it keeps of its elements.
    type Store: Send;

    /// Reads and checks its parameters.
    ///
    /// # Errors
    /// The first parameter that is missing, out of its domain or impossible beside the others.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// Elements, bits and choices.
    fn size(&self) -> Size;

    /// The same filter for another number of elements.
    fn holding(&self, elements: u32) -> Self;

    /// The limit of the false positive probability in many bits, where it is that of k·n balls in m bins.
    fn limit(&self) -> Option<f64> {
        Some(self.size().limit())
    }

    /// Bytes that a store takes.
    fn bytes(&self) -> u64 {
        8 * u64::from(self.size().bits.div_ceil(u64::BITS))
    }

    /// How many there are of the things that metrics of its own count shares of.
    fn number_of(&self, _things: &str) -> Option<f64> {
        None
    }

    /// Choices that the hash function makes for an element, those of blocks included.
    fn hash_choices(&self) -> u32 {
        self.size().choices
    }

    /// Among how many places of which kind a choice is made, for each kind of choice.
    fn ranges(&self) -> Vec<(u32, &'static str)>;

    /// Whether its bits alone answer, and never with no for an element: then the least space of any set bounds it.
    fn answers_as_a_set(&self) -> bool {
        true
    }

    /// Steps of some nanoseconds that the prediction of its false positive rate takes, about.
    fn work(&self) -> f64 {
        theory::work_of(&self.size())
    }

    /// A store that holds nothing.
    fn store(&self) -> Self::Store;

    /// Makes a store hold nothing again, for a trial that leaves to chance what `seed` decides.
    fn clear(&self, store: &mut Self::Store, seed: u64);

    /// Inserts an element, of which these are the choices.
    fn insert(&self, store: &mut Self::Store, choices: impl Choices);

    /// Takes an element out that was inserted with these choices. Not called unless [`Filter::REMOVES`].
    fn remove(&self, _store: &mut Self::Store, _choices: impl Choices) {}

    /// How often the element with these choices was inserted, or more. Not called unless [`Filter::COUNTS`].
    fn estimate(&self, _store: &Self::Store, _choices: impl Choices) -> u32 {
        0
    }

    /// Inserts so many elements whose choices are drawn into a store that holds nothing; whether it can. What is set then has the
    /// law of one element after the other in its numbers alone, if [`Filter::TAKES`] has independent choices: it is to be asked
    /// by [`ask_drawn`](Self::ask_drawn).
    fn insert_drawn(&self, _store: &mut Self::Store, _elements: u32, _from: Together<'_>) -> bool {
        false
    }

    /// To how many of so many absent keys whose choices are drawn it says yes, with the law of one after the other but faster;
    /// `None` unless [`Filter::TAKES`] has such choices.
    fn ask_drawn(&self, _store: &Self::Store, _keys: u64, _from: Together<'_>) -> Option<u64> {
        None
    }

    /// Whether the element with these choices may be in the filter; certainly not if `false`.
    fn contains(&self, store: &Self::Store, choices: impl Choices) -> bool;

    /// The false positive rate of this very store: the probability that it says yes to an absent key of
    /// independent choices.
    fn rate(&self, store: &Self::Store) -> f64;

    /// Hands over what else is to be measured of a store at the end of a trial. `rate` is its
    /// [`rate`](Self::rate), where choices are independent.
    fn record(&self, store: &Self::Store, rate: Option<f64>, out: &mut dyn Record);

    /// Trials of this workload for the probability of a rare event, with what their choices are made of.
    ///
    /// # Errors
    /// Where they do not count it, or cannot be taken up again.
    fn rare(
        &self,
        _workload: &Workload,
        _of: MadeFor,
        _event: &Event,
    ) -> Result<Box<dyn Rare>, NotRare> {
        Err(NotRare::nothing())
    }

    /// What theory says of it under this workload, with choices that are made like this from ideal values.
    fn outlook(&self, workload: &Workload, hash: &HashSpec) -> Outlook;
}

/// The filters, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
    entry::<Standard>(),
    entry::<Partitioned>(),
    entry::<Counting>(),
    entry::<Spectral>(),
    entry::<Blocked>(),
    entry::<Balanced>(),
];

/// What n·lg(1/ε) bits of any set of n elements say of its false positive rate ε.
static CURVES: [CurveInfo; 1] = [CurveInfo {
    name: case::LEAST_RATE,
    label: "information bound",
    x: params::BITS_PER_ELEMENT.name,
    y: metrics::FALSE_POSITIVE_RATE,
    says: "bound the false positive rate by the bits per element",
}];

/// Bloom filters.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Bloom filters: a set of n elements in m bits, of which each element sets k. A key is said to be in the set if all its bits are set, which for an absent key is a false positive.",
    schemes: SCHEMES,
    workloads: workloads::WORKLOADS,
    shared_params: &[params::STEPS],
    shared_params_are: "How double hashing and its kin step from choice to choice",
    metrics: &metrics::ALL,
    headline: metrics::FALSE_POSITIVE_RATE,
    axes: params::AXES,
    curves: &CURVES,
    alternatives: params::ALTERNATIVES,
    long: &["queries", "rounds", "packets", "multiplicity", "elements", "bits"],
    large: &["bits"],
};
