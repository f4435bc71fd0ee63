//! The nested sets of buckets that describe a multilevel table, and their places in its state.

use super::{InsertionRule, MOST_SETS};
use crate::tables::theory::TheoryError;

/// The state of a table: the sizes of the sets of buckets, one sub-table after the other, then the length
/// of the overflow list and the number of moves.
#[derive(Debug, Clone)]
pub(super) struct Sets {
    /// For each sub-table, the state that its first set of buckets has, and at the end the number of
    /// sets.
    pub(super) starts: Vec<usize>,
    /// h.
    pub(super) bucket_size: usize,
}

impl Sets {
    /// Of `rule` with `d` sub-tables.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] above [`MOST_SETS`].
    pub(super) fn new(rule: InsertionRule, d: usize) -> Result<Self, TheoryError> {
        let mut starts = vec![0];
        for i in 0..d {
            starts.push(starts[i] + sets(rule, i, d));
            if starts[i + 1] > MOST_SETS {
                return Err(TheoryError::TooLarge { states: starts[i + 1], most: MOST_SETS });
            }
        }
        Ok(Self { starts, bucket_size: rule.bucket_size().into() })
    }

    /// d.
    pub(super) fn sub_tables(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many sets of buckets there are: the states without the overflow list and the moves.
    pub(super) fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The state that is the length of the overflow list.
    pub(super) fn overflow(&self) -> usize {
        self.len()
    }

    /// The state that is the number of moves.
    pub(super) fn moves(&self) -> usize {
        self.len() + 1
    }

    /// The states whose sum is the number of elements in `T_i`.
    pub(super) fn elements(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i] + self.bucket_size
    }

    /// The buckets that each of the sets is a part of, from those of each sub-table.
    pub(super) fn of_each_set(&self, sub_tables: &[f64]) -> Vec<f64> {
        let widths = self.starts.windows(2).map(|pair| pair[1] - pair[0]);
        sub_tables.iter().zip(widths).flat_map(|(&m, sets)| std::iter::repeat_n(m, sets)).collect()
    }

    /// The states: the sets of buckets, the overflow list and the moves.
    pub(super) fn states(&self) -> usize {
        self.len() + 2
    }
}

/// Nested sets of buckets in `T_i`.
fn sets(rule: InsertionRule, i: usize, d: usize) -> usize {
    let h = usize::from(rule.bucket_size());
    match rule {
        InsertionRule::Standard { .. } => h,
        InsertionRule::ExtremeSecondChance => d - i,
        _ if i + 1 == d => h,
        _ => 2 * h,
    }
}
