//! Small numbers drawn a block at a time, from several generators side by side.

use pulp::{Arch, Simd, WithSimd, bytemuck};
use rand::SeedableRng;

use super::generators::{Generators, States, is_any, next_of_all, seed_lane};
use crate::Rng;

/// Generators, as many as the widest registers have lanes.
const LANES: usize = 16;

/// What a number is written as.
pub(crate) trait Width: Copy {
    /// The greatest.
    const GREATEST: u32;

    /// One that it has room for.
    fn of(number: u32) -> Self;
}

impl Width for u16 {
    const GREATEST: u32 = Self::MAX as u32;

    #[inline(always)]
    fn of(number: u32) -> Self {
        number as Self
    }
}

impl Width for u32 {
    const GREATEST: u32 = Self::MAX;

    #[inline(always)]
    fn of(number: u32) -> Self {
        number
    }
}

/// Numbers below a range, from sixteen generators that draw together.
///
/// 32 bits, taken as a fraction, are multiplied by the range, and the whole part is the number. Some fractions would make some
/// numbers likelier than others, as in "Fast random integer generation in an interval", Lemire, 2019. Fewer of the 2³² than the
/// range is long are of that kind, and where one is among sixteen, all of them are drawn again: those that are left are as likely
/// as each other.
#[derive(Debug, Clone)]
pub(crate) struct ByBlock {
    arch: Arch,
    below: u32,
    /// A fraction whose rest is below it is rejected: 2³² modulo the range.
    threshold: u32,
    states: States<LANES>,
}

impl ByBlock {
    /// Numbers below this, which is not 0.
    pub(crate) fn new(below: u32, seed: u64) -> Self {
        let threshold = below.wrapping_neg() % below;
        let mut numbers = Self { arch: Arch::new(), below, threshold, states: [[0; LANES]; 4] };
        numbers.begin(seed);
        numbers
    }

    /// Begins anew with another seed.
    pub(crate) fn begin(&mut self, seed: u64) {
        let mut rng = Rng::seed_from_u64(seed);
        (0..LANES).for_each(|lane| seed_lane(&mut self.states, lane, &mut rng));
    }

    /// Fills `drawn`, whose length is a multiple of sixteen, with independent uniform numbers in `first..first + below`, which
    /// must have room there.
    pub(crate) fn fill<const N: usize, W: Width>(&mut self, first: u32, drawn: &mut [W; N]) {
        const { assert!(N.is_multiple_of(LANES)) };
        debug_assert!(first <= W::GREATEST - (self.below - 1), "they have room");
        let arch = self.arch;
        arch.dispatch(Fill { numbers: self, first, drawn });
    }
}

/// Puts what was drawn in columns into rows.
// In place, and no `array::from_fn`: the compiler then sorts many numbers in at a time.
#[inline(always)]
pub(crate) fn sort_into_rows<const D: usize, const N: usize, W: Width>(
    columns: &[[W; N]; D],
    rows: &mut [[W; D]; N],
) {
    for (i, row) in rows.iter_mut().enumerate() {
        row.iter_mut().zip(columns).for_each(|(number, column)| *number = column[i]);
    }
}

struct Fill<'f, const N: usize, W> {
    numbers: &'f mut ByBlock,
    first: u32,
    drawn: &'f mut [W; N],
}

impl<const N: usize, W: Width> WithSimd for Fill<'_, N, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match S::U32_LANES {
            16 => self.in_registers::<S, 1>(simd),
            8 => self.in_registers::<S, 2>(simd),
            4 => self.in_registers::<S, 4>(simd),
            _ => self.in_arrays(),
        }
    }
}

impl<const N: usize, W: Width> Fill<'_, N, W> {
    /// In arrays, which the compiler puts into the registers that every processor has.
    fn in_arrays(self) {
        let Self { numbers: ByBlock { below, threshold, states, .. }, first, drawn } = self;
        for drawn in drawn.as_chunks_mut::<LANES>().0 {
            let mut products = [0; LANES];
            let mut rejected = true;
            while rejected {
                rejected = false;
                for (product, word) in products.iter_mut().zip(next_of_all(states)) {
                    *product = u64::from(word) * u64::from(*below);
                    rejected |= (*product as u32) < *threshold;
                }
            }
            for i in 0..LANES {
                drawn[i] = W::of(first + (products[i] >> 32) as u32);
            }
        }
    }

    /// In G registers that have as many lanes as there are generators.
    #[inline(always)]
    fn in_registers<S: Simd, const G: usize>(self, simd: S) {
        let Self { numbers: ByBlock { below, threshold, states, .. }, first, drawn } = self;
        let (below, threshold) = (simd.splat_u32s(*below), simd.splat_u32s(*threshold));
        let first = simd.splat_u32s(first);
        let mut generators = Generators::<S, G>::load(simd, states);
        for drawn in drawn.as_chunks_mut::<LANES>().0 {
            let mut numbers = [first; G];
            loop {
                let mut rejected = simd.less_than_u32s(first, first);
                for (register, number) in numbers.iter_mut().enumerate() {
                    let word = generators.next(simd, register);
                    let (rest, whole) = simd.widening_mul_u32s(word, below);
                    *number = simd.add_u32s(first, whole);
                    rejected = simd.or_m32s(rejected, simd.less_than_u32s(rest, threshold));
                }
                if !is_any(simd, rejected) {
                    break;
                }
            }
            let numbers: &[u32] = bytemuck::cast_slice(&numbers);
            for i in 0..LANES {
                drawn[i] = W::of(numbers[i]);
            }
        }
        generators.store(states);
    }
}

#[cfg(test)]
mod tests {
    use std::array;

    use rand::Rng as _;
    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::super::widths;
    use super::*;

    const CHUNK: usize = 128;

    fn drawn<W: Width + Into<u32>>(below: u32, arch: Arch, blocks: usize) -> Vec<u32> {
        let mut numbers = ByBlock { arch, ..ByBlock::new(below, 8) };
        let mut all = Vec::new();
        for _ in 0..blocks {
            let mut drawn = [W::of(0); CHUNK];
            numbers.fill(7, &mut drawn);
            all.extend(drawn.map(|number| number.into() - 7));
        }
        all
    }

    /// Pairs of neighbours, and of numbers from the same generator: chi square with 80 degrees of freedom, which exceeds 140
    /// with a probability of 4·10⁻⁵.
    #[test]
    fn pairs_are_even_and_independent() {
        let all = drawn::<u16>(9, Arch::new(), 700);
        for apart in [1, LANES, CHUNK] {
            let mut pairs = [0_u32; 81];
            all.iter().zip(&all[apart..]).for_each(|(&a, &b)| pairs[(a * 9 + b) as usize] += 1);
            let expected = (all.len() - apart) as f64 / 81.0;
            let chi: f64 =
                pairs.iter().map(|&k| (f64::from(k) - expected).powi(2) / expected).sum();
            assert!(chi < 140.0, "{apart}: {chi}");
        }
    }

    /// The numbers of one generator of the library for each lane, of which all draw again where the fraction of one is rejected, as
    /// it is by "Fast random integer generation in an interval". In so many numbers some are. Whatever registers a processor has.
    #[test]
    fn fractions_that_are_rejected_are_drawn_again() {
        check_rejections::<u16>(3 << 14, 1 << 14);
        check_rejections::<u32>(3 << 24, 1 << 24);
    }

    fn check_rejections<W: Width + Into<u32>>(below: u32, expected: u32) {
        let of_widths = widths().into_iter().map(|arch| drawn::<W>(below, arch, 16_000));
        let ByBlock { threshold, states, .. } = ByBlock::new(below, 8);
        for all in of_widths {
            let mut generators: [_; LANES] = array::from_fn(|lane| {
                let state = states.map(|words| words[lane].to_le_bytes());
                Xoshiro128PlusPlus::from_seed(state.as_flattened().try_into().unwrap())
            });
            let mut next =
                || generators.each_mut().map(|one| u64::from(one.next_u32()) * u64::from(below));
            let mut rejected = 0;
            for together in all.as_chunks::<LANES>().0 {
                let mut products = next();
                while products.iter().any(|&product| (product as u32) < threshold) {
                    products = next();
                    rejected += 1;
                }
                assert_eq!(*together, products.map(|product| (product >> 32) as u32));
            }
            assert_eq!((threshold, rejected > 0), (expected, true));
        }
    }
}
