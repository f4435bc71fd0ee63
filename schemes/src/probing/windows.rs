//! Elements by the slots of their hash values, in all windows of so many consecutive slots.

/// How many hash values are in each window of a circle of slots.
#[derive(Debug, Clone)]
pub(super) struct Windows {
    /// By the first slot of the window.
    counts: Vec<i32>,
    /// Slots of a window, at most all.
    slots: u32,
}

impl Windows {
    /// No hash value yet; a window has at least one slot.
    pub(super) fn new(buckets: u32, slots: u32) -> Self {
        Self { counts: vec![0; buckets as usize], slots: slots.clamp(1, buckets) }
    }

    /// Forgets all hash values.
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Counts a hash value; how many are in the fullest window that has its slot.
    pub(super) fn count(&mut self, home: u32) -> u32 {
        let (end, slots) = (home as usize + 1, self.slots as usize);
        let number = self.counts.len();
        let [before, over] = match end >= slots {
            true => [end - slots..end, 0..0],
            false => [0..end, number + end - slots..number],
        };
        let mut most = 0;
        for counts in [before, over] {
            // Slices of signed numbers, of which many are counted at once.
            for count in &mut self.counts[counts] {
                *count += 1;
                most = most.max(*count);
            }
        }
        most as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows of three of five slots, over the end too.
    #[test]
    fn the_fullest_window_is_found() {
        let mut windows = Windows::new(5, 3);
        assert_eq!([0, 2, 3, 1].map(|home| windows.count(home)), [1, 2, 2, 3]);
        assert_eq!(windows.counts, [3, 3, 2, 2, 2]);
        windows.clear();
        assert_eq!(windows.count(4), 1);
    }
}
