//! Keys that are made, and elements without any.

use rand::{Rng as _, SeedableRng};

use super::Arrivals;
use crate::Rng;
use crate::params::{ParamError, Params};

/// Bytes of a key that is drawn or counted.
pub const MADE_KEY_BYTES: usize = 16;

/// The first of the numbers that are keys of strangers where keys are counted; arriving elements do not
/// come that far.
const FIRST_STRANGER: u128 = 1 << 64;

/// Elements at whose keys nobody looks.
#[derive(Debug, Clone, Copy)]
pub struct Keyless;

impl Arrivals for Keyless {
    const HAVE_KEYS: bool = false;

    fn begin(&mut self, _seed: u64) {}

    #[inline]
    fn left(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn next_pass(&mut self) -> bool {
        false
    }

    #[inline]
    fn arrive(&mut self, _element: u32) -> (&[u8], bool) {
        (&[], false)
    }

    #[inline]
    fn depart(&mut self, _element: u32) {}

    #[inline]
    fn stranger(&mut self) -> Option<&[u8]> {
        Some(&[])
    }
}

/// Keys that are drawn or counted, all of them different.
#[derive(Debug, Clone)]
pub struct Made {
    sequential: bool,
    rng: Rng,
    next: u128,
    /// Strangers so far.
    strangers: u128,
    key: [u8; MADE_KEY_BYTES],
}

impl Made {
    /// Those that the parameters ask for; `None` where a trace has the keys.
    ///
    /// # Errors
    /// A parameter of another type.
    pub fn from_params(params: &Params) -> Result<Option<Self>, ParamError> {
        Ok(match params.word("keys")? {
            "random" => Some(Self::new(false)),
            "sequential" => Some(Self::new(true)),
            _ => None,
        })
    }

    /// Consecutive numbers, or else random bytes.
    pub fn new(sequential: bool) -> Self {
        Self {
            sequential,
            rng: Rng::seed_from_u64(0),
            next: 0,
            strangers: 0,
            key: [0; MADE_KEY_BYTES],
        }
    }

    /// Whether they are drawn, not counted.
    pub fn are_drawn(&self) -> bool {
        !self.sequential
    }
}

impl Arrivals for Made {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::seed_from_u64(seed);
        (self.next, self.strangers) = (0, 0);
    }

    fn branch(&mut self, seed: u64) {
        self.rng = Rng::seed_from_u64(seed);
    }

    #[inline]
    fn left(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn next_pass(&mut self) -> bool {
        false
    }

    #[inline]
    fn arrive(&mut self, _element: u32) -> (&[u8], bool) {
        if self.sequential {
            self.key = self.next.to_be_bytes();
            self.next += 1;
        } else {
            self.rng.fill_bytes(&mut self.key);
        }
        (&self.key, false)
    }

    #[inline]
    fn depart(&mut self, _element: u32) {}

    /// Of 16 random bytes no two are equal: that any two keys of a trial are has a probability of less
    /// than 10⁻¹⁸ for 10¹⁰ keys.
    #[inline]
    fn stranger(&mut self) -> Option<&[u8]> {
        if self.sequential {
            self.key = (FIRST_STRANGER + self.strangers).to_be_bytes();
            self.strangers += 1;
        } else {
            self.rng.fill_bytes(&mut self.key);
        }
        Some(&self.key)
    }
}
