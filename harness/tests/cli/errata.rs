//! The worked examples of docs/ERRATA.md, from the formulas beside them.

use std::fs;

use loadfactor::definition::Experiment;
use loadfactor::pipeline::results;
use loadfactor::plan::Plan;
use loadfactor::report::Results;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;
use regex::Regex;

use crate::numbers::at_root;

/// r^k/k!, the terms of Erlang's law.
fn term(r: f64, k: u32) -> f64 {
    (1..=k).fold(1.0, |term, i| term * r / f64::from(i))
}

/// Σ r^l/l! up to h.
fn sum(r: f64, h: u32) -> f64 {
    (0..=h).map(|l| term(r, l)).sum()
}

/// The share of full buckets, π_h.
fn full(r: f64, h: u32) -> f64 {
    term(r, h) / sum(r, h)
}

/// The lower bound of Theorem 6, before it is cut at 0.
fn bound(c: f64, h: u32, a: f64) -> f64 {
    1.0 - a + a * full(a * c * f64::from(h), h)
}

/// The words before a number on the page, and its value.
fn examples() -> Vec<(&'static str, f64)> {
    let products = sum(4.0, 4) * sum(4.0, 4);
    let without_factorial = 4f64.powi(4) / sum(4.0, 4);
    let crossover = full(2.195 * 4.0, 4);
    vec![
        ("the products sum to", products),
        ("last quotient is", full(4.0, 4)),
        ("h = 4, a = 1 give", without_factorial),
        ("where a fraction is due; with it,", bound(1.0, 4, 1.0)),
        ("than elements need: −", -bound(0.5, 4, 2.0)),
        ("They give π_4 =", crossover),
        ("1 − a + a·π_4 = π_4^4 =", bound(1.0, 4, 2.195)),
        ("In the example,", crossover.powi(3)),
        ("In the example, 0.222 and", crossover.powi(4)),
        ("18.03 % against", 100.0 * term(4.0, 4) * libm::exp(-4.0)),
        ("At a = 2, h = c = 1 both are", libm::exp(-2.0)),
        ("at c = 2,", 1.0 - (1.0 - libm::exp(-2.0)) / 2.0),
    ]
}

#[test]
fn the_worked_examples_come_out() {
    let page = fs::read_to_string(at_root("docs/ERRATA.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let number = Regex::new(r"^ ?(\d[\d,]*(\.\d+)?)").unwrap();
    for (words, value) in examples() {
        let (_, rest) = page.split_once(words).unwrap_or_else(|| panic!("not there: {words}"));
        let told = number.captures(rest).unwrap_or_else(|| panic!("no number after: {words}"));
        let decimals = told.get(2).map_or(0, |decimals| decimals.len() - 1);
        assert_eq!(told[1].replace(',', ""), format!("{value:.decimals$}"), "{words}");
    }
}

/// The limit of a quantity for the static series of the definition on the page, and for the dynamic one.
fn limits(results: &Results<'_>, metric: Metric) -> [f64; 2] {
    let limit = |label: &str| {
        let series = results.experiment.series_of(label).unwrap();
        let predictions = &results.subjects_of(series)[0].predictions;
        let is_meant = |p: &&Prediction| p.metric == metric && p.kind == Kind::Asymptotic;
        predictions.iter().find(is_meant).unwrap().value
    };
    ["static", "dynamic"].map(limit)
}

#[test]
fn the_definition_on_the_page_has_the_limits_beside_it() {
    let page = fs::read_to_string(at_root("docs/ERRATA.md")).unwrap();
    let definition = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let experiment = Experiment::from_text("errata", definition.unwrap()).unwrap();
    let plan = Plan::new(&experiment, None).unwrap();
    let results = results(&plan, &[]);
    let [fill, alternation] = limits(&results, metrics::OVERFLOW_FRACTION).map(|w| w * 1e4);
    assert!(page.contains(&format!("| {fill:.2}e-4 | {alternation:.2}e-4 | fluid limits |")));
    let [fill, alternation] = limits(&results, metrics::occupancy(64)).map(|full| full * 100.0);
    assert!(page.contains(&format!("{fill:.0} % against {alternation:.0} % in the last line")));
    let [fill, alternation] = limits(&results, metrics::ACCESSES_PER_INSERTION);
    assert!(page.contains(&format!("fewer accesses, {fill:.2} against {alternation:.2},")));
}
