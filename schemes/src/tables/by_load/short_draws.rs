//! Numbers of 16 bits drawn for a block of steps, in sixteen lanes.

use pulp::{NullaryFnOnce, u16x16, u32x8};
use rand::SeedableRng;

use super::draws::BLOCK;
use super::lanes::Arithmetic;
use super::shorts::{LANES, Short, Shorts, Sixteen};
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::uniform::{Generators, seed_lane};

/// Share of the steps that a lane keeps below which numbers of 32 bits are faster, in registers of 256 bits. The same on every
/// processor, as what is drawn depends on it.
const LEAST_KEPT: f64 = 0.5;

/// Whether numbers below these ranges are drawn from 16 bits: they and the ranges themselves have room there, and in most steps
/// none is rejected.
pub(super) fn suit(ranges: impl IntoIterator<Item = u32>) -> bool {
    let mut kept = 1.0;
    for below in ranges {
        if below > i16::MAX as u32 {
            return false;
        }
        kept *= 1.0 - f64::from(threshold(below)) / 65_536.0;
    }
    kept >= LEAST_KEPT
}

/// Fractions of 16 bits whose rests are below it are rejected: 2¹⁶ modulo the range.
fn threshold(below: u32) -> u16 {
    ((1 << 16) % below) as u16
}

/// Numbers below the ranges, one below each in every step.
///
/// 16 bits, taken as a fraction, are multiplied by the range, and the whole part is the number. Fractions that would make some
/// numbers likelier than others are rejected, as in [`Draws`](super::draws::Draws). With so few bits that may happen in some lane in
/// most steps, so that nothing takes their place: a lane leaves out each step in which one of its numbers is rejected. In the other
/// steps numbers are uniform and independent, as whether a step is left out depends on that step alone.
pub(super) struct ShortDraws<S: Sixteen> {
    lanes: Shorts<S>,
    ranges: Vec<Range>,
    generators: Generators<S, 2>,
    /// The steps of a block, one after the other: in which lanes it is not left out, and the numbers.
    steps: Vec<Short>,
}

/// The same in all lanes.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Range {
    below: u16x16,
    threshold: u16x16,
}

impl<S: Sixteen> ShortDraws<S> {
    /// Numbers below these, none of which is 0, and which [`suit`], for trials with these seeds, one for each lane.
    #[inline(always)]
    pub(super) fn new(
        lanes: Shorts<S>,
        ranges: impl Iterator<Item = u32>,
        seeds: &[Seeds],
    ) -> Self {
        let simd = lanes.simd;
        let all = |number| simd.splat_u16s(number);
        let range = |below| Range { below: all(below as u16), threshold: all(threshold(below)) };
        let ranges: Vec<Range> = ranges.map(range).collect();
        let mut states = [[0; LANES]; 4];
        for (lane, seeds) in seeds.iter().enumerate().take(LANES) {
            // Neighbours are of different registers: see `halves`.
            let lane = lane % 2 * (LANES / 2) + lane / 2;
            seed_lane(&mut states, lane, &mut Rng::seed_from_u64(derive_seed(seeds.hash, 0)));
        }
        let generators = Generators::load(simd, &states);
        let steps = vec![lanes.all(0); BLOCK * (ranges.len() + 1)];
        Self { lanes, ranges, generators, steps }
    }

    /// Draws the next block: of each step in which lanes it is not left out, followed by the numbers.
    #[inline(always)]
    pub(super) fn block(&mut self) -> impl Iterator<Item = &[Short]> {
        // In a function of its own: it is the same for whatever is done with the numbers.
        self.lanes.simd.vectorize(DrawBlock(self));
        self.steps.chunks_exact(self.ranges.len() + 1)
    }

    /// Two steps at a time, each with one half of the words.
    #[inline(always)]
    fn draw(&mut self) {
        let Self { lanes, ranges, generators, steps } = self;
        let simd = lanes.simd;
        let mut own = *generators;
        for two in steps.chunks_exact_mut(2 * (ranges.len() + 1)) {
            let (first, second) = two.split_at_mut(ranges.len() + 1);
            let ([first_goes, first @ ..], [second_goes, second @ ..]) = (first, second) else {
                continue;
            };
            let none = simd.splat_u16s(0);
            let mut rejected = [none; 2];
            for ((range, first), second) in ranges.iter().zip(first).zip(second) {
                let words = [own.next(simd, 0), own.next(simd, 1)];
                let [lower, upper] = halves(simd, words);
                (*first, rejected[0]) = range.of(simd, lower, rejected[0]);
                (*second, rejected[1]) = range.of(simd, upper, rejected[1]);
            }
            *first_goes = is_none(simd, rejected[0]);
            *second_goes = is_none(simd, rejected[1]);
        }
        *generators = own;
    }
}

struct DrawBlock<'d, S: Sixteen>(&'d mut ShortDraws<S>);

impl<S: Sixteen> NullaryFnOnce for DrawBlock<'_, S> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.draw();
    }
}

/// The lower halves of words, and the upper ones: lane 2j has that of lane j of the first register, and lane 2j + 1 that of the second.
#[inline(always)]
fn halves<S: Sixteen>(simd: S, [first, second]: [u32x8; 2]) -> [u16x16; 2] {
    let (sixteen, lower) = (simd.splat_u32s(16), simd.splat_u32s(0xffff));
    let upper = simd.splat_u32s(0xffff_0000);
    [
        simd.or_u32s(simd.and_u32s(first, lower), simd.wrapping_dyn_shl_u32s(second, sixteen)),
        simd.or_u32s(simd.wrapping_dyn_shr_u32s(first, sixteen), simd.and_u32s(second, upper)),
    ]
    .map(pulp::cast)
}

#[inline(always)]
fn is_none<S: Sixteen>(simd: S, numbers: u16x16) -> Short {
    let is_none = simd.equal_u16s(numbers, simd.splat_u16s(0));
    Short(simd.transmute_i16s_u16s(simd.transmute_u16s_m16s(is_none)))
}

impl Range {
    /// The numbers that 16 bits stand for, and where this or something before is rejected: there that is not 0.
    #[inline(always)]
    fn of<S: Sixteen>(&self, simd: S, bits: u16x16, rejected: u16x16) -> (Short, u16x16) {
        let whole = simd.upper_mul(bits, self.below);
        let rest = simd.mul_u16s(bits, self.below);
        let lacks = simd.excess(self.threshold, rest);
        (Short(simd.transmute_i16s_u16s(whole)), simd.or_u16s(rejected, lacks))
    }
}

#[cfg(test)]
mod tests {
    use pulp::Scalar256b;
    use rand::Rng as _;
    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::*;

    /// Of which no fraction is rejected, every fourth, and one in sixteen.
    const RANGES: [u32; 3] = [1 << 12, 3 << 13, 15 << 10];

    /// What so many blocks hold in each lane: for each step the numbers, unless it is left out.
    fn drawn<S: Sixteen>(simd: S, seeds: &[Seeds], blocks: usize) -> Vec<Vec<Option<Vec<i32>>>> {
        let lanes = Shorts { simd };
        let mut draws = ShortDraws::new(lanes, RANGES.into_iter(), seeds);
        let mut of_lanes = vec![Vec::new(); Shorts::<S>::NUMBER];
        for _ in 0..blocks {
            for step in draws.block() {
                let step: Vec<_> = step.iter().map(|&numbers| lanes.to_array(numbers)).collect();
                for (lane, drawn) in of_lanes.iter_mut().enumerate() {
                    let numbers = step[1..].iter().map(|numbers| numbers[lane]).collect();
                    drawn.push((step[0][lane] == -1).then_some(numbers));
                }
            }
        }
        of_lanes
    }

    /// The same of one lane, step by step.
    fn drawn_alone(seeds: &Seeds, blocks: usize) -> Vec<Option<Vec<i32>>> {
        let mut rng = Rng::seed_from_u64(derive_seed(seeds.hash, 0));
        let state: Vec<u8> = (0..4).flat_map(|_| rng.next_u32().to_le_bytes()).collect();
        let mut words = Xoshiro128PlusPlus::from_seed(state.try_into().unwrap());
        let mut all = Vec::new();
        for _ in 0..blocks * BLOCK / 2 {
            let words = RANGES.map(|_| words.next_u32());
            for half in [0, 16] {
                let products = [0, 1, 2].map(|i| (words[i] >> half & 0xffff) * RANGES[i]);
                let goes = |i: usize| products[i] & 0xffff >= threshold(RANGES[i]).into();
                let numbers = products.map(|product| (product >> 16) as i32).to_vec();
                all.push((0..3).all(goes).then_some(numbers));
            }
        }
        all
    }

    fn seeds() -> [Seeds; 16] {
        std::array::from_fn(|trial| Seeds::of(5, trial as u64))
    }

    /// Whatever instructions there are, and whatever other lanes draw.
    #[test]
    fn a_lane_draws_as_it_would_alone() {
        let seeds = seeds();
        let alone: Vec<_> = seeds.iter().map(|seeds| drawn_alone(seeds, 20)).collect();
        assert_eq!(drawn(Scalar256b, &seeds, 20), alone);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            assert_eq!(drawn(simd, &seeds, 20), alone);
        }
    }

    /// Each number of the second range modulo 3 with each of the third modulo 3: nine cells, chi square with 8 degrees of freedom,
    /// which exceeds 40 with a probability of 3·10⁻⁶. Without rejection it would be some thousands.
    #[test]
    fn numbers_that_are_not_left_out_are_even_and_independent() {
        let mut cells = [0_u32; 9];
        for numbers in drawn(Scalar256b, &seeds(), 400).into_iter().flatten().flatten() {
            assert!(
                numbers
                    .iter()
                    .zip(RANGES)
                    .all(|(&number, below)| (0..below as i32).contains(&number))
            );
            cells[(numbers[1] % 3 * 3 + numbers[2] % 3) as usize] += 1;
        }
        let all: u32 = cells.iter().sum();
        let expected = f64::from(all) / 9.0;
        let chi: f64 = cells.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(chi < 40.0, "{cells:?}: {chi}");
        // The share of steps that are left out.
        let (steps, left_out) = (400.0 * 32.0 * 16.0, 1.0 - 0.75 * (1.0 - 1.0 / 16.0));
        let found = 1.0 - f64::from(all) / steps;
        assert!(
            (found - left_out).abs() < 5.0 * (left_out * (1.0 - left_out) / steps).sqrt(),
            "{found}"
        );
    }

    #[test]
    fn ranges_suit_that_have_room_and_leave_half_of_the_steps() {
        assert!(suit([1, 10_000, (1 << 15) - 1]));
        assert!(!suit([1 << 15]));
        // 2¹⁶ modulo 22,000 is a third of it.
        assert!(suit([22_000]) && !suit([22_000; 2]));
    }
}
