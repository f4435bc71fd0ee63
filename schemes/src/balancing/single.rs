//! SINGLE: one choice per element.

use super::case::Scheme;
use super::outlook::{self, Finite, LIMIT, Open};
use super::params::{
    BUCKETS, BUDGET, ELEMENTS, INSERTION_PROBABILITY, LOAD, OVERFLOW, Size, THRESHOLD,
};
use super::rule::{Kind, Rule};
use super::theory::forecast::Forecast;
use super::theory::one_choice;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::prediction::{self, Prediction};
use crate::tables::theory::list_of_one_choice::OneChoice;

static SINGLE: Scheme = Scheme {
    info: SchemeInfo {
        name: "balancing-single",
        summary: "One choice: an element stays in its bucket if that has fewer than h elements, or h and a coin of probability p says so, and goes to the overflow list else. Without an overflow (γ = 0) it is a hash table with chains.",
        source: "\"Access-Efficient Balanced Bloom Filters\", Section 5 and Appendix C",
        params: &[ELEMENTS, LOAD, BUCKETS, OVERFLOW, THRESHOLD, INSERTION_PROBABILITY, BUDGET],
        predictions: &[
            "filling: overflow, accesses, occupancy and mean square of the load, exact (binomial)",
            "filling: the same and the variance of the load, asymptotic (equations (5) to (8), at any time)",
            "filling: mean square of the load, lower bound (Theorem 1 at the measured overflow)",
            "filling: greatest load, upper bound (h + 1)",
        ],
    },
    kind: Kind::Single,
    predictions,
    list_exceeds: Some(list_exceeds),
};

pub(super) const ENTRY: SchemeEntry = SINGLE.entry(|request| SINGLE.case(request));

fn predictions(rule: &Rule, size: &Size, arrivals: f64) -> Vec<Prediction> {
    let demand = one_choice::binomial(arrivals as u64, size.buckets, rule.taking());
    let law = one_choice::law(&demand, rule.taking());
    let forecast = Forecast::new(rule, size, vec![law], (arrivals, arrivals));
    let scatter_of_mean = outlook::scatter_of_mean(arrivals, size, rule);
    let values = outlook::values(&forecast, scatter_of_mean);
    let finite = Finite { values, open: Open::Nothing, source: "binomial" };
    let mut found = outlook::predictions(rule, size, arrivals, Some(finite), LIMIT);
    // The variance within a trial is exact but for what the mean load of a trial scatters.
    let inexact = |p: &&mut Prediction| {
        p.metric == super::metrics::LOAD_VARIANCE && p.kind == prediction::Kind::Exact
    };
    for prediction in found.iter_mut().filter(inexact) {
        prediction.kind = prediction::Kind::Refined;
        prediction.allowance += prediction.value / f64::from(size.buckets).powi(2);
    }
    found
}

fn list_exceeds(rule: &Rule, arrivals: u32, beyond: u32) -> f64 {
    let Some(threshold) = rule.threshold else { return 0.0 };
    let (buckets, probability) = (rule.buckets(), rule.probability);
    OneChoice { elements: arrivals, buckets, threshold, probability, tried: 1.0 }.exceeds(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balancing::params::Target;

    /// That the variance within a trial is not quite exact must not let it be anything.
    #[test]
    fn the_variance_is_allowed_a_small_part_of_itself() {
        let target = Target {
            choices: 1,
            accesses: None,
            overflow: Some(0.02),
            threshold: None,
            budget: false,
            sub_tables: None,
        };
        let allowed = |buckets: u32| {
            let size = Size { elements: 4 * buckets, buckets };
            let rule = Rule::new(Kind::Single, &size, &target).unwrap();
            let found = predictions(&rule, &size, f64::from(size.elements));
            let refined = found.into_iter().find(|p| p.kind == prediction::Kind::Refined).unwrap();
            assert_eq!(refined.metric, super::super::metrics::LOAD_VARIANCE);
            refined.allowance / refined.value
        };
        assert!(allowed(10) < 0.02 && allowed(100) < 0.000_2);
    }
}
