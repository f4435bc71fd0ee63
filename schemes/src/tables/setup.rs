//! Everything that decides the trials of a point, but for keys and seeds.

use std::sync::{Arc, OnceLock};

use super::by_load::{ByLoad, Steps};
use super::laws::Laws;
use super::multilevel::ByLevel;
use super::rare::pilots::Pilots;
use super::static_fill::{self, StaticFill};
use super::workloads::{Schedule, Workload};
use super::{Process, Scheme, constant_loads};
use crate::hash::{Derivation, HashKind, HashSpec};
use crate::keys::{KeySource, Made};

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
    /// Whether trials go in lockstep, where that is possible.
    pub(super) lockstep: bool,
}

impl<S: Scheme> Setup<S> {
    pub(super) fn process(&self) -> Process {
        self.workload.process()
    }

    /// What happens in a trial.
    pub(super) fn schedule(&self) -> Schedule<'_> {
        let constant_loads = self.constant_loads.get(&*self.scheme, &self.process());
        self.workload.schedule(self.scheme.geometry().elements, constant_loads)
    }

    /// Whether trials look at no key, so that all elements are alike, and choices are draws of their own.
    pub(super) fn is_random(&self, keys: &KeySource) -> bool {
        let keyless = !matches!(keys, KeySource::Trace { .. });
        let drawn = self.hash.derivation() == Derivation::Seeds;
        self.hash.hash() == HashKind::Random && drawn && keyless
    }

    /// In place of a table, where trials look at no key, nothing departs, and the scheme has it: a matter of the definition
    /// alone, so that results are too.
    pub(super) fn static_fill(&self, keys: &KeySource) -> Option<StaticFill> {
        let fills = self.is_random(keys) && self.process() == Process::StaticFill;
        fills.then(|| self.scheme.static_fill()).flatten()
    }

    /// The sub-tables that rounds pass one after the other, where they look at no key and the scheme has it.
    pub(super) fn by_level(&self, keys: &KeySource) -> Option<ByLevel<'_>> {
        if !self.is_random(keys) || self.static_fill(keys).is_some() {
            return None;
        }
        match self.workload.schedule(self.scheme.geometry().elements, None) {
            Schedule::Rounds(_) => self.scheme.by_level(),
            Schedule::Course(_) => None,
        }
    }

    /// Whether trials are fills of which nothing is kept but how often buckets are chosen, most choices at once.
    pub(super) fn fills_at_once(&self, keys: &KeySource) -> bool {
        let fills = self.is_random(keys) && self.process() == Process::StaticFill;
        fills && static_fill::at_once(self.scheme.geometry().elements) && self.scheme.throws()
    }

    /// What trials in lockstep do, where they look at no key and the scheme has it.
    pub(super) fn by_load(&self, keys: &KeySource) -> Option<(ByLoad, Steps)> {
        let by_load = match self.process() {
            _ if !self.is_random(keys) => None,
            _ if self.fills_at_once(keys) => None,
            Process::StaticFill => match self.scheme.static_fill() {
                Some(fill) if fill.moves() => {
                    let (rule, elements, buckets) = fill.moving()?;
                    ByLoad::filling(rule, elements, buckets)
                }
                _ => self.scheme.by_load(),
            },
            _ => self.scheme.by_load(),
        }?;
        let steps = match self.workload.schedule(self.scheme.geometry().elements, None) {
            Schedule::Rounds(rounds) => Steps::Rounds(rounds),
            Schedule::Course(course) => Steps::of_course(&course)?,
        };
        by_load.follows(&steps).then_some((by_load, steps))
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
