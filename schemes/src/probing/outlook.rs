//! Predictions that several schemes share.

use super::metrics::{
    LONGEST_CLUSTER, LONGEST_PROBE, PROBE_VARIANCE, PROBES_PER_INSERTION, TOMBSTONE_FRACTION,
};
use super::params::Size;
use super::rare::Counted;
use super::theory::{clusters, linear, passing, tombstones, uniform};
use super::workload::Workload;
use crate::metric::Metric;
use crate::prediction::Prediction;
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};

const KNUTH: &str = "Knuth, Section 6.4, Theorem K";
const MOMENTS: &str = "Knuth, Section 6.4; Flajolet, Poblete and Viola";
const BLOCKS: &str = "blocks of linear probing, Cauchy's integral";
const SLOTS_PASSED: &str = "expected number of slots that so many pass";
const USED_UP: &str = "an empty slot is used when its hash value comes";
const TOMBSTONES: &str = "uniform probing with tombstones";
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
pub(super) fn longest_cluster(size: &Size) -> Vec<Prediction> {
    let Size { elements, buckets } = *size;
    let exact = clusters::longest(buckets, elements)
        .map(|mean| Prediction::exact(LONGEST_CLUSTER, mean, BLOCKS));
    let bound = (size.free() > 1).then(|| clusters::longest_at_most(buckets, elements));
    let bound =
        bound.map(|bound| Prediction::upper_bound(LONGEST_CLUSTER, bound, NO_CLUSTER_IS_LONGER));
    exact.into_iter().chain(bound).collect()
}

/// The probability of an event in a fill, where some slot stays empty.
pub(super) fn of_event(size: &Size, counted: Counted) -> Option<Prediction> {
    let Size { elements, buckets } = *size;
    if size.free() == 0 {
        return None;
    }
    let probability = match counted {
        Counted::Cluster(slots) => clusters::some_at_least(slots, buckets, elements),
        Counted::Passing(number) | Counted::Failure(number) => {
            passing::some_at_least(number, buckets, elements)
        }
    }?;
    Some(Prediction::exact(EVENT_PROBABILITY, probability, BLOCKS))
}

/// Tombstones after so many rounds: no slot holds one and an element, and slots that were never used are used up.
pub(super) fn tombstones(size: &Size, rounds: u32) -> [Prediction; 2] {
    let least = tombstones::fraction_at_least(rounds, size.buckets, size.elements);
    [
        Prediction::upper_bound(TOMBSTONE_FRACTION, 1.0 - size.load(), "1 − α"),
        Prediction::lower_bound(TOMBSTONE_FRACTION, least, USED_UP),
    ]
}

/// Probes of an absent key by linear probing after so many rounds with tombstones.
pub(super) fn misses_behind_tombstones(size: &Size, rounds: u32) -> [Prediction; 2] {
    let Size { elements, buckets } = *size;
    let used_up = tombstones::probes_per_miss_at_least(rounds, buckets, elements);
    // Slots that the fill used are never empty again.
    let of_fill = if size.free() > 0 { linear::probes_per_miss(buckets, elements) } else { 0.0 };
    let least = used_up.max(of_fill);
    [
        Prediction::upper_bound(PROBES_PER_MISS, size.buckets.into(), "all slots"),
        Prediction::lower_bound(PROBES_PER_MISS, least, USED_UP),
    ]
}

/// The longest search of linear probing is within a cluster, for which these are the predictions.
pub(super) fn longest_in_a_cluster(clusters: &[Prediction]) -> Option<Prediction> {
    let longest = clusters.first();
    longest.map(|own| {
        Prediction::upper_bound(LONGEST_PROBE, own.value, "slots of the longest cluster")
    })
}

/// The longest search of Robin Hood hashing: one slot for each element that passes, and that of the hash value.
pub(super) fn longest_behind_passing(size: &Size) -> Vec<Prediction> {
    let Size { elements, buckets } = *size;
    let exact = passing::most(buckets, elements)
        .map(|most| Prediction::exact(LONGEST_PROBE, 1.0 + most, BLOCKS));
    let bound = passing::most_at_most(buckets, elements).filter(|_| size.free() > 0);
    let bound = bound.map(|most| Prediction::upper_bound(LONGEST_PROBE, 1.0 + most, SLOTS_PASSED));
    exact.into_iter().chain(bound).collect()
}

/// Uniform probing with tombstones: double hashing, and quadratic probing about, after so many rounds.
pub(super) fn uniform_after(rounds: u32, size: &Size) -> [Prediction; 4] {
    let known = uniform::Tombstones::after(rounds, size.buckets, size.elements);
    [
        (PROBES_PER_HIT, known.probes_per_hit()),
        (PROBES_PER_MISS, known.probes_per_miss()),
        (PROBES_PER_INSERTION, known.probes_per_insertion()),
        (TOMBSTONE_FRACTION, known.tombstone_fraction()),
    ]
    .map(|(metric, value)| Prediction::approximate(metric, value, TOMBSTONES))
}
