//! The highest score of a trial so far.

use super::Rise;

/// Takes note of each step after which the score is higher than at any time before.
#[derive(Debug)]
pub struct Peak<'r> {
    rises: &'r mut Vec<Rise>,
    score: f64,
}

impl<'r> Peak<'r> {
    /// After the last of these rises, or before the first step where there are none; further ones are pushed here.
    pub fn new(rises: &'r mut Vec<Rise>) -> Self {
        let score = rises.last().map_or(f64::NEG_INFINITY, |rise| rise.score);
        Self { rises, score }
    }

    /// All rises so far.
    pub fn rises(&self) -> &[Rise] {
        self.rises
    }

    /// Whether a step with this score would be a rise.
    #[inline]
    pub fn is_below(&self, score: f64) -> bool {
        score > self.score
    }

    /// The score after a step.
    #[inline]
    pub fn look_at(&mut self, step: u64, score: f64) {
        if score > self.score {
            self.rises.push(Rise { step, score });
            self.score = score;
        }
    }
}
