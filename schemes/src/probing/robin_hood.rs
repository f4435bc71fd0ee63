//! Linear probing with Robin Hood swaps.

use super::case::{Scheme, entry};
use super::metrics::{LONGEST_CLUSTER, LONGEST_PROBE};
use super::outlook;
use super::params::{BUCKETS, ELEMENTS, LOAD, Size};
use super::rare::Counted;
use super::table::{Deletion, Insertion, Slot, Slots, Table};
use super::theory::robin_hood;
use super::timed::{Keyed, RobinHoodKeys};
use super::workload::Workload;
use crate::case::Means;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;
use crate::summaries::metrics::PROBES_PER_MISS;
use crate::tables::metrics::MOVES_PER_INSERTION;

pub(super) const ENTRY: SchemeEntry = entry::<RobinHood>();

const SOURCE: &str = "Knuth, Section 6.4, Theorem K, and elements in the order of hash values";

/// An element that is further from its slot takes that of one that is nearer to its own.
#[derive(Debug, Clone)]
pub(super) struct RobinHood {
    size: Size,
}

impl Scheme for RobinHood {
    const INFO: SchemeInfo = SchemeInfo {
        name: "robin-hood",
        summary: "Linear probing in which an element on its way takes the slot of the first one that is less displaced than itself, which goes on in its place: a cluster is in the order of hash values. A look-up of an absent key ends where it would have taken the slot, so that the displacement of each slot's element has to be known without its key. With `deletion = \"back-shift\"` the elements behind a deleted one are shifted by a slot, up to an empty slot or an element that is not displaced; with `\"tombstones\"` what is left of an element keeps its displacement, and an insertion takes the slot where that is not greater than its own.",
        source: "Celis, Larson and Munro, \"Robin Hood Hashing\", FOCS 1985",
        params: &[ELEMENTS, LOAD, BUCKETS],
        predictions: &[
            "probing-fill, and probing-alternation with back-shift: probes per hit, exact and asymptotic (as linear probing); probes per miss, exact and asymptotic (1 + α times those of a hit); probes per insertion, exact; variance of the probes of a hit, exact and asymptotic; longest cluster, exact and upper bound (as linear probing); longest probe, exact in small tables (blocks, by what passes a slot) and upper bound (expected number of slots that so many pass)",
            "probing-alternation with tombstones: tombstone fraction, bounds",
            "probing-fill: probability of a longer cluster and of a longer probe, exact",
        ],
    };
    const DELETIONS: &'static [Deletion] = &[Deletion::BackShift, Deletion::Tombstones];
    const EVENTS: &'static [Metric] = &[LONGEST_CLUSTER, LONGEST_PROBE];
    type Table = RobinHoodTable;
    type KeyTable = RobinHoodKeys;

    fn from_params(size: Size, _params: &Params) -> Result<Self, ParamError> {
        Ok(Self { size })
    }

    fn size(&self) -> &Size {
        &self.size
    }

    fn bytes(&self) -> u64 {
        let Size { elements, buckets } = self.size;
        Slots::bytes(buckets, elements) + 4 * u64::from(buckets)
    }

    fn table(&self, deletion: Deletion) -> RobinHoodTable {
        let Size { elements, buckets } = self.size;
        RobinHoodTable {
            slots: Slots::new(buckets, elements),
            displacements: vec![0; buckets as usize],
            tombstones: deletion == Deletion::Tombstones,
        }
    }

    fn key_table(&self, keyed: Keyed) -> RobinHoodKeys {
        RobinHoodKeys::new(&self.size, keyed)
    }

    fn has(&self, metric: Metric) -> bool {
        metric == MOVES_PER_INSERTION
    }

    /// One slot is read for each element that passes, and that of the hash value.
    fn event(&self, metric: Metric, beyond: u64) -> Option<Counted> {
        let beyond = u32::try_from(beyond).ok().filter(|&beyond| beyond < self.size.elements)?;
        match metric == LONGEST_CLUSTER {
            true => Some(Counted::Cluster(beyond + 1)),
            false => (beyond > 0).then_some(Counted::Passing(beyond)),
        }
    }

    /// The sum of all displacements, the slots that are full and those that an insertion reads are those of linear
    /// probing.
    fn predictions(&self, workload: &Workload, _measured: Means<'_>) -> Vec<Prediction> {
        let size = &self.size;
        if let Some(rounds) = workload.rounds_with_tombstones() {
            return outlook::tombstones(size, rounds).to_vec();
        }
        let variance = robin_hood::probe_variance(size.buckets, size.elements);
        let mut all = outlook::linear_hits(size);
        all.extend(misses(size));
        all.push(outlook::linear_insertions(size, workload));
        all.extend(outlook::variance(size, variance, robin_hood::limit_of_variance(size.load())));
        all.extend(outlook::longest_cluster(size));
        all.extend(outlook::longest_behind_passing(size));
        all
    }
}

fn misses(size: &Size) -> Vec<Prediction> {
    let Size { elements, buckets } = *size;
    match size.free() {
        0 => Vec::new(),
        _ => {
            let exact = robin_hood::probes_per_miss(buckets, elements);
            let limit = robin_hood::limit_of_misses(size.load());
            outlook::with_limit(PROBES_PER_MISS, exact, limit, SOURCE).to_vec()
        }
    }
}

/// Slots whose elements are in the order of their hash values.
#[derive(Debug, Clone)]
pub(super) struct RobinHoodTable {
    slots: Slots,
    /// How far behind its hash value the element of each slot is, or the one that the tombstone is left of. Behind
    /// tombstones it may be m or more: elements may then have gone round the circle.
    displacements: Vec<u32>,
    tombstones: bool,
}

impl RobinHoodTable {
    /// Shifts the elements behind a slot that became empty by one slot each, as far as they are displaced.
    fn shift_back(&mut self, removed: u32) -> u32 {
        let (mut hole, mut moves) = (removed, 0);
        loop {
            let slot = self.slots.next(hole);
            let displacement = self.displacements[slot as usize];
            match self.slots.get(slot) {
                Slot::Full(element) if displacement > 0 => {
                    self.slots.put(hole, element);
                    self.slots.empty(slot);
                    self.displacements[hole as usize] = displacement - 1;
                    (hole, moves) = (slot, moves + 1);
                }
                _ => return moves,
            }
        }
    }
}

impl Table for RobinHoodTable {
    fn clear(&mut self) {
        self.slots.clear();
    }

    fn insert(&mut self, element: u32, choices: &[u32]) -> Insertion {
        let (mut carried, mut displacement, mut slot) = (element, 0, choices[0]);
        let (mut probes, mut moves) = (1, 0);
        loop {
            let own = &mut self.displacements[slot as usize];
            match self.slots.get(slot) {
                Slot::Full(resident) if *own < displacement => {
                    std::mem::swap(own, &mut displacement);
                    self.slots.put(slot, carried);
                    carried = resident;
                    moves += 1;
                }
                Slot::Full(_) => {}
                // Behind a tombstone that is more displaced there may be an element that belongs before this one.
                Slot::Tombstone if *own > displacement => {}
                Slot::Empty | Slot::Tombstone => {
                    *own = displacement;
                    self.slots.put(slot, carried);
                    return Insertion { probes, moves, stored: true };
                }
            }
            slot = self.slots.next(slot);
            displacement += 1;
            probes += 1;
        }
    }

    fn delete(&mut self, element: u32) -> u32 {
        match self.slots.remove(element, self.tombstones) {
            Some(slot) if !self.tombstones => self.shift_back(slot),
            _ => 0,
        }
    }

    /// Who went round the circle is found on the first round.
    fn hit(&self, element: u32) -> Option<u32> {
        let slot = self.slots.of(element)?;
        Some(self.displacements[slot as usize] % self.slots.number() + 1)
    }

    fn miss(&self, choices: &[u32]) -> u32 {
        let (mut slot, all) = (choices[0], self.slots.number());
        for probes in 1..all {
            let ends = match self.slots.get(slot) {
                Slot::Empty => true,
                Slot::Full(_) | Slot::Tombstone => self.displacements[slot as usize] < probes - 1,
            };
            if ends {
                return probes;
            }
            slot = self.slots.next(slot);
        }
        all
    }

    fn slots(&self) -> &Slots {
        &self.slots
    }
}
