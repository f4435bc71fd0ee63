//! Delete a uniformly random one of n elements, insert a new one.

use super::{START, Schedule, Window, Workload, first, rounds};
use crate::info::WorkloadInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::Process;
use crate::tables::theory::relaxation::Start;
use crate::tables::trial::Rounds;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "alternation",
    summary: "The dynamic model: in each round an element chosen uniformly among all n, overflow list included, is deleted, and a new one is inserted. Measured after each insertion of the measuring window; one trial is one replication.",
    decides: &[],
    params: &[
        Param {
            name: "rounds",
            domain: Domain::Integer { min: 1, max: 1_000_000_000_000 },
            absent: Absent::Required,
            doc: "Rounds of the measuring window.",
        },
        Param {
            name: "warm_up",
            domain: Domain::Number { min: 0.0, max: 1e6 },
            absent: Absent::Number(20.0),
            doc: "Rounds before the measuring window, per element: `20` means 20·n rounds.",
        },
        START,
    ],
};

#[derive(Debug, Clone, Copy)]
struct Alternation {
    /// Rounds before the measuring window.
    warm_up: u64,
    /// Rounds of the measuring window.
    rounds: u64,
    /// Whether the n elements are inserted before the warm-up, or all start on the overflow list.
    filled: bool,
}

pub(super) fn read(params: &Params, elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    Ok(Box::new(Alternation {
        warm_up: rounds(params, "warm_up", elements)?,
        rounds: params.integer("rounds")?,
        filled: params.word(START.name)? == "filled",
    }))
}

impl Workload for Alternation {
    fn process(&self) -> Process {
        Process::Alternation
    }

    fn schedule<'f>(&self, _elements: u32, _constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        Schedule::Rounds(Rounds::Window {
            filled: self.filled,
            warm_up: self.warm_up,
            rounds: self.rounds,
        })
    }

    fn arrivals(&self, elements: u32) -> u64 {
        let rounds = self.warm_up.saturating_add(self.rounds);
        rounds.saturating_add(first(self.filled, elements))
    }

    fn window_arrivals(&self, _elements: u32) -> f64 {
        self.rounds as f64
    }

    fn window(&self, elements: u32) -> Option<Window> {
        let start = if self.filled { Start::Filled } else { Start::OverflowList };
        let [warm_up, duration] =
            [self.warm_up, self.rounds].map(|rounds| rounds as f64 / f64::from(elements));
        Some(Window { start: Some(start), warm_up, duration })
    }

    fn shortened(&self, _elements: u32, at_most: u64) -> Box<dyn Workload> {
        Box::new(Self { warm_up: 0, rounds: self.rounds.min(at_most), ..*self })
    }
}
