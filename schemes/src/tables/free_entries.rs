//! The free entries of a CAM, of which the lowest is wanted.

/// A set of numbers below a fixed one as a tree of bits, 64 to a node: the lowest member is found
/// in as many steps as the tree has levels, three for 262,144 numbers.
#[derive(Debug, Clone)]
pub(super) struct FreeEntries {
    /// The levels from the leaves to the root, a single word. A bit of an upper level is set where
    /// the word below it is not 0.
    words: Vec<u64>,
    /// The first word of each level.
    levels: Vec<usize>,
}

impl FreeEntries {
    /// The numbers `0..entries`, all free.
    pub(super) fn new(entries: u32) -> Self {
        let mut bits = entries.max(1) as usize;
        let (mut words, mut levels) = (Vec::new(), Vec::new());
        loop {
            levels.push(words.len());
            words.extend(ones(bits));
            bits = bits.div_ceil(64);
            if bits == 1 {
                return Self { words, levels };
            }
        }
    }

    /// The lowest free entry, of which there is at least one.
    #[inline]
    pub(super) fn lowest(&self) -> u32 {
        let below = |word: usize, &level: &usize| {
            word << 6 | self.words[level + word].trailing_zeros() as usize
        };
        self.levels.iter().rev().fold(0, below) as u32
    }

    #[inline]
    pub(super) fn contains(&self, entry: u32) -> bool {
        self.words[entry as usize >> 6] >> (entry & 63) & 1 == 1
    }

    /// Takes the entry, which is free.
    #[inline]
    pub(super) fn remove(&mut self, entry: u32) {
        let mut bit = entry as usize;
        for level in &self.levels {
            let word = &mut self.words[level + (bit >> 6)];
            *word &= !(1 << (bit & 63));
            if *word != 0 {
                return;
            }
            bit >>= 6;
        }
    }

    /// Frees the entry.
    #[inline]
    pub(super) fn insert(&mut self, entry: u32) {
        let mut bit = entry as usize;
        for level in &self.levels {
            let word = &mut self.words[level + (bit >> 6)];
            let before = *word;
            *word |= 1 << (bit & 63);
            if before != 0 {
                return;
            }
            bit >>= 6;
        }
    }
}

/// Words with their first `bits` bits set.
fn ones(bits: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; bits.div_ceil(64)];
    if let (Some(last), rest @ 1..) = (words.last_mut(), bits & 63) {
        *last = (1 << rest) - 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes around those at which the tree gets another level.
    #[test]
    fn entries_come_in_order_and_come_back() {
        for entries in [1, 2, 63, 64, 65, 4095, 4096, 4097, 300_000] {
            let mut free = FreeEntries::new(entries);
            for entry in 0..entries {
                assert_eq!(free.lowest(), entry);
                free.remove(entry);
            }
            let back = [entries - 1, entries / 2, entries / 3, 0];
            for entry in back {
                free.insert(entry);
                assert!(free.contains(entry));
                assert_eq!(free.lowest(), entry);
            }
        }
    }
}
