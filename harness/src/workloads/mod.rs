//! What one trial does.

mod arrivals;
mod batch;
mod cost;
mod hashing;
mod process;
mod readings;
mod registry;
mod residents;
mod seeds;
mod trial;

pub use arrivals::{KeySource, TraceKeys};
pub use batch::Setup;
pub use cost::{memory, operations};
pub use hashing::hash_spec;
pub use process::Process;
pub use registry::{HASH_PARAMS, KEY_PARAMS, WORKLOADS, WorkloadInfo};
pub use seeds::Seeds;

use arrivals::MADE_KEY_BYTES;
