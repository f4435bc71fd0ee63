//! What is left to chance while a sub-table is filled: generators, and how it becomes known what an element finds.

use rand::{Rng as _, SeedableRng};

use crate::Rng;
use crate::hash::{derive_seed, reduce};
use crate::rare::Branch;

/// The generator of each step of a sub-table.
pub(super) struct Generators<'h> {
    later: std::slice::Iter<'h, Branch>,
    next: Option<&'h Branch>,
    pub(super) rng: Rng,
    /// The seed that is followed.
    pub(super) seed: u64,
}

impl<'h> Generators<'h> {
    /// The generator that follows from this seed, until the first of these branches.
    pub(super) fn new(rng: Rng, seed: u64, branches: &'h [Branch]) -> Self {
        let mut later = branches.iter();
        let next = later.next();
        Self { later, next, rng, seed }
    }

    /// That of a step.
    pub(super) fn at(&mut self, step: u64) -> &mut Rng {
        self.reach(step);
        &mut self.rng
    }

    /// Goes on to a step; whether chance follows from another seed now.
    fn reach(&mut self, step: u64) -> bool {
        let before = self.seed;
        while let Some(branch) = self.next.filter(|branch| branch.step <= step) {
            self.seed = branch.seed;
            self.rng = Rng::seed_from_u64(derive_seed(branch.seed, 0));
            self.next = self.later.next();
        }
        self.seed != before
    }
}

/// An element that comes to a sub-table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub(super) first_step: u64,
    /// Buckets of the sub-table.
    pub(super) buckets: u32,
    /// Those that are taken. Buckets have no names here, so that they are the first ones.
    pub(super) taken: u32,
}

impl Arrival {
    /// Whether its bucket is taken. After each answer that leaves this open, or says so, `known` is told how probable it is
    /// then.
    pub(super) fn finds_taken(
        &self,
        chance: &mut Generators<'_>,
        mut known: impl FnMut(u64, f64),
    ) -> bool {
        let Self { first_step, buckets, taken } = *self;
        let mut bucket = reduce(chance.at(first_step).next_u64(), buckets);
        let (mut step, mut below) = (first_step, buckets);
        loop {
            below = (below / 2).max(taken);
            if bucket >= below {
                return false;
            }
            known(step, f64::from(taken) / f64::from(below));
            if below == taken {
                return true;
            }
            step += 1;
            if chance.reach(step) {
                bucket = reduce(chance.rng.next_u64(), below);
            }
        }
    }
}
