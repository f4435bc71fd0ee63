//! What of a definition is timed together.

use loadfactor_schemes::hash::derive_seed;
use loadfactor_schemes::keys::KeySource;
use loadfactor_schemes::timed::{Operation, Timed, Untimed};

use super::{TimingError, Unsampled};
use crate::definition::{Experiment, Point, Timing};
use crate::memory;
use crate::plan::{key_source, seed_of_point};
use crate::report::points::Varying;
use crate::trace::LoadedTrace;

/// Operations before each sample whose time is not taken, as a share of those of the sample: they bring what the
/// other series pushed out of the caches back.
pub(super) const WARM_UP: f64 = 0.25;

/// An experiment whose structures are ready to be made.
#[derive(Debug)]
pub struct TimedPlan<'e> {
    /// The experiment.
    pub experiment: &'e Experiment,
    /// What of it is timed.
    pub timing: &'e Timing,
    /// The trace that its keys are from, if they are.
    pub trace: Option<&'e LoadedTrace>,
    /// The places of the sweep, in its order.
    pub places: Vec<Place>,
    /// The keys of each point of the experiment.
    keys: Vec<KeySource>,
}

/// A place of the sweep, at which every series has a structure: those are timed in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What varies, with its value here, for each series.
    pub at: Vec<String>,
    /// The point of each series, in their order.
    pub points: Vec<usize>,
    /// Bytes of all structures together with their keys, about.
    pub bytes: u64,
}

impl<'e> TimedPlan<'e> {
    /// The plan of an experiment with its trace.
    ///
    /// # Errors
    /// Where the definition has no `[time]`, a point has nothing that can be timed, or its trace is missing.
    pub fn new(
        experiment: &'e Experiment,
        trace: Option<&'e LoadedTrace>,
    ) -> Result<Self, TimingError> {
        let untimed = || TimingError::NoTime(experiment.name.clone());
        let timing = experiment.timing.as_ref().ok_or_else(untimed)?;
        check_queries(experiment, timing)?;
        let keys = experiment
            .points
            .iter()
            .map(|point| key_source(&point.params, trace))
            .collect::<Result<Vec<_>, _>>()?;
        let varying = Varying::new(experiment);
        let of_series = |series: usize| {
            let points = experiment.points.iter().enumerate();
            points.filter(move |(_, point)| point.series == series).map(|(index, _)| index)
        };
        let mut places = Vec::new();
        for place in 0..of_series(timing.baseline).count() {
            let series = 0..experiment.series.len();
            let points: Vec<usize> = series.filter_map(|own| of_series(own).nth(place)).collect();
            let at = points.iter().map(|&point| varying.describe(point)).collect();
            let mut bytes: u64 = 0;
            for &index in &points {
                let point = &experiment.points[index];
                let own = point.case.timed_bytes(&keys[index]);
                bytes = bytes.saturating_add(own.map_err(not_timed(experiment, point))?);
            }
            places.push(Place { at, points, bytes });
        }
        Ok(Self { experiment, timing, trace, places, keys })
    }

    /// Bytes of the structures that are there at once, at the place where they are largest.
    pub fn bytes(&self) -> u64 {
        self.places.iter().map(|place| place.bytes).max().unwrap_or(0)
    }

    /// Refuses structures that do not fit into memory together.
    ///
    /// # Errors
    /// [`TimingError::Memory`].
    pub fn check_memory(&self) -> Result<(), TimingError> {
        match memory::available() {
            Some(available) if self.bytes() > available => {
                Err(TimingError::Memory { bytes: self.bytes(), available })
            }
            _ => Ok(()),
        }
    }

    /// Operations of structures that are measured: the rows of the tables of times.
    pub fn rows(&self) -> usize {
        self.experiment.points.len() * self.timing.operations.len()
    }

    /// Seconds of all samples, about: those of the warm-up included, and not the time that structures take to be
    /// made, filled and emptied.
    pub fn seconds_of_samples(&self) -> f64 {
        let Timing { samples, milliseconds, .. } = self.timing;
        self.rows() as f64 * f64::from(*samples) * milliseconds / 1e3 * (1.0 + WARM_UP)
    }

    /// The structure of a point, with the keys and hash functions of this layout.
    ///
    /// # Errors
    /// Where there is nothing to time.
    pub fn structure(&self, index: usize, layout: u32) -> Result<Box<dyn Timed>, TimingError> {
        let point = &self.experiment.points[index];
        let seed = seed_of_point(&*point.case, derive_seed(self.experiment.seed, layout.into()));
        let structure = point.case.timed(&self.keys[index], seed);
        structure.map_err(|reason| match (&self.keys[index], reason) {
            (KeySource::Trace { keys, .. }, Untimed::TOO_FEW_KEYS) => TimingError::TooFewKeys {
                series: self.experiment.series[point.series].clone(),
                distinct: keys.distinct(),
            },
            (_, reason) => not_timed(self.experiment, point)(reason),
        })
    }
}

/// Refuses misses of which the definition already says that nothing is asked. How many keys of a trace are absent is
/// known once they are drawn.
fn check_queries(experiment: &Experiment, timing: &Timing) -> Result<(), TimingError> {
    let asks_nothing = |point: &&Point| matches!(point.params.integer("queries"), Ok(0));
    let operation = Operation::Miss;
    match experiment.points.iter().find(asks_nothing) {
        Some(point) if timing.operations.contains(&operation) => Err(TimingError::Unsampled {
            series: experiment.series[point.series].clone(),
            operation,
            reason: Unsampled::NothingAbsent,
        }),
        _ => Ok(()),
    }
}

/// Refuses what the definition alone says cannot be timed. What depends on the keys of a trace is known once it is read.
///
/// # Errors
/// Where a point has nothing that can be timed, or absent keys are timed of which none is asked.
pub fn check_definition(experiment: &Experiment) -> Result<(), TimingError> {
    let Some(timing) = &experiment.timing else { return Ok(()) };
    check_queries(experiment, timing)?;
    for point in &experiment.points {
        let keys = match point.is_of_trace() {
            false => key_source(&point.params, None)?,
            // Without a hash function nothing is timed, whatever the keys are.
            true if point.hash == "random" => KeySource::Random,
            true => continue,
        };
        point.case.timed_bytes(&keys).map_err(not_timed(experiment, point))?;
    }
    Ok(())
}

/// What went wrong with a point, given why.
fn not_timed(experiment: &Experiment, point: &Point) -> impl FnOnce(Untimed) -> TimingError {
    let series = experiment.series[point.series].clone();
    move |reason| TimingError::NotTimed { series, reason }
}
