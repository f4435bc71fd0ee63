//! A real number of each trial, in single precision: for times, whose errors are far below those of chance.

use pulp::{Simd, bytemuck};

use super::lanes::{Arithmetic, Lanes, Numbers};

/// One real number of each trial.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Reals<S: Simd, const G: usize>(pub(super) [S::f32s; G]);

impl<S: Simd, const G: usize> Reals<S, G> {
    /// The number of each lane.
    #[inline(always)]
    pub(super) fn of_lanes(&self) -> &[f32] {
        bytemuck::cast_slice(&self.0)
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn of_lanes_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Whole numbers from 0 on have to be below this one to be made real.
pub(super) const MOST_REAL: u32 = 1 << 23;

/// Such numbers as the lowest bits of one between 2²³ and 2²⁴, from which 2²³ is taken away.
#[inline(always)]
pub(super) fn real<S: Simd>(simd: S, numbers: S::u32s) -> S::f32s {
    let most = MOST_REAL as f32;
    let bits = simd.or_u32s(numbers, simd.splat_u32s(most.to_bits()));
    simd.sub_f32s(simd.transmute_f32s_u32s(bits), simd.splat_f32s(most))
}

/// Methods that do the same in each register, without closures: see [`Lanes`].
macro_rules! of_each {
    ($($name:ident = $operation:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $name(self, a: Reals<S, G>, b: Reals<S, G>) -> Reals<S, G> {
            let mut found = a;
            for i in 0..G {
                found.0[i] = self.simd.$operation(a.0[i], b.0[i]);
            }
            found
        }
    )*};
}

impl<S: Simd, const G: usize> Lanes<S, G> {
    of_each! {
        add_reals = add_f32s;
        sub_reals = sub_f32s;
        mul_reals = mul_f32s;
        div_reals = div_f32s;
    }

    /// The same number in all of them.
    #[inline(always)]
    pub(super) fn all_real(self, number: f32) -> Reals<S, G> {
        Reals([self.simd.splat_f32s(number); G])
    }

    /// Whole numbers from 0 on and below [`MOST_REAL`].
    #[inline(always)]
    pub(super) fn real(self, numbers: Numbers<S, G>) -> Reals<S, G> {
        let mut found = self.all_real(0.0);
        for i in 0..G {
            found.0[i] = real(self.simd, self.simd.transmute_u32s_i32s(numbers.0[i]));
        }
        found
    }

    /// Whether `a` is less than `b`.
    #[inline(always)]
    pub(super) fn less_real(self, a: Reals<S, G>, b: Reals<S, G>) -> Numbers<S, G> {
        let simd = self.simd;
        let mut found = self.all(0);
        for i in 0..G {
            let less = simd.less_than_f32s(a.0[i], b.0[i]);
            found.0[i] = simd.select_i32s(less, simd.splat_i32s(-1), simd.splat_i32s(0));
        }
        found
    }

    /// `a` where it says so, `b` elsewhere.
    #[inline(always)]
    pub(super) fn select_real(
        self,
        yes: Numbers<S, G>,
        a: Reals<S, G>,
        b: Reals<S, G>,
    ) -> Reals<S, G> {
        let simd = self.simd;
        let mut found = a;
        for i in 0..G {
            let yes = simd.less_than_i32s(yes.0[i], simd.splat_i32s(0));
            found.0[i] = simd.select_f32s(yes, a.0[i], b.0[i]);
        }
        found
    }
}
