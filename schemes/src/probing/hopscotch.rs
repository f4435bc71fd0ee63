//! Hopscotch hashing.

use super::case::{Scheme, entry};
use super::metrics::{FAILED_INSERTION_FRACTION, FAILED_INSERTIONS};
use super::outlook;
use super::params::{BUCKETS, ELEMENTS, LOAD, NEIGHBOURHOOD, Size};
use super::rare::Counted;
use super::table::{Deletion, Insertion, Slot, Slots, Table};
use super::timed::{HopscotchKeys, Keyed};
use super::workload::Workload;
use crate::case::Means;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::MOVES_PER_INSERTION;

pub(super) const ENTRY: SchemeEntry = entry::<Hopscotch>();

const SAME_HASH_VALUE: &str = "elements of the same hash value";

/// Elements stay within H slots of their hash value, so that a bitmap tells where they are.
#[derive(Debug, Clone)]
pub(super) struct Hopscotch {
    size: Size,
    neighbourhood: u32,
}

impl Scheme for Hopscotch {
    const INFO: SchemeInfo = SchemeInfo {
        name: "hopscotch",
        summary: "An element is in one of the H slots that begin with the one of its hash value, and a bitmap of H bits with each slot says where the elements of that hash value are: a look-up reads these alone, one after the other. An insertion takes the first free slot behind its hash value, as linear probing does; while that is H slots away or more, an element before it hops into it, from as far as its own neighbourhood allows, and leaves a nearer slot free. Where none can hop, the insertion fails, and the element is not stored. A deletion empties a slot. Probes per insertion are slots read up to the free one; those that are read to find who can hop are not counted.",
        source: "Herlihy, Shavit and Tzafrir, \"Hopscotch Hashing\", DISC 2008",
        params: &[ELEMENTS, LOAD, BUCKETS, NEIGHBOURHOOD],
        predictions: &[
            "where no insertion failed: probes per hit, exact (1 + (n − 1)/(2m)), and per miss, exact (n/m)",
            "probing-fill where no insertion failed: probes per insertion, exact (as linear probing); longest cluster, exact and upper bound (as linear probing)",
            "probing-fill: probability that an insertion fails, exact (that H elements pass a slot of linear probing)",
        ],
    };
    const DELETIONS: &'static [Deletion] = &[Deletion::Freed];
    const EVENTS: &'static [Metric] = &[FAILED_INSERTIONS];
    type Table = HopscotchTable;
    type KeyTable = HopscotchKeys;

    fn from_params(size: Size, params: &Params) -> Result<Self, ParamError> {
        let neighbourhood = params.small(NEIGHBOURHOOD.name)?;
        if neighbourhood > size.buckets {
            let reason = format!(
                "{neighbourhood} slots of a table of {0}; use `neighbourhood = {0}` or less",
                size.buckets
            );
            return Err(ParamError::new(NEIGHBOURHOOD.name, reason));
        }
        Ok(Self { size, neighbourhood })
    }

    fn size(&self) -> &Size {
        &self.size
    }

    fn bytes(&self) -> u64 {
        let Size { elements, buckets } = self.size;
        Slots::bytes(buckets, elements) + 8 * u64::from(buckets) + 4 * u64::from(elements)
    }

    fn table(&self, _deletion: Deletion) -> HopscotchTable {
        let Size { elements, buckets } = self.size;
        HopscotchTable {
            slots: Slots::new(buckets, elements),
            bitmaps: vec![0; buckets as usize],
            homes: vec![0; elements as usize],
            neighbourhood: self.neighbourhood,
        }
    }

    fn key_table(&self, keyed: Keyed) -> HopscotchKeys {
        HopscotchKeys::new(&self.size, self.neighbourhood, keyed)
    }

    fn has(&self, metric: Metric) -> bool {
        metric == MOVES_PER_INSERTION || metric == FAILED_INSERTION_FRACTION
    }

    /// An insertion fails if and only if H elements pass a slot.
    fn event(&self, _metric: Metric, beyond: u64) -> Option<Counted> {
        let possible = beyond == 0 && self.neighbourhood < self.size.elements;
        possible.then_some(Counted::Failure(self.neighbourhood))
    }

    /// With all elements in the table, chance is in their hash values alone, and hops change neither the number of
    /// elements of a hash value nor the slots that are full.
    fn predictions(&self, workload: &Workload, measured: Means<'_>) -> Vec<Prediction> {
        if measured(FAILED_INSERTION_FRACTION).is_some_and(|failed| failed > 0.0) {
            return Vec::new();
        }
        let Size { elements, buckets } = self.size;
        let others = f64::from(elements - 1) / f64::from(buckets);
        let hits = 1.0 + 0.5 * others;
        let mut all = vec![
            Prediction::exact(PROBES_PER_HIT, hits, SAME_HASH_VALUE),
            Prediction::exact(PROBES_PER_MISS, self.size.load(), SAME_HASH_VALUE),
        ];
        if workload.alternation.is_none() {
            all.push(outlook::linear_insertions(&self.size, workload));
            all.extend(outlook::longest_cluster(&self.size));
        }
        all
    }
}

/// Slots, and a bitmap for each hash value.
#[derive(Debug, Clone)]
pub(super) struct HopscotchTable {
    slots: Slots,
    /// Bit i of a hash value's bitmap: whether the slot i behind it holds an element of that hash value.
    bitmaps: Vec<u64>,
    /// The hash value of each element.
    homes: Vec<u32>,
    /// H.
    neighbourhood: u32,
}

impl HopscotchTable {
    fn put(&mut self, slot: u32, element: u32) {
        let home = self.homes[element as usize];
        self.slots.put(slot, element);
        self.bitmaps[home as usize] |= 1 << self.slots.distance(home, slot);
    }

    /// The slot of an element that may move into the free slot `hole`. Hash values are gone through from the furthest
    /// one whose neighbourhood has the hole, as that brings the free slot furthest back; of the elements of one hash
    /// value it is the first, if that is before the hole.
    fn hopper(&self, hole: u32) -> Option<u32> {
        (1..self.neighbourhood).rev().find_map(|back| {
            let home = self.slots.before(hole, back);
            let first = self.bitmaps[home as usize].trailing_zeros();
            (first < back).then(|| self.slots.before(hole, back - first))
        })
    }

    /// Moves the element of a slot into the hole.
    fn hop(&mut self, slot: u32, hole: u32) {
        if let Slot::Full(element) = self.slots.get(slot) {
            let home = self.homes[element as usize];
            self.bitmaps[home as usize] &= !(1 << self.slots.distance(home, slot));
            self.slots.empty(slot);
            self.put(hole, element);
        }
    }
}

impl Table for HopscotchTable {
    fn clear(&mut self) {
        self.slots.clear();
        self.bitmaps.fill(0);
    }

    fn insert(&mut self, element: u32, choices: &[u32]) -> Insertion {
        let home = choices[0];
        self.homes[element as usize] = home;
        let (mut hole, mut probes, mut moves) = (home, 1, 0);
        while self.slots.get(hole) != Slot::Empty {
            hole = self.slots.next(hole);
            probes += 1;
        }
        while self.slots.distance(home, hole) >= self.neighbourhood {
            let Some(slot) = self.hopper(hole) else {
                return Insertion { probes, moves, stored: false };
            };
            self.hop(slot, hole);
            (hole, moves) = (slot, moves + 1);
        }
        self.put(hole, element);
        Insertion { probes, moves, stored: true }
    }

    fn delete(&mut self, element: u32) -> u32 {
        if let Some(slot) = self.slots.remove(element, false) {
            let home = self.homes[element as usize];
            self.bitmaps[home as usize] &= !(1 << self.slots.distance(home, slot));
        }
        0
    }

    /// Elements of the same hash value that are nearer to it are read before.
    fn hit(&self, element: u32) -> Option<u32> {
        let slot = self.slots.of(element)?;
        let home = self.homes[element as usize];
        let before = (1 << self.slots.distance(home, slot)) - 1;
        Some((self.bitmaps[home as usize] & before).count_ones() + 1)
    }

    fn miss(&self, choices: &[u32]) -> u32 {
        self.bitmaps[choices[0] as usize].count_ones()
    }

    fn slots(&self) -> &Slots {
        &self.slots
    }
}
