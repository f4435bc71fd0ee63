//! What is read of one trial.

use super::metrics::{self, elements_in, failing_of_type_given_cells, failure_of_type, left_after};
use super::{Answers, Census, Given};
use crate::case::Record;
use crate::filters::metrics::{FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS};

fn is_any(count: u32) -> f64 {
    f64::from(u8::from(count > 0))
}

/// Hands over where the elements of the table are.
pub(super) fn of_table(census: &Census, with_left_over: bool, out: &mut dyn Record) {
    let types = 1..=census.types();
    out.reading(metrics::CRISIS_FRACTION, Some(is_any(census.crisis())));
    out.reading(metrics::CRISIS_ELEMENTS, Some(census.crisis().into()));
    for own in types.clone() {
        out.reading(elements_in(own.into()), Some(census.elements_in(own).into()));
    }
    for own in types.filter(|_| with_left_over) {
        out.reading(left_after(own.into()), Some(census.left_after(own).into()));
    }
}

/// Hands over how many buckets are read for an element of a table without a summary.
pub(super) fn of_accesses(census: &Census, out: &mut dyn Record) {
    let reads = |own: u8| f64::from(own) * f64::from(census.of_type(own));
    let all: f64 = (1..=census.types()).map(reads).sum();
    let elements = census.left_after(0);
    let mean = (elements > 0).then(|| all / f64::from(elements));
    out.reading(metrics::ACCESSES_PER_HIT, mean);
}

/// Hands over what a summary answered: false positives where it was to be asked for absent keys.
pub(super) fn of_answers(answers: &Answers, census: &Census, queries: u64, out: &mut dyn Record) {
    let (elements, failing) = (census.left_after(0), answers.failing.iter().sum::<u32>());
    let useless = is_any(failing).max(is_any(census.crisis()));
    out.reading(metrics::FAILURE_OR_CRISIS_FRACTION, Some(useless));
    out.reading(metrics::SUMMARY_FAILURE_FRACTION, Some(is_any(failing)));
    out.reading(metrics::FAILING_ELEMENTS, Some(failing.into()));
    out.reading(metrics::FAILING_FRACTION, Some(f64::from(failing) / f64::from(elements)));
    for (own, &failing) in may_fail(&answers.failing) {
        out.reading(failure_of_type(own), Some(is_any(failing)));
    }
    if queries > 0 {
        let rate = (answers.asked > 0).then(|| answers.positive as f64 / answers.asked as f64);
        out.reading(FALSE_POSITIVE_RATE, rate);
    }
    if let Some([of_hits, of_misses]) = answers.probes {
        let each = |probes: u64, of: u64| (of > 0).then(|| probes as f64 / of as f64);
        out.reading(metrics::PROBES_PER_HIT, each(of_hits, elements.into()));
        out.reading(metrics::PROBES_PER_MISS, each(of_misses, answers.asked));
    }
    if let Some(given) = &answers.given {
        of_cells(given, out);
    }
}

fn of_cells(given: &Given, out: &mut dyn Record) {
    out.reading(metrics::SUMMARY_FAILURE_GIVEN_CELLS, Some(given.failure));
    let expected: f64 = given.failing.iter().sum();
    out.reading(metrics::FAILING_ELEMENTS_GIVEN_CELLS, Some(expected));
    for (own, &failing) in may_fail(&given.failing) {
        out.reading(failing_of_type_given_cells(own), Some(failing));
    }
    if let Some(rate) = given.false_positive {
        out.reading(FALSE_POSITIVE_RATE_GIVEN_BITS, Some(rate));
    }
}

/// All types but the last, of which a summary that tells too high a type at most is never wrong.
fn may_fail<T>(by_type: &[T]) -> impl Iterator<Item = (u16, &T)> {
    (1..).zip(by_type.iter().take(by_type.len().saturating_sub(1)))
}
