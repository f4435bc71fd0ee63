//! The score of an overflow list in equilibrium that counts at any time of a window.

use super::decay::Decay;
use super::steps::Steps;

/// Lifetimes of an element before the window in which a list may begin to grow: what it was before is forgotten but
/// for e⁻² of it, which is no more than chance adds.
const APPROACH: u64 = 2;

/// How much later than as soon as possible the list may be longest, in shares of a lifetime.
const LATER: [f64; 9] = [0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28];

/// How probable it is, roughly, that the list is too long at some time of the window: as at the likeliest one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    decay: Decay,
    steps: Steps,
}

impl Within {
    pub(super) fn new(beyond: u32, mean: f64, steps: &Steps) -> Self {
        Self { decay: Decay::new(beyond, mean, steps), steps: *steps }
    }

    /// The first step after which it says anything.
    pub(super) fn begin(steps: &Steps) -> u64 {
        steps.window.saturating_sub(APPROACH * u64::from(steps.elements))
    }

    /// The score after a step with a list of this length.
    pub(super) fn after(&self, step: u64, length: u32) -> f64 {
        let Steps { number, window, elements, .. } = self.steps;
        let (soonest, latest) = (window.saturating_sub(step), number - 1 - step);
        let rounds = |later: f64| soonest + (later * f64::from(elements)) as u64;
        let at = |later| self.decay.in_rounds(rounds(later).min(latest), length);
        LATER.into_iter().map(at).fold(f64::NEG_INFINITY, f64::max)
    }
}
