//! Generators side by side, in the lanes of registers.

use pulp::{Simd, bytemuck};
use rand::Rng as _;

use crate::Rng;

/// The state of so many generators: the first word of each of them, the second, and so on.
pub(crate) type States<const N: usize> = [[u32; N]; 4];

/// Seeds the generator in a lane with the next four words of `rng`.
pub(crate) fn seed_lane<const N: usize>(states: &mut States<N>, lane: usize, rng: &mut Rng) {
    states.iter_mut().for_each(|words| words[lane] = rng.next_u32());
}

/// The generator xoshiro128++ in each lane of G registers, which the library has for one alone.
#[derive(Clone, Copy)]
pub(crate) struct Generators<S: Simd, const G: usize>([[S::u32s; G]; 4]);

impl<S: Simd, const G: usize> Generators<S, G> {
    /// With the first of these states, as many as there are lanes.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(simd: S, states: &States<N>) -> Self {
        let mut own = [[simd.splat_u32s(0); G]; 4];
        for (words, states) in own.iter_mut().zip(states) {
            bytemuck::cast_slice_mut(words).copy_from_slice(&states[..G * S::U32_LANES]);
        }
        Self(own)
    }

    /// The states that they are in.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(&self, states: &mut States<N>) {
        for (words, states) in self.0.iter().zip(states) {
            states[..G * S::U32_LANES].copy_from_slice(bytemuck::cast_slice(words));
        }
    }

    /// 32 random bits in each lane of a register.
    #[inline(always)]
    pub(crate) fn next(&mut self, simd: S, register: usize) -> S::u32s {
        let [mut a, mut b, mut c, mut d] = self.0.map(|words| words[register]);
        let word = simd.add_u32s(rotated(simd, simd.add_u32s(a, d), 7), a);
        let shifted = simd.wrapping_dyn_shl_u32s(b, simd.splat_u32s(9));
        c = simd.xor_u32s(c, a);
        d = simd.xor_u32s(d, b);
        b = simd.xor_u32s(b, c);
        a = simd.xor_u32s(a, d);
        c = simd.xor_u32s(c, shifted);
        d = rotated(simd, d, 11);
        self.0.iter_mut().zip([a, b, c, d]).for_each(|(words, word)| words[register] = word);
        word
    }
}

/// 32 random bits of each of these generators, where there are no registers for them.
pub(crate) fn next_of_all<const N: usize>(states: &mut States<N>) -> [u32; N] {
    let [a, b, c, d] = states;
    let mut words = [0; N];
    for i in 0..N {
        words[i] = a[i].wrapping_add(d[i]).rotate_left(7).wrapping_add(a[i]);
        let shifted = b[i] << 9;
        c[i] ^= a[i];
        d[i] ^= b[i];
        b[i] ^= c[i];
        a[i] ^= d[i];
        c[i] ^= shifted;
        d[i] = d[i].rotate_left(11);
    }
    words
}

/// Whether one of these is true.
#[inline(always)]
pub(crate) fn is_any<S: Simd>(simd: S, these: S::m32s) -> bool {
    simd.first_true_m32s(these) < S::U32_LANES
}

/// The words with their bits rotated to the left. What `pulp` calls rotation is one of lanes.
#[inline(always)]
fn rotated<S: Simd>(simd: S, words: S::u32s, bits: u32) -> S::u32s {
    let left = simd.wrapping_dyn_shl_u32s(words, simd.splat_u32s(bits));
    let right = simd.wrapping_dyn_shr_u32s(words, simd.splat_u32s(32 - bits));
    simd.or_u32s(left, right)
}

#[cfg(test)]
pub(crate) mod tests {
    use pulp::{Arch, WithSimd};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::*;

    /// Whatever registers a processor has: none, those of eight numbers or those of sixteen. All of these are named, so that none of
    /// them is left out of the program.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn widths() -> Vec<Arch> {
        use pulp::x86::{V3, V4};

        let widths = [Some(Arch::Scalar), V3::try_new().map(Arch::V3), V4::try_new().map(Arch::V4)];
        widths.into_iter().flatten().collect()
    }

    /// None, or those of the processor.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn widths() -> Vec<Arch> {
        vec![Arch::Scalar, Arch::new()]
    }

    /// A hundred words of each of the generators in two registers, one after the other, and the states after that.
    struct Generated(States<64>);

    impl WithSimd for Generated {
        type Output = (Vec<Vec<u32>>, States<64>);

        fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
            let mut generators = Generators::<S, 2>::load(simd, &self.0);
            let mut next = || {
                let words = [0, 1].map(|register| generators.next(simd, register));
                bytemuck::cast_slice(&words).to_vec()
            };
            let words = (0..100).map(|_| next()).collect();
            generators.store(&mut self.0);
            (words, self.0)
        }
    }

    /// In each lane as the generator of the library that begins with the same state, and afterwards in the state that it is in then.
    #[test]
    fn lanes_are_generators_of_their_own() {
        let mut rng = Rng::seed_from_u64(3);
        let mut states = [[0; 64]; 4];
        (0..64).for_each(|lane| seed_lane(&mut states, lane, &mut rng));
        let one = |states: States<64>, lane: usize| {
            let words = states.map(|words| words[lane].to_le_bytes());
            Xoshiro128PlusPlus::from_seed(words.as_flattened().try_into().unwrap())
        };
        for arch in widths() {
            let (words, after) = arch.dispatch(Generated(states));
            for lane in 0..words[0].len() {
                let mut expected = one(states, lane);
                assert!(words.iter().all(|words| words[lane] == expected.next_u32()), "{lane}");
                assert_eq!(one(after, lane), expected, "lane {lane}");
            }
        }
    }
}
