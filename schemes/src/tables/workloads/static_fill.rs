//! n insertions into an empty table.

use super::{Schedule, Workload};
use crate::info::WorkloadInfo;
use crate::params::{ParamError, Params};
use crate::tables::Process;
use crate::tables::trial::Rounds;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "static-fill",
    summary: "The static model: n elements are inserted into an empty table; nothing is deleted. Measured after the last insertion.",
    decides: &[],
    params: &[],
};

#[derive(Debug, Clone, Copy)]
struct StaticFill;

pub(super) fn read(_params: &Params, _elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    Ok(Box::new(StaticFill))
}

impl Workload for StaticFill {
    fn process(&self) -> Process {
        Process::StaticFill
    }

    fn schedule<'f>(&self, _elements: u32, _constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        Schedule::Rounds(Rounds::Filling)
    }

    fn arrivals(&self, elements: u32) -> u64 {
        elements.into()
    }

    fn window_arrivals(&self, elements: u32) -> f64 {
        elements.into()
    }

    fn shortened(&self, _elements: u32, _at_most: u64) -> Box<dyn Workload> {
        Box::new(*self)
    }
}
