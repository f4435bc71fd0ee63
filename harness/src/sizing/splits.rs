//! Runs of splitting that aim at one length of the overflow list.

use loadfactor_schemes::case::Case;
use loadfactor_schemes::hash::derive_seed;
use loadfactor_schemes::rare::splitting::{Tail, tail};
use loadfactor_schemes::rare::{Event, NotRare};
use loadfactor_schemes::tables::metrics::OVERFLOW_ELEMENTS;
use rayon::prelude::*;

use super::budget::Budget;
use crate::estimate::interval::Interval;
use crate::estimate::moments::Moments;
use crate::estimate::share::share_interval_at;
use crate::estimate::splitting::splitting_interval;

/// Trials that one run keeps side by side.
pub const PARTICLES: u32 = 200;

/// What runs of splitting say of the probabilities that the list gets longer than so many elements.
pub(super) struct Splits<'c> {
    case: &'c dyn Case,
    /// The length at which they aim.
    pub(super) aim: u32,
    seed: u64,
    tails: Vec<Tail>,
}

impl<'c> Splits<'c> {
    /// None so far.
    pub(super) fn at(case: &'c dyn Case, aim: u32, seed: u64) -> Self {
        Self { case, aim, seed, tails: Vec::new() }
    }

    /// Goes on until there are so many runs, on all cores; what they say does not depend on their number. Whether there
    /// was time for all of them: if not, there are as many as before.
    ///
    /// # Errors
    /// Where the case has no such trials.
    pub(super) fn go_on(&mut self, until: u64, budget: Budget<'_>) -> Result<bool, NotRare> {
        let event = Event { metric: OVERFLOW_ELEMENTS, beyond: self.aim.into(), ever: true };
        let run = |number: u64| {
            let mut trials = self.case.counted(&event)?;
            let seed = derive_seed(self.seed, number);
            Ok(tail(&mut *trials, PARTICLES, seed, &|| !budget.is_over()))
        };
        let numbers = self.tails.len() as u64..until;
        let more: Vec<Option<Tail>> = numbers.into_par_iter().map(run).collect::<Result<_, _>>()?;
        let more: Option<Vec<Tail>> = more.into_iter().collect();
        let is_done = more.is_some();
        self.tails.extend(more.into_iter().flatten());
        Ok(is_done)
    }

    /// Runs.
    pub(super) fn runs(&self) -> u64 {
        self.tails.len() as u64
    }

    /// Trials of the table in all runs.
    pub(super) fn trials(&self) -> u64 {
        self.tails.iter().map(|tail| tail.runs).sum()
    }

    /// What each run estimates.
    fn estimates(&self, length: u32) -> impl Iterator<Item = f64> {
        self.tails.iter().map(move |tail| tail.exceeds(length.into()))
    }

    fn moments(&self, length: u32) -> Moments {
        self.estimates(length).collect()
    }

    /// The probability of a list that is longer than this one, which is no longer than the aim.
    pub(super) fn exceeds(&self, length: u32) -> f64 {
        self.moments(length).mean().unwrap_or(0.0)
    }

    /// Its interval: from the logarithms of the estimates, or Wilson's where one of these is 0; everything that can be,
    /// where there are too few runs for one.
    pub(super) fn interval(&self, level: f64, length: u32) -> Interval {
        let estimates = self.moments(length);
        let positive = self.estimates(length).filter(|estimate| *estimate > 0.0);
        let logarithms: Moments = positive.map(libm::log).collect();
        let interval = match logarithms.count() == estimates.count() {
            true => splitting_interval(level, &estimates, &logarithms),
            false => share_interval_at(level, &estimates, None),
        };
        interval.unwrap_or(Interval { low: 0.0, high: 1.0 })
    }

    /// The shortest list, up to the aim, of which `is_enough` says so.
    pub(super) fn shortest(&self, is_enough: impl Fn(u32) -> bool) -> Option<u32> {
        (0..=self.aim).rev().take_while(|&length| is_enough(length)).last()
    }
}
