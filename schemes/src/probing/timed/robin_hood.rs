//! Robin Hood hashing with keys in its slots.

use super::slots::{KeySlots, State};
use super::{Keyed, per_hit};
use crate::hash::{Choices as _, Source};
use crate::metric::Metric;
use crate::probing::params::Size;
use crate::probing::table::Deletion;
use crate::timed::{ByChoices, key};

/// Keys in the order of their hash values. Four bytes with each slot say how far behind its hash value the key is, so
/// that no key but the one on hand is hashed.
#[derive(Debug, Clone)]
pub(in crate::probing) struct RobinHoodKeys {
    pub(super) slots: KeySlots,
    displacements: Vec<u32>,
    tombstones: bool,
}

impl RobinHoodKeys {
    /// An empty table.
    pub(in crate::probing) fn new(size: &Size, keyed: Keyed) -> Self {
        Self {
            slots: KeySlots::new(size, keyed.width),
            displacements: vec![0; size.buckets as usize],
            tombstones: keyed.deletion == Deletion::Tombstones,
        }
    }

    #[inline(always)]
    fn home<S: Source>(&self, bytes: &[u8], source: &mut S) -> u32 {
        source.element(bytes).next(self.slots.circle().slots)
    }

    /// The slot of a key, and how many were read, if it is there.
    #[inline(always)]
    fn find<S: Source>(&self, bytes: &[u8], source: &mut S) -> Option<(u32, u32)> {
        let (wanted, circle) = (key(bytes), self.slots.circle());
        let mut slot = self.home(bytes, source);
        for steps in 0..circle.slots {
            let state = self.slots.state(slot);
            if state == State::Empty || self.displacements[slot as usize] < steps {
                return None;
            }
            if state == State::Full && self.slots.key(slot) == wanted {
                return Some((slot, steps + 1));
            }
            slot = circle.next(slot);
        }
        None
    }

    /// Shifts the keys behind a slot that became empty by one slot each, as far as they are displaced.
    #[inline(always)]
    fn shift_back(&mut self, mut hole: u32) {
        loop {
            let slot = self.slots.circle().next(hole);
            let displacement = self.displacements[slot as usize];
            if self.slots.state(slot) != State::Full || displacement == 0 {
                return;
            }
            self.slots.put(hole, self.slots.key(slot));
            self.slots.leave(slot, State::Empty);
            self.displacements[hole as usize] = displacement - 1;
            hole = slot;
        }
    }
}

impl ByChoices for RobinHoodKeys {
    fn clear(&mut self, _seed: u64) {
        self.slots.clear();
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let (mut carried, mut displacement) = (key(bytes), 0);
        let mut slot = self.home(bytes, source);
        loop {
            let own = &mut self.displacements[slot as usize];
            match self.slots.state(slot) {
                State::Full if *own < displacement => {
                    std::mem::swap(own, &mut displacement);
                    carried = self.slots.put(slot, carried);
                }
                State::Full => {}
                // Behind a tombstone that is more displaced there may be a key that belongs before this one.
                State::Tombstone if *own > displacement => {}
                State::Empty | State::Tombstone => {
                    *own = displacement;
                    self.slots.put(slot, carried);
                    return;
                }
            }
            slot = self.slots.circle().next(slot);
            displacement += 1;
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        self.find(bytes, source).is_some()
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Some((slot, _)) = self.find(bytes, source) else { return };
        if self.tombstones {
            self.slots.leave(slot, State::Tombstone);
        } else {
            self.slots.leave(slot, State::Empty);
            self.shift_back(slot);
        }
    }

    fn bytes(&self) -> u64 {
        self.slots.bytes() + size_of_val(&self.displacements[..]) as u64
    }

    fn measured<S: Source>(&mut self, _elements: u64, source: &mut S) -> Option<(Metric, f64)> {
        let probes = |bytes: &[u8]| self.find(bytes, source).map_or(0, |(_, probes)| probes);
        per_hit(&self.slots, probes)
    }
}
