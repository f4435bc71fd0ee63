//! What one trial does.

mod arrivals;
mod batch;
mod cost;
mod course;
mod hashing;
mod laws;
mod process;
mod readings;
mod registry;
mod residents;
mod seeds;
#[cfg(test)]
mod tests;
mod trial;

pub use arrivals::{KeySource, TraceKeys};
pub use batch::{ConstantLoads, Setup};
pub use cost::{memory, operations};
pub use hashing::hash_spec;
pub use process::{Process, Span};
pub use registry::{HASH_PARAMS, KEY_PARAMS, LAW_PARAMS, WORKLOADS, WorkloadInfo};
pub use seeds::Seeds;

pub(crate) use laws::laws;

use arrivals::MADE_KEY_BYTES;
