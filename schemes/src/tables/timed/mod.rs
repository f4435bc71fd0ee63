//! Tables that store keys, to be timed. Trials count the elements of each bucket and need no keys: nothing could be
//! looked up in what they fill.
//!
//! A table here makes the same decisions as that of a trial with the same seed, so that as many elements overflow.

mod footprint;
mod moving_back;
mod named_list;
mod ranges;
mod rule_table;
mod structure;
mod table;
#[cfg(test)]
mod tests;

pub use crate::timed::Key;
pub use rule_table::RuleTable;
pub use table::{KeyTable, KeyTableVisitor};

pub(super) use footprint::{footprint, named_footprint};
pub(super) use moving_back::{FIRST_ROOM, visit};
pub(super) use named_list::NamedList;
pub(super) use ranges::ranges;
pub(super) use structure::structure;

pub(super) use crate::timed::{ABSENT, OverflowList, Slots, key};
