//! Hash tables with chains: buckets that hold any number of elements.
//!
//! n elements in m buckets, load r = n/m, d choices per element. An element goes to the least loaded of its buckets,
//! the first of them where several are, and to the end of the chain there.

mod attack;
mod case;
mod chained;
mod levels;
pub mod metrics;
mod outlook;
pub mod params;
mod point;
mod rare;
mod schemes;
#[cfg(test)]
mod tests;
pub mod theory;
mod timed;
mod trial;

use crate::family::{CurveInfo, ELEMENTS_OR_LOAD, Family};
use crate::tables::metrics::MAX_LOAD;

const fn order(name: &'static str, label: &'static str) -> CurveInfo {
    let says = "say how the greatest load grows with the number of buckets";
    CurveInfo { name, label, x: params::BUCKETS.name, y: MAX_LOAD, says }
}

/// How the greatest load grows, to the leading order.
static CURVES: [CurveInfo; 4] = [
    order(case::ONE_CHOICE, "one choice, leading order"),
    order(case::TWO_CHOICES, "two choices, leading order"),
    order(case::TWO_LEFT, "two choices to the left, leading order"),
    CurveInfo {
        name: case::HEAVY_GAP,
        label: "one choice, leading order",
        x: params::LOAD.name,
        y: metrics::LOAD_GAP,
        says: "say how the greatest load of one choice grows with the load",
    },
];

/// Hash tables with chains.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Hash tables with chains: n elements in m buckets, each of which holds any number of elements in a list. An element goes to the least loaded of its d choices; a look-up reads the chains of its choices one after the other.",
    schemes: schemes::SCHEMES,
    workloads: case::WORKLOADS,
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: MAX_LOAD,
    axes: params::AXES,
    curves: &CURVES,
    alternatives: ELEMENTS_OR_LOAD,
    long: &["elements", "load", "buckets", "queries"],
    large: &["elements", "buckets"],
};
