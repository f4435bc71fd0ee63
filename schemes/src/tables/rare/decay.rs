//! The score of an overflow list that is looked at once, in equilibrium.

use crate::math::elementary::{exp, ln};
use crate::rare::score::CERTAIN;
use crate::tables::workloads::course::Clock;

/// Lifetimes of an element before the end in which the list may begin to grow: what it was before is forgotten but for a
/// twentieth of it.
const APPROACH: f64 = 3.0;

/// How probable it is, roughly, that the list is too long at the end: elements leave it after lifetimes of their
/// own, others come as independently, and Chernoff's bound for a Poisson number says how seldom the two make up for
/// what is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decay {
    /// The length that makes the event.
    length: f64,
    /// The mean length in equilibrium.
    mean: f64,
    clock: Clock,
}

impl Decay {
    pub(super) fn new(beyond: u32, mean: f64, clock: Clock) -> Self {
        let length = f64::from(beyond) + 1.0;
        Self { length, mean, clock }
    }

    /// The first tick after which it says anything of the end.
    pub(super) fn begin(clock: &Clock) -> u64 {
        clock.number.saturating_sub((APPROACH * clock.lifetime) as u64)
    }

    /// The score after a tick with a list of this length.
    pub(super) fn after(&self, tick: u64, length: u32) -> f64 {
        self.in_ticks(self.clock.number - 1 - tick, length)
    }

    /// The score of a list of this length that counts after so many ticks.
    pub(super) fn in_ticks(&self, ticks: u64, length: u32) -> f64 {
        let lifetimes = ticks as f64 / self.clock.lifetime;
        let (length, staying) = (f64::from(length), exp(-lifetimes));
        let missing = self.length - (self.mean + (length - self.mean) * staying);
        if missing <= 0.0 {
            return CERTAIN;
        }
        let scatter = (1.0 - staying) * (self.mean + length * staying);
        let scatter = scatter.max(1.0 / self.clock.lifetime);
        let needed = scatter + missing;
        needed - scatter - needed * ln(needed / scatter)
    }
}
