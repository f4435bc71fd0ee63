//! What simulations say of the list of a table.

use super::sample::{Measure, Sample};

/// The list of a table, from simulations of the table or of smaller ones of the same proportions.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Of the tables that were simulated.
    pub sample: Sample,
    /// Elements on the list of the table itself.
    pub mean: Measure,
    /// How many times as many elements it has as those that were simulated.
    pub times: f64,
}

impl Seen {
    /// Of the table itself.
    pub(super) fn of_itself(sample: Sample) -> Self {
        Self { mean: sample.mean(), sample, times: 1.0 }
    }

    /// Whether smaller tables were simulated in its place.
    pub(super) fn is_of_smaller(&self) -> bool {
        self.times > 1.0
    }
}
