//! Double hashing as a way to go through a table.

use std::sync::{Arc, OnceLock};

use super::case::{Scheme, entry};
use super::first_free::{FirstFree, Sequence};
use super::outlook;
use super::params::{BUCKETS, ELEMENTS, LOAD, Size};
use super::table::Deletion;
use super::theory::uniform;
use super::timed::{FirstFreeKeys, Keyed};
use super::workload::{Alternation, Workload};
use crate::case::Means;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::math::divisors::{gcd, totient};
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};

pub(super) const ENTRY: SchemeEntry = entry::<DoubleHashing>();

const UNIFORM: &str = "uniform probing: Knuth, Section 6.4";
const AS_UNIFORM: &str = "Guibas and Szemerédi, 1978; Lueker and Molodowitch, 1993";

/// A step of the key's own.
#[derive(Debug, Clone)]
pub(super) struct DoubleHashing {
    size: Size,
    /// Made with the first table, as there may be as many as slots.
    steps: OnceLock<Steps>,
}

/// The steps below m that are coprime to m.
#[derive(Debug, Clone)]
enum Steps {
    /// 1, 2, 3, …: m is a prime number.
    All,
    /// 1, 3, 5, …: m is a power of two.
    Odd,
    /// These.
    Listed(Arc<[u32]>),
}

impl Steps {
    fn of(buckets: u32) -> Self {
        let coprime = |step: &u32| gcd((*step).into(), buckets.into()) == 1;
        match buckets {
            _ if number(buckets) == buckets - 1 => Self::All,
            _ if buckets.is_power_of_two() => Self::Odd,
            _ => Self::Listed((1..buckets).filter(coprime).collect()),
        }
    }

    /// Bytes of those of a table of so many slots, listed or not.
    fn bytes(buckets: u32) -> u64 {
        let of_coprime = number(buckets);
        let is_listed = of_coprime < buckets - 1 && !buckets.is_power_of_two();
        if is_listed { 4 * u64::from(of_coprime) } else { 0 }
    }

    #[inline]
    fn get(&self, choice: u32) -> u32 {
        match self {
            Self::All => choice + 1,
            Self::Odd => 2 * choice + 1,
            Self::Listed(steps) => steps[choice as usize],
        }
    }
}

/// How many steps below m are coprime to m, φ(m).
fn number(buckets: u32) -> u32 {
    totient(buckets.into()) as u32
}

/// h, h + s, h + 2s, … modulo m.
#[derive(Debug, Clone)]
pub(super) struct Progression {
    buckets: u32,
    steps: Steps,
}

impl Sequence for Progression {
    const CHOICES: usize = 2;

    #[inline]
    fn slots(&self, choices: &[u32]) -> impl Iterator<Item = u32> {
        let (mut slot, step) = (choices[0], self.steps.get(choices[1]));
        let from_end = self.buckets - step;
        std::iter::repeat_with(move || {
            let this = slot;
            slot = if this >= from_end { this - from_end } else { this + step };
            this
        })
    }
}

impl Scheme for DoubleHashing {
    const INFO: SchemeInfo = SchemeInfo {
        name: "double-hashing-table",
        summary: "An element is in the first slot that was free when it came, of h, h + s, h + 2s, … modulo m. The step s is the key's own: a second choice among the φ(m) numbers below m that have no factor in common with m, so that every slot is read. For m prime these are all numbers from 1, for a power of two the odd ones. A deletion leaves a tombstone, and an insertion takes the first slot that holds no element.",
        source: "Knuth, \"The Art of Computer Programming\", volume 3, Section 6.4, Algorithm D",
        params: &[ELEMENTS, LOAD, BUCKETS],
        predictions: &[
            "probing-fill: probes per hit and per miss, approximate (uniform probing) and asymptotic (Guibas and Szemerédi; Lueker and Molodowitch)",
            "probing-alternation: probes per hit, per miss and per insertion, and tombstone fraction, approximate (uniform probing)",
        ],
    };
    const DELETIONS: &'static [Deletion] = &[Deletion::Tombstones];
    type Table = FirstFree<Progression>;
    type KeyTable = FirstFreeKeys<Progression>;

    fn from_params(size: Size, _params: &Params) -> Result<Self, ParamError> {
        Ok(Self { size, steps: OnceLock::new() })
    }

    fn size(&self) -> &Size {
        &self.size
    }

    fn ranges(&self) -> Vec<u32> {
        vec![self.size.buckets, number(self.size.buckets)]
    }

    fn bytes(&self) -> u64 {
        let Size { elements, buckets } = self.size;
        FirstFree::<Progression>::bytes(buckets, elements) + Steps::bytes(buckets)
    }

    fn table(&self, deletion: Deletion) -> FirstFree<Progression> {
        let Size { elements, buckets } = self.size;
        FirstFree::new(self.progression(), buckets, elements, deletion)
    }

    fn key_table(&self, keyed: Keyed) -> FirstFreeKeys<Progression> {
        FirstFreeKeys::new(self.progression(), &self.size, &self.ranges(), keyed)
    }

    fn has(&self, _metric: Metric) -> bool {
        false
    }

    fn predictions(&self, workload: &Workload, _measured: Means<'_>) -> Vec<Prediction> {
        match workload.alternation {
            Some(Alternation { rounds, .. }) => outlook::uniform_after(rounds, &self.size).to_vec(),
            None => of_fill(&self.size),
        }
    }
}

impl DoubleHashing {
    fn progression(&self) -> Progression {
        let buckets = self.size.buckets;
        let steps = self.steps.get_or_init(|| Steps::of(buckets)).clone();
        Progression { buckets, steps }
    }
}

/// Uniform probing, and its limit, which is that of double hashing too. How far a table is from the limit is not derived:
/// in simulations it was always nearer to it than uniform probing is.
fn of_fill(size: &Size) -> Vec<Prediction> {
    if size.free() == 0 {
        return Vec::new();
    }
    let Size { elements, buckets } = *size;
    let hits = uniform::probes_per_hit(buckets, elements);
    let misses = uniform::probes_per_miss(buckets, elements);
    let limits = [uniform::limit_of_hits(size.load()), uniform::limit_of_misses(size.load())];
    [(PROBES_PER_HIT, hits, limits[0]), (PROBES_PER_MISS, misses, limits[1])]
        .into_iter()
        .flat_map(|(metric, uniform, limit)| {
            let allowance = (uniform - limit).abs();
            [
                Prediction::approximate(metric, uniform, UNIFORM),
                Prediction::asymptotic(metric, limit, AS_UNIFORM, allowance),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every step is coprime to m, and each of these is some choice's.
    #[test]
    fn each_key_reads_every_slot() {
        for buckets in [2, 3, 12, 13, 16, 30] {
            let steps = Steps::of(buckets);
            let mut seen = Vec::new();
            for choice in 0..number(buckets) {
                seen.push(steps.get(choice));
                let sequence = Progression { buckets, steps: steps.clone() };
                let mut read: Vec<u32> =
                    sequence.slots(&[buckets - 1, choice]).take(buckets as usize).collect();
                assert_eq!(read[0], buckets - 1);
                read.sort_unstable();
                assert!(read.into_iter().eq(0..buckets), "{buckets}, {choice}");
            }
            seen.dedup();
            assert_eq!(seen.len(), number(buckets) as usize);
            let listed = if let Steps::Listed(steps) = &steps { 4 * steps.len() as u64 } else { 0 };
            assert_eq!(Steps::bytes(buckets), listed, "{buckets}");
        }
    }

    /// A definition is read, and its memory is known, before anything of the size of the table is made.
    #[test]
    fn steps_are_not_listed_before_there_is_a_table() {
        let size = Size { elements: 1, buckets: 20 };
        let scheme = DoubleHashing::from_params(size, &Params::default()).unwrap();
        assert!(scheme.bytes() > 0 && scheme.steps.get().is_none());
        scheme.table(Deletion::Tombstones);
        assert!(matches!(scheme.steps.get(), Some(Steps::Listed(steps)) if steps.len() == 8));
    }
}
