//! The workloads: a fill, and a fill with deletions.

use super::params::{DELETION, QUERIES, ROUNDS};
use super::table::Deletion;
use crate::info::WorkloadInfo;
use crate::params::{ParamError, Params};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&FILL, &ALTERNATION];

static FILL: WorkloadInfo = WorkloadInfo {
    name: "probing-fill",
    summary: "n elements are inserted into an empty table, which is then asked for all of them, the hits, and for q absent keys, the misses. Those are drawn like the elements' own; counted ones are numbers that no element has; of a trace they are the packets from the last one backwards whose key no element has, each once, so that fewer may be asked. A key of a trace arrives once as long as it is stored, and a trace that is too short is gone through again under the same hash functions.",
    decides: &[],
    params: &[QUERIES],
};

static ALTERNATION: WorkloadInfo = WorkloadInfo {
    name: "probing-alternation",
    summary: "As `probing-fill`, but before the table is asked `rounds` times a random element is deleted and a new one inserted. Probes and moves per insertion, and failed insertions, are those of the rounds.",
    decides: &[],
    params: &[ROUNDS, DELETION, QUERIES],
};

/// What follows the fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// The rounds of an alternation.
    pub alternation: Option<Alternation>,
    /// q.
    pub queries: u32,
}

/// Elements are deleted and new ones inserted, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternation {
    /// R.
    pub rounds: u32,
    /// How elements are deleted.
    pub deletion: Deletion,
}

impl Workload {
    /// Reads the workload of this description, for a scheme that can delete elements in these ways.
    ///
    /// # Errors
    /// A way of deletion that is missing or that the scheme does not have.
    pub(super) fn read(
        info: &WorkloadInfo,
        scheme: &str,
        possible: &[Deletion],
        params: &Params,
    ) -> Result<Self, ParamError> {
        let queries = params.small(QUERIES.name)?;
        if info.name == FILL.name {
            return Ok(Self { alternation: None, queries });
        }
        let deletion = deletion(scheme, possible, params)?;
        let rounds = params.small(ROUNDS.name)?;
        Ok(Self { alternation: Some(Alternation { rounds, deletion }), queries })
    }

    /// Elements that arrive in a trial in which all insertions succeed.
    pub(super) fn arrivals(&self, elements: u32) -> u64 {
        u64::from(elements) + self.alternation.map_or(0, |own| own.rounds.into())
    }

    /// Elements whose insertions are counted: those of the rounds, if there are rounds.
    pub(super) fn counted(&self, elements: u32) -> u32 {
        self.alternation.map_or(elements, |own| own.rounds)
    }

    /// The rounds, where they leave tombstones.
    pub(super) fn rounds_with_tombstones(&self) -> Option<u32> {
        let alternation = self.alternation.filter(|own| own.deletion == Deletion::Tombstones);
        alternation.map(|own| own.rounds)
    }

    /// How elements are deleted.
    pub(super) fn deletion(&self) -> Option<Deletion> {
        self.alternation.map(|own| own.deletion)
    }
}

fn deletion(scheme: &str, possible: &[Deletion], params: &Params) -> Result<Deletion, ParamError> {
    let given = match params.get(DELETION.name) {
        Some(_) => Some(params.word(DELETION.name)?),
        None => None,
    };
    let wanted = match given {
        None => Deletion::Freed,
        Some("tombstones") => Deletion::Tombstones,
        Some(_) => Deletion::BackShift,
    };
    if possible.contains(&wanted) {
        return Ok(wanted);
    }
    let reason = match wanted {
        Deletion::Freed if possible.len() == 1 => {
            format!("missing; `{scheme}` deletes with `deletion = \"tombstones\"` alone")
        }
        Deletion::Freed => "missing; give \"tombstones\" or \"back-shift\"".to_owned(),
        Deletion::BackShift if possible.contains(&Deletion::Tombstones) => format!(
            "the elements of `{scheme}` are not shifted back, as those behind a slot are not those that passed it; give \
             \"tombstones\""
        ),
        _ => format!("a search of `{scheme}` does not mind an empty slot; leave it out"),
    };
    Err(ParamError::new(DELETION.name, reason))
}
