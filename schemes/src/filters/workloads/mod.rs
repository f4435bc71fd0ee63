//! What is done with a filter in a trial.

mod membership;

use crate::hash::{HashSpec, Source};
use crate::info::WorkloadInfo;
use crate::keys::{Arrivals, Seeds};
use crate::params::{ParamError, Params};

use super::Filter;
use super::params::QUERIES;

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&membership::INFO];

/// What is done with a filter in a trial, with its lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Workload {
    /// n keys in, so many absent keys asked.
    Membership {
        /// q.
        queries: u64,
    },
}

/// What one trial counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Outcome {
    /// Elements whose key an earlier one has.
    pub(super) repeated: u64,
    /// Absent keys that the filter was asked for.
    pub(super) asked: u64,
    /// Those of them to which it said yes.
    pub(super) positive: u64,
}

impl Workload {
    /// Reads and checks the parameters of the workload of this name.
    pub(super) fn read(_info: &WorkloadInfo, params: &Params) -> Result<Self, ParamError> {
        Ok(Self::Membership { queries: params.integer(QUERIES.name)? })
    }

    /// Absent keys that a trial asks for.
    pub fn queries(&self) -> u64 {
        match *self {
            Self::Membership { queries } => queries,
        }
    }

    /// The same with at most so many operations.
    pub(super) fn shortened(self, operations: u64) -> Self {
        match self {
            Self::Membership { queries } => {
                Self::Membership { queries: queries.min(operations.max(1)) }
            }
        }
    }

    /// One trial, from a filter that holds nothing and arrivals that were begun.
    pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
        &self,
        filter: &F,
        store: &mut F::Store,
        arrivals: &mut A,
        hash: &HashSpec,
        seeds: &Seeds,
    ) -> Outcome {
        let mut source = S::new(hash, seeds.hash);
        match *self {
            Self::Membership { queries } => {
                membership::run(filter, store, arrivals, &mut source, queries)
            }
        }
    }
}
