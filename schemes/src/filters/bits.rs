//! The bits of a filter.

use std::ops::Range;

use super::fill::{Fill, SetBits};
use super::marks::{self, Marks};

/// Bits, in words of 64.
#[derive(Debug, Clone)]
pub struct Bits {
    words: Vec<u64>,
    marks: Marks,
}

/// Bits that are being set.
#[derive(Debug)]
pub struct Words<'b>(&'b mut [u64]);

impl Words<'_> {
    /// Sets one of them.
    #[inline(always)]
    pub fn set(&mut self, bit: u32) {
        self.0[(bit / u64::BITS) as usize] |= 1 << (bit % u64::BITS);
    }
}

impl SetBits for Words<'_> {
    #[inline(always)]
    fn set(&mut self, bit: u32) {
        Words::set(self, bit);
    }
}

impl Bits {
    /// None of them set.
    pub fn new(bits: u32) -> Self {
        Self { words: vec![0; bits.div_ceil(u64::BITS) as usize], marks: Marks::default() }
    }

    /// Clears all of them.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Makes them what as many others are.
    pub fn copy_from(&mut self, others: &Self) {
        self.words.copy_from_slice(&others.words);
    }

    /// Sets those that `fill` sets, by the faster of the two ways.
    #[inline(always)]
    pub fn set_all(&mut self, fill: impl Fill) {
        if self.words.len() > marks::MOST_WORDS {
            return fill.fill(&mut self.words());
        }
        fill.fill(&mut self.marks.of_words(self.words.len()));
        self.marks.take(&mut self.words);
    }

    /// Sets one of them.
    #[inline]
    pub fn set(&mut self, bit: u32) {
        self.words().set(bit);
    }

    /// Sets all of these.
    pub fn set_range(&mut self, range: Range<u32>) {
        words_of(&range).for_each(|word| self.words[word as usize] |= in_word(word, &range));
    }

    /// Clears one of them.
    #[inline]
    pub fn unset(&mut self, bit: u32) {
        self.words[(bit / u64::BITS) as usize] &= !(1 << (bit % u64::BITS));
    }

    /// The same bits for loops that set many: where they begin is not looked up each time.
    #[inline]
    pub fn words(&mut self) -> Words<'_> {
        Words(&mut self.words)
    }

    /// Whether this one is set.
    #[inline]
    pub fn is_set(&self, bit: u32) -> bool {
        self.words[(bit / u64::BITS) as usize] >> (bit % u64::BITS) & 1 == 1
    }

    /// How many are set.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// How many of these are set.
    pub fn count_in(&self, range: Range<u32>) -> u64 {
        let counted = |word: u32| self.words[word as usize] & in_word(word, &range);
        words_of(&range).map(|word| u64::from(counted(word).count_ones())).sum()
    }
}

/// The words in which these bits are.
fn words_of(range: &Range<u32>) -> Range<u32> {
    (range.start / u64::BITS)..range.end.div_ceil(u64::BITS)
}

/// Which bits of a word are among these.
fn in_word(word: u32, range: &Range<u32>) -> u64 {
    let first = word * u64::BITS;
    let below = |bit: u32| u64::MAX.checked_shl(bit.saturating_sub(first)).map_or(u64::MAX, |m| !m);
    below(range.end) & !below(range.start.max(first))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_of_a_range_are_counted_one_by_one(
            set in prop::collection::vec(0_u32..300, 0..200),
            (first, last) in (0_u32..=300, 0_u32..=300),
        ) {
            let mut bits = Bits::new(300);
            set.iter().for_each(|&bit| bits.set(bit));
            let range = first.min(last)..first.max(last);
            let expected = range.clone().filter(|&bit| bits.is_set(bit)).count();
            prop_assert_eq!(bits.count_in(range), expected as u64);
            prop_assert_eq!(bits.count_in(0..300), bits.count());
        }
    }

    proptest! {
        #[test]
        fn bits_of_a_range_are_set_and_no_others(
            (first, last) in (0_u32..=300, 0_u32..=300),
            before in 0_u32..300,
        ) {
            let mut bits = Bits::new(300);
            bits.set(before);
            let range = first.min(last)..first.max(last);
            bits.set_range(range.clone());
            for bit in 0..300 {
                prop_assert_eq!(bits.is_set(bit), range.contains(&bit) || bit == before);
            }
        }
    }

    struct These<'b>(&'b [u32]);

    impl Fill for These<'_> {
        fn fill(self, bits: &mut impl SetBits) {
            self.0.iter().for_each(|&bit| bits.set(bit));
        }
    }

    /// Filters on both sides of the limit, filled twice: what is marked is what is set, and no mark stays.
    #[test]
    fn marked_bits_are_set() {
        let most = (marks::MOST_WORDS * marks::PER_WORD) as u32;
        for number in [1, 63, 64, 1000, most, most + 1] {
            let (mut bits, mut expected) = (Bits::new(number), Bits::new(number));
            for step in [7, 11] {
                let these: Vec<u32> = (0..number).step_by(step).chain([number - 1]).collect();
                bits.set_all(These(&these));
                these.iter().for_each(|&bit| expected.set(bit));
                assert!((0..number).all(|bit| bits.is_set(bit) == expected.is_set(bit)));
                assert_eq!(bits.count(), expected.count());
            }
        }
    }
}
