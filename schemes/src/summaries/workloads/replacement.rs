//! n elements in, one after the other replaced by a new one.

use crate::info::WorkloadInfo;
use crate::summaries::params::ROUNDS;

/// Its entry in the reference.
pub(in crate::summaries) static INFO: WorkloadInfo = WorkloadInfo {
    name: "replacement",
    summary: "n elements go into an empty table, which is pruned; then a random element is deleted and a new one inserted, again and again, and what has to be moved is moved at once.",
    decides: &[],
    params: &[ROUNDS],
};
