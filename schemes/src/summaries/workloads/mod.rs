//! What is done with a table and its summary in a trial.

pub(super) mod counted_deletion;
pub(super) mod lazy_deletion;
pub(super) mod replacement;
pub(super) mod summary_fill;

use super::Summary;
use super::params::{LEFT_AFTER, QUERIES, ROUNDS};
use crate::info::WorkloadInfo;
use crate::params::{ParamError, Params};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] =
    &[&summary_fill::INFO, &counted_deletion::INFO, &lazy_deletion::INFO, &replacement::INFO];

/// What is done in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// n elements in, then all of them and absent keys asked.
    SummaryFill(Asked),
    /// n elements in, one after the other replaced by a new one, then all of them and absent keys asked.
    CountedDeletion {
        /// What is asked at the end.
        asked: Asked,
        /// Elements that are replaced.
        rounds: u64,
    },
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
    /// Reads and checks the parameters of the workload of this name, for a summary of this type.
    pub(super) fn read<S: Summary>(
        info: &WorkloadInfo,
        params: &Params,
    ) -> Result<Self, ParamError> {
        match info.name {
            name if name == counted_deletion::INFO.name && !S::REMOVES => {
                let reason = "`counted-deletion` takes elements out of the summary, which this scheme cannot do; schemes that can are `mht`, `interpolation-summary`, `counting-filter-summary` and `counting-single-filter-summary`";
                Err(ParamError::new("kind", reason))
            }
            name if name == counted_deletion::INFO.name => {
                let rounds = params.integer(ROUNDS.name)?;
                Ok(Self::CountedDeletion { asked: Asked::from_params(params)?, rounds })
            }
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
            Self::SummaryFill(asked) | Self::CountedDeletion { asked, .. } => asked,
        }
    }

    /// Elements that are replaced.
    pub(super) fn rounds(&self) -> u64 {
        match *self {
            Self::SummaryFill(_) => 0,
            Self::CountedDeletion { rounds, .. } => rounds,
        }
    }

    /// Whether elements have to have keys, as they are met again.
    pub(super) fn needs_keys(&self) -> bool {
        matches!(self, Self::CountedDeletion { .. })
    }

    /// The same with at most so many operations.
    pub(super) fn shortened(self, operations: u64) -> Self {
        let fewer = |asked: Asked| Asked { queries: asked.queries.min(operations.max(1)), ..asked };
        match self {
            Self::SummaryFill(asked) => Self::SummaryFill(fewer(asked)),
            Self::CountedDeletion { asked, rounds } => {
                Self::CountedDeletion { asked: fewer(asked), rounds: rounds.min(operations) }
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
