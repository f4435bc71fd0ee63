//! The best sizes for the sub-tables of a multilevel table, in the limit of many elements.
//!
//! Source: "The Power of One Move: Hashing Schemes for Hardware", Sections 5.3 and 5.8. The limit is
//! minimised from many random starts, as nothing is known of its minima, and a result is only called
//! sure if many starts lead to it.

mod minimise;
mod objective;
mod root;
mod rules;
mod watch;

use rand::{RngExt, SeedableRng};

use self::minimise::End;
use self::objective::Objective;
pub use self::rules::{BucketSizeError, RULES, rule_of};
pub use self::watch::{Unwatched, Watch};
use crate::Rng;
use crate::math::elementary::ln;
use crate::tables::theory::TheoryError;
use crate::tables::theory::multilevel::{InsertionRule, Multilevel};

/// What is asked of the sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The least space with at most this many elements on the overflow list, per element in the system.
    Overflow(f64),
    /// The least overflow with this space: places per element, all sub-tables together.
    Space(f64),
}

/// What sizes are computed for: when the overflow list is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizedFor {
    /// After as many insertions as there are elements.
    StaticFill,
    /// In the equilibrium of deletions and insertions.
    Alternation,
}

/// The limit that is optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// How elements are inserted.
    pub rule: InsertionRule,
    /// When the overflow list is looked at.
    pub workload: SizedFor,
}

impl Model {
    /// The fluid limit of sub-tables with `sizes` buckets per element.
    ///
    /// # Errors
    /// [`SizingError::NoPrediction`] and [`SizingError::Limit`].
    pub fn limit(&self, sizes: &[f64]) -> Result<Multilevel, SizingError> {
        let limit = match self.workload {
            SizedFor::StaticFill => self.rule.static_fill(sizes),
            SizedFor::Alternation => {
                self.rule.alternation(sizes).ok_or(SizingError::NoPrediction)?
            }
        };
        Ok(limit?)
    }

    /// The limit of sub-tables with these sizes, together with them.
    fn table(&self, sizes: Vec<f64>) -> Result<SizedTable, SizingError> {
        let Multilevel { overflow, moves, .. } = self.limit(&sizes)?;
        let space = f64::from(self.rule.bucket_size()) * sizes.iter().sum::<f64>();
        Ok(SizedTable { sizes, space, overflow, moves })
    }
}

/// Sub-tables and what to expect of them.
#[derive(Debug, Clone, PartialEq)]
pub struct SizedTable {
    /// `alpha_1..alpha_d`, buckets per element.
    pub sizes: Vec<f64>,
    /// `c = h·Σ alpha_i`, places per element.
    pub space: f64,
    /// `w`, elements on the overflow list per element.
    pub overflow: f64,
    /// `m`, moves per insertion.
    pub moves: f64,
}

/// The best table found, and how it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The table.
    pub best: SizedTable,
    /// Starts that ended within [`TOLERANCE`] of it.
    pub found_by: usize,
    /// Random starts.
    pub starts: usize,
    /// Those of them that were not followed to their end, as the search was stopped.
    pub skipped: usize,
}

impl Design {
    /// At least [`SURE`] starts have ended here and none in a better place, and the overflow is not
    /// below [`LEAST_OVERFLOW`].
    pub fn sure(&self) -> bool {
        self.found_by >= SURE && self.best.overflow >= LEAST_OVERFLOW
    }
}

/// Relative difference of space, or of overflow if that is what was minimised, up to which two starts have
/// found the same.
pub const TOLERANCE: f64 = 1e-5;

/// Starts that have to agree before the optimum is taken for the global one.
pub const SURE: usize = 10;

/// Sub-tables up to which sizes are computed.
pub const MOST_SUB_TABLES: usize = 32;

/// The overflow below which limits are not precise enough to be compared. Integrated with a far smaller
/// absolute tolerance, those above it change by less than 1e-7 of their value.
pub const LEAST_OVERFLOW: f64 = 1e-24;

/// Sizes that could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SizingError {
    /// The limit of this rule is known after a static fill only.
    #[error("there is no prediction of this insertion rule under alternation")]
    NoPrediction,
    /// A number of sub-tables outside `1..=`[`MOST_SUB_TABLES`].
    #[error("{0} sub-tables; from 1 to {MOST_SUB_TABLES} can be optimised")]
    SubTables(usize),
    /// The search was stopped before anything was found.
    #[error("the search was stopped before anything was found")]
    Stopped,
    /// No start to search from.
    #[error("at least one start is needed")]
    NoStart,
    /// An overflow outside [`LEAST_OVERFLOW`]` ≤ w < 1`, or a space that is not above 0.
    #[error("an overflow from {LEAST_OVERFLOW:e} up to 1, or a space above 0, can be asked for")]
    Goal,
    /// No space in reach has so little overflow.
    #[error("no space up to {0:.1e} places per element has so little overflow")]
    OutOfReach(f64),
    /// The fluid limit was not computed.
    #[error(transparent)]
    Limit(#[from] TheoryError),
}

/// The best sizes of `d` sub-tables, from so many random `starts`: shares of the space that are uniform on
/// the simplex.
///
/// [`Goal::Overflow`] is met to about 1e-9 of the overflow. A start from which the limit cannot be computed
/// is not counted among those that found the best.
///
/// # Errors
/// [`SizingError`], that of the first start if all fail.
pub fn optimise(
    model: Model,
    d: usize,
    goal: Goal,
    starts: usize,
    seed: u64,
) -> Result<Design, SizingError> {
    optimise_watched(model, d, goal, starts, seed, &Unwatched)
}

/// As [`optimise`], for as long as `watch` lets it go on. Stopped, it gives the best sizes that it has seen:
/// equal ones where it has seen none.
///
/// # Errors
/// As with [`optimise`].
pub fn optimise_watched(
    model: Model,
    d: usize,
    goal: Goal,
    starts: usize,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Design, SizingError> {
    let objective = Objective::new(model, d, goal, watch)?;
    let mut rng = Rng::seed_from_u64(seed);
    let (mut found, mut failed): (Vec<End>, Vec<SizingError>) = (Vec::new(), Vec::new());
    let mut ended = 0;
    while ended < starts && watch.goes_on() {
        match minimise::minimise(random_start(d, &mut rng), &objective) {
            Ok(end) => found.push(end),
            Err(error) => failed.push(error),
        }
        ended += 1;
        watch.start_ended();
    }
    let stopped = found.iter().filter(|end| end.stopped).count()
        + failed.iter().filter(|error| **error == SizingError::Stopped).count();
    let skipped = starts - ended + stopped;
    let Some(best) = found.iter().min_by(|a, b| a.point.value.total_cmp(&b.point.value)) else {
        let error = failed.into_iter().next();
        return match error.unwrap_or(SizingError::NoStart) {
            SizingError::NoStart if starts == 0 => Err(SizingError::NoStart),
            SizingError::NoStart | SizingError::Stopped => {
                let best = equal(model, d, goal)?;
                Ok(Design { best, found_by: 0, starts, skipped })
            }
            other => Err(other),
        };
    };
    let agrees = |end: &&End| end.point.value - best.point.value < TOLERANCE && !end.stopped;
    let found_by = found.iter().filter(agrees).count();
    Ok(Design { best: model.table(objective.sizes(&best.point))?, found_by, starts, skipped })
}

/// The table of `d` equal sub-tables that reaches the goal.
///
/// # Errors
/// [`SizingError`].
pub fn equal(model: Model, d: usize, goal: Goal) -> Result<SizedTable, SizingError> {
    let objective = Objective::new(model, d, goal, &Unwatched)?;
    let space = objective.space_of_equal()?;
    model.table(vec![space / (f64::from(model.rule.bucket_size()) * d as f64); d])
}

/// The logarithms of shares uniform on the simplex, up to a constant: exponential numbers, none so small
/// that the search begins with a sub-table that is all but absent.
fn random_start(d: usize, rng: &mut Rng) -> Vec<f64> {
    let exponential = |_| -ln(1.0 - rng.random::<f64>());
    (0..d).map(exponential).map(|number: f64| ln(number.max(1e-4))).collect()
}

#[cfg(test)]
mod tests;
