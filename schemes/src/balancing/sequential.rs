//! SEQUENTIAL: d choices among all buckets.

use super::case::Scheme;
use super::outlook::{self, Finite, Open};
use super::params::{
    ACCESSES, BUCKETS, BUDGET, CHOICES, ELEMENTS, INSERTION_PROBABILITY, LOAD, OVERFLOW, Size,
    THRESHOLD,
};
use super::rule::{Kind, Rule};
use super::theory::forecast::{self, Forecast};
use super::theory::one_choice;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::prediction::Prediction;

static SEQUENTIAL: Scheme = Scheme {
    info: SchemeInfo {
        name: "balancing-sequential",
        summary: "d choices among all buckets, read one by one: an element stays in the first that has fewer than h elements, or h and a coin of probability p says so; refused by all, it goes to the overflow list.",
        source: "\"Access-Efficient Balanced Bloom Filters\", Section 6 and Appendix A.1",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS,
            CHOICES,
            ACCESSES,
            OVERFLOW,
            THRESHOLD,
            INSERTION_PROBABILITY,
            BUDGET,
        ],
        predictions: &[
            "filling: overflow, accesses, occupancy, mean square and variance of the load, asymptotic (Theorem 4; equation (A.3) at any time)",
            "filling: the same, refined, where the budget is spent before the last element (binomial)",
            "filling: mean square of the load, lower bound (Theorem 1 at the measured accesses and overflow)",
            "filling: greatest load, upper bound (h + 1)",
        ],
    },
    kind: Kind::Sequential,
    predictions,
    list_exceeds: None,
};

pub(super) const ENTRY: SchemeEntry = SEQUENTIAL.entry(|request| SEQUENTIAL.case(request));

/// Where the budget is spent long before the last element, the number of accesses is certain, and each reads a bucket
/// of all.
fn predictions(rule: &Rule, size: &Size, arrivals: f64) -> Vec<Prediction> {
    let finite =
        rule.budget.filter(|budget| is_spent(rule, size, arrivals, *budget)).map(|budget| {
            let demand = one_choice::binomial(budget, size.buckets, rule.taking());
            let law = one_choice::law(&demand, rule.taking());
            let forecast = Forecast::new(rule, size, vec![law], (arrivals, budget as f64));
            let scatter_of_mean = outlook::scatter_of_mean(budget as f64, size, rule);
            let values = outlook::values(&forecast, scatter_of_mean);
            Finite { values, open: Open::PartOfDistance, source: "Theorem 4, binomial" }
        });
    outlook::predictions(rule, size, arrivals, finite, "Theorem 4")
}

/// Whether as good as every trial spends its budget.
fn is_spent(rule: &Rule, size: &Size, arrivals: f64, budget: u64) -> bool {
    let unlimited = Rule { budget: None, ..rule.clone() };
    let wanted = forecast::limit(&unlimited, size, arrivals);
    let deviation = (wanted.variance_of_accesses() * arrivals).sqrt();
    wanted.accesses * arrivals - SURE * deviation > budget as f64
}

/// In standard deviations.
const SURE: f64 = 6.0;
