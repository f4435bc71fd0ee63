//! What was measured at a point, held against every prediction of it.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Prediction, Process};
use loadfactor_schemes::tables::Geometry;

use super::moments::Moments;
use super::verdict::{Events, Judge, LEAST_TRIALS, Verdict};

/// One prediction and how the measurement stands to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Index of the point.
    pub point: usize,
    /// The prediction.
    pub prediction: Prediction,
    /// (measured − predicted)/standard error, where there is a standard error.
    pub z: Option<f64>,
    /// (measured − predicted)/predicted, where the prediction is not 0.
    pub relative_deviation: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// One point's side of a comparison.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Index of the point.
    pub point: usize,
    /// Elements, buckets and bucket size.
    pub geometry: Geometry,
    /// Buckets of each sub-table whose elements are counted.
    pub sub_tables: Vec<u32>,
    /// What the table was subjected to.
    pub process: Process,
    /// Elements that arrive in the measuring window of one trial, about.
    pub arrivals: f64,
    /// The moments of each metric over the trials; empty where nothing was measured.
    pub measured: Vec<(Metric, Moments)>,
    /// Everything predicted of the point.
    pub predictions: Vec<Prediction>,
}

impl Subject {
    /// The moments of one metric.
    pub fn moments(&self, metric: Metric) -> Option<&Moments> {
        self.measured.iter().find(|(name, _)| *name == metric).map(|(_, moments)| moments)
    }

    /// What the metric counts.
    fn events(&self, metric: Metric) -> Option<Events> {
        let at_the_end = matches!(self.process, Process::StaticFill | Process::Relaxation { .. });
        let (per_unit, whole) = match metric {
            Metric::OverflowFraction => (self.geometry.elements.into(), at_the_end),
            Metric::ArrivalOverflowFraction => {
                (self.arrivals.min(self.geometry.elements.into()), at_the_end)
            }
            Metric::OverflowElements => (1.0, at_the_end),
            Metric::FailureFraction
            | Metric::OverflowAtMost(_)
            | Metric::SubTableElements(_)
            | Metric::SubTableElementsAtMost(_) => (1.0, true),
            // Twice an observation is the square of a difference of two counts.
            Metric::OverflowVariance | Metric::SubTableVariance(_) => (2.0, true),
            Metric::Occupancy(_) => (self.geometry.buckets.into(), true),
            Metric::SubTableLoad(i) => (self.places(i)?, true),
            Metric::MovesPerInsertion if at_the_end => (self.geometry.elements.into(), true),
            Metric::SystemShare(_) => (self.excursions()?, false),
            Metric::OverflowFractionAt(start) => (self.arrivals_in(start)?, false),
            _ => return None,
        };
        Some(Events { per_unit, whole })
    }

    /// Places of sub-table i.
    fn places(&self, i: u16) -> Option<f64> {
        let buckets = self.sub_tables.get(usize::from(i).checked_sub(1)?)?;
        Some(f64::from(*buckets) * f64::from(self.geometry.bucket_size))
    }

    /// How often the number in the system begins anew in a trial, about: slots that are closer
    /// together than its relaxation time say little more than one.
    fn excursions(&self) -> Option<f64> {
        match self.process {
            Process::OnOff { flows, slots, .. } => Some(slots as f64 / flows.relaxation_time()),
            _ => None,
        }
    }

    /// Elements that arrive in a trial with the number in the system in this interval, about: one in
    /// each slot.
    fn arrivals_in(&self, start: u16) -> Option<f64> {
        let share = self.moments(Metric::SystemShare(start))?.mean()?;
        match self.process {
            Process::OnOff { slots, .. } => Some(share * slots as f64),
            _ => None,
        }
    }

    /// n, where it is given.
    pub fn elements(&self) -> Option<u32> {
        let given = !matches!(self.process, Process::OnOff { .. });
        given.then_some(self.geometry.elements)
    }
}

/// Compares every prediction of every point; the rows of one experiment are judged together.
pub fn compare(subjects: &[Subject]) -> Vec<Comparison> {
    let rows = subjects.iter().map(judgeable).sum();
    let judge = Judge::new(rows);
    subjects
        .iter()
        .flat_map(|subject| {
            subject.predictions.iter().map(move |prediction| one(subject, prediction, &judge))
        })
        .collect()
}

fn judgeable(subject: &Subject) -> usize {
    let measured = |prediction: &&Prediction| {
        subject.moments(prediction.metric).is_some_and(|moments| moments.count() >= LEAST_TRIALS)
    };
    subject.predictions.iter().filter(measured).count()
}

fn one(subject: &Subject, prediction: &Prediction, judge: &Judge) -> Comparison {
    let comparison = |z, relative_deviation, verdict| Comparison {
        point: subject.point,
        prediction: prediction.clone(),
        z,
        relative_deviation,
        verdict,
    };
    let Some(moments) = subject.moments(prediction.metric) else {
        return comparison(None, None, Verdict::NoPrediction);
    };
    let basis = prediction.rests_on.and_then(|(metric, _)| subject.moments(metric));
    let verdict = judge.judge(moments, prediction, basis, subject.events(prediction.metric));
    let above = moments.mean().map(|mean| mean - prediction.value);
    let z = above.zip(moments.std_error()).map(|(above, error)| above / error);
    let relative = above.map(|above| above / prediction.value);
    comparison(z.filter(|z| z.is_finite()), relative.filter(|r| r.is_finite()), verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::prediction::Bins;
    use loadfactor_schemes::theory::on_off::OnOff;

    /// Ten trials that were half of the time near 0 in the system and saw no overflow there.
    fn without_overflow(slots: u64) -> Verdict {
        let metric = Metric::OverflowFractionAt(0);
        let ten = |value: f64| -> Moments { [value; 10].into_iter().collect() };
        let subject = Subject {
            point: 0,
            geometry: Geometry { elements: 500, buckets: 500, bucket_size: 1 },
            sub_tables: Vec::new(),
            process: Process::OnOff {
                flows: OnOff { flows: 10, rate: 0.09, burst: 3.0 },
                bins: Bins { width: 10, largest: 100 },
                slots,
            },
            arrivals: slots as f64,
            measured: vec![(metric, ten(0.0)), (Metric::SystemShare(0), ten(0.5))],
            predictions: vec![Prediction::approximate(metric, 1e-6, "test")],
        };
        compare(&[subject])[0].verdict
    }

    #[test]
    fn overflow_too_rare_to_be_seen_contradicts_nothing() {
        assert_eq!(without_overflow(20_000), Verdict::Agrees);
        assert_eq!(without_overflow(2_000_000_000), Verdict::Differs);
    }

    /// Ten states of each of a thousand trials saw none of the arrivals overflow that do so once in 20,000
    /// times, half of one in all.
    #[test]
    fn few_arrivals_may_miss_a_rare_overflow() {
        let metric = Metric::ArrivalOverflowFraction;
        let subject = |arrivals| Subject {
            point: 0,
            geometry: Geometry { elements: 10_000, buckets: 12_500, bucket_size: 2 },
            sub_tables: Vec::new(),
            process: Process::Alternation,
            arrivals,
            measured: vec![(metric, std::iter::repeat_n(0.0, 1000).collect())],
            predictions: vec![Prediction::asymptotic(metric, 5e-5, "test", 0.0)],
        };
        assert_eq!(compare(&[subject(10.0)])[0].verdict, Verdict::Agrees);
        assert_eq!(compare(&[subject(1e6)])[0].verdict, Verdict::Differs);
    }
}
