//! n elements in, some of them marked as deleted, and the table rebuilt.

use crate::info::WorkloadInfo;
use crate::summaries::params::{DELETED, DELETED_FROM, REBUILD_LAW_FROM, REBUILD_LAW_TO};

/// Its entry in the reference.
pub(in crate::summaries) static INFO: WorkloadInfo = WorkloadInfo {
    name: "lazy-deletion",
    summary: "n elements go into an empty table, `deleted` of them are deleted by setting the deletion bits of their buckets, and the table is rebuilt: sub-table after sub-table and bucket after bucket, an element that is not deleted moves to the first of its buckets that is empty or whose element is deleted, if one before its own is.",
    decides: &[],
    params: &[DELETED, DELETED_FROM, REBUILD_LAW_FROM, REBUILD_LAW_TO],
};
