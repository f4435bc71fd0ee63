//! Count Sketch.

use super::outlook::{InRows, Known};
use super::params::{COLUMNS, ROWS};
use super::rows::{Rows, check_median, estimate};
use super::theory::{Collisions, Rule};
use super::{Flow, Sketch};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// Each row adds or subtracts a flow, as a hash function says; the estimate is the median of a flow's counters, each with
/// its sign.
#[derive(Debug, Clone, PartialEq)]
pub struct CountSketch {
    rows: Rows,
}

impl CountSketch {
    /// The places of the counters of a flow with its signs.
    #[inline]
    fn signed<'c>(&self, flow: Flow<'c>) -> impl Iterator<Item = (usize, i64)> + 'c {
        let (columns, signs) = flow.choices.split_at(self.rows.rows as usize);
        self.rows.places(columns).zip(signs.iter().map(|&bit| 2 * i64::from(bit) - 1))
    }
}

impl Sketch for CountSketch {
    const INFO: SchemeInfo = SchemeInfo {
        name: "count-sketch",
        summary: "d rows of w counters, with two hash functions for each row: one gives the flow's column, the other its sign, by which updates are multiplied. The estimate is the median of the flow's counters, each times its sign. Other flows add to it as often as they subtract, so that it has no bias.",
        source: "Charikar, Chen and Farach-Colton, 2002",
        params: &[ROWS, COLUMNS],
        predictions: &[
            "errors, with `counts = \"expected\"` or `given_counts`: exact, from the law of what other flows add to a counter and the median of d independent ones",
            "`error_exceeds` and `absent_error_exceeds`: upper bound, the probability that more than half of d counters are off, each with probability ‖a‖₂²/(w·ε²‖a‖₁²) (Chebyshev) or 1/(εw) (Markov)",
        ],
    };

    type Store = Vec<i64>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let rows = Rows::from_params(params)?;
        check_median(rows.rows)?;
        Ok(Self { rows })
    }

    fn ranges(&self) -> Vec<u32> {
        [self.rows.ranges(), vec![2; self.rows.rows as usize]].concat()
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    fn takes_negative(&self) -> bool {
        true
    }

    fn store(&self) -> Vec<i64> {
        vec![0; self.rows.counters()]
    }

    fn clear(&self, store: &mut Vec<i64>, _seed: u64) {
        store.fill(0);
    }

    #[inline]
    fn update(&self, store: &mut Vec<i64>, flow: Flow<'_>, weight: i64) {
        self.signed(flow).for_each(|(place, sign)| store[place] += sign * weight);
    }

    fn estimate(&self, store: &Vec<i64>, flow: Flow<'_>) -> i64 {
        estimate(self.signed(flow).map(|(place, sign)| sign * store[place]), Rule::Median)
    }

    fn rows(&self) -> Option<InRows> {
        let collisions = Collisions { random_sign: true, ..self.rows.collisions() };
        Some((collisions, Rule::Median, self.rows.rows))
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        Outlook { predictions: known.bounds_of_signed(&self.rows), missing: None }
    }
}
