//! The count-min sketch with conservative update.

use super::outlook::Known;
use super::params::{COLUMNS, ROWS};
use super::rows::{Rows, estimate};
use super::theory::Rule;
use super::{Flow, Sketch};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// An update raises the least counters of a flow only, as far as its estimate has to rise.
#[derive(Debug, Clone, PartialEq)]
pub struct ConservativeUpdate {
    rows: Rows,
}

impl Sketch for ConservativeUpdate {
    const INFO: SchemeInfo = SchemeInfo {
        name: "conservative-update",
        summary: "The count-min sketch, but an update of a flow raises only those of its counters that are below its new estimate, and only that far. No counter is ever above that of the count-min sketch, and no estimate below the count. Nothing can be subtracted.",
        source: "Estan and Varghese, 2002",
        params: &[ROWS, COLUMNS],
        predictions: &[
            "`aae` and other errors: upper bound, those of `count-min` with the same rows, exact with `counts = \"expected\"`",
            "`error_exceeds` and `absent_error_exceeds`: upper bound, (1/(εw))^d (Lemma 7.6.1)",
            "`recall`: exact, 1, and `reported_flows`: upper bound (section 7.6.6.3)",
        ],
    };

    type Store = Vec<i64>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { rows: Rows::from_params(params)? })
    }

    fn ranges(&self) -> Vec<u32> {
        self.rows.ranges()
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    fn steps(&self) -> f64 {
        2.0 * f64::from(self.rows.rows)
    }

    fn store(&self) -> Vec<i64> {
        vec![0; self.rows.counters()]
    }

    fn clear(&self, store: &mut Vec<i64>, _seed: u64) {
        store.fill(0);
    }

    #[inline]
    fn update(&self, store: &mut Vec<i64>, flow: Flow<'_>, weight: i64) {
        let risen = self.estimate(store, flow) + weight;
        self.rows.places(flow.choices).for_each(|place| store[place] = store[place].max(risen));
    }

    #[inline]
    fn estimate(&self, store: &Vec<i64>, flow: Flow<'_>) -> i64 {
        estimate(self.rows.places(flow.choices).map(|place| store[place]), Rule::Minimum)
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let mut predictions = known.bounds_of_minimum(&self.rows);
        let rows = (self.rows.collisions(), Rule::Minimum, self.rows.rows);
        predictions.extend(known.not_above(rows, "no counter is above that of count-min"));
        Outlook { predictions, missing: None }
    }
}
