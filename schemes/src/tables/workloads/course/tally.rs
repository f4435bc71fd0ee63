//! Slots counted by the number of elements in the system after them.

use super::averages::Averages;

/// Of each number in the system how many slots there were after which there were as many, and the sum of the lengths of the
/// overflow list after these; of N trials side by side.
#[derive(Debug)]
pub(in crate::tables) struct Tally<const N: usize = 1> {
    /// Both in one word: the number of slots is in the upper bits.
    counts: Vec<[u64; N]>,
    /// Slots of each trial that are counted in these words, at most.
    slots: u64,
    /// What was counted in such words before.
    before: Vec<[[u64; 2]; N]>,
}

/// A slot in the upper bits of a word, of which there are enough for as many slots as are counted before the words are put
/// away. The lower bits have room for the lengths of a block however long the list is.
const SLOT: u64 = 1 << 40;
const MOST_SLOTS: u64 = 1 << 24;

impl<const N: usize> Default for Tally<N> {
    fn default() -> Self {
        Self { counts: Vec::new(), slots: 0, before: Vec::new() }
    }
}

impl<const N: usize> Tally<N> {
    /// Bytes for each number in the system.
    pub(in crate::tables) const BYTES_OF_NUMBER: u64 = 24 * N as u64;

    /// Forgets what was counted of this trial.
    pub(in crate::tables) fn clear(&mut self, trial: usize) {
        self.counts.iter_mut().for_each(|counts| counts[trial] = 0);
        self.before.iter_mut().for_each(|before| before[trial] = [0; 2]);
    }

    /// Has room for so many slots more of each trial, with at most so many elements in the system.
    pub(in crate::tables) fn make_room(&mut self, most: u32, slots: u64) {
        let numbers = most as usize + 1;
        if self.counts.len() < numbers {
            self.counts.resize(numbers, [0; N]);
            self.before.resize(numbers, [[0; 2]; N]);
        }
        self.begin_block(most, slots);
    }

    fn begin_block(&mut self, most: u32, slots: u64) {
        self.slots += slots;
        // The list is never longer than the number in the system. A word of a number above `most` has slots of earlier blocks
        // alone, whose own greatest number was not below it.
        if self.slots >= MOST_SLOTS || self.slots * u64::from(most) >= SLOT {
            self.put_away();
            self.slots = slots;
        }
    }

    /// Adds so many slots of this trial after which as many elements are in the system, and the sum of the lengths that the
    /// overflow list has after them.
    #[inline(always)]
    pub(in crate::tables) fn add(&mut self, trial: usize, number: u32, slots: u32, lengths: u32) {
        self.counts[number as usize][trial] += u64::from(slots) * SLOT + u64::from(lengths);
    }

    fn put_away(&mut self) {
        let counts = self.counts.as_flattened_mut().iter_mut();
        for (count, [slots, overflow]) in counts.zip(self.before.as_flattened_mut()) {
            let count = std::mem::take(count);
            *slots += count / SLOT;
            *overflow += count % SLOT;
        }
        self.slots = 0;
    }

    /// Adds all that was counted of this trial to the averages. Each slot has weight 1, so that the sums are exact.
    pub(in crate::tables) fn add_to(&mut self, trial: usize, averages: &mut Averages<'_>) {
        self.put_away();
        for (number, counts) in (0..).zip(&self.before) {
            let [slots, overflow] = counts[trial];
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
        let mut tally =
            Tally::<2> { counts: vec![[0; 2]; 3], before: vec![[[0; 2]; 2]; 3], slots: 0 };
        for block in 0..10 {
            tally.begin_block(most, 256);
            (0..256).for_each(|_| tally.add(1, block % 2, 1, most));
        }
        let mut averages = Averages::in_bins(Bins { width: 1, largest: 2 }, None);
        tally.add_to(1, &mut averages);
        assert_eq!((averages.overflow(), averages.system()), (Some(most.into()), Some(0.5)));
    }
}
