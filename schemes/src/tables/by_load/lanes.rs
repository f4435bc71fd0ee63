//! A number for each of several trials: of 32 bits, as many as G registers hold, or of any width.

use std::array;

use pulp::{Simd, bytemuck};

/// So many at most.
pub(super) const MOST_LANES: usize = 64;

/// One number of each trial. Aligned to lines of the cache: a register that is read from two lines or written to them takes
/// several times as long.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Numbers<S: Simd, const G: usize>(pub(super) [S::i32s; G]);

impl<S: Simd, const G: usize> Numbers<S, G> {
    /// The number of each lane.
    #[inline(always)]
    pub(super) fn of_lanes(&self) -> &[i32] {
        bytemuck::cast_slice(&self.0)
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn of_lanes_mut(&mut self) -> &mut [i32] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Arithmetic of numbers of 32 bits in G registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes<S: Simd, const G: usize> {
    pub(super) simd: S,
}

/// What can be done with numbers, in all lanes alike, whatever their width. What is true in a lane is −1 there, of which all bits
/// are set, and what is not is 0.
pub(super) trait Arithmetic: Copy {
    /// One number of each trial.
    type Numbers: Copy + 'static;

    /// Trials that go in lockstep.
    const NUMBER: usize;

    /// The same number in all of them.
    fn all(self, number: i32) -> Self::Numbers;

    fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn and(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn or(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// `a` and not `b`.
    fn and_not(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// Whether `a` is less than `b`.
    fn less(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// `a` where it says so, `b` elsewhere.
    #[inline(always)]
    fn select(self, yes: Self::Numbers, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        self.or(self.and(a, yes), self.and_not(b, yes))
    }

    /// The numbers of the lanes, one after the other; 0 for those that there are not.
    fn to_array(self, numbers: Self::Numbers) -> [i32; MOST_LANES];

    /// The other way round.
    fn join(self, lanes: &[i32; MOST_LANES]) -> Self::Numbers;
}

/// Methods that do the same in each register. No closures: where the compiler does not put one into its caller, it is not
/// compiled for the processor that the caller is.
macro_rules! of_each {
    ($($(#[$doc:meta])* $visible:vis $name:ident($a:ident, $b:ident) = |$simd:ident| $of:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        $visible fn $name(self, a: Numbers<S, G>, b: Numbers<S, G>) -> Numbers<S, G> {
            let $simd = self.simd;
            let mut found = a;
            for i in 0..G {
                let ($a, $b) = (a.0[i], b.0[i]);
                found.0[i] = $of;
            }
            found
        }
    )*};
}

impl<S: Simd, const G: usize> Arithmetic for Lanes<S, G> {
    type Numbers = Numbers<S, G>;

    const NUMBER: usize = S::I32_LANES * G;

    of_each! {
        add(a, b) = |simd| simd.add_i32s(a, b);
        sub(a, b) = |simd| simd.sub_i32s(a, b);
        and(a, b) = |simd| simd.and_i32s(a, b);
        or(a, b) = |simd| simd.or_i32s(a, b);
        and_not(a, b) = |simd| simd.and_i32s(simd.xor_i32s(b, simd.splat_i32s(-1)), a);
        less(a, b) = |simd| simd.select_i32s(
            simd.less_than_i32s(a, b),
            simd.splat_i32s(-1),
            simd.splat_i32s(0),
        );
    }

    #[inline(always)]
    fn all(self, number: i32) -> Numbers<S, G> {
        Numbers([self.simd.splat_i32s(number); G])
    }

    #[inline(always)]
    fn to_array(self, numbers: Numbers<S, G>) -> [i32; MOST_LANES] {
        let mut lanes = [0; MOST_LANES];
        for (lanes, number) in lanes.chunks_exact_mut(S::I32_LANES).zip(numbers.0) {
            self.simd.partial_store_i32s(lanes, number);
        }
        lanes
    }

    #[inline(always)]
    fn join(self, lanes: &[i32; MOST_LANES]) -> Numbers<S, G> {
        let load = |i| self.simd.partial_load_i32s(&lanes[i * S::I32_LANES..][..S::I32_LANES]);
        Numbers(array::from_fn(load))
    }
}

impl<S: Simd, const G: usize> Lanes<S, G> {
    of_each! {
        /// Whether they are equal.
        pub(super) equal(a, b) = |simd| {
            let apart = simd.transmute_u32s_i32s(simd.xor_i32s(a, b));
            simd.select_i32s(
                simd.less_than_u32s(simd.splat_u32s(0), apart),
                simd.splat_i32s(0),
                simd.splat_i32s(-1),
            )
        };
    }

    /// A few times the number.
    #[inline(always)]
    pub(super) fn times(self, a: Numbers<S, G>, times: usize) -> Numbers<S, G> {
        let mut sum = self.all(0);
        for _ in 0..times {
            sum = self.add(sum, a);
        }
        sum
    }

    /// Whether one of them is not 0.
    #[inline(always)]
    pub(super) fn any(self, numbers: Numbers<S, G>) -> bool {
        let simd = self.simd;
        let mut all = numbers.0[0];
        for i in 1..G {
            all = simd.or_i32s(all, numbers.0[i]);
        }
        let is_not_0 = simd.less_than_u32s(simd.splat_u32s(0), simd.transmute_u32s_i32s(all));
        simd.first_true_m32s(is_not_0) < S::I32_LANES
    }

    /// A bit for each lane whose number is not 0, that of the first lane being the lowest.
    #[inline(always)]
    pub(super) fn bits(self, numbers: Numbers<S, G>) -> u64 {
        let simd = self.simd;
        let mut bits = 0;
        for i in 0..G {
            let number = simd.transmute_u32s_i32s(numbers.0[i]);
            let is_not_0 = simd.less_than_u32s(simd.splat_u32s(0), number);
            bits |= bits_of::<S>(is_not_0) << (i * S::I32_LANES);
        }
        bits
    }

    /// For each lane what is true there and nowhere else.
    pub(super) fn one_by_one(self) -> Vec<Numbers<S, G>> {
        let one = |lane| {
            let mut lanes = [0; MOST_LANES];
            lanes[lane] = -1;
            self.join(&lanes)
        };
        (0..Self::NUMBER).map(one).collect()
    }
}

/// A bit for each lane of a mask. That is bits already, for up to 16 lanes, or four bytes a lane.
#[inline(always)]
fn bits_of<S: Simd>(mask: S::m32s) -> u64 {
    let bytes = bytemuck::bytes_of(&mask);
    match *bytes {
        [bits] => bits.into(),
        [low, high] => u16::from_le_bytes([low, high]).into(),
        _ => {
            let mut bits = 0;
            for (lane, bytes) in bytes.as_chunks::<4>().0.iter().enumerate() {
                bits |= u64::from(bytes[0] & 1) << lane;
            }
            bits
        }
    }
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;
    use crate::uniform::widths;

    /// Which lanes are not 0, in one register and in two.
    struct Bits;

    impl WithSimd for Bits {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            bits_of_lanes(Lanes::<S, 1> { simd });
            bits_of_lanes(Lanes::<S, 2> { simd });
        }
    }

    fn bits_of_lanes<S: Simd, const G: usize>(lanes: Lanes<S, G>) {
        let number = Lanes::<S, G>::NUMBER;
        let all = u64::MAX >> (64 - number);
        let one_by_one = (0..number).map(|lane| 1 << lane);
        for bits in one_by_one.chain([0, all, all & 0x5a5a_5a5a]) {
            for value in [-1, 1, i32::MIN] {
                let mut of_lanes = [0; MOST_LANES];
                (0..number)
                    .filter(|lane| bits >> lane & 1 == 1)
                    .for_each(|lane| of_lanes[lane] = value);
                assert_eq!(lanes.bits(lanes.join(&of_lanes)), bits);
            }
        }
        for (lane, only) in lanes.one_by_one().into_iter().enumerate() {
            assert_eq!(lanes.bits(only), 1 << lane);
        }
    }

    #[test]
    fn a_bit_says_whether_a_lane_is_not_0() {
        widths().into_iter().for_each(|arch| arch.dispatch(Bits));
    }
}
