//! The chance of a trial that follows its branches.

use rand::SeedableRng;

use super::Branch;
use crate::Rng;
use crate::hash::derive_seed;

/// The generator of each step, as far as branches go.
pub(crate) struct Generators<'h> {
    later: std::slice::Iter<'h, Branch>,
    next: Option<&'h Branch>,
    pub(crate) rng: Rng,
    /// The seed that is followed.
    pub(crate) seed: u64,
}

impl<'h> Generators<'h> {
    /// The generator that follows from this seed, until the first of these branches.
    pub(crate) fn new(rng: Rng, seed: u64, branches: &'h [Branch]) -> Self {
        let mut later = branches.iter();
        let next = later.next();
        Self { later, next, rng, seed }
    }

    /// That of a step.
    pub(crate) fn at(&mut self, step: u64) -> &mut Rng {
        self.reach(step);
        &mut self.rng
    }

    /// Goes on to a step; whether chance follows from another seed now.
    pub(crate) fn reach(&mut self, step: u64) -> bool {
        let before = self.seed;
        while let Some(branch) = self.next.filter(|branch| branch.step <= step) {
            self.seed = branch.seed;
            self.rng = Rng::seed_from_u64(derive_seed(branch.seed, 0));
            self.next = self.later.next();
        }
        self.seed != before
    }
}
