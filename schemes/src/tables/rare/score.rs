//! How close a trial is to a long overflow list.

use super::decay::Decay;
use super::steps::Steps;
use super::within::Within;
use crate::rare::score::CountScore;

/// The score of an overflow list, as a function of time and length.
#[derive(Debug, Clone)]
pub(super) enum Score {
    /// Of a list that grows to the end.
    Filling(CountScore),
    /// Of a list in equilibrium that counts at the end.
    AtEnd(Decay),
    /// Of a list in equilibrium that counts whenever it is long: how probable that is.
    Within(Within),
}

impl Score {
    /// The first step after which it says anything.
    pub(super) fn begin(&self, steps: &Steps) -> u64 {
        match self {
            Score::Filling(_) | Score::AtEnd(_) => 0,
            Score::Within(_) => Within::begin(steps),
        }
    }

    /// The score after a step with a list of this length.
    pub(super) fn after(&self, step: u64, length: u32) -> f64 {
        match self {
            Score::Filling(score) => score.after(step, length.into()),
            Score::AtEnd(score) => score.after(step, length),
            Score::Within(score) => score.after(step, length),
        }
    }
}
