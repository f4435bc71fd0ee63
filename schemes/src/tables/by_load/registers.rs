//! In how many registers, and how wide ones, trials go.

use pulp::{Arch, NullaryFnOnce, Scalar, Scalar256b, Simd, WithSimd};

use super::AT_ONCE;
use super::shorts::Sixteen;
use super::together::Ended;

/// What trials do, whatever the registers are, in G of them.
///
/// Everything in it is put into one function for each kind of processor, so that what is chosen before any trial is better chosen
/// by the type: the compiler takes far longer for one long function than for several.
pub(super) trait InLanes {
    /// Runs as many trials as there are lanes.
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended;
}

/// What sixteen trials do with numbers of 16 bits.
pub(super) trait InShorts {
    /// Runs them.
    fn run(&self, simd: impl Sixteen) -> Ended;
}

/// For so many trials that are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Registers {
    pub(super) arch: Arch,
    pub(super) wanted: usize,
}

impl Registers {
    /// Runs at least one trial: in the widest registers of the processor, or without any where one or two trials are wanted, for
    /// which a register would be too much.
    pub(super) fn run(self, trials: impl InLanes) -> Ended {
        let in_registers = InRegisters { trials, wanted: self.wanted };
        match self.wanted {
            1 | 2 => in_registers.with_simd(Scalar::new()),
            _ => self.arch.dispatch(in_registers),
        }
    }

    /// Runs sixteen trials, with numbers of 16 bits: in registers of 256 bits also where there are wider ones, as no more trials than
    /// these go in lockstep.
    pub(super) fn run_short(self, trials: impl InShorts) -> Ended {
        match self.arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V3(simd) => simd.vectorize(InSixteen { simd, trials }),
            #[cfg(target_arch = "x86_64")]
            Arch::V4(simd) => simd.vectorize(InSixteen { simd: *simd, trials }),
            _ => Scalar256b.vectorize(InSixteen { simd: Scalar256b, trials }),
        }
    }
}

struct InSixteen<S, T> {
    simd: S,
    trials: T,
}

impl<S: Sixteen, T: InShorts> NullaryFnOnce for InSixteen<S, T> {
    type Output = Ended;

    #[inline(always)]
    fn call(self) -> Ended {
        self.trials.run(self.simd)
    }
}

struct InRegisters<T> {
    trials: T,
    wanted: usize,
}

impl<T: InLanes> WithSimd for InRegisters<T> {
    type Output = Ended;

    /// In one register, or in two where they are too narrow for what is wanted.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Ended {
        // Whether there are such is known when this is compiled, and what is never called is not.
        if const { S::I32_LANES > 1 && S::I32_LANES < AT_ONCE } && self.wanted > S::I32_LANES {
            return self.trials.run::<S, 2>(simd);
        }
        self.trials.run::<S, 1>(simd)
    }
}
