//! Slots counted by the number of elements in the system after them.

use super::averages::Averages;

/// Of each number in the system how many slots there were after which there were as many, and the sum of the lengths of the
/// overflow list after these.
#[derive(Debug, Default)]
pub(in crate::tables) struct Tally {
    /// Both in one word: the number of slots is in the upper half.
    counts: Vec<u64>,
    /// Slots that are counted in these words.
    slots: u64,
    /// What was counted in such words before.
    before: Vec<[u64; 2]>,
}

const SLOT: u64 = 1 << 32;
const OVERFLOW: u64 = SLOT - 1;

impl Tally {
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
        self.before.fill([0; 2]);
        self.slots = 0;
    }

    /// Has room for so many slots more, with at most so many elements in the system.
    pub(super) fn make_room(&mut self, most: u32, slots: u64) {
        let numbers = most as usize + 1;
        if self.counts.len() < numbers {
            self.counts.resize(numbers, 0);
            self.before.resize(numbers, [0; 2]);
        }
        self.slots += slots;
        // The list is never longer than the number in the system.
        if self.slots * numbers as u64 > OVERFLOW {
            self.put_away();
            self.slots = slots;
        }
    }

    /// Adds a slot by the number in the system and the length of the overflow list after it.
    #[inline(always)]
    pub(in crate::tables) fn add(&mut self, number: u32, length: u32) {
        self.counts[number as usize] += SLOT + u64::from(length);
    }

    fn put_away(&mut self) {
        for (count, [slots, overflow]) in self.counts.iter_mut().zip(&mut self.before) {
            let count = std::mem::take(count);
            *slots += count / SLOT;
            *overflow += count % SLOT;
        }
        self.slots = 0;
    }

    /// Adds all to the averages and forgets it. Each slot has weight 1, so that the sums are exact.
    pub(super) fn empty_into(&mut self, averages: &mut Averages<'_>) {
        self.put_away();
        for (number, counts) in (0..).zip(&mut self.before) {
            let [slots, overflow] = std::mem::take(counts);
            if slots > 0 {
                averages.add_sums(slots as f64, number, overflow as f64);
            }
        }
    }
}
