//! Everything that decides the trials of a point, but for keys and seeds.

use std::sync::{Arc, OnceLock};

use super::laws::Laws;
use super::rare::pilots::Pilots;
use super::workloads::Workload;
use super::{Process, Scheme, constant_loads};
use crate::hash::HashSpec;
use crate::keys::Made;

/// A scheme under a workload, with a hash function.
#[derive(Debug, Clone)]
pub(super) struct Setup<S> {
    pub(super) scheme: Arc<S>,
    pub(super) workload: Arc<dyn Workload>,
    pub(super) hash: HashSpec,
    /// Keys of trials that are taken up again; `None` for those of a trace.
    pub(super) made: Option<Made>,
    /// The distributions that are measured beside means.
    pub(super) laws: Laws,
    pub(super) constant_loads: ConstantLoads,
    pub(super) pilots: Pilots,
}

impl<S: Scheme> Setup<S> {
    pub(super) fn process(&self) -> Process {
        self.workload.process()
    }
}

/// The overflow fractions of a scheme under alternation with 0, 1, … elements, up to where the
/// queue of on-off flows hardly ever comes: computed when a trial first needs them, once for all
/// batches of a point.
#[derive(Debug, Clone, Default)]
pub(super) struct ConstantLoads(Arc<OnceLock<Option<Vec<f64>>>>);

impl ConstantLoads {
    /// Those of the scheme; `None` where the process needs none or they are not known.
    pub(super) fn get<S: Scheme>(&self, scheme: &S, process: &Process) -> Option<&[f64]> {
        let Process::OnOff { flows, .. } = process else { return None };
        let compute = || constant_loads(scheme, flows.law().ok()?.shares.len());
        self.0.get_or_init(compute).as_deref()
    }
}
