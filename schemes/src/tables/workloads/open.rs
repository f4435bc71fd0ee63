//! Poisson arrivals; each element departs after an exponential time of its own.

use super::{DURATION, Schedule, Span, WARM_UP, Window, Workload, first};
use crate::info::WorkloadInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::Process;
use crate::tables::theory::relaxation::Start;
use crate::tables::workloads::course::Course;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "open",
    summary: "The open model: elements arrive as a Poisson process, n per lifetime, and each departs after an exponential time of its own, of mean 1, so that their number varies around n. Averages over the time of the measuring window; overflow fractions are of n.",
    decides: &[],
    params: &[
        WARM_UP,
        DURATION,
        Param {
            name: "start",
            domain: Domain::Word(&["filled", "empty"]),
            absent: Absent::Word("filled"),
            doc: "State at the beginning: n elements inserted one by one, or none.",
        },
    ],
};

#[derive(Debug, Clone, Copy)]
struct Open {
    /// The time that is simulated.
    span: Span,
    /// Whether n elements are inserted at the beginning, or none.
    filled: bool,
}

pub(super) fn read(params: &Params, _elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    Ok(Box::new(Open { span: Span::read(params)?, filled: params.word("start")? == "filled" }))
}

impl Workload for Open {
    fn process(&self) -> Process {
        Process::Open
    }

    fn schedule<'f>(&self, elements: u32, _constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        Schedule::Course(Box::new(Course::open(elements, self.span, self.filled)))
    }

    fn arrivals(&self, elements: u32) -> u64 {
        first(self.filled, elements).saturating_add(self.span.arrivals(elements))
    }

    fn window_arrivals(&self, elements: u32) -> f64 {
        f64::from(elements) * self.span.duration
    }

    fn window(&self, _elements: u32) -> Option<Window> {
        Some(self.span.window(self.filled.then_some(Start::Filled)))
    }

    /// As the number of elements varies, there is room for twice as many: when each departs, and which
    /// of them are not in the system.
    fn room(&self, elements: u64) -> (u64, u64) {
        (2 * elements, 16 + 4)
    }

    fn shortened(&self, elements: u32, at_most: u64) -> Box<dyn Workload> {
        Box::new(Self { span: self.span.shortened(elements, at_most), ..*self })
    }
}
