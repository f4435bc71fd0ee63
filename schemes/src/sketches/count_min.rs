//! The count-min sketch.

use super::outlook::Known;
use super::params::{COLUMNS, ESTIMATE, ROWS};
use super::rows::{Rows, check_median, estimate};
use super::theory::{Collisions, Rule};
use super::{Flow, Sketch, inner};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// An update adds to one counter in each row; the estimate is the least of a flow's counters, or their median.
#[derive(Debug, Clone, PartialEq)]
pub struct CountMin {
    rows: Rows,
    rule: Rule,
}

impl Sketch for CountMin {
    const INFO: SchemeInfo = SchemeInfo {
        name: "count-min",
        summary: "d rows of w counters, a hash function for each row. An update is added to the flow's counter in every row; the estimate of the flow's count is the least of its counters, or, where updates may be negative, their median.",
        source: "Cormode and Muthukrishnan, 2005; lecture notes, section 7.6.6",
        params: &[ROWS, COLUMNS, ESTIMATE],
        predictions: &[
            "errors, with `counts = \"expected\"` or `given_counts`: exact, Pr(error > t) = Pr(X > t)^d of what other flows add to a counter, or likewise of the median",
            "`error_exceeds` and `absent_error_exceeds`: upper bound, (1/(εw))^d (Lemma 7.6.1), and with the median the probability that more than half of d counters are off with probability 1/(εw) each (Lemma 7.6.2)",
            "`aae` and `absent_error` of the minimum: upper bound, ‖a‖₁/w",
            "`inner_product_error`: upper bound, 1/w, and with one row and `counts = \"expected\"` exact, (1 − a·b/(‖a‖₁‖b‖₁))/w; `inner_product_exceeds`: upper bound, (1/(εw))^d (section 7.6.6.2)",
            "`recall`: exact, 1, and `reported_flows`: upper bound, where the minimum is taken (section 7.6.6.3)",
        ],
    };

    type Store = Vec<i64>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let rows = Rows::from_params(params)?;
        let rule = match params.word(ESTIMATE.name)? {
            "median" => Rule::Median,
            _ => Rule::Minimum,
        };
        if rule == Rule::Median {
            check_median(rows.rows)?;
        }
        Ok(Self { rows, rule })
    }

    fn ranges(&self) -> Vec<u32> {
        self.rows.ranges()
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    fn takes_negative(&self) -> bool {
        self.rule == Rule::Median
    }

    fn store(&self) -> Vec<i64> {
        vec![0; self.rows.counters()]
    }

    fn clear(&self, store: &mut Vec<i64>, _seed: u64) {
        store.fill(0);
    }

    #[inline]
    fn update(&self, store: &mut Vec<i64>, flow: Flow<'_>, weight: i64) {
        self.rows.places(flow.choices).for_each(|place| store[place] += weight);
    }

    fn estimate(&self, store: &Vec<i64>, flow: Flow<'_>) -> i64 {
        estimate(self.rows.places(flow.choices).map(|place| store[place]), self.rule)
    }

    fn multiplies(&self) -> bool {
        self.rule == Rule::Minimum
    }

    fn inner_product(&self, first: &Vec<i64>, second: &Vec<i64>) -> i64 {
        let width = self.rows.columns as usize;
        let rows = first.chunks_exact(width).zip(second.chunks_exact(width));
        let products = rows.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum());
        estimate(products, self.rule)
    }

    fn rows(&self) -> Option<(Collisions, Rule, u32)> {
        Some((self.rows.collisions(), self.rule, self.rows.rows))
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let mut predictions = match self.rule {
            Rule::Minimum => known.bounds_of_minimum(&self.rows),
            Rule::Median => known.bounds_of_median(&self.rows),
        };
        predictions.extend(inner::predictions(known, &self.rows));
        Outlook { predictions, missing: None }
    }
}
