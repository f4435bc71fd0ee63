//! Quadratic probing with triangular numbers.

use super::case::{Scheme, entry};
use super::first_free::{FirstFree, Sequence};
use super::outlook;
use super::params::{BUCKETS, ELEMENTS, LOAD, Size};
use super::table::Deletion;
use super::theory::secondary;
use super::timed::{FirstFreeKeys, Keyed};
use super::workload::{Alternation, Workload};
use crate::case::Means;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};

pub(super) const ENTRY: SchemeEntry = entry::<QuadraticProbing>();

const SOURCE: &str = "secondary clustering: Knuth, Section 6.4";

/// Steps of 1, 2, 3, … slots.
#[derive(Debug, Clone)]
pub(super) struct QuadraticProbing {
    size: Size,
}

/// h + i(i + 1)/2 modulo a power of two, m.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangular {
    /// m − 1.
    mask: u32,
}

impl Sequence for Triangular {
    /// Two of the first m triangular numbers i < j differ by (j − i)·(i + j + 1)/2; one factor is odd and the other
    /// below 2m, so that m does not divide the half of their product.
    #[inline]
    fn slots(&self, choices: &[u32]) -> impl Iterator<Item = u32> {
        let mut slot = choices[0];
        (1..).map(move |step| {
            let this = slot & self.mask;
            slot = this.wrapping_add(step);
            this
        })
    }
}

impl Scheme for QuadraticProbing {
    const INFO: SchemeInfo = SchemeInfo {
        name: "quadratic-probing",
        summary: "An element is in the first slot that was free when it came, of h, h + 1, h + 3, h + 6, … modulo m: h + i(i + 1)/2 in step i. That reads every slot if and only if m is a power of two, which `buckets` has to be; with a prime number of slots, for one, it reads half of them and an insertion may fail beside free slots. Keys of one hash value read the same slots. A deletion leaves a tombstone, and an insertion takes the first slot that holds no element.",
        source: "Knuth, \"The Art of Computer Programming\", volume 3, Section 6.4",
        params: &[ELEMENTS, LOAD, BUCKETS],
        predictions: &[
            "probing-fill: probes per hit and per miss, approximate (secondary clustering: Knuth)",
            "probing-alternation: tombstone fraction, bounds; probes per hit, per miss and per insertion, and tombstone fraction, approximate (uniform probing)",
        ],
    };
    const DELETIONS: &'static [Deletion] = &[Deletion::Tombstones];
    type Table = FirstFree<Triangular>;
    type KeyTable = FirstFreeKeys<Triangular>;

    fn from_params(size: Size, _params: &Params) -> Result<Self, ParamError> {
        if size.buckets.is_power_of_two() {
            return Ok(Self { size });
        }
        let reason = format!(
            "{} is no power of two: the steps 1, 2, 3, … then read some slots twice before they read all of them",
            size.buckets
        );
        Err(ParamError::new(BUCKETS.name, reason))
    }

    fn size(&self) -> &Size {
        &self.size
    }

    fn bytes(&self) -> u64 {
        FirstFree::<Triangular>::bytes(self.size.buckets, self.size.elements)
    }

    fn table(&self, deletion: Deletion) -> FirstFree<Triangular> {
        let Size { elements, buckets } = self.size;
        FirstFree::new(Triangular { mask: buckets - 1 }, buckets, elements, deletion)
    }

    fn key_table(&self, keyed: Keyed) -> FirstFreeKeys<Triangular> {
        let sequence = Triangular { mask: self.size.buckets - 1 };
        FirstFreeKeys::new(sequence, &self.size, &self.ranges(), keyed)
    }

    fn has(&self, _metric: Metric) -> bool {
        false
    }

    fn predictions(&self, workload: &Workload, _measured: Means<'_>) -> Vec<Prediction> {
        let load = self.size.load();
        match (workload.alternation, self.size.free()) {
            (Some(Alternation { rounds, .. }), _) => {
                let bounds = outlook::tombstones(&self.size, rounds);
                bounds.into_iter().chain(outlook::uniform_after(rounds, &self.size)).collect()
            }
            (None, 0) => Vec::new(),
            (None, _) => {
                let misses = secondary::probes_per_miss(load);
                let hits = secondary::probes_per_hit(load);
                vec![
                    Prediction::approximate(PROBES_PER_HIT, hits, SOURCE),
                    Prediction::approximate(PROBES_PER_MISS, misses, SOURCE),
                ]
            }
        }
    }
}
