//! Slots counted by the number of elements in the system after them.

use super::averages::Averages;

/// Of each number in the system the slots after which there were as many.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: Vec<Count>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    slots: u64,
    /// Sum of the lengths of the overflow list after these.
    overflow: u64,
}

impl Tally {
    /// Adds slots by the numbers in the system and the lengths of the overflow list after each.
    pub(super) fn add(&mut self, numbers: &[u32], lengths: &[u32]) {
        let greatest = numbers.iter().max().map_or(0, |&number| number as usize);
        if greatest >= self.counts.len() {
            self.counts.resize(greatest + 1, Count::default());
        }
        for (&number, &length) in numbers.iter().zip(lengths) {
            let count = &mut self.counts[number as usize];
            count.slots += 1;
            count.overflow += u64::from(length);
        }
    }

    /// Adds all to the averages and forgets it. Each slot has weight 1, so that the sums are exact.
    pub(super) fn empty_into(&mut self, averages: &mut Averages<'_>) {
        for (number, count) in (0..).zip(&mut self.counts) {
            let Count { slots, overflow } = std::mem::take(count);
            if slots > 0 {
                averages.add_sums(slots as f64, number, overflow as f64);
            }
        }
    }
}
