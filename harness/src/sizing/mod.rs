//! How large a multilevel table must be: its sub-tables, and the CAM that holds the overflow list.
//! It is for the family of tables alone: what it asks, only tables answer.
//!
//! [`loadfactor_schemes::tables::sizing`] minimises a limit for many elements. A table that is built has
//! sub-tables of whole numbers of buckets and a finite number of elements: a [`FiniteTable`] is cut so
//! that the goal still holds, a [`List`] says how long its overflow list gets, and a [`Sample`] of trials measures it. Where
//! no law of the list is known, a [`Passage`] measures how seldom it gets too long.

mod all;
mod answer;
mod budget;
mod cam;
mod cam_rows;
#[cfg(test)]
mod chain;
mod cumulants;
mod definition;
mod extrapolated;
mod horizon;
mod json;
mod least;
mod list;
mod measured;
mod observation;
mod part;
mod passage;
mod passage_text;
mod places;
mod predicted;
mod rows;
mod sample;
mod search;
mod seen;
mod simulated;
mod simulated_text;
mod smaller;
mod splits;
mod table;
mod text;
mod verification;
mod whole;
mod without_law;

use std::fmt;
use std::time::Duration;

use loadfactor_schemes::tables::sizing::{
    BucketSizeError, Goal, MOST_SUB_TABLES, Model, SizedFor, SizingError,
};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

pub use all::{AllSchemes, ONE_TABLE, all_schemes};
pub use answer::{Answer, Cut, Depth, answer};
pub use cam::Cam;
pub use cumulants::Cumulants;
pub use definition::{Definition, Layout};
pub use horizon::Horizon;
pub use list::List;
pub use measured::Measured;
use measured::simulate;
pub use part::Part;
pub use passage::{Passage, Rare};
pub use places::Places;
pub use sample::{Measure, Sample};
pub use seen::Seen;
pub use simulated::{Basis, Proportions, Shape, Simulated, by_simulation};
pub use table::FiniteTable;
pub use verification::Verification;

use crate::plan::PlanError;

/// What is asked of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// n.
    pub elements: u32,
    /// d, one in each sub-table.
    pub choices: usize,
    /// What the sizes are to achieve.
    pub goal: Goal,
    /// When the overflow list is looked at.
    pub workload: SizedFor,
    /// The probability with which the CAM may be too small.
    pub cam_failure: f64,
    /// Deletions, each with an insertion, in which the CAM may become too small at most with that
    /// probability; 0 for any one moment.
    pub operations: u64,
    /// How long the answer for one scheme may take, the search for the best sizes and simulations; and how long its
    /// verification.
    pub time_limit: Option<Duration>,
    /// Random starts of the search for the best sizes.
    pub starts: usize,
    /// Trials of a simulation, or lifetimes of the elements in it; `None` for as many as take some seconds.
    pub trials: Option<u64>,
    /// Seed of the random starts and of simulations.
    pub seed: u64,
}

impl Question {
    fn model(&self, rule: InsertionRule) -> Model {
        Model { rule, workload: self.workload }
    }

    /// Whether nothing predicts tables of this rule.
    pub fn is_unpredicted(&self, rule: InsertionRule) -> bool {
        self.workload == SizedFor::Alternation && rule.alternation(&[1.0]).is_none()
    }
}

/// A scheme with the size of its buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub scheme: &'static str,
    /// h.
    pub bucket_size: u8,
}

impl Kind {
    /// Of an insertion rule.
    pub fn of(rule: InsertionRule) -> Self {
        Self { scheme: rule.scheme(), bucket_size: rule.bucket_size() }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` with buckets of {}", self.scheme, self.bucket_size)
    }
}

/// A table that cannot be sized.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing predicts this rule under deletions.
    #[error(
        "nothing predicts {} under deletions; with --churn, `multiple` with any buckets and `second-chance` with buckets of 1 can be sized, without it every scheme",
        Kind::of(*.0)
    )]
    NoPrediction(InsertionRule),
    /// The scheme has no buckets of this size, or none that can be sized.
    #[error("--bucket-size {}: {}", .0.asked, .0)]
    BucketSize(#[from] BucketSizeError),
    /// A sub-table would be without a bucket.
    #[error(
        "{buckets} buckets are too few for {choices} such sub-tables: one would have none; take fewer --choices, or more space"
    )]
    EmptySubTable {
        /// In all sub-tables.
        buckets: u64,
        /// d.
        choices: usize,
    },
    /// Nothing predicts the table, and simulations do not show so little overflow.
    #[error(
        "nothing predicts {kind}, and simulations do not show so little overflow; ask for an --overflow of {least:.0e} or more, or give more --trials"
    )]
    Unseen {
        /// Scheme and buckets.
        kind: Kind,
        /// A share of the elements of which enough is seen.
        least: f64,
    },
    /// Simulations do not show so little overflow, and a table of this size is far from the limit.
    #[error(
        "simulations of {kind} do not show so little overflow, and a table of so few elements is far from the limit for many: with {total} buckets, the limit would reach it; ask for more --overflow, or give more --trials"
    )]
    FarFromLimit {
        /// Scheme and buckets.
        kind: Kind,
        /// Buckets with which the limit has so little overflow.
        total: u64,
    },
    /// The time was over before a table was simulated.
    #[error(
        "the time limit was over before a table of {elements} elements was simulated; give a longer --time-limit, or fewer --elements"
    )]
    OutOfTime {
        /// Of the table.
        elements: u32,
    },
    /// More sub-tables than can be optimised.
    #[error(
        "--choices {0}: each choice has a sub-table of its own, and at most {MOST_SUB_TABLES} of them can be optimised; `d-random` and `cuckoo` have none"
    )]
    SubTables(usize),
    /// The table has more buckets than can be numbered.
    #[error(
        "such a table would have more than {} buckets; take fewer --elements, less --space, or allow more --overflow",
        table::MOST_BUCKETS
    )]
    TooManyBuckets,
    /// The limit cannot be optimised.
    #[error(transparent)]
    Sizes(SizingError),
    /// The design cannot be simulated.
    #[error("the design cannot be simulated: {0}")]
    Definition(String),
    /// Its trials cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Error {
    /// What keeps this rule from being sized.
    fn about(rule: InsertionRule) -> impl Fn(SizingError) -> Self {
        move |error| match error {
            SizingError::NoPrediction => Self::NoPrediction(rule),
            SizingError::SubTables(choices) => Self::SubTables(choices),
            other => Self::Sizes(other),
        }
    }
}
