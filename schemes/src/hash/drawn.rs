//! Values that are drawn, for derivations from few of them.

use std::cell::RefCell;

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::registry::RANDOM;
use super::{HashFamily, HashInfo};

/// The fully random hash where choices follow from a few values of a key: each value is a draw, whatever the
/// key. It gives the h1 and h2 of the papers on double hashing; where each choice is a draw of its own,
/// [`RandomSource`](super::RandomSource) does without it.
pub struct Drawn {
    rng: RefCell<Xoshiro256PlusPlus>,
}

impl HashFamily for Drawn {
    const INFO: HashInfo = RANDOM;
    const LOOKS_AT_KEYS: bool = false;

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { rng: RefCell::new(Xoshiro256PlusPlus::seed_from_u64(seed)) }
    }

    #[inline]
    fn hash(&self, _key: &[u8]) -> u64 {
        self.rng.borrow_mut().next_u64()
    }

    fn generator(&mut self) -> Option<&mut Xoshiro256PlusPlus> {
        Some(self.rng.get_mut())
    }
}
