//! Bits that are set without a look at their neighbours.
//!
//! To set a bit in a word of 64 is to read the word, and the next bit is as likely as any to be in a word that is just
//! being written: the processor then waits for it. A mark is a byte of its own, which is written and never read. Marks
//! take eight times the space, and pay as long as they stay near the processor.

use super::fill::SetBits;

/// Words of a filter up to which its bits are marked first: 128 KiB of marks, a part of a second-level cache.
pub(super) const MOST_WORDS: usize = 1 << 11;

/// Marks of a word.
pub(super) const PER_WORD: usize = u64::BITS as usize;

/// Marks of a byte of a word.
const PER_BYTE: usize = u8::BITS as usize;

/// A mark for each bit of some words, all of them clear but while bits are being set.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks(Vec<u8>);

/// Bits that are being marked.
pub(super) struct Marked<'m>(&'m mut [u8]);

impl SetBits for Marked<'_> {
    #[inline(always)]
    fn set(&mut self, bit: u32) {
        self.0[bit as usize] = 1;
    }
}

impl Marks {
    /// Those of the bits of as many words.
    pub(super) fn of_words(&mut self, words: usize) -> Marked<'_> {
        self.0.resize(words * PER_WORD, 0);
        Marked(&mut self.0)
    }

    /// Sets the bits that are marked, and clears the marks.
    pub(super) fn take(&mut self, words: &mut [u64]) {
        for (word, marks) in words.iter_mut().zip(self.0.chunks_exact(PER_WORD)) {
            let bytes = marks.as_chunks::<PER_BYTE>().0.iter().enumerate();
            *word |= bytes.fold(0, |word, (at, marks)| word | gathered(*marks) << (at * PER_BYTE));
        }
        self.0.fill(0);
    }
}

/// Eight marks as the bits of a byte, the first as the lowest: the i-th one, at bit 8·i, comes to bit 56 + i by the
/// power 56 − 7·i of the factor, and no two products of a mark and a power meet.
#[inline(always)]
fn gathered(marks: [u8; PER_BYTE]) -> u64 {
    u64::from_le_bytes(marks).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_marks_are_a_byte() {
        for byte in 0..=u8::MAX {
            assert_eq!(gathered([0, 1, 2, 3, 4, 5, 6, 7].map(|i| byte >> i & 1)), u64::from(byte));
        }
    }
}
