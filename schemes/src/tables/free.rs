//! The free entries of a small CAM.

/// Rows of 64 entries.
const ROWS: usize = 64;

/// A bit for each entry that is free, of 4,096.
#[derive(Debug, Clone, Copy)]
pub(super) struct Free {
    rows: [u64; ROWS],
    /// A bit for each row with a free entry.
    any: u64,
}

impl Free {
    pub(super) const ALL: Self = Self { rows: [u64::MAX; ROWS], any: u64::MAX };

    /// Takes the lowest, of which there is one.
    #[inline(always)]
    pub(super) fn take(&mut self) -> u32 {
        let row = self.any.trailing_zeros() % ROWS as u32;
        let own = &mut self.rows[row as usize];
        let entry = own.trailing_zeros() % 64;
        *own &= own.wrapping_sub(1);
        self.any &= !(u64::from(*own == 0) << row);
        64 * row + entry
    }

    #[inline(always)]
    pub(super) fn give_back(&mut self, entry: u32) {
        let row = entry / 64 % ROWS as u32;
        self.rows[row as usize] |= 1 << (entry % 64);
        self.any |= 1 << row;
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
                prop_assert_eq!(free.extent(4096), used.last().map_or(0, |last| last + 1));
            }
        }
    }

    #[test]
    fn all_can_be_taken() {
        let mut free = Free::ALL;
        (0..4096).for_each(|entry| assert_eq!(free.take(), entry));
        assert_eq!(free.extent(4096), 4096);
        free.give_back(4095);
        assert_eq!((free.extent(4096), free.take()), (4095, 4095));
    }
}
