//! What theory says of summaries that are made of filters.

use super::metrics::{
    FAILING_ELEMENTS, FAILING_ELEMENTS_GIVEN_CELLS, FAILING_FRACTION, FAILURE_OR_CRISIS_FRACTION,
    SUMMARY_FAILURE_FRACTION, SUMMARY_FAILURE_GIVEN_CELLS, failing_of_type_given_cells,
    failure_of_type,
};
use super::theory::bounds::Bounds;
use super::theory::chances::{FilterSize, Layout};
use super::theory::failure::{self, Failures, TypeFailures};
use super::theory::false_positive;
use super::theory::law::FillLaw;
use super::theory::union_bound::multiple_filters_bound;
use crate::filters::metrics::{FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS};
use crate::metric::Metric;
use crate::prediction::{Kind, Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;

/// Where the exact values come from: the laws of the chapter without its union bound.
const EXACT: &str = "Sections 4.7 and 4.11.3, without the union bound";

/// What is said of the declarations of summaries of filters.
pub(super) const PREDICTIONS: &[&str] = &[
    "failures: expected number and probability, exact (laws of Section 4.11.3)",
    "failures: upper bound, equations (4.4) and (4.5)",
    "false positives: exact",
];

/// The union bound of equation (4.4), or (4.5).
pub(super) struct Union {
    pub(super) total: f64,
    pub(super) source: &'static str,
}

/// The square of a type's expected failures given the cells is at most this many times the square of their mean where
/// trials are said to have that mean. Beyond it hardly any trial has any, and few trials have almost all of them, so
/// that no mean of trials says anything.
const MOST_SCATTER: f64 = 10.0;

/// Whether trials show the mean of what this type is in for.
fn is_seen(of_type: &TypeFailures) -> bool {
    of_type.square <= MOST_SCATTER * of_type.expected.powi(2)
}

/// What trials may not show of the probability that nothing fails, which lies between 0 and 1 in each: where its mean is
/// this small, few trials may have almost all of it.
fn unseen_without(any: Bounds) -> f64 {
    let none = 1.0 - any.middle();
    if none * MOST_SCATTER < 1.0 { none } else { 0.0 }
}

/// Predictions of failures.
pub(super) fn failures(law: &FillLaw, failures: &Failures, union: &Union) -> Vec<Prediction> {
    let exact = |metric, value| Prediction::exact(metric, value, EXACT);
    let expected = failures.expected;
    let unseen = failures.per_type.iter().filter(|of_type| !is_seen(of_type));
    let unseen: f64 = unseen.map(|of_type| of_type.expected).sum();
    let given_cells = |of: Prediction| Prediction { allowance: of.allowance + unseen, ..of };
    let any = given_cells(between(SUMMARY_FAILURE_GIVEN_CELLS, failures.any));
    let mut predictions = vec![
        exact(FAILING_ELEMENTS, expected),
        exact(FAILING_FRACTION, expected / f64::from(law.elements())),
        given_cells(exact(FAILING_ELEMENTS_GIVEN_CELLS, expected)),
        Prediction { allowance: any.allowance + unseen_without(failures.any), ..any },
        upper_bound(
            FAILURE_OR_CRISIS_FRACTION,
            union.total + law.crisis_probability(),
            "Table 4.3",
        ),
    ];
    predictions.extend(failure(SUMMARY_FAILURE_FRACTION, failures.any, union));
    for (own, of_type) in (1..).zip(&failures.per_type) {
        predictions.push(between(failure_of_type(own), of_type.any));
        if is_seen(of_type) {
            predictions.push(exact(failing_of_type_given_cells(own), of_type.expected));
        }
    }
    predictions
}

/// What is said of the probability of the event that any element fails.
pub(super) fn failure_outlook(failures: &Failures, union: &Union) -> Outlook {
    Outlook { predictions: failure(EVENT_PROBABILITY, failures.any, union).into(), missing: None }
}

fn failure(metric: Metric, any: Bounds, union: &Union) -> [Prediction; 2] {
    [between(metric, any), upper_bound(metric, union.total, union.source)]
}

fn upper_bound(metric: Metric, value: f64, source: &'static str) -> Prediction {
    Prediction { kind: Kind::UpperBound, ..Prediction::exact(metric, value.min(1.0), source) }
}

/// What is known from both sides, which are close.
pub(super) fn between(metric: Metric, bounds: Bounds) -> Prediction {
    let allowance = (bounds.upper - bounds.lower) / 2.0;
    Prediction { allowance, ..Prediction::exact(metric, bounds.middle(), EXACT) }
}

/// Predictions of false positives, where absent keys are asked for.
pub(super) fn false_positives(rate: f64) -> [Prediction; 2] {
    [FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS]
        .map(|metric| Prediction::exact(metric, rate, EXACT))
}

/// Predictions of unpartitioned filters B_0, B_1, …
pub(super) fn of_filters(
    law: &FillLaw,
    filters: &[FilterSize],
    with_absent: bool,
) -> Vec<Prediction> {
    let layout = Layout::Unpartitioned;
    let of_failures = failure::multiple_filters(law, filters, layout);
    let mut predictions = failures(law, &of_failures, &union_bound(law, filters));
    if let Some(first) = filters.first().filter(|_| with_absent) {
        let rate = false_positive::of_filter(law.elements(), first, layout);
        predictions.extend(false_positives(rate));
    }
    predictions
}

/// What is said of the probability of the event that any element fails by such filters.
pub(super) fn failures_of_filters(law: &FillLaw, filters: &[FilterSize]) -> Outlook {
    let failures = failure::multiple_filters(law, filters, Layout::Unpartitioned);
    failure_outlook(&failures, &union_bound(law, filters))
}

fn union_bound(law: &FillLaw, filters: &[FilterSize]) -> Union {
    Union { total: multiple_filters_bound(law, filters).total, source: "equation (4.5)" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left open of the failure probability given the cells, where types fail like this.
    fn allowance(any: f64, square_of_second: f64) -> f64 {
        let of_type =
            |expected, square| TypeFailures { expected, square, any: Bounds::exactly(0.01) };
        let failures = Failures {
            per_type: vec![of_type(0.3, 0.1), of_type(0.02, square_of_second)],
            expected: 0.32,
            any: Bounds::exactly(any),
        };
        let union = Union { total: 0.32, source: "a test" };
        let all = super::failures(&FillLaw::new(3, &[4, 2, 1]), &failures, &union);
        all.iter().find(|own| own.metric == SUMMARY_FAILURE_GIVEN_CELLS).unwrap().allowance
    }

    /// A mean that few trials have almost all of is not seen, and what it adds is allowed for: of a type that fails in
    /// hardly any trial, and of summaries that hardly ever stay without a failure. Nothing else is.
    #[test]
    fn only_what_trials_hardly_show_is_left_open() {
        assert_eq!(allowance(0.3, 0.000_4), 0.0);
        assert_eq!(allowance(0.3, 0.003_9), 0.0);
        assert_eq!(allowance(0.3, 0.004_1), 0.02);
        assert_eq!(allowance(0.89, 0.000_4), 0.0);
        assert!((allowance(0.95, 0.000_4) - 0.05).abs() < 1e-12);
        assert!((allowance(0.95, 0.004_1) - 0.07).abs() < 1e-12);
    }
}
