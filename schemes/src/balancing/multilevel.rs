//! MHT: d choices, each in a sub-table of its own.

use super::case::Scheme;
use super::outlook::{self, Finite, Open};
use super::params::{
    ACCESSES, BUCKETS, BUDGET, CHOICES, ELEMENTS, INSERTION_PROBABILITY, LOAD, OVERFLOW,
    SUB_TABLE_BUCKETS, Size, THRESHOLD,
};
use super::rule::{Kind, Rule};
use super::theory::scatter::Tried;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::prediction::Prediction;

static MULTILEVEL: Scheme = Scheme {
    info: SchemeInfo {
        name: "balancing-multilevel",
        summary: "The multi-level hash table, MHT: d sub-tables, and a choice in each, read one by one. An element stays in the first bucket that has fewer than h elements, or h and a coin of probability p says so; refused by all, it goes to the overflow list. The sizes of the sub-tables decrease by the share of accesses that a bucket refuses.",
        source: "\"Access-Efficient Balanced Bloom Filters\", Section 7 and Appendix A.2",
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
            SUB_TABLE_BUCKETS,
        ],
        predictions: &[
            "filling: overflow, accesses, occupancy, mean square and variance of the load, asymptotic (Theorem 5; equation (A.5), solved)",
            "filling without a budget: the same, refined (binomial, mixed over what the sub-table before refused; nothing is left open where sub-tables have few buckets)",
            "filling: mean square of the load, lower bound (Theorem 1 at the measured accesses and overflow)",
            "filling: greatest load, upper bound (h + 1)",
        ],
    },
    kind: Kind::Multilevel,
    predictions,
    list_exceeds: None,
};

pub(super) const ENTRY: SchemeEntry = MULTILEVEL.entry(|request| MULTILEVEL.case(request));

fn predictions(rule: &Rule, size: &Size, arrivals: f64) -> Vec<Prediction> {
    let finite = rule.budget.is_none().then(|| finite(rule, size, arrivals));
    outlook::predictions(rule, size, arrivals, finite, "Theorem 5")
}

fn finite(rule: &Rule, size: &Size, arrivals: f64) -> Finite {
    let values = |tried: &Tried| {
        let scatter_of_mean = tried.variance_of_refused() / f64::from(size.buckets).powi(2);
        outlook::values(&tried.forecast(rule, size, arrivals), scatter_of_mean)
    };
    let (tried, others) = Tried::all(arrivals as u64, rule.parts(), rule.taking());
    let open = Open::Others(others.iter().map(values).collect());
    Finite { values: values(&tried), open, source: "Theorem 5, binomial" }
}
