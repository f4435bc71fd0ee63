//! The bound of Theorem 1 as a structure: what an online scheme cannot do better than.

use super::case::Scheme;
use super::outlook;
use super::params::{ACCESSES, BUCKETS, ELEMENTS, LOAD, OVERFLOW, Size};
use super::rule::{Kind, Rule};
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::prediction::Prediction;

static OFFLINE: Scheme = Scheme {
    info: SchemeInfo {
        name: "balancing-offline",
        summary: "The construction behind the lower bound, which knows the future: each of a·n accesses leaves an element in a bucket of all, and in the end the fullest buckets give up one element after the other until (1 − γ)·n are left.",
        source: "\"Access-Efficient Balanced Bloom Filters\", Section 4 and Appendix B.1",
        params: &[ELEMENTS, LOAD, BUCKETS, ACCESSES, OVERFLOW],
        predictions: &[
            "filling: occupancy, mean square and variance of the load, asymptotic (Theorem 1)",
        ],
    },
    kind: Kind::Offline,
    predictions,
    list_exceeds: None,
};

pub(super) const ENTRY: SchemeEntry = OFFLINE.entry(|request| OFFLINE.case(request));

fn predictions(rule: &Rule, size: &Size, arrivals: f64) -> Vec<Prediction> {
    outlook::predictions(rule, size, arrivals, None, "Theorem 1")
}
