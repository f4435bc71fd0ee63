//! Bloom filters: sets that may say yes to what they do not hold, and never no to what they do.
//!
//! Notation as in the papers: n elements in m bits, k choices per element, m/n bits per element. The
//! false positive probability is that of an absent key before the set is fixed; the false positive rate
//! is the share of absent keys to which one filter says yes.

mod bits;
mod case;
pub mod metrics;
pub mod params;
mod partitioned;
mod standard;
mod theory;
mod trial;

use std::fmt;

use crate::family::{Family, SchemeEntry};
use crate::hash::Choices;
use crate::info::{SchemeInfo, WorkloadInfo};
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;

pub use bits::Bits;
pub use case::entry;
pub use params::Size;
pub use partitioned::Partitioned;
pub use standard::Standard;

/// A configured filter: how it uses its bits, and what theory says of it.
pub trait Filter: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// Reads and checks its parameters.
    ///
    /// # Errors
    /// The first parameter that is missing, out of its domain or impossible beside the others.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// Elements, bits and choices.
    fn size(&self) -> Size;

    /// Bits among which one choice is made.
    fn range(&self) -> u32;

    /// Inserts an element, of which these are the choices.
    fn insert(&self, bits: &mut Bits, choices: impl Choices);

    /// Whether the element with these choices may be in the filter; certainly not if `false`.
    fn contains(&self, bits: &Bits, choices: impl Choices) -> bool;

    /// What theory says of n elements with fully random choices.
    fn predictions(&self) -> Vec<Prediction>;
}

/// The filters, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[entry::<Standard>(), entry::<Partitioned>()];

/// n keys in, q absent keys asked.
static MEMBERSHIP: WorkloadInfo = WorkloadInfo {
    name: "membership",
    summary: "n elements are inserted into an empty filter, which is then asked for absent keys. Those are drawn like the elements' own; counted ones are numbers that no element has; of a trace they are the packets from the last one backwards whose key no element has, each once, so that fewer may be asked. A trace that is too short is gone through again under the same hash functions, whatever `trace_end` says but `error`: what is in the filter is asked for with the functions that put it there.",
    decides: &[],
    params: &[params::QUERIES],
};

/// Bloom filters.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Bloom filters: a set of n elements in m bits, of which each element sets k. A key is said to be in the set if all its bits are set, which for an absent key is a false positive.",
    schemes: SCHEMES,
    workloads: &[&MEMBERSHIP],
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: metrics::FALSE_POSITIVE_RATE,
    axes: params::AXES,
    curves: &[],
    alternatives: params::ALTERNATIVES,
    long: &["queries", "elements", "bits"],
    large: &["bits"],
};
