//! The probability of a rare event as a point of an experiment: its trials are runs of an estimator.

use std::ops::Range;
use std::sync::Arc;

use super::event::Event;
use super::params::{self, Estimator};
use super::score::CountScore;
use super::{Branch, Rare, metrics, splitting};
use crate::case::{Case, Cost, Means, Record};
use crate::hash::derive_seed;
use crate::keys::KeySource;
use crate::math::elementary::ln;
use crate::metric::Metric;
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::Outlook;

/// Trials for each particle that a run of splitting takes, about: as many as for a probability of 1e-9.
const RUNS_PER_PARTICLE: f64 = 20.0;

/// The least number of particles of a run of splitting that stands for one of many: with fewer it would often end before
/// its event.
const FEW_PARTICLES: u32 = 20;

/// How many times as many operations as were asked for a run of so few may have.
const LONGEST_SAMPLE: f64 = 200.0;

/// The point itself, or the probability of an event in its trials where the parameters ask for one.
///
/// # Errors
/// The first parameter that cannot be used.
pub fn read(case: Box<dyn Case>, params: &Params) -> Result<Box<dyn Case>, ParamError> {
    match params::read(params)? {
        Some((event, estimator)) => Ok(Box::new(RareCase::new(case.into(), event, estimator)?)),
        None => Ok(case),
    }
}

/// The probability of an event in the trials of a case.
#[derive(Debug)]
struct RareCase {
    case: Arc<dyn Case>,
    event: Event,
    estimator: Estimator,
    seed_text: String,
}

impl RareCase {
    /// # Errors
    /// Where the case has no trials of the event.
    fn new(case: Arc<dyn Case>, event: Event, estimator: Estimator) -> Result<Self, ParamError> {
        case.check_rare(&event)?;
        let Event { metric, beyond, ever } = event;
        let seed_text =
            format!("{}\nevent={metric}\nbeyond={beyond}\never={ever}", case.seed_text());
        Ok(Self { case, event, estimator, seed_text })
    }

    /// Whether the trials are those of the workload, which tell whether the event happened.
    fn runs_workload(&self) -> bool {
        self.estimator == Estimator::Plain && self.case.reads_count(&self.event)
    }

    fn cost_of_trial(&self, keys: &KeySource) -> Cost {
        match self.runs_workload() {
            true => self.case.cost(keys),
            false => self.case.cost_one_by_one(keys),
        }
    }

    /// Trials of the workload in one trial of the estimator, about.
    fn runs(&self) -> f64 {
        match self.estimator {
            Estimator::Plain => 1.0,
            Estimator::Splitting { particles } => RUNS_PER_PARTICLE * f64::from(particles),
        }
    }
}

impl Case for RareCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    /// One revision further than the trials of the workload since choices are made as in these in every family, and runs of
    /// splitting another one since they read their logarithms.
    fn revision(&self) -> u32 {
        let splits = matches!(self.estimator, Estimator::Splitting { .. });
        let of_trials = match self.runs_workload() {
            true => self.case.revision(),
            false => self.case.revision_one_by_one(),
        };
        of_trials + 1 + u32::from(splits)
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let Cost { operations, bytes } = self.cost_of_trial(keys);
        let bytes = bytes + CountScore::most_bytes(self.event.beyond) + self.case.rare_bytes();
        Cost { operations: operations * self.runs(), bytes }
    }

    fn arrivals(&self) -> u64 {
        self.case.arrivals()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        if self.runs_workload() {
            let mut counts = Counts { event: self.event, happened: false, out };
            return self.case.run(keys, seed, trials, &mut counts);
        }
        // What was built from it had such trials.
        let Ok(mut rare) = self.case.rare(&self.event) else { return };
        for trial in trials {
            let seed = derive_seed(seed, trial);
            match self.estimator {
                Estimator::Plain => plain(&mut *rare, seed, out),
                Estimator::Splitting { particles } => split(&mut *rare, particles, seed, out),
            }
            out.end_of_trial();
        }
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        self.case.event_outlook(&self.event)
    }

    fn at_one_moment(&self) -> bool {
        self.case.at_one_moment()
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        let counts = things == metrics::PLAIN_TRIALS && self.estimator == Estimator::Plain;
        counts.then_some(1.0)
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        self.case.columns()
    }

    fn place(&self, axis: &str) -> Option<f64> {
        self.case.place(axis)
    }

    fn always_shown(&self, _is_measured: &dyn Fn(Metric) -> bool) -> Vec<Metric> {
        vec![metrics::EVENT_PROBABILITY]
    }

    /// The same event with few particles. Where even their trials are too long, one of the workload is timed: among fewer
    /// elements the event may be so rare that a run takes longer than the one that it stands for.
    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let (event, seed_text) = (self.event, self.seed_text.clone());
        if let Estimator::Splitting { particles } = self.estimator {
            let of_particle = self.cost_of_trial(&KeySource::Random).operations * RUNS_PER_PARTICLE;
            let fewer = ((operations / of_particle) as u32).max(FEW_PARTICLES).min(particles);
            if f64::from(fewer) * of_particle <= LONGEST_SAMPLE * operations {
                let estimator = Estimator::Splitting { particles: fewer };
                return Box::new(Self {
                    case: Arc::clone(&self.case),
                    event,
                    estimator,
                    seed_text,
                });
            }
        }
        let case = self.case.shortened(operations).into();
        Box::new(Self { case, event, estimator: Estimator::Plain, seed_text })
    }
}

/// Of trials of the workload, whether the event happened.
struct Counts<'o> {
    event: Event,
    happened: bool,
    out: &'o mut dyn Record,
}

impl Record for Counts<'_> {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        if metric == self.event.metric {
            self.happened = value.is_some_and(|count| count > self.event.beyond as f64);
        }
    }

    fn end_of_trial(&mut self) {
        let chance = f64::from(u8::from(self.happened));
        self.out.reading(metrics::EVENT_PROBABILITY, Some(chance));
        self.out.end_of_trial();
    }
}

fn plain(rare: &mut dyn Rare, seed: u64, out: &mut dyn Record) {
    let chance = rare.run(&[Branch { step: 0, seed }], &mut Vec::new());
    out.reading(metrics::EVENT_PROBABILITY, Some(chance));
}

fn split(rare: &mut dyn Rare, particles: u32, seed: u64, out: &mut dyn Record) {
    let splitting::Estimate { probability, runs, extinct } =
        splitting::estimate(rare, particles, seed);
    out.reading(metrics::EVENT_PROBABILITY, Some(probability));
    out.reading(metrics::SPLITTING_RUNS, Some(runs as f64));
    out.reading(metrics::SPLITTING_EXTINCT, Some(f64::from(u8::from(extinct))));
    let logarithm = (probability > 0.0).then(|| ln(probability));
    out.reading(metrics::SPLITTING_LN_ESTIMATE, logarithm);
}
