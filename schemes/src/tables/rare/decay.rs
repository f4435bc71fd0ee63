//! The score of an overflow list that is looked at once, in equilibrium.

use super::steps::Steps;
use crate::math::elementary::{exp, ln};
use crate::rare::score::CERTAIN;

/// How probable it is, roughly, that the list is too long at the end: elements leave it after lifetimes of their
/// own, others come as independently, and Chernoff's bound for a Poisson number says how seldom the two make up for
/// what is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decay {
    /// The length that makes the event.
    length: f64,
    /// The mean length in equilibrium.
    mean: f64,
    steps: u64,
    /// n: rounds in a lifetime.
    elements: f64,
}

impl Decay {
    pub(super) fn new(beyond: u32, mean: f64, steps: &Steps) -> Self {
        let length = f64::from(beyond) + 1.0;
        Self { length, mean, steps: steps.number, elements: steps.elements.into() }
    }

    /// The score after a step with a list of this length.
    pub(super) fn after(&self, step: u64, length: u32) -> f64 {
        self.in_rounds(self.steps - 1 - step, length)
    }

    /// The score of a list of this length that counts after so many rounds.
    pub(super) fn in_rounds(&self, rounds: u64, length: u32) -> f64 {
        let lifetimes = rounds as f64 / self.elements;
        let (length, staying) = (f64::from(length), exp(-lifetimes));
        let missing = self.length - (self.mean + (length - self.mean) * staying);
        if missing <= 0.0 {
            return CERTAIN;
        }
        let scatter = (1.0 - staying) * (self.mean + length * staying);
        let scatter = scatter.max(1.0 / self.elements);
        let needed = scatter + missing;
        needed - scatter - needed * ln(needed / scatter)
    }
}
