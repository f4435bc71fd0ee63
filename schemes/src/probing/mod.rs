//! Open addressing: n elements in m slots that hold one each, and a key is looked for in one slot after the other.
//!
//! Notation: n elements, m slots (buckets of one element), load α = n/m. A *probe* is a slot that is read; a *hit* is
//! a look-up of an element, a *miss* one of an absent key. The *displacement* of an element is how many slots it is
//! behind the one that its hash value names.

mod case;
mod circle;
mod double_hashing;
mod first_free;
mod hopscotch;
mod linear_probing;
pub mod metrics;
mod outlook;
pub mod params;
mod quadratic_probing;
mod robin_hood;
mod table;
pub mod theory;
mod timed;
mod trial;
mod workload;

#[cfg(test)]
mod tests;

use crate::family::{Family, SchemeEntry};
use crate::summaries::metrics::PROBES_PER_HIT;

/// The schemes, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
    linear_probing::ENTRY,
    quadratic_probing::ENTRY,
    double_hashing::ENTRY,
    robin_hood::ENTRY,
    hopscotch::ENTRY,
];

/// Open addressing.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Open addressing: each of m slots holds one element, and a key is looked for in one slot after the other, in an order that its hash values give, until it is found or it is sure that it is absent.",
    schemes: SCHEMES,
    workloads: workload::WORKLOADS,
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: PROBES_PER_HIT,
    axes: params::AXES,
    curves: &[],
    alternatives: params::ALTERNATIVES,
    long: &["rounds", "queries", "elements", "buckets"],
    large: &["buckets"],
};
