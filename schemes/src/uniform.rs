//! Buckets of a range drawn uniformly, several from one random word.

mod below;
mod by_block;
mod generators;
mod ranges;

use std::array;

use rand::Rng as _;

pub(crate) use self::below::{below, draw_bits, two_below, with_own};
pub(crate) use self::by_block::{ByBlock, Width, sort_into_rows};
#[cfg(test)]
pub(crate) use self::generators::tests::widths;
pub(crate) use self::generators::{Generators, is_any, seed_lane};
pub(crate) use self::ranges::Ranges;
use crate::Rng;

/// The buckets `0..buckets`, each as likely as any other.
///
/// A word of 64 bits, taken as a fraction, is multiplied by the number of buckets: the whole part is a
/// bucket, and the rest is the fraction of the next, after Brackett-Rozinsky and Lemire, "Batched ranged
/// random integer generation", 2024. Those words are rejected, less than one in 2⁸, that would make some
/// buckets likelier than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Uniform {
    buckets: u32,
    /// Buckets from one word: 1 to 4.
    per_word: usize,
    /// A word whose last rest is below it is rejected: 2⁶⁴ modulo `buckets` to the power `per_word`.
    threshold: u64,
}

/// Sequences of buckets that one word may stand for at most.
const SEQUENCES: u64 = 1 << 56;

impl Uniform {
    /// 1, 2 or 4 from a word, so that a [`fill`](Self::fill) takes whole words. `buckets` is not 0.
    pub(crate) fn new(buckets: u32) -> Self {
        Self::with(buckets, &[4, 2])
    }

    /// 1 to 4 from a word. `buckets` is not 0.
    pub(crate) fn dense(buckets: u32) -> Self {
        Self::with(buckets, &[4, 3, 2])
    }

    fn with(buckets: u32, numbers: &[u32]) -> Self {
        let sequences = |&per_word| Some((per_word, u64::from(buckets).checked_pow(per_word)?));
        let fits = numbers.iter().filter_map(sequences).find(|(_, all)| *all <= SEQUENCES);
        let (per_word, all) = fits.unwrap_or((1, buckets.into()));
        Self { buckets, per_word: per_word as usize, threshold: all.wrapping_neg() % all }
    }

    /// The same buckets, of which a word does not stand for three: those would not make whole sequences.
    fn even(&self) -> Self {
        if self.per_word == 3 { Self::new(self.buckets) } else { *self }
    }

    /// Calls `visit` with `number` independent buckets.
    #[inline(always)]
    pub(crate) fn each(&self, number: usize, rng: &mut Rng, visit: impl FnMut(u32)) {
        match self.per_word {
            1 => self.each_of::<1>(number, rng, visit),
            2 => self.each_of::<2>(number, rng, visit),
            3 => self.each_of::<3>(number, rng, visit),
            _ => self.each_of::<4>(number, rng, visit),
        }
    }

    /// Fills `drawn`, as long as whole words are, with independent buckets.
    #[inline]
    pub(crate) fn fill<const N: usize>(&self, rng: &mut Rng, drawn: &mut [u32; N]) {
        let even = self.even();
        match even.per_word {
            1 => even.fill_by::<1, N>(rng, drawn),
            2 => even.fill_by::<2, N>(rng, drawn),
            _ => even.fill_by::<4, N>(rng, drawn),
        }
    }

    /// Pairs of independent buckets, the first of each into `firsts` and the other into `seconds`.
    #[inline(always)]
    pub(crate) fn pairs(&self, rng: &mut Rng, firsts: &mut [u32], seconds: &mut [u32]) {
        let of_words = match self.per_word {
            1 => *self,
            _ => Self::with(self.buckets, &[2]),
        };
        with_own(rng, |rng| {
            for (first, second) in firsts.iter_mut().zip(seconds) {
                [*first, *second] = match of_words.per_word {
                    1 => [of_words.draw::<1>(rng), of_words.draw::<1>(rng)].map(|[bucket]| bucket),
                    _ => of_words.draw::<2>(rng),
                };
            }
        });
    }

    /// Hands `number` sequences of R independent buckets each over to `visitor`, counted from 0.
    #[inline(always)]
    pub(crate) fn sequences<const R: usize>(
        &self,
        number: usize,
        rng: &mut Rng,
        visitor: &mut impl Visitor<R>,
    ) {
        let even = self.even();
        with_own(rng, |rng| match even.per_word {
            1 => even.sequences_of::<1, R>(number, rng, visitor),
            2 => even.sequences_of::<2, R>(number, rng, visitor),
            _ => even.sequences_of::<4, R>(number, rng, visitor),
        });
    }

    /// Two of them from a word if there is room for them, or else one from whole words.
    #[inline(always)]
    fn sequences_of<const K: usize, const R: usize>(
        &self,
        number: usize,
        rng: &mut Rng,
        visitor: &mut impl Visitor<R>,
    ) {
        if K < 2 * R {
            (0..number).for_each(|t| visitor.visit(t, self.draw_sequence::<K, R>(rng)));
            return;
        }
        for t in (0..number).step_by(2) {
            let word = self.draw::<K>(rng);
            visitor.visit(t, array::from_fn(|i| word[i]));
            if t + 1 < number {
                visitor.visit(t + 1, array::from_fn(|i| word[R + i]));
            }
        }
    }

    #[inline(always)]
    fn draw_sequence<const K: usize, const R: usize>(&self, rng: &mut Rng) -> [u32; R] {
        let mut drawn = [0; R];
        for of_word in drawn.chunks_mut(K) {
            let word = self.draw::<K>(rng);
            of_word.iter_mut().zip(word).for_each(|(drawn, bucket)| *drawn = bucket);
        }
        drawn
    }

    /// One bucket.
    pub(crate) fn one(&self, rng: &mut Rng) -> u32 {
        let mut bucket = 0;
        self.each(1, rng, |drawn| bucket = drawn);
        bucket
    }

    #[inline(always)]
    fn each_of<const K: usize>(&self, number: usize, rng: &mut Rng, mut visit: impl FnMut(u32)) {
        for _ in 0..number / K {
            self.draw::<K>(rng).into_iter().for_each(&mut visit);
        }
        self.draw::<K>(rng).into_iter().take(number % K).for_each(visit);
    }

    /// Buckets from the same word go to places far apart. If they lay side by side the compiler would put
    /// them together in one wide register first, which takes longer than to store them one by one.
    fn fill_by<const K: usize, const N: usize>(&self, rng: &mut Rng, drawn: &mut [u32; N]) {
        for word in 0..N / K {
            for (column, bucket) in self.draw::<K>(rng).into_iter().enumerate() {
                drawn[column * (N / K) + word] = bucket;
            }
        }
    }

    #[inline(always)]
    fn draw<const K: usize>(&self, rng: &mut Rng) -> [u32; K] {
        loop {
            let mut rest = rng.next_u64();
            let drawn = [(); K].map(|()| {
                let product = u128::from(rest) * u128::from(self.buckets);
                rest = product as u64;
                (product >> 64) as u32
            });
            if rest >= self.threshold {
                return drawn;
            }
        }
    }
}

/// Who takes sequences of buckets. A method in place of a closure, which the compiler need not put into the loop.
pub(crate) trait Visitor<const R: usize> {
    /// Takes the `t`-th sequence.
    fn visit(&mut self, t: usize, drawn: [u32; R]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Ranges, and how many of their buckets come from one word.
    const RANGES: [(u32, usize); 8] = [
        (1, 4),
        (2, 4),
        (7867, 4),
        (1 << 14, 4),
        ((1 << 14) + 1, 2),
        (1 << 28, 2),
        ((1 << 28) + 1, 1),
        (u32::MAX, 1),
    ];

    const CHUNK: usize = 128;

    #[test]
    fn as_many_as_a_word_has_room_for() {
        for (buckets, per_word) in RANGES {
            assert_eq!(Uniform::new(buckets).per_word, per_word, "{buckets}");
        }
        assert_eq!(Uniform::dense(80_000).per_word, 3);
        assert_eq!(Uniform::new(80_000).per_word, 2);
    }

    /// As many words are left for every sequence of buckets as for any other.
    #[test]
    fn what_is_rejected_leaves_whole_sequences() {
        let all = RANGES.map(|(buckets, _)| Uniform::new(buckets));
        for uniform in all.into_iter().chain([Uniform::dense(80_000)]) {
            let sequences = u128::from(uniform.buckets).pow(uniform.per_word as u32);
            let threshold = u128::from(uniform.threshold);
            assert_eq!(((1_u128 << 64) - threshold) % sequences, 0);
            assert!(threshold < sequences && sequences <= u128::from(SEQUENCES));
        }
    }

    /// Pairs of buckets of the same word and of neighbouring words, in both ways of drawing them: chi
    /// square with 80 degrees of freedom, which exceeds 140 with a probability of 4·10⁻⁵.
    #[test]
    fn pairs_are_even_and_independent() {
        let uniform = Uniform::new(9);
        let mut rng = Rng::seed_from_u64(6);
        let mut visited = Vec::new();
        uniform.each(81_003, &mut rng, |bucket| visited.push(bucket));
        let mut paired = Vec::new();
        for uniform in [uniform, Uniform::with(9, &[])] {
            let [mut firsts, mut seconds] = [vec![0; 40_000], vec![0; 40_000]];
            uniform.pairs(&mut rng, &mut firsts, &mut seconds);
            paired.extend(firsts.into_iter().zip(seconds).flat_map(|(a, b)| [a, b]));
        }
        let mut filled = Vec::new();
        for _ in 0..700 {
            let mut drawn = [0; CHUNK];
            uniform.fill(&mut rng, &mut drawn);
            filled.extend(drawn);
        }
        assert_eq!(visited.len(), 81_003);
        for (drawn, apart) in [(&visited, 1), (&paired, 1), (&filled, 1), (&filled, CHUNK / 4)] {
            let mut pairs = [0_u32; 81];
            drawn.iter().zip(&drawn[apart..]).for_each(|(a, b)| pairs[(a * 9 + b) as usize] += 1);
            let expected = (drawn.len() - apart) as f64 / 81.0;
            let chi: f64 =
                pairs.iter().map(|&k| (f64::from(k) - expected).powi(2) / expected).sum();
            assert!(chi < 140.0, "{apart}: {chi}");
        }
    }

    struct Collected<const R: usize>(Vec<[u32; R]>);

    impl<const R: usize> Visitor<R> for Collected<R> {
        fn visit(&mut self, t: usize, drawn: [u32; R]) {
            assert_eq!(t, self.0.len());
            self.0.push(drawn);
        }
    }

    /// Chi square of the sequences, which are neighbours, with 5^R - 1 degrees of freedom, within five standard
    /// deviations.
    fn sequences_are_even<const R: usize>(uniform: &Uniform) {
        let mut collected = Collected::<R>(Vec::new());
        uniform.sequences(50_001, &mut Rng::seed_from_u64(12), &mut collected);
        assert_eq!(collected.0.len(), 50_001);
        let cells = 5_usize.pow(R as u32);
        let mut counts = vec![0_u32; cells];
        for drawn in collected.0 {
            counts[drawn.iter().fold(0, |cell, &bucket| cell * 5 + bucket as usize)] += 1;
        }
        let (expected, freedom) = (50_001.0 / cells as f64, (cells - 1) as f64);
        let chi: f64 = counts.iter().map(|&k| (f64::from(k) - expected).powi(2) / expected).sum();
        assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{uniform:?} {R}: {chi}");
    }

    /// Two sequences from a word, one from one word, and one from several words. Three from a word are drawn in another way.
    #[test]
    fn sequences_of_buckets_are_even() {
        for numbers in [&[][..], &[2], &[3], &[4]] {
            let uniform = Uniform::with(5, numbers);
            sequences_are_even::<2>(&uniform);
            sequences_are_even::<3>(&uniform);
            sequences_are_even::<5>(&uniform);
        }
    }

    #[test]
    fn one_is_any() {
        let mut rng = Rng::seed_from_u64(7);
        let drawn: Vec<u32> = (0..100).map(|_| Uniform::new(3).one(&mut rng)).collect();
        assert!((0..3).all(|bucket| drawn.contains(&bucket)) && drawn.iter().all(|&b| b < 3));
    }
}
