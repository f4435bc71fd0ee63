//! n elements in, then all of them and absent keys asked.

use crate::info::WorkloadInfo;
use crate::summaries::params::{LEFT_AFTER, QUERIES};

/// Its entry in the reference.
pub(in crate::summaries) static INFO: WorkloadInfo = WorkloadInfo {
    name: "summary-fill",
    summary: "n elements go into an empty table and its summary, which is then asked for each of them and for absent keys. Elements of a trace are its first n distinct keys, and a trace of fewer is refused; absent ones are its packets from the last one backwards whose key no element has, each once, so that fewer may be asked. With `hash = \"random\"` the elements of a type are their number: what no answer depends on is not drawn.",
    decides: &[],
    params: &[QUERIES, LEFT_AFTER],
};
