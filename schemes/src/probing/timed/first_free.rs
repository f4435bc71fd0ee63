//! Keys in the first free slot of a sequence of their own.

use super::slots::{KeySlots, State};
use super::{Keyed, per_hit};
use crate::hash::{Choices as _, Source};
use crate::metric::Metric;
use crate::probing::first_free::Sequence;
use crate::probing::params::Size;
use crate::probing::table::Deletion;
use crate::timed::{ByChoices, key};

/// The most choices that a sequence follows from.
const MOST_CHOICES: usize = 2;

/// The table in which every key is in the first slot of its sequence that was free when it came. A key that is shifted
/// back is hashed again to find out how far it may go.
#[derive(Debug, Clone)]
pub(in crate::probing) struct FirstFreeKeys<Q> {
    sequence: Q,
    /// How many values each choice has.
    ranges: [u32; MOST_CHOICES],
    pub(super) slots: KeySlots,
    deletion: Deletion,
}

impl<Q: Sequence> FirstFreeKeys<Q> {
    /// An empty table, whose choices have so many values.
    pub(in crate::probing) fn new(sequence: Q, size: &Size, ranges: &[u32], keyed: Keyed) -> Self {
        let mut own = [1; MOST_CHOICES];
        own.iter_mut().zip(ranges).for_each(|(own, &range)| *own = range);
        let Keyed { deletion, width } = keyed;
        Self { sequence, ranges: own, slots: KeySlots::new(size, width), deletion }
    }

    #[inline(always)]
    fn choices<S: Source>(&self, bytes: &[u8], source: &mut S) -> [u32; MOST_CHOICES] {
        let (mut made, mut choices) = (source.element(bytes), [0; MOST_CHOICES]);
        for (choice, &range) in choices.iter_mut().zip(&self.ranges).take(Q::CHOICES) {
            *choice = made.next(range);
        }
        choices
    }

    /// The slot of a key, and how many were read, if it is there.
    #[inline(always)]
    fn find<S: Source>(&self, bytes: &[u8], source: &mut S) -> Option<(u32, u32)> {
        let (wanted, choices) = (key(bytes), self.choices(bytes, source));
        let all = self.slots.circle().slots;
        for (slot, probes) in self.sequence.slots(&choices).zip(1..=all) {
            match self.slots.state(slot) {
                State::Empty => return None,
                State::Full if self.slots.key(slot) == wanted => return Some((slot, probes)),
                State::Full | State::Tombstone => {}
            }
        }
        None
    }

    /// Fills the slot that became empty with the next key behind it that may be there, and so on.
    #[inline(always)]
    fn shift_back<S: Source>(&mut self, removed: u32, width: usize, source: &mut S) {
        let circle = self.slots.circle();
        let (mut hole, mut slot) = (removed, circle.next(removed));
        while slot != removed && self.slots.state(slot) == State::Full {
            let key = self.slots.key(slot);
            let [home, _] = self.choices(&key.to_ne_bytes()[..width], source);
            if circle.distance(home, slot) >= circle.distance(hole, slot) {
                self.slots.put(hole, key);
                self.slots.leave(slot, State::Empty);
                hole = slot;
            }
            slot = circle.next(slot);
        }
    }
}

impl<Q: Sequence + Send + 'static> ByChoices for FirstFreeKeys<Q> {
    fn clear(&mut self, _seed: u64) {
        self.slots.clear();
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let choices = self.choices(bytes, source);
        let mut sequence = self.sequence.slots(&choices);
        if let Some(free) = sequence.find(|&slot| self.slots.state(slot) != State::Full) {
            self.slots.put(free, key(bytes));
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        self.find(bytes, source).is_some()
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Some((slot, _)) = self.find(bytes, source) else { return };
        if self.deletion == Deletion::BackShift && Q::IS_LINEAR {
            self.slots.leave(slot, State::Empty);
            self.shift_back(slot, bytes.len(), source);
        } else {
            self.slots.leave(slot, State::Tombstone);
        }
    }

    fn bytes(&self) -> u64 {
        self.slots.bytes()
    }

    fn measured<S: Source>(&mut self, _elements: u64, source: &mut S) -> Option<(Metric, f64)> {
        let probes = |bytes: &[u8]| self.find(bytes, source).map_or(0, |(_, probes)| probes);
        per_hit(&self.slots, probes)
    }
}
