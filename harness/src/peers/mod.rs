//! Sets of other crates as schemes of the families of filters and tables, to be timed beside ours with the same keys and the same
//! hash functions: only in programs that are built with the feature `peers`.
//!
//! They are what a user's own structure would be: a [`Case`] that inserts, asks, and gives itself to be timed.

mod beside;
mod case;
mod fastbloom;
mod hashbrown;
mod set;
mod table;

use crate::Harness;

/// The program with the sets of other crates.
#[must_use]
pub fn added_to(harness: Harness) -> Harness {
    harness
        .with_scheme(case::entry::<fastbloom::Fastbloom>())
        .with_scheme(case::entry::<hashbrown::BesideFilters>())
        .with_scheme(case::entry::<hashbrown::BesideTables<table::Tables>>())
        .with_scheme(case::entry::<hashbrown::BesideTables<table::Probing>>())
        .with_scheme(case::entry::<hashbrown::BesideTables<table::Chains>>())
        .with_scheme(case::entry::<hashbrown::BesideTables<table::CuckooTables>>())
}
