//! What docs/METHODOLOGY.md states in numbers is what the code has.

use super::allowance::LEAST_BUCKETS;
use super::multilevel::{InsertionRule, MOST_OUTCOMES, MOST_SETS, MOST_WORK, overflow_law};
use super::second_chance::MOST_POINTERS;
use super::{d_left, finite_size, refined};
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Asserts that METHODOLOGY has this sentence, or part of one, wherever its lines end.
#[track_caller]
pub(crate) fn assert_states(text: &str) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let methodology = words(include_str!("../../../../docs/METHODOLOGY.md"));
    assert!(methodology.contains(&words(text)), "METHODOLOGY.md does not say: {text}");
}

/// With a comma before each three digits.
fn in_thousands(number: usize) -> String {
    match number {
        ..1000 => number.to_string(),
        _ => format!("{},{:03}", in_thousands(number / 1000), number % 1000),
    }
}

/// A digit times a power of ten, such as 2·10⁸.
fn in_powers(number: f64) -> String {
    let power = number.log10().floor();
    let digit = number / 10_f64.powf(power);
    let superscript = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap() as usize);
    let power: String = format!("{power}").chars().filter_map(superscript).collect();
    format!("{digit}·10{power}")
}

#[test]
fn numbers_are_written_as_there() {
    assert_eq!(in_thousands(64), "64");
    assert_eq!(in_thousands(20_000), "20,000");
    assert_eq!(in_thousands(4_000_012), "4,000,012");
    assert_eq!(in_powers(2e8), "2·10⁸");
}

#[test]
#[should_panic(expected = "METHODOLOGY.md does not say")]
fn what_is_not_there_is_noticed() {
    assert_states("a probability is allowed 21/n");
}

#[test]
fn limits_that_are_not_computed() {
    let (states, of_fill) = (d_left::MOST_STATES, finite_size::MOST_COVARIANCES);
    assert_states(&format!(
        "d-left beyond h·d = {states}, a static fill of MULTIPLE or d-random beyond h = {of_fill}"
    ));
    let components = ode::MOST_COMPONENT_STEPS / ode::MOST_STEPS;
    assert_states(&format!(
        "More than {} steps, fewer in systems of more than {components} components, are refused",
        in_thousands(ode::MOST_STEPS)
    ));
    assert_states(&format!(
        "More than some {} elements that point to one bucket are refused",
        in_thousands(MOST_POINTERS)
    ));
}

#[test]
fn first_order_says_nothing_beyond() {
    let percent = 100.0 * refined::MOST_PART;
    assert_states(&format!("First order says nothing where that part is more than {percent} %"));
    let most = 1.0 / LEAST_BUCKETS;
    assert_eq!(most, 0.5);
    assert_states("where choices are many beside √m (d² > m/2)");
}

#[test]
fn the_exact_law_is_computed_up_to() {
    let d = 4.0;
    let largest = (MOST_WORK / d).powf(2.0 / 3.0) as usize;
    assert_states(&format!(
        "n·√n·d is limited to {}, which is n = {} with d = {d}",
        in_powers(MOST_WORK),
        in_thousands(largest / 1000 * 1000)
    ));
}

#[test]
fn the_law_of_the_list_is_computed_up_to() {
    assert_states(&format!(
        "More than {MOST_SETS} sets or {} outcomes are refused",
        in_thousands(MOST_OUTCOMES)
    ));
    let refused = overflow_law(InsertionRule::SecondChance, 100_000, &[90_000, 3]);
    let Err(TheoryError::TooSmall { most }) = refused else { panic!("{refused:?}") };
    assert_states(&format!(
        "A sub-table that more than {} elements look at for each of its buckets is refused",
        in_thousands(most as usize)
    ));
}
