//! The greatest load of a table with chains.

pub mod leading;
pub mod max_load;
pub mod span;
