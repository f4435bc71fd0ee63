//! The score of an overflow list behind a queue of on-off flows.

use crate::rare::score::CERTAIN;
use crate::tables::workloads::course::{Clock, Queue};

/// How probable it is, roughly, that the list is too long, at the end or at any time of the window.
///
/// A list is seldom long but where many elements are in the system. It then grows and shrinks as their number does,
/// which is taken for a Brownian motion with the drift and the variance of the queue: the logarithm of the probability
/// that it gets from here to the event, or that the list is forgotten and another one grows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backlog {
    /// The length that makes the event.
    length: f64,
    /// The mean length in equilibrium.
    mean: f64,
    ever: bool,
    queue: Queue,
    clock: Clock,
}

impl Backlog {
    pub(super) fn new(beyond: u32, ever: bool, mean: f64, queue: Queue, clock: Clock) -> Self {
        Self { length: f64::from(beyond) + 1.0, mean, ever, queue, clock }
    }

    /// The score after a slot with a list of this length.
    pub(super) fn after(&self, slot: u64, length: u32) -> f64 {
        let Clock { number, window, .. } = self.clock;
        let latest = number - 1 - slot;
        let soonest = if self.ever { window.saturating_sub(slot) } else { latest };
        let missing = self.length - f64::from(length);
        let from_here = self.exponent(missing, soonest as f64, latest as f64);
        let Queue { slack, variance } = self.queue;
        let anew = 2.0 * slack * (self.length - self.mean) / variance;
        CERTAIN - from_here.min(anew.max(0.0))
    }

    /// The exponent of the likeliest growth by so much, against the drift, in a number of slots between these.
    fn exponent(&self, missing: f64, soonest: f64, latest: f64) -> f64 {
        let Queue { slack, variance } = self.queue;
        if missing + slack * soonest <= 0.0 {
            return 0.0;
        }
        let slots = (missing / slack).min(latest).max(soonest);
        (missing + slack * slots).powi(2) / (2.0 * variance * slots)
    }
}
