//! Does the measurement agree with the prediction? Judged by what the prediction's kind allows.

use std::fmt;

use loadfactor_schemes::prediction::{Kind, Prediction};

use super::interval::t_quantile;
use super::moments::Moments;

/// Probability that at least one row of an experiment is judged wrongly although every
/// prediction holds.
pub const FAMILY_ERROR: f64 = 0.01;

/// Expected events of a row below which its observed spread is not trusted: a sample of rare
/// events is often all zeros.
const RARE_EVENTS: f64 = 50.0;

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
    /// Nothing to judge: no prediction, no measurement, or fewer than two trials.
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

    /// The verdict on one row. `accesses` are the measured accesses per insertion, whose error a
    /// bound that depends on them inherits.
    ///
    /// - exact: |measured − predicted| within the t quantile times the standard error;
    /// - asymptotic and approximate: the same plus the prediction's allowance;
    /// - bounds: beyond the bound by no more than that. The errors of measurement and bound are
    ///   added as if independent.
    ///
    /// `units` turns the quantity into a number of events per trial (n for an overflow fraction).
    /// Where the prediction expects fewer than 50 events in all trials, the standard error
    /// is at least that of as many Poisson events, and one event more is allowed.
    pub fn judge(
        &self,
        measured: &Moments,
        prediction: &Prediction,
        accesses: Option<&Moments>,
        units: Option<f64>,
    ) -> Verdict {
        let (Some(mean), Some(std_error)) = (measured.mean(), measured.std_error()) else {
            return Verdict::NoPrediction;
        };
        let inherited = accesses.and_then(Moments::std_error).unwrap_or(0.0) * prediction.slope;
        let quantile = t_quantile(self.level, (measured.count() - 1) as f64);
        let (least, event) = rare_events(prediction.value, measured.count(), units);
        let chance = quantile * std_error.max(least).hypot(inherited) + event;
        let rounding = ROUNDING * prediction.value.abs().max(mean.abs());
        let room = chance + prediction.allowance + rounding;
        let above = mean - prediction.value;
        match prediction.kind {
            Kind::Exact | Kind::Asymptotic | Kind::Approximate if above.abs() <= room => {
                Verdict::Agrees
            }
            Kind::Exact | Kind::Asymptotic | Kind::Approximate => Verdict::Differs,
            Kind::LowerBound if above >= -room => Verdict::BoundHolds,
            Kind::UpperBound if above <= room => Verdict::BoundHolds,
            Kind::LowerBound | Kind::UpperBound => Verdict::BoundViolated,
        }
    }
}

/// The least standard error to assume of a quantity, and the size of one event in it.
fn rare_events(value: f64, trials: u64, units: Option<f64>) -> (f64, f64) {
    match units.map(|units| units * trials as f64) {
        Some(units) if value * units < RARE_EVENTS => {
            ((value.max(0.0) / units).sqrt(), 1.0 / units)
        }
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::metric::Metric;

    fn sample(center: f64) -> Moments {
        [-0.02, -0.01, 0.0, 0.01, 0.02].into_iter().map(|x| center + x).collect()
    }

    fn prediction(kind: Kind, value: f64, allowance: f64) -> Prediction {
        let metric = Metric::OverflowFraction;
        Prediction { metric, value, kind, source: "test", allowance, slope: 0.0 }
    }

    fn verdict(kind: Kind, value: f64, allowance: f64) -> Verdict {
        Judge::new(1).judge(&sample(0.5), &prediction(kind, value, allowance), None, None)
    }

    #[test]
    fn an_exact_prediction_has_only_chance_for_an_excuse() {
        assert_eq!(verdict(Kind::Exact, 0.52, 0.0), Verdict::Agrees);
        assert_eq!(verdict(Kind::Exact, 0.55, 0.0), Verdict::Differs);
        assert_eq!(verdict(Kind::Asymptotic, 0.55, 0.03), Verdict::Agrees);
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
    fn a_bound_inherits_the_error_of_the_accesses() {
        let mut bound = prediction(Kind::LowerBound, 0.6, 0.0);
        bound.slope = -1.0;
        let accesses: Moments = [1.9, 2.0, 2.1].into_iter().collect();
        let verdict = Judge::new(1).judge(&sample(0.5), &bound, Some(&accesses), None);
        assert_eq!(verdict, Verdict::BoundHolds);
    }

    #[test]
    fn no_event_where_one_is_expected_is_no_contradiction() {
        let nothing: Moments = [0.0; 10].into_iter().collect();
        let judge = |value, units| {
            Judge::new(1).judge(&nothing, &prediction(Kind::Exact, value, 0.0), None, units)
        };
        assert_eq!(judge(1e-4, Some(1000.0)), Verdict::Agrees);
        assert_eq!(judge(1e-4, None), Verdict::Differs);
        assert_eq!(judge(3e-3, Some(1000.0)), Verdict::Differs);
    }

    #[test]
    fn a_quantity_without_spread_must_be_met_up_to_rounding() {
        let constant: Moments = [4.0; 5].into_iter().collect();
        let judge = |value| {
            Judge::new(1).judge(&constant, &prediction(Kind::Exact, value, 0.0), None, None)
        };
        assert_eq!(judge(4.0), Verdict::Agrees);
        assert_eq!(judge(4.001), Verdict::Differs);
    }
}
