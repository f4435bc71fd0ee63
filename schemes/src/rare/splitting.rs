//! Adaptive multilevel splitting: an unbiased estimate of the probability of a rare event.
//!
//! N trials, the particles, are run to their ends. Again and again those of the lowest peak of the score are
//! killed, and each is replaced by a copy of a surviving one, which follows that up to the first step at which it was
//! above this peak and goes on with chance of its own. Every killing takes the share of the killed from the weight
//! of those that are left, so that each level counts by how probable it is to get there.
//!
//! The estimate is unbiased for any score, any N and any rule to stop that looks at the past alone, if all
//! particles of the lowest peak are killed together and a copy leaves the path of its original *above* it:
//! Bréhier, Gazeau, Goudenège, Lelièvre and Rousset, "Unbiasedness of some generalized adaptive multilevel
//! splitting algorithms", Annals of Applied Probability 26 (2016). With the best of scores its relative variance
//! is about −ln p/N.

mod run;
mod tail;

use self::run::{Ended, Gather, Run};
pub use self::tail::{Tail, tail};
use super::{Branch, Rare, Rise};

/// Share of the estimate that what is left may still add, where splitting goes on for its sake.
const NEGLIGIBLE: f64 = 1e-4;

/// What one run of splitting estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The probability of the event.
    pub probability: f64,
    /// Trials that it took.
    pub runs: u64,
    /// Whether no particle got above the peak of the killed ones, so that none was left to be copied.
    pub extinct: bool,
}

/// Runs splitting with at least one particle; what it estimates follows from the seed alone.
pub fn estimate(rare: &mut dyn Rare, particles: u32, seed: u64) -> Estimate {
    let target = rare.target();
    let mut sum = Sum(0.0);
    let mut trial = |history: &[Branch], rises: &mut Vec<Rise>| rare.run(history, rises);
    let Ended { runs, extinct } = Run::new(&mut trial, particles, seed).gathered(target, &mut sum);
    Estimate { probability: sum.0, runs, extinct }
}

/// The probability of the event, as far as its trials are known.
struct Sum(f64);

impl Gather<f64> for Sum {
    fn add(&mut self, weight: f64, chances: impl Iterator<Item = f64>) {
        self.0 += weight * chances.sum::<f64>();
    }

    fn is_enough(&self, weight: f64) -> bool {
        weight < NEGLIGIBLE * self.0
    }
}

#[cfg(test)]
mod tests;
