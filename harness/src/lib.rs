//! loadfactor: does what a paper predicts of a hash structure hold, for this scheme, with this
//! hash function, on this trace?
//!
//! An experiment is a TOML file ([`definition`]); it is resolved into points ([`plan`]), whose
//! trials are run in parallel and journalled ([`run`]); the trials become estimates and verdicts ([`estimate`]), these a table ([`table`]), and that a report
//! ([`report`]). Each stage knows only what stands before it.

mod cli;
pub mod definition;
pub mod diagnosis;
pub mod estimate;
pub mod files;
mod harness;
pub mod pipeline;
pub mod plan;
pub mod report;
pub mod run;
pub mod sizing;
pub mod table;
pub mod trace;

pub use harness::Harness;
