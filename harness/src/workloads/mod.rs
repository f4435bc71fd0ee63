//! What one trial does.

mod registry;

pub use registry::{HASH_PARAMS, KEY_PARAMS, WORKLOADS, WorkloadInfo};
