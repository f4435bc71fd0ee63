//! The score of an overflow list in equilibrium that counts at any time of a window.

use super::decay::Decay;
use crate::tables::workloads::course::Clock;

/// Lifetimes of an element before the window in which a list may begin to grow: what it was before is forgotten but
/// for e⁻² of it, which is no more than chance adds.
const APPROACH: f64 = 2.0;

/// How much later than as soon as possible the list may be longest, in shares of a lifetime.
const LATER: [f64; 9] = [0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28];

/// How probable it is, roughly, that the list is too long at some time of the window: as at the likeliest one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    decay: Decay,
    clock: Clock,
}

impl Within {
    pub(super) fn new(beyond: u32, mean: f64, clock: Clock) -> Self {
        Self { decay: Decay::new(beyond, mean, clock), clock }
    }

    /// The first tick after which it says anything.
    pub(super) fn begin(clock: &Clock) -> u64 {
        clock.window.saturating_sub((APPROACH * clock.lifetime) as u64)
    }

    /// The score after a tick with a list of this length.
    pub(super) fn after(&self, tick: u64, length: u32) -> f64 {
        let Clock { number, window, lifetime } = self.clock;
        let (soonest, latest) = (window.saturating_sub(tick), number - 1 - tick);
        let ticks = |later: f64| soonest + (later * lifetime) as u64;
        let at = |later| self.decay.in_ticks(ticks(later).min(latest), length);
        LATER.into_iter().map(at).fold(f64::NEG_INFINITY, f64::max)
    }
}
