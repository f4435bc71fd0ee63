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
mod occupied;
mod outlook;
pub mod params;
mod quadratic_probing;
mod rare;
mod robin_hood;
mod table;
pub mod theory;
mod timed;
mod trial;
mod windows;
mod workload;

#[cfg(test)]
mod tests;

use self::metrics::{LONGEST_CLUSTER, LONGEST_PROBE};
use crate::family::{CurveInfo, ELEMENTS_OR_LOAD, Family, SchemeEntry};
use crate::metric::Metric;
use crate::summaries::metrics::PROBES_PER_HIT;

/// The schemes, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
    linear_probing::ENTRY,
    quadratic_probing::ENTRY,
    double_hashing::ENTRY,
    robin_hood::ENTRY,
    hopscotch::ENTRY,
];

const fn order(name: &'static str, label: &'static str, y: Metric) -> CurveInfo {
    let says = "say how the longest of a table grows with the number of slots";
    CurveInfo { name, label, x: "buckets", y, says }
}

/// How the longest cluster and search grow, to the leading order.
static CURVES: [CurveInfo; 3] = [
    order(case::LONGEST_CLUSTER_ORDER, "leading order", LONGEST_CLUSTER),
    order(case::LONGEST_PROBE_ORDER, "linear probing, leading order", LONGEST_PROBE),
    order(case::ROBIN_HOOD_ORDER, "Robin Hood, leading order", LONGEST_PROBE),
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
    curves: &CURVES,
    alternatives: ELEMENTS_OR_LOAD,
    long: &["rounds", "queries", "elements", "buckets"],
    large: &["buckets"],
};
