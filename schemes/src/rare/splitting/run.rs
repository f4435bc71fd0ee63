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
        let mut run = Self { trial, particles, seed, choice, runs: 0 };
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
    }

    /// Splits until all particles are at the target, or what is gathered is enough.
    pub(super) fn gathered(mut self, target: f64, all: &mut impl Gather<O>) -> Ended {
        let number = self.particles.len() as f64;
        let mut weight = 1.0;
        loop {
            let level = self.particles.iter().map(Particle::peak).fold(f64::INFINITY, f64::min);
            if level >= target || all.is_enough(weight) || weight < LEAST_WEIGHT {
                break;
            }
            let survivors = self.survivors(level);
            let killed = self.particles.iter().filter(|particle| particle.peak() <= level);
            all.add(weight / number, killed.map(|particle| particle.outcome));
            if survivors.is_empty() {
                return Ended { runs: self.runs, extinct: true };
            }
            weight *= survivors.len() as f64 / number;
            self.replace(level, &survivors);
        }
        all.add(weight / number, self.particles.iter().map(|particle| particle.outcome));
        Ended { runs: self.runs, extinct: false }
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
