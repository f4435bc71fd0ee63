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

use rand::{Rng as _, SeedableRng};

use super::{Branch, Rare, Rise};
use crate::Rng;
use crate::hash::{derive_seed, reduce};

/// Share of the estimate that what is left may still add, where splitting goes on for its sake.
const NEGLIGIBLE: f64 = 1e-4;

/// The least weight that is split further. What is left then counts as it is.
const LEAST_WEIGHT: f64 = 1e-300;

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
    Run::new(rare, particles, seed).estimate()
}

/// One trial, and what is known of it.
#[derive(Debug, Clone, Default)]
struct Particle {
    history: Vec<Branch>,
    rises: Vec<Rise>,
    /// Probability of the event at its end.
    chance: f64,
}

impl Particle {
    /// The highest score of the trial.
    fn peak(&self) -> f64 {
        self.rises.last().map_or(f64::NEG_INFINITY, |rise| rise.score)
    }

    /// The history of a copy that leaves after the first step above `level`.
    fn branched(&self, level: f64, seed: u64, history: &mut Vec<Branch>) {
        let above = self.rises.partition_point(|rise| rise.score <= level);
        let step = self.rises.get(above).map_or(0, |rise| rise.step + 1);
        history.clear();
        history.extend(self.history.iter().take_while(|branch| branch.step < step));
        history.push(Branch { step, seed });
    }
}

struct Run<'r> {
    rare: &'r mut dyn Rare,
    particles: Vec<Particle>,
    seed: u64,
    /// Which survivor is copied.
    choice: Rng,
    runs: u64,
}

impl<'r> Run<'r> {
    fn new(rare: &'r mut dyn Rare, particles: u32, seed: u64) -> Self {
        let particles = vec![Particle::default(); particles.max(1) as usize];
        let choice = Rng::seed_from_u64(derive_seed(seed, 0));
        let mut run = Self { rare, particles, seed, choice, runs: 0 };
        for i in 0..run.particles.len() {
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
        particle.chance = self.rare.run(&particle.history, &mut particle.rises);
    }

    fn estimate(mut self) -> Estimate {
        let number = self.particles.len() as f64;
        let target = self.rare.target();
        let (mut sum, mut weight) = (0.0, 1.0);
        loop {
            let level = self.particles.iter().map(Particle::peak).fold(f64::INFINITY, f64::min);
            if level >= target || weight < NEGLIGIBLE * sum || weight < LEAST_WEIGHT {
                break;
            }
            let survivors = self.survivors(level);
            let killed = self.particles.iter().filter(|particle| particle.peak() <= level);
            sum += weight / number * killed.map(|particle| particle.chance).sum::<f64>();
            if survivors.is_empty() {
                return Estimate { probability: sum, runs: self.runs, extinct: true };
            }
            weight *= survivors.len() as f64 / number;
            self.replace(level, &survivors);
        }
        sum += weight / number * self.particles.iter().map(|particle| particle.chance).sum::<f64>();
        Estimate { probability: sum, runs: self.runs, extinct: false }
    }

    /// The particles that got above the level.
    fn survivors(&self, level: f64) -> Vec<usize> {
        let is_above = |&i: &usize| self.particles[i].peak() > level;
        (0..self.particles.len()).filter(is_above).collect()
    }

    /// Puts copies of survivors in the place of all others.
    fn replace(&mut self, level: f64, survivors: &[usize]) {
        let mut next_survivor = survivors.iter().peekable();
        for i in 0..self.particles.len() {
            if next_survivor.next_if_eq(&&i).is_some() {
                continue;
            }
            let original =
                survivors[reduce(self.choice.next_u64(), survivors.len() as u32) as usize];
            let seed = self.next_seed();
            let mut history = std::mem::take(&mut self.particles[i].history);
            self.particles[original].branched(level, seed, &mut history);
            self.particles[i].history = history;
            self.run(i);
        }
    }
}

#[cfg(test)]
mod tests;
