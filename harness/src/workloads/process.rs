//! The sequence of insertions and deletions that a trial consists of.

use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::prediction;

/// A process with its lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// n insertions into an empty table.
    StaticFill,
    /// Delete a uniformly random one of n elements, insert a new one.
    Alternation {
        /// Rounds before the measuring window.
        warm_up: u64,
        /// Rounds of the measuring window.
        rounds: u64,
        /// Whether the n elements are inserted before the warm-up, or all start on the overflow
        /// list.
        filled: bool,
    },
}

impl Process {
    /// The process of the workload `name` for n = `elements`; `None` where no workload has the
    /// name.
    ///
    /// # Errors
    /// The first parameter that is missing or of another type.
    pub fn from_params(
        name: &str,
        params: &Params,
        elements: u32,
    ) -> Option<Result<Self, ParamError>> {
        match name {
            "static-fill" => Some(Ok(Process::StaticFill)),
            "alternation" => Some(alternation(params, elements)),
            _ => None,
        }
    }

    /// The process as predictions know it.
    pub fn model(&self) -> prediction::Process {
        match self {
            Process::StaticFill => prediction::Process::StaticFill,
            Process::Alternation { .. } => prediction::Process::Alternation,
        }
    }

    /// Whether elements leave.
    pub fn has_departures(&self) -> bool {
        matches!(self, Process::Alternation { .. })
    }

    /// Elements that arrive in one trial with n = `elements`.
    pub fn arrivals(&self, elements: u32) -> u64 {
        match *self {
            Process::StaticFill => elements.into(),
            Process::Alternation { warm_up, rounds, filled } => {
                let first = if filled { elements.into() } else { 0 };
                warm_up.saturating_add(rounds).saturating_add(first)
            }
        }
    }
}

fn alternation(params: &Params, elements: u32) -> Result<Process, ParamError> {
    let warm_up = params.number("warm_up")? * f64::from(elements);
    Ok(Process::Alternation {
        warm_up: warm_up.round() as u64,
        rounds: params.integer("rounds")?,
        filled: params.word("start")? == "filled",
    })
}
