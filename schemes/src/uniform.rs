//! Buckets of a range drawn uniformly, several from one random word.

use std::array;

use rand::Rng as _;

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
        self.fill_with(rng, drawn, |bucket| bucket);
    }

    /// The same with what `number` makes of each bucket.
    #[inline]
    pub(crate) fn fill_with<T, const N: usize>(
        &self,
        rng: &mut Rng,
        drawn: &mut [T; N],
        number: impl Fn(u32) -> T,
    ) {
        match self.per_word {
            1 => self.fill_by::<1, T, N>(rng, drawn, number),
            2 => self.fill_by::<2, T, N>(rng, drawn, number),
            _ => self.fill_by::<4, T, N>(rng, drawn, number),
        }
    }

    /// Calls `visit` with `number` pairs of independent buckets.
    #[inline(always)]
    pub(crate) fn pairs(&self, number: u32, rng: &mut Rng, mut visit: impl FnMut(u32, u32)) {
        let of_words = match self.per_word {
            1 => *self,
            _ => Self::with(self.buckets, &[2]),
        };
        for _ in 0..number {
            let [first, second] = match of_words.per_word {
                1 => [of_words.draw::<1>(rng), of_words.draw::<1>(rng)].map(|[bucket]| bucket),
                _ => of_words.draw::<2>(rng),
            };
            visit(first, second);
        }
    }

    /// Hands `number` sequences of R independent buckets each over to `visitor`, counted from 0.
    #[inline(always)]
    pub(crate) fn sequences<const R: usize>(
        &self,
        number: usize,
        rng: &mut Rng,
        visitor: &mut impl Visitor<R>,
    ) {
        with_own(rng, |rng| match self.per_word {
            1 => self.sequences_of::<1, R>(number, rng, visitor),
            2 => self.sequences_of::<2, R>(number, rng, visitor),
            _ => self.sequences_of::<4, R>(number, rng, visitor),
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
    fn fill_by<const K: usize, T, const N: usize>(
        &self,
        rng: &mut Rng,
        drawn: &mut [T; N],
        number: impl Fn(u32) -> T,
    ) {
        for word in 0..N / K {
            for (column, bucket) in self.draw::<K>(rng).into_iter().enumerate() {
                drawn[column * (N / K) + word] = number(bucket);
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

/// A number below each of two, neither of which is 0, from one word.
///
/// Few words are rejected, so that it is only asked which of them are where one might be.
#[inline(always)]
pub(crate) fn two_below([one, other]: [u32; 2], rng: &mut Rng) -> [u32; 2] {
    let all = u64::from(one) * u64::from(other);
    loop {
        let first = u128::from(rng.next_u64()) * u128::from(one);
        let second = u128::from(first as u64) * u128::from(other);
        let rest = second as u64;
        if rest >= all || rest >= all.wrapping_neg() % all {
            return [(first >> 64) as u32, (second >> 64) as u32];
        }
    }
}

/// Random bits for so many numbers, in place of those that are there, and perhaps some more. Two come from a word.
pub(crate) fn draw_bits(number: usize, rng: &mut Rng, bits: &mut Vec<u32>) {
    bits.resize(number.next_multiple_of(2), 0);
    with_own(rng, |rng| {
        for bits in bits.as_chunks_mut().0 {
            let word = rng.next_u64();
            *bits = [word as u32, (word >> 32) as u32];
        }
    });
}

/// A number below `range`, which is not 0, from these bits, or from the generator where they are rejected.
#[inline(always)]
pub(crate) fn below(range: u32, bits: u32, rng: &mut Rng) -> u32 {
    let product = u64::from(bits) * u64::from(range);
    // Those that are rejected have a lower rest.
    if product as u32 >= range {
        return (product >> 32) as u32;
    }
    below_with_rest(range, product, rng)
}

#[cold]
fn below_with_rest(range: u32, mut product: u64, rng: &mut Rng) -> u32 {
    while (product as u32) < range.wrapping_neg() % range {
        product = u64::from(rng.next_u32()) * u64::from(range);
    }
    (product >> 32) as u32
}

/// Draws from a copy of the generator, which then goes on where the copy stopped. The state of the copy stays in
/// registers while what is drawn is written somewhere: behind a reference, it might be that very place.
#[inline(always)]
pub(crate) fn with_own(rng: &mut Rng, draw: impl FnOnce(&mut Rng)) {
    let mut own = rng.clone();
    draw(&mut own);
    *rng = own;
}

/// A sequence of numbers, each uniform in a range of its own, from as few random words as have room for it: as
/// [`Uniform`], where the ranges differ.
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

    /// Sequences of the same word go to places far apart: see [`Uniform`].
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
            let mut rest = rng.next_u64();
            let drawn = [(); K].map(|()| {
                self.ranges.map(|range| {
                    let product = u128::from(rest) * u128::from(range);
                    rest = product as u64;
                    (product >> 64) as u32
                })
            });
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
        uniform.pairs(40_000, &mut rng, |a, b| paired.extend([a, b]));
        Uniform::with(9, &[]).pairs(40_000, &mut rng, |a, b| paired.extend([a, b]));
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

    /// Two sequences from a word, one from one word, and one from several words.
    #[test]
    fn sequences_of_buckets_are_even() {
        for numbers in [&[][..], &[2], &[4]] {
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

    /// Of two below 3 and 5 and of one below 15, where the bits are few enough that some are rejected: by chi-squared with 14
    /// degrees of freedom, within five standard deviations.
    #[test]
    fn numbers_below_ranges_are_uniform() {
        let mut rng = Rng::seed_from_u64(12);
        let (mut of_two, mut of_bits) = ([0_u32; 15], [0_u32; 15]);
        for _ in 0..150_000 {
            let [a, b] = two_below([3, 5], &mut rng);
            of_two[(a * 5 + b) as usize] += 1;
            of_bits[below(15, rng.next_u32(), &mut rng) as usize] += 1;
        }
        for counts in [of_two, of_bits] {
            let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
            assert!((chi - 14.0).abs() < 5.0 * 28f64.sqrt(), "{chi}");
        }
    }

    /// Of a range for which a third of the bits are rejected, each third has as many: within five standard errors.
    #[test]
    fn bits_that_are_rejected_are_drawn_again() {
        let range = 3 << 30;
        let mut rng = Rng::seed_from_u64(13);
        let mut counts = [0_u32; 3];
        for _ in 0..300_000 {
            counts[(below(range, rng.next_u32(), &mut rng) >> 30) as usize] += 1;
        }
        for count in counts {
            assert!((f64::from(count) - 1e5).abs() < 5.0 * (2e5_f64 / 3.0).sqrt(), "{counts:?}");
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
