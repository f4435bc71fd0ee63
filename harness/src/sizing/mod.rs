//! How large a multilevel table must be: its sub-tables, and the CAM that holds the overflow list.
//! It is for the family of tables alone: what it asks, only tables answer.
//!
//! [`loadfactor_schemes::tables::sizing`] minimises a limit for many elements. A table that is built has
//! sub-tables of whole numbers of buckets and a finite number of elements: a [`FiniteTable`] is cut so
//! that the goal still holds, a [`List`] says how long its overflow list gets, and [`simulate`] measures it.

mod all;
mod answer;
mod cam;
mod definition;
mod list;
mod measured;
mod rows;
mod table;
mod text;
mod verification;

use loadfactor_schemes::tables::sizing::{BucketSizeError, Goal, Model, SizedFor, SizingError};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

pub use all::{AllSchemes, all_schemes};
pub use answer::{Answer, Cut, Depth, Part, answer};
pub use cam::Cam;
pub use definition::Definition;
pub use list::List;
pub use measured::{Measured, simulate};
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
    /// Random starts of the search for the best sizes.
    pub starts: usize,
    /// Trials of a simulation; `None` for as many as take some seconds.
    pub trials: Option<u64>,
    /// Seed of the random starts and of simulations.
    pub seed: u64,
}

impl Question {
    fn model(&self, rule: InsertionRule) -> Model {
        Model { rule, workload: self.workload }
    }
}

/// The scheme with the size of its buckets.
fn described(rule: InsertionRule) -> String {
    format!("`{}` with buckets of {}", rule.scheme(), rule.bucket_size())
}

/// A table that cannot be sized.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing predicts this rule under deletions.
    #[error(
        "nothing predicts {} under deletions; with --churn, `multiple` with any buckets and `second-chance` with buckets of 1 can be sized, without it every scheme",
        described(*.0)
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
            other => Self::Sizes(other),
        }
    }
}
