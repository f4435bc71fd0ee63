//! Balancing: n elements put into m buckets without end, as evenly as a budget of accesses allows.
//!
//! Notation as in "Access-Efficient Balanced Bloom Filters": load r = n/m, d choices, a accesses per insertion
//! on average, overflow fraction γ. A bucket takes every element below its threshold of h elements, an element
//! beyond h with probability p, and none after that.

mod case;
mod cost;
mod loads;
pub mod metrics;
mod multilevel;
mod offline;
mod outlook;
pub mod params;
mod rare;
mod rule;
mod sequential;
mod single;
pub mod theory;

pub use loads::{Loads, accesses_per_absent_lookup};
pub use params::Target;
pub use rule::{Kind, Rule};

use crate::family::{Family, SchemeEntry};
use crate::tables::metrics::OVERFLOW_FRACTION;

/// The schemes, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] =
    &[single::ENTRY, sequential::ENTRY, multilevel::ENTRY, offline::ENTRY];

/// Balancing schemes.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Balancing: n elements go into m buckets that hold any number of them. An element reads its buckets one by one and stays in the first that has fewer than h elements, or exactly h and a coin of probability p says so; refused everywhere, it goes to the overflow list. The more evenly the buckets are filled for so many accesses, the better.",
    schemes: SCHEMES,
    workloads: case::WORKLOADS,
    shared_params: cost::PARAMS,
    shared_params_are: "for what a bucket costs by its load",
    metrics: metrics::METRICS,
    headline: OVERFLOW_FRACTION,
    axes: params::AXES,
    curves: &[],
    alternatives: params::ALTERNATIVES,
    long: &["elements", "buckets"],
    large: &["buckets"],
};
