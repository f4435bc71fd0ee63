//! Numbers of 16 bits, one for each of sixteen trials.

use pulp::{Scalar256b, Simd, i16x16, m16x16, u16x16, u32x8};

use super::AT_ONCE;
use super::lanes::{Arithmetic, MOST_LANES};

/// Trials that go in lockstep.
pub(super) const LANES: usize = 16;

// Each lane has a trial.
const _: () = assert!(LANES == AT_ONCE);

/// Instructions for sixteen numbers of 16 bits: those of a processor that has registers for them, or else the same one by one,
/// which the compiler puts into whatever registers there are.
pub(super) trait Sixteen:
    Simd<u16s = u16x16, i16s = i16x16, m16s = m16x16, u32s = u32x8>
{
    /// The upper half of each product.
    fn upper_mul(self, a: u16x16, b: u16x16) -> u16x16;

    /// How much `a` is greater than `b`, 0 where it is not.
    fn excess(self, a: u16x16, b: u16x16) -> u16x16;
}

#[cfg(target_arch = "x86_64")]
impl Sixteen for pulp::x86::V3 {
    #[inline(always)]
    fn upper_mul(self, a: u16x16, b: u16x16) -> u16x16 {
        self.widening_mul_u16x16(a, b).1
    }

    #[inline(always)]
    fn excess(self, a: u16x16, b: u16x16) -> u16x16 {
        self.saturating_sub_u16x16(a, b)
    }
}

macro_rules! one_by_one {
    ($a:ident, $b:ident, |$x:ident, $y:ident| $of:expr) => {{
        let (mut found, others): ([u16; LANES], [u16; LANES]) = (pulp::cast($a), pulp::cast($b));
        for (found, $y) in found.iter_mut().zip(others) {
            let $x = *found;
            *found = $of;
        }
        pulp::cast(found)
    }};
}

impl Sixteen for Scalar256b {
    #[inline(always)]
    fn upper_mul(self, a: u16x16, b: u16x16) -> u16x16 {
        one_by_one!(a, b, |x, y| ((u32::from(x) * u32::from(y)) >> 16) as u16)
    }

    #[inline(always)]
    fn excess(self, a: u16x16, b: u16x16) -> u16x16 {
        one_by_one!(a, b, |x, y| x.saturating_sub(y))
    }
}

/// One number of each trial, none below −1. Aligned, as registers that are read from two lines of the cache take longer.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Short(pub(super) i16x16);

/// What can be done with them, in all lanes alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shorts<S: Sixteen> {
    pub(super) simd: S,
}

impl<S: Sixteen> Arithmetic for Shorts<S> {
    type Numbers = Short;

    const NUMBER: usize = LANES;

    #[inline(always)]
    fn all(self, number: i32) -> Short {
        debug_assert!(i16::try_from(number).is_ok());
        Short(self.simd.splat_i16s(number as i16))
    }

    #[inline(always)]
    fn add(self, a: Short, b: Short) -> Short {
        Short(self.simd.add_i16s(a.0, b.0))
    }

    #[inline(always)]
    fn sub(self, a: Short, b: Short) -> Short {
        Short(self.simd.sub_i16s(a.0, b.0))
    }

    #[inline(always)]
    fn and(self, a: Short, b: Short) -> Short {
        Short(self.simd.and_i16s(a.0, b.0))
    }

    #[inline(always)]
    fn or(self, a: Short, b: Short) -> Short {
        Short(self.simd.or_i16s(a.0, b.0))
    }

    #[inline(always)]
    fn and_not(self, a: Short, b: Short) -> Short {
        let simd = self.simd;
        Short(simd.and_i16s(simd.xor_i16s(b.0, simd.splat_i16s(-1)), a.0))
    }

    #[inline(always)]
    fn less(self, a: Short, b: Short) -> Short {
        let simd = self.simd;
        let less = simd.transmute_u16s_m16s(simd.less_than_i16s(a.0, b.0));
        Short(simd.transmute_i16s_u16s(less))
    }

    #[inline(always)]
    fn to_array(self, numbers: Short) -> [i32; MOST_LANES] {
        let mut lanes = [0; MOST_LANES];
        let numbers: [i16; LANES] = pulp::cast(numbers.0);
        for (lane, number) in lanes.iter_mut().zip(numbers) {
            *lane = number.into();
        }
        lanes
    }

    #[inline(always)]
    fn join(self, lanes: &[i32; MOST_LANES]) -> Short {
        let mut numbers = [0; LANES];
        for (number, &lane) in numbers.iter_mut().zip(lanes) {
            debug_assert!(i16::try_from(lane).is_ok());
            *number = lane as i16;
        }
        Short(pulp::cast(numbers))
    }
}
