//! How close a trial is to a long overflow list.

use super::backlog::Backlog;
use super::decay::Decay;
use super::within::Within;
use crate::rare::score::CountScore;
use crate::tables::workloads::course::Clock;

/// The score of an overflow list, as a function of time and length.
#[derive(Debug, Clone)]
pub(super) enum Score {
    /// Of a list that grows to the end.
    Filling(CountScore),
    /// Of a list in equilibrium that counts at the end.
    AtEnd(Decay),
    /// Of a list in equilibrium that counts whenever it is long: how probable that is.
    Within(Within),
    /// Of a list behind a queue.
    Queued(Backlog),
}

impl Score {
    /// Of a list of this mean length in equilibrium.
    pub(super) fn in_equilibrium(beyond: u32, ever: bool, mean: f64, clock: Clock) -> Self {
        match ever {
            true => Score::Within(Within::new(beyond, mean, clock)),
            false => Score::AtEnd(Decay::new(beyond, mean, clock)),
        }
    }

    /// The first tick after which it says anything.
    pub(super) fn begin(&self, clock: &Clock) -> u64 {
        match self {
            Score::Filling(_) | Score::Queued(_) => 0,
            Score::AtEnd(_) => Decay::begin(clock),
            Score::Within(_) => Within::begin(clock),
        }
    }

    /// The score after a tick with a list of this length.
    pub(super) fn after(&self, tick: u64, length: u32) -> f64 {
        match self {
            Score::Filling(score) => score.after(tick, length.into()),
            Score::AtEnd(score) => score.after(tick, length),
            Score::Within(score) => score.after(tick, length),
            Score::Queued(score) => score.after(tick, length),
        }
    }
}
