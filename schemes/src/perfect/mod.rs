//! Perfect hashing: static tables in which a look-up reads one place of each of two levels.
//!
//! FKS, after Fredman, Komlós and Szemerédi: n elements in m first-level buckets of n₁, n₂, … elements; a bucket of nᵢ
//! elements has nᵢ² places of its own, in which no two of its elements collide.

mod build;
mod case;
mod fks;
pub mod metrics;
mod outlook;
pub mod params;
mod point;
mod rare;
#[cfg(test)]
mod tests;
pub mod theory;
mod timed;

use crate::family::Family;

/// Perfect hash tables.
pub static FAMILY: Family = Family {
    name: fks::NAME,
    summary: "Perfect hashing: a static set is given hash functions, drawn again until they suit it, under which no two of its elements collide, so that a look-up takes constant time in the worst case.",
    schemes: &[fks::ENTRY],
    workloads: &[&fks::PERFECT_BUILD],
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: metrics::PLACES_PER_ELEMENT,
    axes: params::AXES,
    curves: &[],
    alternatives: &[],
    long: &["elements"],
    large: &["elements", "buckets_per_element"],
};
