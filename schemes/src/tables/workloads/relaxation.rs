//! Alternation, looked at once.

use super::{START, Schedule, Workload, first, rounds};
use crate::info::WorkloadInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::Process;
use crate::tables::theory::relaxation::Start;
use crate::tables::trial::Rounds;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "relaxation",
    summary: "The way of the dynamic model to its equilibrium: rounds of alternation up to one moment, at which the table is read once. Swept over `time` or `rounds`, it says how long a warm-up has to be.",
    decides: &[],
    params: &[
        Param {
            name: "time",
            domain: Domain::Number { min: 0.0, max: 1e6 },
            absent: Absent::Optional,
            doc: "When the table is read, in lifetimes of an element: `2` means after 2·n rounds; give this or `rounds`.",
        },
        Param {
            name: "rounds",
            domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
            absent: Absent::Optional,
            doc: "When the table is read, in rounds; give this or `time`.",
        },
        START,
    ],
};

#[derive(Debug, Clone, Copy)]
struct Relaxation {
    /// What it begins with.
    start: Start,
    /// Rounds up to the moment at which the table is read.
    rounds: u64,
}

pub(super) fn read(params: &Params, elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    let start = match params.word(START.name)? {
        "filled" => Start::Filled,
        _ => Start::OverflowList,
    };
    Ok(Box::new(Relaxation { start, rounds: moment(params, elements)? }))
}

/// Rounds up to the moment at which the table is read.
fn moment(params: &Params, elements: u32) -> Result<u64, ParamError> {
    match (params.get("time"), params.get("rounds")) {
        (Some(_), None) => rounds(params, "time", elements),
        (None, Some(_)) => params.integer("rounds"),
        (Some(_), Some(_)) => Err(ParamError::new("rounds", "give `time` or `rounds`, not both")),
        (None, None) => Err(ParamError::new("time", "missing; give `time` or `rounds`")),
    }
}

impl Workload for Relaxation {
    fn process(&self) -> Process {
        Process::Relaxation { start: self.start, rounds: self.rounds }
    }

    fn schedule<'f>(&self, _elements: u32, _constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        Schedule::Rounds(Rounds::Moment {
            filled: self.start == Start::Filled,
            rounds: self.rounds,
        })
    }

    fn arrivals(&self, elements: u32) -> u64 {
        self.rounds.saturating_add(first(self.start == Start::Filled, elements))
    }

    fn window_arrivals(&self, _elements: u32) -> f64 {
        0.0
    }

    fn shortened(&self, _elements: u32, at_most: u64) -> Box<dyn Workload> {
        Box::new(Self { rounds: self.rounds.min(at_most), ..*self })
    }
}
