//! Two tables on different machines are joined.

use super::super::join::{KEY_BYTES, MATCHING_ROWS, ROW_BYTES};
use super::super::params::{MEMBERS, QUERIES};
use crate::info::WorkloadInfo;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "join",
    summary: "Bloomjoin: a table of n keys sends a filter of them to a larger table on another machine, which sends back the rows whose key the filter has. Those are `matching_rows` that have a partner, and the false positives among `queries` others, whose keys are absent ones as under `membership`. The alternative is to send the n keys.",
    decides: &[],
    params: &[QUERIES, MEMBERS, MATCHING_ROWS, KEY_BYTES, ROW_BYTES],
};
