//! A run of splitting, whatever is made of its trials.

use rand::{Rng as _, SeedableRng};

use super::super::{Branch, Rise};
use crate::Rng;
use crate::hash::{derive_seed, reduce};

/// The least weight that is split further. What is left then counts as it is.
const LEAST_WEIGHT: f64 = 1e-300;

/// Runs the trial of a history, pushes its rises and returns what came of it.
pub(super) type Trial<'t, O> = dyn FnMut(&[Branch], &mut Vec<Rise>) -> O + 't;

/// What is made of the trials of a run.
pub(super) trait Gather<O> {
    /// Takes what came of trials that have this weight each.
    fn add(&mut self, weight: f64, outcomes: impl Iterator<Item = O>);

    /// Whether trials of this weight in all need not be split any more.
    fn is_enough(&self, weight: f64) -> bool;
}

/// One trial, and what is known of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Particle<O> {
    pub(super) history: Vec<Branch>,
    pub(super) rises: Vec<Rise>,
    /// What came of it.
    pub(super) outcome: O,
}

impl<O> Particle<O> {
    /// The highest score of the trial.
    fn peak(&self) -> f64 {
        self.rises.last().map_or(f64::NEG_INFINITY, |rise| rise.score)
    }

    /// The history of a copy that leaves after the first step above `level`.
    pub(super) fn branched(&self, level: f64, seed: u64, history: &mut Vec<Branch>) {
        let above = self.rises.partition_point(|rise| rise.score <= level);
        let step = self.rises.get(above).map_or(0, |rise| rise.step + 1);
        history.clear();
        history.extend(self.history.iter().take_while(|branch| branch.step < step));
        history.push(Branch { step, seed });
    }
}

/// How a run ended.
pub(super) struct Ended {
    /// Trials that it took.
    pub(super) runs: u64,
    /// Whether nothing got above the peak of the killed particles.
    pub(super) extinct: bool,
}

pub(super) struct Run<'r, 't, O> {
    trial: &'r mut Trial<'t, O>,
    particles: Vec<Particle<O>>,
    /// The highest score of each.
    peaks: Vec<f64>,
    seed: u64,
    /// Which survivor is copied.
    choice: Rng,
    runs: u64,
}

impl<'r, 't, O: Copy + Default> Run<'r, 't, O> {
    pub(super) fn new(trial: &'r mut Trial<'t, O>, particles: u32, seed: u64) -> Self {
        let number = particles.max(1) as usize;
        let particles = (0..number).map(|_| Particle::default()).collect();
        let choice = Rng::seed_from_u64(derive_seed(seed, 0));
        let peaks = vec![f64::NEG_INFINITY; number];
        let mut run = Self { trial, particles, peaks, seed, choice, runs: 0 };
        for i in 0..number {
            let seed = run.next_seed();
            run.particles[i].history.push(Branch { step: 0, seed });
            run.run(i);
        }
        run
    }

    /// A seed that no other branch of this run has.
    fn next_seed(&mut self) -> u64 {
        self.runs += 1;
        derive_seed(self.seed, self.runs)
    }

    /// Runs the trial of one particle.
    fn run(&mut self, i: usize) {
        let particle = &mut self.particles[i];
        particle.rises.clear();
        particle.outcome = (self.trial)(&particle.history, &mut particle.rises);
        self.peaks[i] = particle.peak();
    }

    /// Splits until all particles are at the target, or what is gathered is enough.
    pub(super) fn gathered(mut self, target: f64, all: &mut impl Gather<O>) -> Ended {
        let number = self.particles.len();
        let (mut weight, mut killed) = (1.0, Killed::default());
        loop {
            let level = least(&self.peaks);
            if level >= target || all.is_enough(weight) || weight < LEAST_WEIGHT {
                break;
            }
            killed.find(&self.peaks, level);
            let outcomes = killed.particles.iter().map(|&i| self.particles[i].outcome);
            all.add(weight / number as f64, outcomes);
            let survivors = number - killed.particles.len();
            if survivors == 0 {
                return Ended { runs: self.runs, extinct: true };
            }
            weight *= survivors as f64 / number as f64;
            self.replace(level, &killed, survivors as u32);
        }
        let outcomes = self.particles.iter().map(|particle| particle.outcome);
        all.add(weight / number as f64, outcomes);
        Ended { runs: self.runs, extinct: false }
    }

    /// Puts copies of survivors, of which there are so many, in the place of all others.
    fn replace(&mut self, level: f64, killed: &Killed, survivors: u32) {
        for &i in &killed.particles {
            let original = killed.survivor(reduce(self.choice.next_u64(), survivors) as usize);
            let seed = self.next_seed();
            let mut history = std::mem::take(&mut self.particles[i].history);
            self.particles[original].branched(level, seed, &mut history);
            self.particles[i].history = history;
            self.run(i);
        }
    }
}

/// Particles that did not get above a level: few of all, as a rule, so that survivors are not listed.
#[derive(Debug, Default)]
struct Killed {
    /// In order.
    particles: Vec<usize>,
    /// Before each of them, how many survivors there are.
    survivors_before: Vec<usize>,
}

impl Killed {
    fn find(&mut self, peaks: &[f64], level: f64) {
        self.particles.clear();
        self.particles.extend((0..peaks.len()).filter(|&i| peaks[i] <= level));
        self.survivors_before.clear();
        self.survivors_before.extend((0..).zip(&self.particles).map(|(before, i)| i - before));
    }

    /// The survivor before which there are so many others of them.
    fn survivor(&self, rank: usize) -> usize {
        rank + self.survivors_before.partition_point(|&before| before <= rank)
    }
}

/// The least of these, of several side by side: one after the other would each have to wait for the one before.
fn least(peaks: &[f64]) -> f64 {
    let (together, last) = peaks.as_chunks::<8>();
    let mut least = [f64::INFINITY; 8];
    for peaks in together {
        least.iter_mut().zip(peaks).for_each(|(least, &peak)| *least = least.min(peak));
    }
    least.iter().chain(last).copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Survivors in order are those that were not killed, and the least peak is that of some particle.
        #[test]
        fn survivors_are_all_others(peaks in prop::collection::vec(0_u8..6, 1..60), level in 0_u8..6) {
            let peaks: Vec<f64> = peaks.into_iter().map(f64::from).collect();
            prop_assert_eq!(Some(least(&peaks)), peaks.iter().copied().min_by(f64::total_cmp));
            let mut killed = Killed::default();
            killed.find(&peaks, level.into());
            let expected: Vec<usize> =
                (0..peaks.len()).filter(|&i| peaks[i] > level.into()).collect();
            let number = peaks.len() - killed.particles.len();
            let survivors: Vec<usize> = (0..number).map(|rank| killed.survivor(rank)).collect();
            prop_assert_eq!(survivors, expected);
        }
    }
}
