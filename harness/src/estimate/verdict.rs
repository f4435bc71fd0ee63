//! Does the measurement agree with the prediction? Judged by what the prediction's kind allows.

use std::fmt;

use loadfactor_schemes::prediction::{Events, Kind, Prediction};

use super::interval::t_quantile;
use super::moments::Moments;

/// Probability that at least one row of an experiment is judged wrongly although every
/// prediction holds.
pub const FAMILY_ERROR: f64 = 0.01;

/// Trials below which no row is judged: their spread says too little of their error.
pub const LEAST_TRIALS: u64 = 10;

/// Expected events of a row below which its observed spread is not trusted: a sample of rare
/// events is often all zeros.
pub const RARE_EVENTS: f64 = 50.0;

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
    /// Nothing to judge: no prediction, no measurement, or fewer than [`LEAST_TRIALS`] trials.
    NoPrediction,
}

impl Verdict {
    /// The verdict as it stands in the table.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::BoundHolds => "bound_holds",
            Verdict::BoundViolated => "bound_violated",
            Verdict::NoPrediction => "no_prediction",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The judge of one experiment's rows.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    level: f64,
}

impl Judge {
    /// A judge for `rows` rows: each is judged at the level 1 − [`FAMILY_ERROR`]/`rows`
    /// (Bonferroni), so that the table as a whole keeps [`FAMILY_ERROR`], whatever the rows'
    /// dependence.
    pub fn new(rows: usize) -> Self {
        Self { level: 1.0 - FAMILY_ERROR / rows.max(1) as f64 }
    }

    /// The verdict on one row. `basis` are the moments of the measured quantity that the prediction
    /// rests on ([`Prediction::rests_on`]), whose error it inherits.
    ///
    /// - exact: |measured − predicted| within the t quantile times the standard error;
    /// - asymptotic and approximate: the same plus the prediction's allowance;
    /// - bounds: beyond the bound by no more than that. The errors of measurement and bound are
    ///   added, which covers any correlation between the two: both come from the same trials.
    ///
    /// `events` says how the quantity counts, for samples whose spread is 0 or too small by
    /// chance: the standard error is at least that of the [`Events`] that the prediction expects.
    pub fn judge(
        &self,
        measured: &Moments,
        prediction: &Prediction,
        basis: Option<&Moments>,
        events: Option<Events>,
    ) -> Verdict {
        let (Some(mean), Some(std_error)) = (measured.mean(), measured.std_error()) else {
            return Verdict::NoPrediction;
        };
        if measured.count() < LEAST_TRIALS {
            return Verdict::NoPrediction;
        }
        let slope = prediction.rests_on.map_or(0.0, |(_, slope)| slope);
        let inherited = basis.and_then(Moments::std_error).unwrap_or(0.0) * slope;
        let quantile = t_quantile(self.level, (measured.count() - 1) as f64);
        let (least, event) = events.map_or((0.0, 0.0), |events| {
            least_error(&events, prediction.value, measured.count() as f64)
        });
        let chance = quantile * (std_error.max(least) + inherited.abs()) + event;
        let rounding = ROUNDING * prediction.value.abs().max(mean.abs());
        let room = chance + prediction.allowance + rounding;
        let above = mean - prediction.value;
        match prediction.kind {
            Kind::Exact | Kind::Asymptotic | Kind::Refined | Kind::Approximate
                if above.abs() <= room =>
            {
                Verdict::Agrees
            }
            Kind::Exact | Kind::Asymptotic | Kind::Refined | Kind::Approximate => Verdict::Differs,
            Kind::LowerBound if above >= -room => Verdict::BoundHolds,
            Kind::UpperBound if above <= room => Verdict::BoundHolds,
            Kind::LowerBound | Kind::UpperBound => Verdict::BoundViolated,
        }
    }
}

/// The least standard error of the mean of `trials` trials where `value` is expected, and what one
/// event more or less makes of the mean.
///
/// - Fewer than 50 events expected in all trials: the error of as many Poisson events.
/// - A whole number with mean μ varies by at least f(1 − f), f the fraction of μ: as where all but a
///   few trials give the same number.
///
/// The event counts only while so few vary that the sample may have missed them.
fn least_error(events: &Events, value: f64, trials: f64) -> (f64, f64) {
    let expected = (value * events.per_unit).max(0.0);
    let fraction = expected.fract();
    let rare = if expected * trials < RARE_EVENTS { expected } else { 0.0 };
    let whole = if events.whole { fraction * (1.0 - fraction) } else { 0.0 };
    let missed = rare > 0.0 || (events.whole && whole * trials < RARE_EVENTS);
    let error = (rare.max(whole) / trials).sqrt() / events.per_unit;
    (error, if missed { 1.0 / (events.per_unit * trials) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::Rng;
    use loadfactor_schemes::tables::metrics;
    use rand::{RngExt, SeedableRng};

    fn sample(center: f64) -> Moments {
        let around = [-0.02, -0.01, 0.0, 0.01, 0.02];
        around.into_iter().chain(around).map(|x| center + x).collect()
    }

    fn prediction(kind: Kind, value: f64, allowance: f64) -> Prediction {
        let metric = metrics::OVERFLOW_FRACTION;
        Prediction { metric, value, kind, source: "test", allowance, rests_on: None }
    }

    fn verdict(kind: Kind, value: f64, allowance: f64) -> Verdict {
        Judge::new(1).judge(&sample(0.5), &prediction(kind, value, allowance), None, None)
    }

    #[test]
    fn an_exact_prediction_has_only_chance_for_an_excuse() {
        assert_eq!(verdict(Kind::Exact, 0.51, 0.0), Verdict::Agrees);
        assert_eq!(verdict(Kind::Exact, 0.55, 0.0), Verdict::Differs);
        assert_eq!(verdict(Kind::Asymptotic, 0.54, 0.03), Verdict::Agrees);
        assert_eq!(verdict(Kind::Asymptotic, 0.58, 0.03), Verdict::Differs);
    }

    #[test]
    fn a_bound_is_judged_on_its_side_only() {
        assert_eq!(verdict(Kind::LowerBound, 0.1, 0.0), Verdict::BoundHolds);
        assert_eq!(verdict(Kind::LowerBound, 0.6, 0.0), Verdict::BoundViolated);
        assert_eq!(verdict(Kind::UpperBound, 0.6, 0.0), Verdict::BoundHolds);
        assert_eq!(verdict(Kind::UpperBound, 0.1, 0.0), Verdict::BoundViolated);
    }

    #[test]
    fn more_rows_need_stronger_evidence() {
        let lone = Judge::new(1);
        let crowd = Judge::new(1000);
        let prediction = prediction(Kind::Exact, 0.535, 0.0);
        assert_eq!(lone.judge(&sample(0.5), &prediction, None, None), Verdict::Differs);
        assert_eq!(crowd.judge(&sample(0.5), &prediction, None, None), Verdict::Agrees);
    }

    #[test]
    fn a_bound_inherits_the_error_of_what_it_rests_on() {
        let mut bound = prediction(Kind::LowerBound, 0.6, 0.0);
        bound.rests_on = Some((metrics::ACCESSES_PER_INSERTION, -1.0));
        let accesses: Moments = [1.9, 2.0, 2.1].into_iter().collect();
        let verdict = Judge::new(1).judge(&sample(0.5), &bound, Some(&accesses), None);
        assert_eq!(verdict, Verdict::BoundHolds);
    }

    #[test]
    fn no_event_where_one_is_expected_is_no_contradiction() {
        let nothing: Moments = [0.0; 10].into_iter().collect();
        let judge = |value, events| {
            Judge::new(1).judge(&nothing, &prediction(Kind::Exact, value, 0.0), None, events)
        };
        let average = Events { per_unit: 1000.0, whole: false };
        assert_eq!(judge(1e-4, Some(average)), Verdict::Agrees);
        assert_eq!(judge(1e-4, None), Verdict::Differs);
        assert_eq!(judge(3e-3, Some(average)), Verdict::Differs);
    }

    #[test]
    fn ten_equal_counts_do_not_contradict_a_mean_between_two_counts() {
        let equal: Moments = [0.98; 10].into_iter().collect();
        let count = Events { per_unit: 1000.0, whole: true };
        let judge = |value| {
            Judge::new(1).judge(&equal, &prediction(Kind::Exact, value, 0.0), None, Some(count))
        };
        assert_eq!(judge(0.98019), Verdict::Agrees);
        assert_eq!(judge(0.982), Verdict::Differs);
    }

    #[test]
    fn few_trials_are_not_judged() {
        let three: Moments = [0.1, 0.2, 0.3].into_iter().collect();
        let far = prediction(Kind::Exact, 0.9, 0.0);
        assert_eq!(Judge::new(1).judge(&three, &far, None, None), Verdict::NoPrediction);
    }

    /// Tables of 40 rows of whole counts with their true means: at most 1 % of the tables, give
    /// or take four standard errors, may have a row that differs.
    #[test]
    fn true_predictions_are_contradicted_as_rarely_as_promised() {
        let mut rng = Rng::seed_from_u64(3);
        let (tables, rows, units) = (1000, 40, 50);
        for trials in [10, 40] {
            let wrong = (0..tables)
                .filter(|_| {
                    (0..rows).any(|row| {
                        let p = (f64::from(row) + 0.3) / f64::from(rows);
                        let binomial = |_| {
                            let heads = (0..units).filter(|_| rng.random_bool(p)).count();
                            heads as f64 / f64::from(units)
                        };
                        let measured: Moments = (0..trials).map(binomial).collect();
                        let events = Events { per_unit: f64::from(units), whole: true };
                        let row = prediction(Kind::Exact, p, 0.0);
                        let judge = Judge::new(rows as usize);
                        judge.judge(&measured, &row, None, Some(events)) == Verdict::Differs
                    })
                })
                .count() as f64;
            let expected = FAMILY_ERROR * f64::from(tables);
            assert!(wrong <= expected + 4.0 * expected.sqrt(), "{trials} trials: {wrong}");
        }
    }

    #[test]
    fn a_quantity_without_spread_must_be_met_up_to_rounding() {
        let constant: Moments = [4.0; 10].into_iter().collect();
        let judge = |value| {
            Judge::new(1).judge(&constant, &prediction(Kind::Exact, value, 0.0), None, None)
        };
        assert_eq!(judge(4.0), Verdict::Agrees);
        assert_eq!(judge(4.001), Verdict::Differs);
    }
}
