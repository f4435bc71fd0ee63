//! The score of a count that adds up: how probable it is, roughly, that it gets beyond its limit.

use crate::math::elementary::{exp, ln, ln_1p};

/// The logarithm of a probability of 1: the score from which on splitting is of no use.
pub const CERTAIN: f64 = 0.0;

/// Standard deviations above the mean up to which the terms of a Poisson law are summed.
const DEVIATIONS: f64 = 12.0;

/// The logarithm of a Poisson tail, as a function of time and count: the probability that what is still expected
/// amounts to what is still missing.
#[derive(Debug, Clone)]
pub struct CountScore {
    beyond: u64,
    steps: u64,
    /// At `i` intervals of time, ln P(Poisson ≥ k) for what is left then; k = 0, 1, …, `beyond` + 1.
    tails: Vec<Vec<f64>>,
}

/// Points in time of the score that has most of them, that of an overflow list.
const MOST_POINTS: u64 = 257;

impl CountScore {
    /// Bytes that a score takes at most.
    pub(super) fn most_bytes(beyond: u64) -> u64 {
        MOST_POINTS * size_of::<f64>() as u64 * (beyond + 2)
    }

    /// A score of a trial of so many steps. `left` is how much is expected to be added from the beginning on, and
    /// after each of equally long intervals of time, at least one; what is left at the end is taken for some of
    /// what the last interval adds.
    pub fn new(beyond: u64, steps: u64, left: &[f64]) -> Self {
        let least = left.iter().copied().filter(|&left| left > 0.0).fold(1.0, f64::min) / 2.0;
        let tails = left.iter().map(|&left| ln_tails(left.max(least), beyond + 1)).collect();
        Self { beyond, steps, tails }
    }

    /// The score after a step with so many counted.
    pub fn after(&self, step: u64, count: u64) -> f64 {
        let Some(missing) = (self.beyond + 1).checked_sub(count).filter(|&missing| missing > 0)
        else {
            return CERTAIN;
        };
        let intervals = self.tails.len() - 1;
        let time = (step + 1) as f64 / self.steps as f64 * intervals as f64;
        let i = (time as usize).min(intervals.saturating_sub(1));
        let at = |i: usize| self.tails[i.min(intervals)][missing as usize];
        at(i) + (time - i as f64) * (at(i + 1) - at(i))
    }
}

/// ln P(N ≥ k) for k = 0, 1, …, `last`, where N is Poisson with this mean above 0.
fn ln_tails(mean: f64, last: u64) -> Vec<f64> {
    let last = last as usize;
    let end = last.max((mean + DEVIATIONS * mean.sqrt()) as usize) + DEVIATIONS as usize;
    let ln_terms = (0..=end).scan(-mean, |ln_term, k| {
        *ln_term += if k == 0 { 0.0 } else { ln(mean / k as f64) };
        Some(*ln_term)
    });
    let mut tails: Vec<f64> = ln_terms.collect();
    for k in (0..end).rev() {
        let (more, less) = (tails[k].max(tails[k + 1]), tails[k].min(tails[k + 1]));
        tails[k] = (more + ln_1p(exp(less - more))).min(CERTAIN);
    }
    tails.truncate(last + 1);
    tails
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::poisson;

    #[test]
    fn tails_are_those_of_the_poisson_law() {
        for mean in [1e-3, 0.7, 20.0, 900.0] {
            let tails = ln_tails(mean, 1100);
            for k in [1, 3, 40, 880, 1100] {
                let exact = poisson::exceeds(mean, k - 1);
                let found = exp(tails[k as usize]);
                assert!(
                    (found - exact).abs() <= 1e-9 * exact + 1e-300,
                    "{mean} {k}: {found} {exact}"
                );
            }
            assert!(tails[0].abs() < 1e-12 && tails[0] <= CERTAIN);
        }
    }

    /// More is better, the same number earlier is better, and beyond the limit there is nothing better.
    #[test]
    fn the_score_rises_with_the_count_and_falls_with_time() {
        let left: Vec<f64> = (0..=20).map(|i| 3.0 * (1.0 - f64::from(i) / 20.0)).collect();
        let score = CountScore::new(9, 1000, &left);
        for (step, count) in [(0, 0), (100, 2), (999, 8), (500, 9)] {
            assert!(score.after(step, count) < score.after(step, count + 1), "{step} {count}");
        }
        assert!(score.after(100, 4) > score.after(101, 4));
        assert_eq!([10, 11].map(|count| score.after(5, count)), [CERTAIN; 2]);
    }
}
