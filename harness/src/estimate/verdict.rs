//! Does the measurement agree with the prediction? Judged by what the prediction's kind allows.

#[cfg(test)]
mod tests;

use std::fmt;

use loadfactor_schemes::prediction::{Events, Kind, Prediction};
use loadfactor_schemes::rare::metrics::EVENT_PROBABILITY;

use super::interval::{t_quantile, wilson};
use super::moments::Moments;
use super::splitting::splitting_interval;

/// Probability that at least one row of an experiment is judged wrongly although every
/// prediction holds.
pub const FAMILY_ERROR: f64 = 0.01;

/// Trials below which no row is judged: their spread says too little of their error.
pub const LEAST_TRIALS: u64 = 10;

/// Expected events of a row below which its observed spread is not trusted: a sample of rare
/// events is often all zeros.
pub const RARE_EVENTS: f64 = 50.0;

/// Share of a prediction that a row's room may have before the row is undecided, unless the experiment says
/// otherwise.
pub const LARGEST_ROOM: f64 = 0.1;

/// Relative distance below which two numbers are the same up to rounding.
const ROUNDING: f64 = 1e-9;

/// What a row of the table says of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Measured and predicted are no further apart than chance and the kind allow.
    Agrees,
    /// They are further apart.
    Differs,
    /// The measurement is on the bound's side.
    BoundHolds,
    /// It is beyond the bound by more than chance allows.
    BoundViolated,
    /// The prediction is that of an approximate model, and is off by more than chance.
    Off,
    /// They are no further apart than the room, but the room is so wide that this says nothing.
    Undecided,
    /// Nothing to judge: no prediction, no measurement, or fewer than [`LEAST_TRIALS`] trials.
    NoPrediction,
}

impl Verdict {
    /// Whether the measurement contradicts what claims to hold.
    pub fn contradicts(&self) -> bool {
        matches!(self, Verdict::Differs | Verdict::BoundViolated)
    }

    /// The verdict as it stands in the table.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::BoundHolds => "bound_holds",
            Verdict::BoundViolated => "bound_violated",
            Verdict::Off => "off",
            Verdict::Undecided => "undecided",
            Verdict::NoPrediction => "no_prediction",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How far apart a measurement and its prediction may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Everything that the row is allowed, in the quantity's unit: chance, what the prediction inherits, and
    /// its allowance.
    pub room: f64,
    /// The room up to which a row within it is evidence.
    pub limit: f64,
}

impl Room {
    /// The verdict on a measurement that is so far above its prediction. A row of the table holds all of it:
    ///
    /// - further apart than the room: `differs`, or `off` for an approximate model; for a bound
    ///   `bound_violated`, or `bound_holds` if it is beyond on the right side;
    /// - within the room: `agrees` or `bound_holds`; `undecided` where the room exceeds its limit.
    pub fn verdict(&self, kind: Kind, above: f64) -> Verdict {
        let within = above.abs() <= self.room;
        match kind {
            _ if within && self.room > self.limit => Verdict::Undecided,
            Kind::LowerBound if within || above > 0.0 => Verdict::BoundHolds,
            Kind::UpperBound if within || above < 0.0 => Verdict::BoundHolds,
            Kind::LowerBound | Kind::UpperBound => Verdict::BoundViolated,
            Kind::Exact | Kind::Asymptotic | Kind::Refined | Kind::Approximate if within => {
                Verdict::Agrees
            }
            Kind::Approximate => Verdict::Off,
            Kind::Exact | Kind::Asymptotic | Kind::Refined => Verdict::Differs,
        }
    }
}

/// The judge of one experiment's rows.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    level: f64,
    largest_room: f64,
}

impl Judge {
    /// A judge for so many `facts`: each is judged at the level 1 − [`FAMILY_ERROR`]/`facts`
    /// (Bonferroni), so that the table as a whole keeps [`FAMILY_ERROR`], whatever the facts'
    /// dependence. A room above `largest_room`, a share of the prediction, decides nothing.
    pub fn new(facts: usize, largest_room: f64) -> Self {
        Self { level: 1.0 - FAMILY_ERROR / facts.max(1) as f64, largest_room }
    }

    /// The room of one row; `None` where there is nothing to judge. `basis` are the moments of the
    /// measured quantity that the prediction rests on ([`Prediction::rests_on`]), whose error it inherits.
    ///
    /// - exact: the t quantile times the standard error;
    /// - asymptotic, refined and approximate: the same plus the prediction's allowance;
    /// - bounds: the same. The errors of measurement and bound are added, which covers any correlation
    ///   between the two: both come from the same trials.
    ///
    /// Where a share was 0 in all trials, or 1, their spread says nothing: it is taken for what n trials may miss. Where
    /// another quantity was 0 in all of them, such as an error that few flows have, nobody knows how large it is in a trial
    /// that has any, and no distance from 0 says anything.
    ///
    /// `events` says how the quantity counts, for samples whose spread is 0 or too small by
    /// chance: the standard error is at least that of the [`Events`] that the prediction expects. So it is where the
    /// prediction knows how a trial scatters, and few events carry its mean.
    pub fn room(
        &self,
        measured: &Moments,
        prediction: &Prediction,
        basis: Option<&Moments>,
        events: Option<Events>,
    ) -> Option<Room> {
        let (mean, std_error) = (measured.mean()?, measured.std_error()?);
        if measured.count() < LEAST_TRIALS {
            return None;
        }
        let slope = prediction.rests_on.map_or(0.0, |(_, slope)| slope);
        let inherited = basis.and_then(Moments::std_error).unwrap_or(0.0) * slope;
        let quantile = t_quantile(self.level, (measured.count() - 1) as f64);
        let (least, event) = events.map_or((0.0, 0.0), |events| {
            least_error(&events, prediction.value, measured.count() as f64)
        });
        let (scatter, carrier) = least_of_scatter(prediction, measured.count() as f64);
        let edge = if events.is_none() { self.beyond_edge(measured, prediction) } else { 0.0 };
        let std_error = std_error.max(least).max(scatter);
        let chance = quantile * (std_error + inherited.abs()) + event.max(carrier) + edge;
        let chance = chance.max(beyond_skew(measured, prediction, quantile));
        let rounding = ROUNDING * prediction.value.abs().max(mean.abs());
        let (room, limit) =
            (chance + prediction.allowance + rounding, self.largest_room * prediction.value.abs());
        let off = (mean - prediction.value).abs();
        let unseen = events.is_none() && mean == 0.0 && chance == 0.0 && off > room;
        Some(Room { room: if unseen { off + limit } else { room }, limit })
    }

    /// The room of the mean of estimates of splitting, of which these are the logarithms: as far as their interval goes on the
    /// side of the prediction, and the allowance. `None` where there are too few estimates.
    pub fn room_of_splitting(
        &self,
        estimates: &Moments,
        logarithms: &Moments,
        prediction: &Prediction,
    ) -> Option<Room> {
        let mean = estimates.mean().filter(|_| estimates.count() >= LEAST_TRIALS)?;
        let interval = splitting_interval(self.level, estimates, logarithms)?;
        let above = prediction.value > mean;
        let chance = if above { interval.high - mean } else { mean - interval.low };
        let rounding = ROUNDING * prediction.value.abs().max(mean);
        let room = chance + prediction.allowance + rounding;
        Some(Room { room, limit: self.largest_room * prediction.value.abs() })
    }

    /// How far the mean of a share may be from 0 or 1 although each of n trials gave just that: trials that differ
    /// with probability x go unseen with probability (1 − x)^n. Nothing where the prediction is that end.
    fn beyond_edge(&self, measured: &Moments, prediction: &Prediction) -> f64 {
        let is_edge = |mean: f64| mean == 0.0 || mean == 1.0;
        let is_met = |mean: f64| (mean - prediction.value).abs() <= ROUNDING * mean;
        let at_edge = measured.mean().is_some_and(|mean| is_edge(mean) && !is_met(mean));
        match at_edge && prediction.metric.is_fraction() && measured.std_error() == Some(0.0) {
            true => -libm::expm1(libm::log(1.0 - self.level) / measured.count() as f64),
            false => 0.0,
        }
    }
}

/// How far the mean of estimates of a rare event, some of which are 0, may be from a value on the side of the prediction: as
/// far as Wilson's interval goes there. Of few estimates the largest are missing, and with them most of the spread.
fn beyond_skew(measured: &Moments, prediction: &Prediction, quantile: f64) -> f64 {
    let (Some(mean), Some(std_error)) = (measured.mean(), measured.std_error()) else { return 0.0 };
    let inside = mean > 0.0 && mean < 1.0 && std_error > 0.0;
    if prediction.metric != EVENT_PROBABILITY || !inside {
        return 0.0;
    }
    let interval = wilson(mean, mean * (1.0 - mean) / (std_error * std_error), quantile);
    if prediction.value > mean { interval.high - mean } else { mean - interval.low }
}

/// The least standard error of the mean of `trials` trials where `value` is expected, and what one
/// event more or less makes of the mean.
///
/// - Fewer than 50 events expected in all trials: the error of as many Poisson events. Of an average over things
///   that each count a whole number, events are those that are off the nearest one: of a share that is close
///   to 1, those that are not in it.
/// - A whole number with mean μ varies by at least f(1 − f), f the fraction of μ: as where all but a
///   few trials give the same number.
///
/// The event counts only while so few vary that the sample may have missed them.
fn least_error(events: &Events, value: f64, trials: f64) -> (f64, f64) {
    let expected = (value * events.per_unit).max(0.0);
    let fraction = expected.fract();
    let scatter =
        if events.average { (value - value.round()).abs() * events.per_unit } else { expected };
    let rare = if scatter * trials < RARE_EVENTS { scatter } else { 0.0 };
    let whole = if events.whole { fraction * (1.0 - fraction) } else { 0.0 };
    let missed = rare > 0.0 || (events.whole && whole * trials < RARE_EVENTS);
    let error = (rare.max(whole) / trials).sqrt() / events.per_unit;
    (error, if missed { 1.0 / (events.per_unit * trials) } else { 0.0 })
}

/// The same of a prediction that knows how a trial scatters. Events of one size that come by chance have a mean of their
/// size times their number, and a variance of its square times their number: from both, size and number follow. Where
/// they are many, the sample's own spread is trusted.
fn least_of_scatter(prediction: &Prediction, trials: f64) -> (f64, f64) {
    let Prediction { value, scatter, .. } = prediction;
    let size = scatter * scatter / value;
    let expected = value / size * trials;
    let is_rare = *scatter > 0.0 && expected < RARE_EVENTS;
    if is_rare { (scatter / trials.sqrt(), size / trials) } else { (0.0, 0.0) }
}
