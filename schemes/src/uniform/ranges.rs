//! Sequences of numbers, each uniform in a range of its own.

use rand::Rng as _;

use super::{SEQUENCES, with_own};
use crate::Rng;

/// A sequence of numbers, each uniform in a range of its own, from as few random words as have room for it: as
/// [`Uniform`](super::Uniform), where the ranges differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ranges<const R: usize> {
    ranges: [u32; R],
    /// Numbers from one word: all, half of them, or one.
    per_word: usize,
    /// Of each word, the threshold below which its last rest is rejected.
    thresholds: [u64; R],
    /// Whole sequences from one word, where several are drawn.
    together: usize,
    /// The threshold of such a word.
    threshold: u64,
}

impl<const R: usize> Ranges<R> {
    /// The numbers below each of these, none of which is 0.
    pub(crate) fn new(ranges: [u32; R]) -> Self {
        let all_of = |numbers: &[u32]| {
            numbers.iter().try_fold(1_u64, |all, &range| all.checked_mul(range.into()))
        };
        let fits = |&per_word: &usize| {
            let few = |numbers| all_of(numbers).is_some_and(|all| all <= SEQUENCES);
            R.is_multiple_of(per_word) && ranges.chunks(per_word).all(few)
        };
        let per_word = [R, R / 2].into_iter().filter(|&number| number > 0).find(fits).unwrap_or(1);
        let mut thresholds = [0; R];
        for (threshold, numbers) in thresholds.iter_mut().zip(ranges.chunks(per_word)) {
            *threshold = all_of(numbers).map_or(0, |all| all.wrapping_neg() % all);
        }
        let sequences = |together: usize| all_of(&ranges)?.checked_pow(together as u32);
        let fits = |&together: &usize| {
            together * R <= 8 && sequences(together).is_some_and(|all| all <= SEQUENCES)
        };
        let together = [4, 2].into_iter().find(fits).unwrap_or(1);
        let threshold = sequences(together).map_or(0, |all| all.wrapping_neg() % all);
        Self { ranges, per_word, thresholds, together, threshold }
    }

    /// Fills `drawn`, whose length is a multiple of four, with such sequences, several from a word where it has room.
    pub(crate) fn fill<const N: usize>(&self, rng: &mut Rng, drawn: &mut [[u32; R]; N]) {
        with_own(rng, |rng| match self.together {
            1 => drawn.iter_mut().for_each(|numbers| *numbers = self.draw(rng)),
            2 => self.fill_by::<2, N>(rng, drawn),
            _ => self.fill_by::<4, N>(rng, drawn),
        });
    }

    /// Sequences of the same word go to places far apart: see [`Uniform`](super::Uniform).
    #[inline(always)]
    fn fill_by<const K: usize, const N: usize>(&self, rng: &mut Rng, drawn: &mut [[u32; R]; N]) {
        for word in 0..N / K {
            let sequences: [_; K] = self.draw_together(rng);
            for (column, numbers) in sequences.into_iter().enumerate() {
                drawn[column * (N / K) + word] = numbers;
            }
        }
    }

    #[inline(always)]
    fn draw_together<const K: usize>(&self, rng: &mut Rng) -> [[u32; R]; K] {
        loop {
            // No `map` of arrays: where the compiler calls it, what is left of the word goes through memory.
            let (mut rest, mut drawn) = (rng.next_u64(), [[0; R]; K]);
            for sequence in &mut drawn {
                for (number, range) in sequence.iter_mut().zip(self.ranges) {
                    let product = u128::from(rest) * u128::from(range);
                    rest = product as u64;
                    *number = (product >> 64) as u32;
                }
            }
            if rest >= self.threshold {
                return drawn;
            }
        }
    }

    /// One number of each range.
    #[inline(always)]
    pub(crate) fn draw(&self, rng: &mut Rng) -> [u32; R] {
        match self.per_word {
            all if all == R => self.draw_by(R, rng),
            1 => self.draw_by(1, rng),
            _ => self.draw_by(R / 2, rng),
        }
    }

    /// So many such sequences, in place of those that are in `drawn`.
    pub(crate) fn draw_all(&self, number: usize, rng: &mut Rng, drawn: &mut Vec<[u32; R]>) {
        // Of whole words, of which the last may have too many.
        drawn.resize(number.next_multiple_of(4), [0; R]);
        with_own(rng, |rng| match self.together {
            1 => drawn.iter_mut().for_each(|numbers| *numbers = self.draw(rng)),
            2 => self.draw_words::<2>(rng, drawn),
            _ => self.draw_words::<4>(rng, drawn),
        });
        drawn.truncate(number);
    }

    #[inline(always)]
    fn draw_words<const K: usize>(&self, rng: &mut Rng, drawn: &mut [[u32; R]]) {
        drawn.as_chunks_mut().0.iter_mut().for_each(|word: &mut [_; K]| {
            *word = self.draw_together(rng);
        });
    }

    /// `per_word` is known to the compiler where this is called.
    #[expect(
        clippy::needless_range_loop,
        reason = "of slices the compiler would not know the lengths"
    )]
    #[inline(always)]
    fn draw_by(&self, per_word: usize, rng: &mut Rng) -> [u32; R] {
        let mut drawn = [0; R];
        for word in 0..R / per_word {
            loop {
                let mut rest = rng.next_u64();
                for number in word * per_word..(word + 1) * per_word {
                    let product = u128::from(rest) * u128::from(self.ranges[number]);
                    rest = product as u64;
                    drawn[number] = (product >> 64) as u32;
                }
                if rest >= self.thresholds[word] {
                    break;
                }
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    const CHUNK: usize = 128;

    /// All from one word, half of them, each from a word; of one, two and five numbers.
    #[test]
    fn ranges_share_as_few_words_as_have_room_for_them() {
        assert_eq!(Ranges::new([7867, 5149, 3152, 1782]).per_word, 4);
        assert_eq!(Ranges::new([1 << 20, 4, 1 << 20, 4]).per_word, 4);
        assert_eq!(Ranges::new([1 << 27; 4]).per_word, 2);
        assert_eq!(Ranges::new([u32::MAX; 4]).per_word, 1);
        assert_eq!(Ranges::new([u32::MAX; 1]).per_word, 1);
        assert_eq!(Ranges::new([8_000_000; 2]).per_word, 2);
        assert_eq!(Ranges::new([1 << 20, 1 << 20, 1 << 20, 1 << 20, 2]).per_word, 1);
    }

    /// As many words are left for every sequence of numbers as for any other.
    #[test]
    fn what_is_rejected_leaves_whole_sequences() {
        fn assert_whole<const R: usize>(ranges: [u32; R]) {
            let of = Ranges::new(ranges);
            let all = |numbers: &[u32]| numbers.iter().map(|&n| u128::from(n)).product::<u128>();
            for (numbers, threshold) in ranges.chunks(of.per_word).zip(of.thresholds) {
                let left = (1_u128 << 64) - u128::from(threshold);
                assert_eq!(left % all(numbers), 0, "{of:?}");
                assert!(u128::from(threshold) < all(numbers), "{of:?}");
            }
            let together = all(&ranges).pow(of.together as u32);
            if together <= SEQUENCES.into() {
                let left = (1_u128 << 64) - u128::from(of.threshold);
                assert_eq!(left % together, 0, "{of:?}");
            } else {
                assert_eq!(of.together, 1, "{of:?}");
            }
        }
        assert_whole([7867, 5149, 3152, 1782]);
        assert_whole([3, 5]);
        assert_whole([3 << 8, 5 << 8]);
        assert_whole([1 << 27; 4]);
        assert_whole([u32::MAX; 4]);
        assert_whole([8_000_000; 2]);
        assert_whole([1, 1]);
    }

    /// Each sequence of numbers below 3, 5, 2 and 4 is as likely as any other: by chi-squared, with 119 degrees of
    /// freedom, within five standard deviations, however many come from one word.
    #[test]
    fn sequences_of_ranges_are_uniform() {
        let all = Ranges::new([3, 5, 2, 4]);
        for per_word in [4, 2, 1] {
            let ranges = Ranges { per_word, thresholds: [0; 4], ..all };
            let mut rng = Rng::seed_from_u64(11);
            let mut counts = [0_u32; 120];
            for _ in 0..120_000 {
                let [a, b, c, d] = ranges.draw(&mut rng);
                counts[(((a * 5 + b) * 2 + c) * 4 + d) as usize] += 1;
            }
            let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e3).powi(2) / 1e3).sum();
            assert!((chi - 119.0).abs() < 5.0 * 238f64.sqrt(), "{per_word}: {chi}");
        }
    }

    /// Four sequences from a word, one, and two, of which the last bits do not count.
    #[test]
    fn many_sequences_are_uniform() {
        let of_four = Ranges::new([3, 5]);
        let alone = Ranges { together: 1, ..of_four };
        let of_two = Ranges::new([3 << 8, 5 << 8]);
        assert_eq!([of_four.together, of_two.together], [4, 2]);
        for (ranges, bits) in [(of_four, 0), (alone, 0), (of_two, 8)] {
            let (mut rng, mut drawn) = (Rng::seed_from_u64(14), Vec::new());
            ranges.draw_all(150_001, &mut rng, &mut drawn);
            assert_eq!(drawn.len(), 150_001);
            let mut pairs = [0_u32; 225];
            for [first, second] in drawn.as_chunks().0.iter().copied() {
                let [[a, b], [c, d]] = [first, second].map(|pair| pair.map(|n| n >> bits));
                pairs[(((a * 5 + b) * 3 + c) * 5 + d) as usize] += 1;
            }
            let expected = 75_000.0 / 225.0;
            let chi: f64 =
                pairs.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert!((chi - 224.0).abs() < 5.0 * 448f64.sqrt(), "{chi}");
        }
    }

    /// Four, two or one sequence from a word. Of those that stand a given number of places apart, those of the same word
    /// among them, each pair is as likely as any other: chi-squared within five standard deviations.
    #[test]
    fn sequences_of_a_word_are_independent() {
        assert_eq!(Ranges::new([1 << 14]).together, 4);
        assert_eq!(Ranges::new([1 << 15]).together, 2);
        assert_eq!(Ranges::new([1 << 14, 1 << 14]).together, 2);
        assert_eq!(Ranges::new([1 << 15, 1 << 14]).together, 1);
        assert_eq!(Ranges::new([2, 3, 2]).together, 2);
        assert_eq!(Ranges::new([2; 5]).together, 1);
        fn assert_independent<const R: usize>(ranges: [u32; R]) {
            let cells = ranges.iter().product::<u32>();
            let cell = |numbers: &[u32; R]| {
                numbers.iter().zip(ranges).fold(0, |cell, (number, range)| cell * range + number)
            };
            let ranges = Ranges::new(ranges);
            let mut rng = Rng::seed_from_u64(12);
            let mut drawn = [[0; R]; CHUNK];
            for apart in [1, CHUNK / 4, CHUNK / 2] {
                let mut pairs = vec![0_u32; (cells * cells) as usize];
                for _ in 0..2000 {
                    ranges.fill(&mut rng, &mut drawn);
                    for (a, b) in drawn.iter().zip(&drawn[apart..]) {
                        pairs[(cell(a) * cells + cell(b)) as usize] += 1;
                    }
                }
                let expected = 2000.0 * (CHUNK - apart) as f64 / pairs.len() as f64;
                let square = |&n: &u32| (f64::from(n) - expected).powi(2) / expected;
                let (chi, degrees) =
                    (pairs.iter().map(square).sum::<f64>(), pairs.len() as f64 - 1.0);
                assert!((chi - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(), "{apart}: {chi}");
            }
        }
        assert_independent([9]);
        assert_independent([3, 5]);
        assert_independent([2, 3, 2]);
        assert_independent([2; 5]);
    }
}
