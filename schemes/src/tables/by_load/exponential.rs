//! Exponential times in all lanes.

use pulp::{NullaryFnOnce, Simd};

use super::draws::{BLOCK, Words};
use super::lanes::Lanes;
use super::reals::{Reals, real};

/// ln 2 in two parts, of which the first has few digits, so that its multiples are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// (ln(1 + x) − x + x²/2)/x³ for 1 + x between √½ and √2, the highest power first: the coefficients of `logf` in the Cephes
/// library, Moshier, 1989.
const SERIES: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_9e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_7e-1,
    2.000_071_5e-1,
    -2.499_999_4e-1,
    3.333_333e-1,
];

/// The bits of 1 and of √½ as real numbers.
const ONE: u32 = 1.0_f32.to_bits();
const ROOT: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
const FRACTION_BITS: u32 = 23;
const FRACTION: u32 = (1 << FRACTION_BITS) - 1;

/// Times of mean 1, one for each step of a block.
pub(super) struct Times<S: Simd, const G: usize> {
    lanes: Lanes<S, G>,
    words: Words<S, G>,
    times: Vec<Reals<S, G>>,
}

impl<S: Simd, const G: usize> Times<S, G> {
    /// With one of these seeds in each lane.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>, seeds: impl Iterator<Item = u64>) -> Self {
        let times = vec![lanes.all_real(0.0); BLOCK];
        Self { lanes, words: Words::new(lanes, seeds), times }
    }

    /// Draws those of the next block: all before any is needed, as each alone takes long.
    #[inline(always)]
    pub(super) fn draw(&mut self) {
        self.words.draw();
        self.lanes.simd.vectorize(MakeTimes(self));
    }

    /// That of this step of the block.
    #[inline(always)]
    pub(super) fn of(&self, step: usize) -> Reals<S, G> {
        self.times[step]
    }
}

struct MakeTimes<'t, S: Simd, const G: usize>(&'t mut Times<S, G>);

impl<S: Simd, const G: usize> NullaryFnOnce for MakeTimes<'_, S, G> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Times { lanes, words, times } = self.0;
        for (step, times) in times.iter_mut().enumerate() {
            for (time, word) in times.0.iter_mut().zip(words.of(step).0) {
                *time = exponential(lanes.simd, lanes.simd.transmute_u32s_i32s(word));
            }
        }
    }
}

/// −ln u, where the upper 23 bits of each word choose u from 2²³ equally likely numbers in (0, 1): the middles of intervals of
/// the same length.
#[inline(always)]
fn exponential<S: Simd>(simd: S, words: S::u32s) -> S::f32s {
    let all = |bits: u32| simd.splat_u32s(bits);
    // From 1 up to 2, and so u from 1 down to 0.
    let fraction = simd.wrapping_dyn_shr_u32s(words, all(u32::BITS - FRACTION_BITS));
    let above = simd.transmute_f32s_u32s(simd.or_u32s(fraction, all(ONE)));
    let below = simd.sub_f32s(simd.splat_f32s(2.0), above);
    let u = simd.sub_f32s(below, simd.splat_f32s(0.5 / (FRACTION + 1) as f32));
    let bits = simd.transmute_u32s_f32s(u);
    // u·2ⁿ is between √½ and √2, and −ln u = n·ln 2 − ln(u·2ⁿ).
    let n = simd.sub_u32s(all(ROOT + FRACTION), bits);
    let n = simd.wrapping_dyn_shr_u32s(n, all(FRACTION_BITS));
    let scaled = simd.add_u32s(bits, simd.wrapping_dyn_shl_u32s(n, all(FRACTION_BITS)));
    let x = simd.sub_f32s(simd.transmute_f32s_u32s(scaled), simd.splat_f32s(1.0));
    let n = real(simd, n);
    let [high, low] = LN_2.map(|part| simd.mul_f32s(n, simd.splat_f32s(part)));
    simd.add_f32s(high, simd.sub_f32s(low, logarithm(simd, x)))
}

/// ln(1 + x).
#[inline(always)]
fn logarithm<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let mut series = simd.splat_f32s(0.0);
    for coefficient in SERIES {
        series = simd.add_f32s(simd.mul_f32s(series, x), simd.splat_f32s(coefficient));
    }
    let square = simd.mul_f32s(x, x);
    let cubic = simd.mul_f32s(simd.mul_f32s(series, x), square);
    let half = simd.mul_f32s(square, simd.splat_f32s(0.5));
    simd.add_f32s(x, simd.sub_f32s(cubic, half))
}

#[cfg(test)]
mod tests {
    use pulp::{Arch, Scalar, WithSimd};

    use super::*;
    use crate::math::elementary::ln;

    /// The times of these words, one after the other.
    struct Made(Vec<u32>);

    impl WithSimd for Made {
        type Output = Vec<f32>;

        fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
            let of = |words: &[u32]| {
                let mut times = vec![0.0; words.len()];
                let found = exponential(simd, simd.partial_load_u32s(words));
                simd.partial_store_f32s(&mut times, found);
                times
            };
            self.0.chunks(S::U32_LANES).flat_map(of).collect()
        }
    }

    /// Words evenly spread, from the first to the last.
    fn words() -> Vec<u32> {
        (0..=1 << 16).map(|i: u64| ((i * 0xffff_ffff) >> 16) as u32).collect()
    }

    #[test]
    fn times_are_logarithms() {
        for (word, time) in words().into_iter().zip(Arch::new().dispatch(Made(words()))) {
            let middle = f64::from(word >> 9) + 0.5;
            let expected = -ln(1.0 - middle / f64::from(1 << 23));
            let error = (f64::from(time) / expected - 1.0).abs();
            assert!(time > 0.0 && error < 3e-7, "{word}: {time} {expected}");
        }
    }

    /// With and without registers, to the bit.
    #[test]
    fn times_are_the_same_on_every_processor() {
        assert_eq!(Arch::new().dispatch(Made(words())), Made(words()).with_simd(Scalar::new()));
    }

    /// All numbers that are chosen from have a mean time of 1 and a mean square of 2, as integrals by the rule of middles: the
    /// former within 2⁻²⁴, the latter within the square of the longest time as often.
    #[test]
    fn times_have_the_moments_of_exponential_ones() {
        let times = Arch::new().dispatch(Made((0..1 << 23).map(|i: u32| i << 9).collect()));
        let mean = |power: i32| {
            times.iter().map(|&time| f64::from(time).powi(power)).sum::<f64>() / times.len() as f64
        };
        assert!(
            (mean(1) - 1.0).abs() < 1e-7 && (mean(2) - 2.0).abs() < 3e-5,
            "{} {}",
            mean(1),
            mean(2)
        );
    }
}
