//! Cuckoo hashing as a table that must hold everything: an element that finds no room evicts another one, what no moves
//! make room for goes to a stash, and a build whose stash is full has failed.
//!
//! Notation as in the lecture notes: n elements, m buckets, load α; with h slots a bucket it is c = n/(m·h), with d
//! choices the threshold is c*. The stash has s places ("More Robust Hashing: Cuckoo Hashing with a Stash").

mod breadth_first;
mod buckets;
mod build;
mod case;
mod eviction;
mod forest;
pub mod metrics;
mod outlook;
pub mod params;
mod random_walk;
mod rare;
mod shelf;
mod slots;
#[cfg(test)]
mod tests;
pub mod theory;
mod timed;

use crate::family::{ELEMENTS_OR_LOAD, Family, SchemeEntry};
use crate::info::SchemeInfo;
use crate::tables::metrics::MOVES_PER_INSERTION;
use crate::tables::params::{BUCKET_SIZE, BUCKETS, ELEMENTS, LOAD, SUB_TABLES};

static TABLE: SchemeInfo = SchemeInfo {
    name: "cuckoo-table",
    summary: "The d choices are read one after the other, and an element goes to the first bucket that is not full. If all are full, one of their elements is evicted, which tries its other choices in the same way. With two choices and buckets of one this is the table of the lecture notes, with `sub_tables` the two tables of Pagh and Rodler. An element for which no room is found goes to the stash; where that is full, the build has failed.",
    source: "Notes on Randomized Algorithms, Section 7.4; the stash: \"More Robust Hashing: Cuckoo Hashing with a Stash\"; breadth-first: \"Space Efficient Hash Tables With Worst Case Constant Access Time\"",
    params: &[
        ELEMENTS,
        LOAD,
        BUCKETS,
        BUCKET_SIZE,
        params::CHOICES,
        SUB_TABLES,
        params::EVICTION,
        params::EVICTION_LIMIT,
        params::STASH_SIZE,
    ],
    predictions: &[
        "d = 2, h = 1, one table: excess, elements in the stash, elements that close a loop, failed builds and rehashes with any stash, exact (components of the random graph, by their kernels)",
        "d = 2, h = 1, one table: elements that close a loop, failed builds, moves, upper bounds (Section 7.4.2, corrected)",
        "d = 2, h = 1, one table, random walk: moves, asymptotic and refined (random trees)",
        "d = 2, h = 1, two tables, without a stash: failed builds, exact (\"A Precise Analysis of Cuckoo Hashing\")",
        "else: failed builds, upper bound (Hall's theorem) and, away from the threshold, asymptotic (none below it, all above it)",
        "d = 2, h = 1, one table: probability of an excess beyond s, exact",
    ],
};

static SCHEMES: &[SchemeEntry] =
    &[SchemeEntry { family: case::NAME, info: &TABLE, case: case::read }];

/// Cuckoo tables.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Cuckoo hashing as a table that must hold everything: n elements, each in one of d buckets that hash functions choose for it. What no moves make room for goes to a stash of s places; where that is full, the table has to be built again with other hash functions.",
    schemes: SCHEMES,
    workloads: case::WORKLOADS,
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: MOVES_PER_INSERTION,
    axes: params::AXES,
    curves: &[],
    alternatives: ELEMENTS_OR_LOAD,
    long: &["elements", "buckets"],
    large: &["buckets", "elements"],
};
