//! Summaries of multilevel hash tables: which sub-table has an element, if any.

pub mod theory;
