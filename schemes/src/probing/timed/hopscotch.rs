//! Hopscotch hashing with keys in its slots.

use super::slots::{KeySlots, State};
use super::{Keyed, per_hit};
use crate::hash::{Choices as _, Source};
use crate::metric::Metric;
use crate::probing::params::Size;
use crate::timed::{ByChoices, Key, key};

/// Keys within H slots of their hash values, and a bitmap of eight bytes for each of these. A key that hops is not
/// hashed: whose bitmap has it is known.
#[derive(Debug, Clone)]
pub(in crate::probing) struct HopscotchKeys {
    pub(super) slots: KeySlots,
    /// Bit i of a hash value's bitmap: whether the slot i behind it holds a key of that hash value.
    bitmaps: Vec<u64>,
    /// H.
    neighbourhood: u32,
}

/// The bits that are set, from the lowest on.
#[inline(always)]
fn bits(mut bitmap: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bitmap != 0).then(|| bitmap.trailing_zeros());
        bitmap &= bitmap.wrapping_sub(1);
        lowest
    })
}

impl HopscotchKeys {
    /// An empty table with these neighbourhoods.
    pub(in crate::probing) fn new(size: &Size, neighbourhood: u32, keyed: Keyed) -> Self {
        let (slots, bitmaps) = (KeySlots::new(size, keyed.width), vec![0; size.buckets as usize]);
        Self { slots, bitmaps, neighbourhood }
    }

    #[inline(always)]
    fn home<S: Source>(&self, bytes: &[u8], source: &mut S) -> u32 {
        source.element(bytes).next(self.slots.circle().slots)
    }

    /// Which slot behind this hash value holds the key, if one does.
    #[inline(always)]
    fn find(&self, home: u32, wanted: Key) -> Option<u32> {
        let circle = self.slots.circle();
        let holds = |steps: &u32| self.slots.key(circle.behind(home, *steps)) == wanted;
        bits(self.bitmaps[home as usize]).find(holds)
    }

    #[inline(always)]
    fn put(&mut self, home: u32, slot: u32, key: Key) {
        self.slots.put(slot, key);
        self.bitmaps[home as usize] |= 1 << self.slots.circle().distance(home, slot);
    }

    /// Moves a key into the hole, the one that leaves the free slot furthest back; that slot.
    #[inline(always)]
    fn hop(&mut self, hole: u32) -> Option<u32> {
        let circle = self.slots.circle();
        (1..self.neighbourhood).rev().find_map(|back| {
            let home = circle.before(hole, back);
            let first = self.bitmaps[home as usize].trailing_zeros();
            if first >= back {
                return None;
            }
            let slot = circle.behind(home, first);
            self.bitmaps[home as usize] &= !(1 << first);
            self.slots.leave(slot, State::Empty);
            self.put(home, hole, self.slots.key(slot));
            Some(slot)
        })
    }
}

impl ByChoices for HopscotchKeys {
    fn clear(&mut self, _seed: u64) {
        self.slots.clear();
        self.bitmaps.fill(0);
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let (home, circle) = (self.home(bytes, source), self.slots.circle());
        let mut hole = home;
        while self.slots.state(hole) != State::Empty {
            hole = circle.next(hole);
        }
        while circle.distance(home, hole) >= self.neighbourhood {
            // Where none can hop the key is stored nowhere.
            let Some(slot) = self.hop(hole) else { return };
            hole = slot;
        }
        self.put(home, hole, key(bytes));
    }

    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        let home = self.home(bytes, source);
        self.find(home, key(bytes)).is_some()
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let home = self.home(bytes, source);
        if let Some(steps) = self.find(home, key(bytes)) {
            self.bitmaps[home as usize] &= !(1 << steps);
            let slot = self.slots.circle().behind(home, steps);
            self.slots.leave(slot, State::Empty);
        }
    }

    fn bytes(&self) -> u64 {
        self.slots.bytes() + size_of_val(&self.bitmaps[..]) as u64
    }

    fn measured<S: Source>(&mut self, _elements: u64, source: &mut S) -> Option<(Metric, f64)> {
        let probes = |bytes: &[u8]| {
            let home = self.home(bytes, source);
            let steps = self.find(home, key(bytes)).unwrap_or(0);
            (self.bitmaps[home as usize] & ((1 << steps) - 1)).count_ones() + 1
        };
        per_hit(&self.slots, probes)
    }
}
