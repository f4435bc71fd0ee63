//! Each of n elements departs after an exponential time of its own, and a new one arrives at once.

use super::{DURATION, Schedule, Span, WARM_UP, Window, Workload};
use crate::info::WorkloadInfo;
use crate::params::{ParamError, Params};
use crate::tables::Process;
use crate::tables::theory::relaxation::Start;
use crate::tables::workloads::course::Course;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "continuous",
    summary: "The dynamic model in continuous time: each of n elements departs after an exponential time of its own, of mean 1, and a new one arrives at once. Averages over the time of the measuring window.",
    decides: &[],
    params: &[WARM_UP, DURATION],
};

#[derive(Debug, Clone, Copy)]
struct Continuous(Span);

pub(super) fn read(params: &Params, _elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    Ok(Box::new(Continuous(Span::read(params)?)))
}

impl Workload for Continuous {
    fn process(&self) -> Process {
        Process::Continuous
    }

    fn schedule<'f>(&self, elements: u32, _constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        Schedule::Course(Box::new(Course::closed(elements, self.0)))
    }

    fn arrivals(&self, elements: u32) -> u64 {
        u64::from(elements).saturating_add(self.0.arrivals(elements))
    }

    fn window_arrivals(&self, elements: u32) -> f64 {
        f64::from(elements) * self.0.duration
    }

    fn window(&self, _elements: u32) -> Option<Window> {
        Some(self.0.window(Some(Start::Filled)))
    }

    /// When each element departs.
    fn room(&self, elements: u64) -> (u64, u64) {
        (elements, 16)
    }

    fn shortened(&self, elements: u32, at_most: u64) -> Box<dyn Workload> {
        Box::new(Self(self.0.shortened(elements, at_most)))
    }
}
