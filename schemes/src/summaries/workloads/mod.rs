//! What is done with a table and its summary in a trial.

pub(super) mod summary_fill;

use super::params::{LEFT_AFTER, QUERIES};
use super::{fast_hash_table, lazy};
use crate::info::WorkloadInfo;
use crate::params::{ParamError, Params};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] =
    &[&summary_fill::INFO, &lazy::INFO, &fast_hash_table::REPLACEMENT];

/// What is done in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// n elements in, then all of them and absent keys asked.
    SummaryFill(Asked),
}

/// What a summary is asked, and what is to be known beside its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Absent keys that it is asked for in a trial.
    pub queries: u64,
    /// Whether the elements left over after each sub-table are measured.
    pub left_after: bool,
}

impl Workload {
    /// Reads and checks the parameters of the workload of this name.
    pub(super) fn read(info: &WorkloadInfo, params: &Params) -> Result<Self, ParamError> {
        match info.name {
            name if name == summary_fill::INFO.name => {
                Ok(Self::SummaryFill(Asked::from_params(params)?))
            }
            name => {
                let reason = format!("`{name}` is not for this scheme");
                Err(ParamError::new("kind", reason))
            }
        }
    }

    /// What the summary is asked.
    pub fn asked(&self) -> Asked {
        match *self {
            Self::SummaryFill(asked) => asked,
        }
    }

    /// The same with at most so many operations.
    pub(super) fn shortened(self, operations: u64) -> Self {
        match self {
            Self::SummaryFill(asked) => {
                Self::SummaryFill(Asked { queries: asked.queries.min(operations.max(1)), ..asked })
            }
        }
    }
}

impl Asked {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let queries = params.integer(QUERIES.name)?;
        Ok(Self { queries, left_after: params.flag(LEFT_AFTER.name)? })
    }
}
