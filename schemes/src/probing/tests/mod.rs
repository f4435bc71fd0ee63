//! The tables beside searches that are written out, the theory beside enumeration and simulation.

mod definitions;
mod enumerated;
mod rare;
mod simulated;
mod tables;

use super::case::Scheme;
use super::params::Size;
use super::table::{Deletion, Table};
use crate::params::Params;

/// An empty table of a scheme that has no parameter of its own.
fn table<S: Scheme>(elements: u32, buckets: u32, deletion: Deletion) -> S::Table {
    let size = Size { elements, buckets };
    S::from_params(size, &Params::default()).unwrap().table(deletion)
}

/// The slots read for each element that is stored.
fn hits(table: &impl Table, elements: u32) -> Vec<u32> {
    (0..elements).filter_map(|element| table.hit(element)).collect()
}
