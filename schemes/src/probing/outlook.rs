//! Predictions that several schemes share.

use super::metrics::{LONGEST_CLUSTER, PROBE_VARIANCE, PROBES_PER_INSERTION, TOMBSTONE_FRACTION};
use super::params::Size;
use super::theory::{clusters, linear};
use super::workload::Workload;
use crate::metric::Metric;
use crate::prediction::{Kind, Prediction};
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};

const KNUTH: &str = "Knuth, Section 6.4, Theorem K";
const MOMENTS: &str = "Knuth, Section 6.4; Flajolet, Poblete and Viola";
const NO_CLUSTER_IS_LONGER: &str = "expected number of clusters of each length";

/// An exact value, and its limit, which is as far from it as it is at this size.
pub(super) fn with_limit(
    metric: Metric,
    exact: f64,
    limit: f64,
    source: &'static str,
) -> [Prediction; 2] {
    let allowance = (exact - limit).abs();
    [
        Prediction::exact(metric, exact, source),
        Prediction::asymptotic(metric, limit, source, allowance),
    ]
}

/// Probes of an element in a table in the state of a fill by linear probing, whichever of two elements keeps a slot.
pub(super) fn linear_hits(size: &Size) -> Vec<Prediction> {
    let exact = linear::probes_per_hit(size.buckets, size.elements);
    match size.free() {
        0 => vec![Prediction::exact(PROBES_PER_HIT, exact, KNUTH)],
        _ => with_limit(PROBES_PER_HIT, exact, linear::limit_of_hits(size.load()), KNUTH).to_vec(),
    }
}

/// Probes of an absent key by linear probing.
pub(super) fn linear_misses(size: &Size) -> Vec<Prediction> {
    if size.free() == 0 {
        return Vec::new();
    }
    let exact = linear::probes_per_miss(size.buckets, size.elements);
    with_limit(PROBES_PER_MISS, exact, linear::limit_of_misses(size.load()), KNUTH).to_vec()
}

/// Probes of an insertion that takes the first free slot: of the i-th one those of an absent key among i − 1 elements,
/// in a round those of one among n − 1.
pub(super) fn linear_insertions(size: &Size, workload: &Workload) -> Prediction {
    let Size { elements, buckets } = *size;
    let probes = match workload.alternation {
        None => linear::probes_per_hit(buckets, elements),
        Some(_) => linear::probes_per_miss(buckets, elements - 1),
    };
    Prediction::exact(PROBES_PER_INSERTION, probes, KNUTH)
}

/// The variance of the probes of an element.
pub(super) fn variance(size: &Size, exact: Option<f64>, limit: f64) -> Vec<Prediction> {
    match exact {
        None => Vec::new(),
        Some(exact) if size.free() == 0 => {
            vec![Prediction::exact(PROBE_VARIANCE, exact, MOMENTS)]
        }
        Some(exact) => with_limit(PROBE_VARIANCE, exact, limit, MOMENTS).to_vec(),
    }
}

/// The longest cluster where every element took the first free slot behind its hash value.
pub(super) fn longest_cluster(size: &Size) -> Option<Prediction> {
    let bound = (size.free() > 1).then(|| clusters::longest_at_most(size.buckets, size.elements));
    bound.map(|bound| upper_bound(LONGEST_CLUSTER, bound, NO_CLUSTER_IS_LONGER))
}

/// No slot holds an element and a tombstone.
pub(super) fn tombstones(size: &Size) -> Prediction {
    upper_bound(TOMBSTONE_FRACTION, 1.0 - size.load(), "1 − α")
}

fn upper_bound(metric: Metric, value: f64, source: &'static str) -> Prediction {
    Prediction { kind: Kind::UpperBound, ..Prediction::exact(metric, value, source) }
}
