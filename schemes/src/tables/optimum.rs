//! The best sizes of the sub-tables of a scheme, as a case answers for them.

use super::params::SPACE;
use super::sizing::{Goal, Model, SizedFor, SizedTable, equal, optimise, rule_of};
use super::{Process, Scheme, metrics};
use crate::aim::{Aim, NoOptimum, Optimum};

/// Random starts of the search, all of which have ended in one place wherever a paper printed sizes.
const STARTS: usize = 3;

/// Seed of the random starts.
const SEED: u64 = 1;

/// The best sub-tables of this scheme, as many as it has.
pub(super) fn optimum(
    scheme: &impl Scheme,
    name: &str,
    process: Process,
    aim: &Aim<'_>,
) -> Result<Optimum, NoOptimum> {
    let no_optimum = |reason: String| NoOptimum(reason);
    let rule = rule_of(name, scheme.geometry().bucket_size);
    let rule = rule.ok_or_else(|| no_optimum(format!("`{name}` has no sub-tables to be sized")))?;
    let rule = rule.map_err(|error| no_optimum(error.to_string()))?;
    let model = Model { rule, workload: sized_for(process)? };
    let (goal, d) = (goal(aim)?, scheme.sub_tables().len());
    let table = match aim.equal {
        true => equal(model, d, goal),
        false => optimise(model, d, goal, STARTS, SEED).map(|design| design.best),
    };
    table.map(quantities).map_err(|error| no_optimum(error.to_string()))
}

fn sized_for(process: Process) -> Result<SizedFor, NoOptimum> {
    match process {
        Process::StaticFill => Ok(SizedFor::StaticFill),
        Process::Alternation | Process::Continuous | Process::Open => Ok(SizedFor::Alternation),
        _ => Err(NoOptimum("sizes are computed for static fills and under deletions".into())),
    }
}

fn goal(aim: &Aim<'_>) -> Result<Goal, NoOptimum> {
    let overflow = metrics::OVERFLOW_FRACTION.to_string();
    match (aim.least, aim.of) {
        (SPACE, of) if of == overflow => Ok(Goal::Overflow(aim.at_most)),
        (least, SPACE) if least == overflow => Ok(Goal::Space(aim.at_most)),
        (least, of) => Err(NoOptimum(format!(
            "the least `{least}` for a `{of}` is not computed; `{SPACE}` and `{overflow}` are"
        ))),
    }
}

fn quantities(table: SizedTable) -> Optimum {
    let totals = [
        (SPACE.to_owned(), table.space),
        (metrics::OVERFLOW_FRACTION.to_string(), table.overflow),
        (metrics::MOVES_PER_INSERTION.to_string(), table.moves),
    ];
    let size = |(i, size)| (format!("buckets_per_element_{}", i + 1), size);
    totals.into_iter().chain(table.sizes.into_iter().enumerate().map(size)).collect()
}
