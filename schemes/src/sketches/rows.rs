//! Rows of counters, in each of which a flow has one.

use super::params::{COLUMNS, COUNTER_BYTES, ROWS};
use super::theory::{Collisions, Rule};
use crate::params::{ParamError, Params};

/// d rows of w counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// d.
    pub rows: u32,
    /// w.
    pub columns: u32,
}

impl Rows {
    /// Reads d and w.
    ///
    /// # Errors
    /// More counters than a sketch may have.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let (rows, columns) = (params.small(ROWS.name)?, params.small(COLUMNS.name)?);
        if u64::from(rows) * u64::from(columns) > 1 << 30 {
            let reason = format!("{rows} rows of {columns} are more than 2³⁰ counters");
            return Err(ParamError::new(COLUMNS.name, reason));
        }
        Ok(Self { rows, columns })
    }

    /// Places of the choices: a column in each row.
    pub fn ranges(&self) -> Vec<u32> {
        vec![self.columns; self.rows as usize]
    }

    /// How flows meet in a row without signs.
    pub fn collisions(&self) -> Collisions {
        Collisions { probability: 1.0 / f64::from(self.columns), random_sign: false }
    }

    /// Counters of all rows.
    pub fn counters(&self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// Bytes of the counters.
    pub fn bytes(&self) -> u64 {
        COUNTER_BYTES * self.counters() as u64
    }

    /// The places of a flow's counters, of which these are the columns.
    #[inline]
    pub fn places<'c>(&self, columns: &'c [u32]) -> impl Iterator<Item = usize> + 'c {
        let width = self.columns as usize;
        columns.iter().enumerate().map(move |(row, &column)| row * width + column as usize)
    }
}

/// The estimate that follows from the counters of a flow, 1 to 64.
pub fn estimate(counters: impl Iterator<Item = i64>, rule: Rule) -> i64 {
    match rule {
        // Where the least is taken, updates are positive: no counter is below 0, and most keys that never came have one that is 0.
        Rule::Minimum => {
            let mut least = i64::MAX;
            for counter in counters {
                least = least.min(counter);
                if least == 0 {
                    break;
                }
            }
            least
        }
        Rule::Median => {
            let (mut own, mut number) = ([0; 64], 0);
            for (place, counter) in own.iter_mut().zip(counters) {
                *place = counter;
                number += 1;
            }
            own[..number].sort_unstable();
            own[number / 2]
        }
    }
}

/// Refuses a median of an even number of rows.
pub fn check_median(rows: u32) -> Result<(), ParamError> {
    if rows.is_multiple_of(2) {
        let reason = format!("{rows} counters have no middle one; the median needs an odd number");
        return Err(ParamError::new(ROWS.name, reason));
    }
    Ok(())
}
