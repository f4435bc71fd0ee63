//! Linear probing.

use super::case::{Scheme, entry};
use super::first_free::{FirstFree, Sequence};
use super::metrics::LONGEST_CLUSTER;
use super::outlook;
use super::params::{BUCKETS, ELEMENTS, LOAD, Size};
use super::rare::Counted;
use super::table::Deletion;
use super::theory::linear;
use super::timed::{FirstFreeKeys, Keyed};
use super::workload::Workload;
use crate::case::Means;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;

pub(super) const ENTRY: SchemeEntry = entry::<LinearProbing>();

/// The slot that the hash value names and those behind it.
#[derive(Debug, Clone)]
pub(super) struct LinearProbing {
    size: Size,
}

/// h, h + 1, h + 2, … in a circle of m slots.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    /// m.
    pub(super) buckets: u32,
}

impl Sequence for Linear {
    const IS_LINEAR: bool = true;

    #[inline]
    fn slots(&self, choices: &[u32]) -> impl Iterator<Item = u32> {
        (choices[0]..self.buckets).chain((0..self.buckets).cycle())
    }
}

impl Scheme for LinearProbing {
    const INFO: SchemeInfo = SchemeInfo {
        name: "linear-probing",
        summary: "An element is in the first slot that was free when it came, of the one that its hash value names and those behind it; the first slot follows the last. A look-up of an absent key ends at an empty slot. With `deletion = \"back-shift\"` a deletion leaves the table in which the element never was (Knuth's Algorithm R); with `\"tombstones\"` an insertion takes the first slot that holds no element.",
        source: "Knuth, \"The Art of Computer Programming\", volume 3, Section 6.4, Algorithms L and R",
        params: &[ELEMENTS, LOAD, BUCKETS],
        predictions: &[
            "probing-fill, and probing-alternation with back-shift: probes per hit and per miss, exact (Knuth, Theorem K) and asymptotic; probes per insertion, exact; variance of the probes of a hit, exact (Flajolet, Poblete and Viola for that of their mean) and asymptotic; longest cluster, exact (blocks of the parking problem; not near load 1 in large tables) and upper bound (expected number of clusters); longest probe, upper bound (longest cluster)",
            "probing-alternation with tombstones: tombstone fraction and probes per miss, bounds (an empty slot is used at the latest when its hash value comes)",
            "probing-fill: probability of a longer cluster, exact",
        ],
    };
    const DELETIONS: &'static [Deletion] = &[Deletion::BackShift, Deletion::Tombstones];
    const EVENTS: &'static [Metric] = &[LONGEST_CLUSTER];
    type Table = FirstFree<Linear>;
    type KeyTable = FirstFreeKeys<Linear>;

    fn from_params(size: Size, _params: &Params) -> Result<Self, ParamError> {
        Ok(Self { size })
    }

    fn size(&self) -> &Size {
        &self.size
    }

    fn bytes(&self) -> u64 {
        FirstFree::<Linear>::bytes(self.size.buckets, self.size.elements)
    }

    fn table(&self, deletion: Deletion) -> FirstFree<Linear> {
        let Size { elements, buckets } = self.size;
        FirstFree::new(Linear { buckets }, buckets, elements, deletion)
    }

    fn key_table(&self, keyed: Keyed) -> FirstFreeKeys<Linear> {
        let sequence = Linear { buckets: self.size.buckets };
        FirstFreeKeys::new(sequence, &self.size, &self.ranges(), keyed)
    }

    fn has(&self, _metric: Metric) -> bool {
        false
    }

    fn event(&self, _metric: Metric, beyond: u64) -> Option<Counted> {
        (beyond < self.size.elements.into()).then_some(Counted::Cluster(beyond as u32 + 1))
    }

    /// With back-shift a table is at any time that of a fill with the elements that are in it.
    fn predictions(&self, workload: &Workload, _measured: Means<'_>) -> Vec<Prediction> {
        let size = &self.size;
        if let Some(rounds) = workload.rounds_with_tombstones() {
            let misses = outlook::misses_behind_tombstones(size, rounds);
            return outlook::tombstones(size, rounds).into_iter().chain(misses).collect();
        }
        let variance = linear::probe_variance(size.buckets, size.elements);
        let mut all = outlook::linear_hits(size);
        all.extend(outlook::linear_misses(size));
        all.push(outlook::linear_insertions(size, workload));
        all.extend(outlook::variance(size, variance, linear::limit_of_variance(size.load())));
        let clusters = outlook::longest_cluster(size);
        all.extend(outlook::longest_in_a_cluster(&clusters));
        all.extend(clusters);
        all
    }
}
