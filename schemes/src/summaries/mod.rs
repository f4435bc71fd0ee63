//! Summaries of hash tables: a multilevel table of one element per bucket, and beside it a small structure that tells
//! in which of its sub-tables an element is.
//!
//! Notation as in "Simple Summaries for Hashing with Choices", chapter 4 of Kirsch's thesis: n elements, sub-tables
//! T_1..T_d of m_1..m_d buckets, S_i the elements that are in none of T_1..T_i. An element in T_i is of type i. One that
//! finds all its d buckets taken makes a crisis; the summary keeps it as of type d. A failure of type i is an element of
//! type i of which the summary tells another type.

mod case;
mod cells;
mod census;
mod counter_use;
mod counting_fill;
mod counting_filters;
mod counting_single_filter;
mod fast_hash_table;
mod fill;
mod filter_sizes;
mod groups;
mod interpolation;
mod keyed;
mod lazy;
mod members;
pub mod metrics;
mod mht;
mod multilevel;
mod multiple_filters;
mod outlook;
pub mod params;
mod predicted;
mod pruned;
mod rare;
mod readings;
mod rebuild;
mod single_filter;
mod strings;
mod summary;
mod tallies;
#[cfg(test)]
mod tests;
pub mod theory;
mod timed;
mod workloads;

use crate::family::{Family, SchemeEntry};

pub use cells::{Cells, Packing};
pub use census::Census;
pub use counter_use::CounterUse;
pub use counting_filters::CountingFilters;
pub use counting_single_filter::CountingSingleFilter;
pub use fill::Fill;
pub use interpolation::Interpolation;
pub use mht::Unsummarised;
pub use multilevel::Multilevel;
pub use multiple_filters::MultipleFilters;
pub use single_filter::SingleFilter;
pub use summary::{Answers, Given, Hashing, Summary, TypeFilter};
pub use workloads::{Asked, Workload};

/// The schemes, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
    mht::ENTRY,
    case::entry::<Interpolation>(),
    case::entry::<SingleFilter>(),
    case::entry::<MultipleFilters>(),
    case::entry::<CountingFilters>(),
    case::entry::<CountingSingleFilter>(),
    fast_hash_table::ENTRY,
];

/// Multilevel tables with a summary.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Summaries: n elements go into a multilevel table, whose d sub-tables decrease in size and hold one element per bucket. An element goes to the first sub-table where its bucket is empty; one that finds none makes a crisis. A summary, small enough for fast memory, tells of a key in which sub-table it is, so that a look-up reads one bucket: it may take an absent key for an element, which is a false positive, and fails where it tells a wrong sub-table.",
    schemes: SCHEMES,
    workloads: workloads::WORKLOADS,
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: metrics::CRISIS_FRACTION,
    axes: params::AXES,
    curves: &[],
    alternatives: params::ALTERNATIVES,
    long: &["queries", "rounds", "elements"],
    large: &["elements", "sub_table_buckets"],
};
