//! What is done with a filter in a trial.

mod membership;

use crate::hash::{HashSpec, Source};
use crate::info::WorkloadInfo;
use crate::keys::{Arrivals, Seeds};
use crate::params::{ParamError, Params};

use super::Filter;
use super::params::{DEVIATION, POSITIVES_LAW, QUERIES};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&membership::INFO];

/// What is done with a filter in a trial, with its lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Workload {
    /// n keys in, absent keys asked.
    Membership(Asked),
}

/// What a filter is asked, and what is to be known of its answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Absent keys that it is asked for in a trial, q.
    pub queries: u64,
    /// The greatest number of false positives of which the probability is measured.
    pub positives_law: Option<u16>,
    /// How far from its limit a rate counts as off.
    pub deviation: Option<f64>,
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
        Ok(Self::Membership(Asked::from_params(params)?))
    }

    /// What the filter is asked.
    pub fn asked(&self) -> Asked {
        match *self {
            Self::Membership(asked) => asked,
        }
    }

    /// The same with at most so many operations.
    pub(super) fn shortened(self, operations: u64) -> Self {
        match self {
            Self::Membership(asked) => {
                Self::Membership(Asked { queries: asked.queries.min(operations.max(1)), ..asked })
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
            Self::Membership(Asked { queries, .. }) => {
                membership::run(filter, store, arrivals, &mut source, queries)
            }
        }
    }
}

impl Asked {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let given = |name: &str| params.get(name).is_some();
        let positives_law = match given(POSITIVES_LAW.name) {
            true => u16::try_from(params.small(POSITIVES_LAW.name)?).ok(),
            false => None,
        };
        let deviation = given(DEVIATION.name).then(|| params.number(DEVIATION.name)).transpose()?;
        Ok(Self { queries: params.integer(QUERIES.name)?, positives_law, deviation })
    }
}
