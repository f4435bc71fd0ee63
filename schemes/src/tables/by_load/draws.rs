//! Numbers drawn for a block of steps, in all lanes.

use pulp::{NullaryFnOnce, Simd};
use rand::{Rng as _, SeedableRng};

use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::uniform::{Generators, is_any, seed_lane};

/// Rounds, or other steps, of a block.
pub(super) const BLOCK: usize = 32;

/// Bytes that a block takes with so many numbers in each round.
pub(super) fn bytes_of_block(numbers: u64) -> u64 {
    (BLOCK * MOST_LANES * size_of::<i32>()) as u64 * numbers
}

/// A generator in each lane, for the trial with this seed.
#[inline(always)]
fn generators<S: Simd, const G: usize>(
    lanes: Lanes<S, G>,
    seeds: impl Iterator<Item = u64>,
) -> Generators<S, G> {
    let mut states = [[0; MOST_LANES]; 4];
    for (lane, seed) in seeds.enumerate().take(MOST_LANES) {
        seed_lane(&mut states, lane, &mut Rng::seed_from_u64(derive_seed(seed, 0)));
    }
    Generators::load(lanes.simd, &states)
}

/// Numbers below the ranges, one below each in every round.
///
/// 32 bits, taken as a fraction, are multiplied by the range, and the whole part is the number. Fractions that would make some
/// numbers likelier than others are rejected, as in "Fast random integer generation in an interval", Lemire, 2019. That is rare,
/// so that it is looked at for a whole block at once.
pub(super) struct Draws<S: Simd, const G: usize> {
    lanes: Lanes<S, G>,
    ranges: Vec<Range>,
    /// The greatest of theirs: a block whose rests are all as great holds nothing that is rejected.
    threshold: u32,
    generators: Generators<S, G>,
    /// In each lane, what takes the place of fractions that are rejected.
    others: Vec<Rng>,
    /// The rounds of a block, one after the other.
    numbers: Vec<Numbers<S, G>>,
}

#[derive(Debug, Clone, Copy)]
struct Range {
    below: u32,
    /// A fraction whose rest is below it is rejected: 2³² modulo the range.
    threshold: u32,
}

impl<S: Simd, const G: usize> Draws<S, G> {
    /// Numbers below these, none of which is 0 or more than 2³¹, for trials with these seeds.
    #[inline(always)]
    pub(super) fn new(
        lanes: Lanes<S, G>,
        ranges: impl Iterator<Item = u32>,
        seeds: &[Seeds],
    ) -> Self {
        let range = |below: u32| Range { below, threshold: below.wrapping_neg() % below };
        let ranges: Vec<Range> = ranges.map(range).collect();
        Self {
            lanes,
            generators: generators(lanes, seeds.iter().map(|seeds| seeds.hash)),
            others: seeds.iter().map(|seeds| Rng::seed_from_u64(seeds.scheme)).collect(),
            numbers: vec![lanes.all(0); BLOCK * ranges.len()],
            threshold: ranges.iter().map(|range| range.threshold).max().unwrap_or(0),
            ranges,
        }
    }

    /// Draws the next block: the numbers of each round.
    #[inline(always)]
    pub(super) fn block(&mut self) -> impl Iterator<Item = &[Numbers<S, G>]> {
        // In a function of its own: it is the same for whatever is done with the numbers.
        self.lanes.simd.vectorize(DrawBlock(self));
        self.numbers.chunks_exact(self.ranges.len())
    }

    /// Draws all numbers; whether a fraction may be among them that is rejected. The generators are in registers meanwhile.
    #[inline(always)]
    fn draw(&mut self) -> bool {
        let Self { lanes, ranges, threshold, numbers, .. } = self;
        let mut generators = self.generators;
        let simd = lanes.simd;
        let mut lowest = simd.splat_u32s(u32::MAX);
        for round in numbers.chunks_exact_mut(ranges.len()) {
            for (numbers, range) in round.iter_mut().zip(&*ranges) {
                let below = simd.splat_u32s(range.below);
                for (register, number) in numbers.0.iter_mut().enumerate() {
                    let word = generators.next(simd, register);
                    let (rest, whole) = simd.widening_mul_u32s(word, below);
                    *number = simd.transmute_i32s_u32s(whole);
                    lowest = simd.min_u32s(lowest, rest);
                }
            }
        }
        self.generators = generators;
        is_any(simd, simd.less_than_u32s(lowest, simd.splat_u32s(*threshold)))
    }

    /// Goes through the block again, and draws anew what is rejected.
    #[inline(always)]
    fn replace(&mut self, mut generators: Generators<S, G>) {
        let Self { lanes, ranges, others, numbers, .. } = self;
        let simd = lanes.simd;
        for round in numbers.chunks_exact_mut(ranges.len()) {
            for (numbers, &range) in round.iter_mut().zip(&*ranges) {
                let below = simd.splat_u32s(range.below);
                let threshold = simd.splat_u32s(range.threshold);
                for (register, number) in numbers.0.iter_mut().enumerate() {
                    let word = generators.next(simd, register);
                    let (rest, _) = simd.widening_mul_u32s(word, below);
                    if is_any(simd, simd.less_than_u32s(rest, threshold)) {
                        let others = &mut others[register * S::U32_LANES..];
                        *number = replaced(simd, *number, rest, range, others);
                    }
                }
            }
        }
    }
}

struct DrawBlock<'d, S: Simd, const G: usize>(&'d mut Draws<S, G>);

impl<S: Simd, const G: usize> NullaryFnOnce for DrawBlock<'_, S, G> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self(draws) = self;
        let before = draws.generators;
        if draws.draw() {
            draws.replace(before);
        }
    }
}

/// 32 random bits for each step of a block, for numbers below ranges that change, or for times.
pub(super) struct Words<S: Simd, const G: usize> {
    lanes: Lanes<S, G>,
    generators: Generators<S, G>,
    words: Vec<Numbers<S, G>>,
}

impl<S: Simd, const G: usize> Words<S, G> {
    /// With one of these seeds in each lane.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>, seeds: impl Iterator<Item = u64>) -> Self {
        let words = vec![lanes.all(0); BLOCK];
        Self { lanes, generators: generators(lanes, seeds), words }
    }

    /// Draws those of the next block.
    #[inline(always)]
    pub(super) fn draw(&mut self) {
        self.lanes.simd.vectorize(DrawWords(self));
    }

    /// Those for this step of the block.
    #[inline(always)]
    pub(super) fn of(&self, step: usize) -> Numbers<S, G> {
        self.words[step]
    }
}

struct DrawWords<'w, S: Simd, const G: usize>(&'w mut Words<S, G>);

impl<S: Simd, const G: usize> NullaryFnOnce for DrawWords<'_, S, G> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Words { lanes, generators, words } = self.0;
        let mut own = *generators;
        for words in words.iter_mut() {
            for (register, word) in words.0.iter_mut().enumerate() {
                *word = lanes.simd.transmute_i32s_u32s(own.next(lanes.simd, register));
            }
        }
        *generators = own;
    }
}

/// The numbers of a register, with others in place of those whose fractions are rejected.
#[inline(always)]
fn replaced<S: Simd>(
    simd: S,
    numbers: S::i32s,
    rests: S::u32s,
    range: Range,
    others: &mut [Rng],
) -> S::i32s {
    let (mut drawn, mut lanes) = ([0; MOST_LANES], [u32::MAX; MOST_LANES]);
    simd.partial_store_i32s(&mut drawn[..S::I32_LANES], numbers);
    simd.partial_store_u32s(&mut lanes[..S::U32_LANES], rests);
    for ((drawn, mut rest), other) in drawn.iter_mut().zip(lanes).zip(others) {
        while rest < range.threshold {
            (*drawn, rest) = range.of(other.next_u32());
        }
    }
    simd.partial_load_i32s(&drawn[..S::I32_LANES])
}

impl Range {
    /// The number that 32 bits stand for, and the rest.
    fn of(self, bits: u32) -> (i32, u32) {
        let product = u64::from(bits) * u64::from(self.below);
        ((product >> 32) as i32, product as u32)
    }
}
