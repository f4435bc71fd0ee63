//! The free entries of a CAM that is not large.

/// Rows of 64 entries.
const ROWS: usize = 256;

/// A bit for each entry that is free.
#[derive(Debug, Clone, Copy)]
pub(super) struct Free {
    rows: [u64; ROWS],
    /// A bit for each row with a free entry.
    any: [u64; ROWS / 64],
}

impl Free {
    /// Entries.
    pub(super) const NUMBER: u32 = 64 * ROWS as u32;

    pub(super) const ALL: Self = Self { rows: [u64::MAX; ROWS], any: [u64::MAX; ROWS / 64] };

    /// Takes the lowest, of which there is one.
    #[inline(always)]
    pub(super) fn take(&mut self) -> u32 {
        // Mostly the first word, which a processor guesses.
        let word = self.any.iter().position(|&any| any != 0).unwrap_or(0);
        let any = &mut self.any[word];
        let row = 64 * word as u32 + any.trailing_zeros() % 64;
        let own = &mut self.rows[row as usize % ROWS];
        let entry = own.trailing_zeros() % 64;
        *own &= own.wrapping_sub(1);
        *any &= !(u64::from(*own == 0) << (row % 64));
        64 * row + entry
    }

    #[inline(always)]
    pub(super) fn give_back(&mut self, entry: u32) {
        let row = entry / 64 % ROWS as u32;
        self.rows[row as usize] |= 1 << (entry % 64);
        self.any[row as usize / 64] |= 1 << (row % 64);
    }

    /// Entries up to the last that is not free, which is one of the first `most`.
    pub(super) fn extent(&self, most: u32) -> u32 {
        let rows = &self.rows[..most.div_ceil(64) as usize];
        let end = |row: usize| 64 * (row as u32 + 1) - (!rows[row]).leading_zeros();
        rows.iter().rposition(|&row| row != u64::MAX).map_or(0, end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Taken, or given back, the one at this part of those in use.
        #[test]
        fn the_lowest_is_taken(steps in vec((0.0..1.0, 0.0..1.0), 0..2000)) {
            let (mut free, mut used) = (Free::ALL, BTreeSet::new());
            // More is taken first, then as much as is given back.
            for (i, (part, which)) in steps.into_iter().enumerate() {
                if part < if i < 700 { 0.8 } else { 0.5 } {
                    let lowest = (0..).find(|entry| !used.contains(entry)).unwrap();
                    prop_assert_eq!(free.take(), lowest);
                    used.insert(lowest);
                } else if let Some(&entry) = used.iter().nth((which * used.len() as f64) as usize) {
                    free.give_back(entry);
                    used.remove(&entry);
                }
                prop_assert_eq!(free.extent(Free::NUMBER), used.last().map_or(0, |last| last + 1));
            }
        }
    }

    #[test]
    fn all_can_be_taken() {
        let mut free = Free::ALL;
        let all = Free::NUMBER;
        (0..all).for_each(|entry| assert_eq!(free.take(), entry));
        assert_eq!(free.extent(all), all);
        free.give_back(all - 1);
        assert_eq!((free.extent(all), free.take()), (all - 1, all - 1));
        // Rows of the third word, and of the last.
        free.give_back(all - 2);
        free.give_back(all / 2);
        assert_eq!([free.take(), free.take()], [all / 2, all - 2]);
    }
}
