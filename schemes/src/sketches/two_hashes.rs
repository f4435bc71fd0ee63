//! The count-min sketch with two hash functions.

use super::case::Known;
use super::params::{COLUMNS, ROWS};
use super::rows::{Rows, estimate};
use super::theory::{Collisions, Rule};
use super::{Flow, Sketch};
use crate::info::SchemeInfo;
use crate::math::divisors::divisors;
use crate::math::elementary::pow;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// Row j counts a flow in column h1 + j·h2 mod w.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoHashes {
    rows: Rows,
}

impl TwoHashes {
    #[inline]
    fn places(&self, flow: Flow<'_>) -> impl Iterator<Item = usize> {
        let Rows { rows, columns } = self.rows;
        let (mut column, step) = (flow.choices[0], flow.choices[1]);
        (0..rows).map(move |row| {
            let place = row as usize * columns as usize + column as usize;
            column += step;
            if column >= columns {
                column -= columns;
            }
            place
        })
    }
}

impl Sketch for TwoHashes {
    const INFO: SchemeInfo = SchemeInfo {
        name: "count-min-two-hashes",
        summary: "The count-min sketch with two hash functions in place of d: row j counts a flow in column h1 + j·h2 mod w. With w prime, two flows meet in no row, in one, or, if they agree in both values, in all of them.",
        source: "Kirsch and Mitzenmacher, 2008, section 9.2; thesis, section 3.8",
        params: &[ROWS, COLUMNS],
        predictions: &[
            "`error_exceeds` and `absent_error_exceeds`, with w prime and d ≤ w: upper bound, 2/(εw²) + (2/(εw))^d (Theorem 9.1 of the paper, 3.8.1 of the thesis; for fully random h1 and h2)",
            "`aae` and `absent_error` with w prime, d ≤ w and `counts = \"expected\"`: upper bound, ‖a‖₁/w² and the least of d rows that are as good as independent (negative association)",
            "`recall`: exact, 1 (section 7.6.6.3)",
        ],
    };

    type Store = Vec<i64>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { rows: Rows::from_params(params)? })
    }

    fn ranges(&self) -> Vec<u32> {
        vec![self.rows.columns; 2]
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    fn steps(&self) -> f64 {
        self.rows.rows.into()
    }

    fn store(&self) -> Vec<i64> {
        vec![0; self.rows.counters()]
    }

    fn clear(&self, store: &mut Vec<i64>, _seed: u64) {
        store.fill(0);
    }

    #[inline]
    fn update(&self, store: &mut Vec<i64>, flow: Flow<'_>, weight: i64) {
        self.places(flow).for_each(|place| store[place] += weight);
    }

    fn estimate(&self, store: &Vec<i64>, flow: Flow<'_>) -> i64 {
        estimate(self.places(flow).map(|place| store[place]), Rule::Minimum)
    }

    /// Of two flows the differences of both values are independent and uniform: both are 0 with probability 1/w², and
    /// one row is where they meet, each of the d with probability (w − 1)/w². The events that a flow is met in rows 0 to
    /// d − 1 and in all of them exclude each other, so that what is met in the rows is negatively associated, and all
    /// rows are bad together at most as often as independent ones.
    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let mut outlook = Outlook::default();
        let (w, d) = (f64::from(self.rows.columns), f64::from(self.rows.rows));
        outlook.predictions = known.recall_of_overestimates();
        let is_prime = divisors(self.rows.columns.into()).len() == 2;
        if !is_prime || self.rows.rows > self.rows.columns {
            outlook.missing = Some("Theorem 9.1 needs a prime w and d ≤ w".to_owned());
            return outlook;
        }
        let exceeds = |e: f64| (2.0 / (e * w * w) + pow(2.0 / (e * w), d)).min(1.0);
        outlook.predictions.extend(known.of_exceeding(&exceeds, "Theorem 9.1, thesis 3.8.1"));
        let one_row = Collisions { probability: (w - 1.0) / (w * w), random_sign: false };
        let in_one = (one_row, Rule::Minimum, self.rows.rows);
        let in_all = 1.0 / (w * w);
        outlook.predictions.extend(known.mean_not_above(in_one, in_all, "negative association"));
        outlook
    }
}
