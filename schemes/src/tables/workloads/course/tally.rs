//! Slots counted by the number of elements in the system after them.

use super::averages::Averages;

/// Of each number in the system how many slots there were after which there were as many, and the sum of the lengths of the
/// overflow list after these.
#[derive(Debug, Default)]
pub(in crate::tables) struct Tally {
    /// Both in one word: the number of slots is in the upper bits.
    counts: Vec<u64>,
    /// Slots that are counted in these words.
    slots: u64,
    /// What was counted in such words before.
    before: Vec<[u64; 2]>,
}

/// A slot in the upper bits of a word, of which there are enough for as many slots as are counted before the words are put
/// away. The lower bits have room for the lengths of a block however long the list is.
const SLOT: u64 = 1 << 40;
const MOST_SLOTS: u64 = 1 << 24;

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
        self.begin_block(most, slots);
    }

    fn begin_block(&mut self, most: u32, slots: u64) {
        self.slots += slots;
        // The list is never longer than the number in the system.
        if self.slots >= MOST_SLOTS || self.slots * u64::from(most) >= SLOT {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::process::Bins;

    /// Readings that are put away many times, of lists so long that hardly more than a block fits into the words.
    #[test]
    fn long_lists_are_counted_in_full() {
        let most = u32::MAX - 1;
        let mut tally = Tally { counts: vec![0; 3], before: vec![[0; 2]; 3], slots: 0 };
        for block in 0..10 {
            tally.begin_block(most, 256);
            (0..256).for_each(|_| tally.add(block % 2, most));
        }
        let mut averages = Averages::in_bins(Bins { width: 1, largest: 2 }, None);
        tally.empty_into(&mut averages);
        assert_eq!((averages.overflow(), averages.system()), (Some(most.into()), Some(0.5)));
    }
}
