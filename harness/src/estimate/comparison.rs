//! What was measured at a point, held against every prediction of it.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use loadfactor_schemes::case::{Case, events};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};

use super::interval::{Interval, LEVEL, confidence_interval};
use super::moments::Moments;
use super::share::share_interval;
use super::splitting::{logarithms, splitting_interval};
use super::verdict::{Judge, LEAST_TRIALS, Room, Verdict};
use crate::run::{BatchResult, Identity};

/// Names what a row is about: a prediction of a quantity at a point. Rows of quantities that are constant
/// multiples of each other, and of equal points, wherever they stand, are about the same fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact(u64);

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// One prediction beside the measurement of its quantity, with the verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Index of the point.
    pub point: usize,
    /// The prediction.
    pub prediction: Prediction,
    /// What the row is about.
    pub fact: Fact,
    /// How far apart measurement and prediction may be; `None` where nothing is judged.
    pub room: Option<Room>,
    /// (measured − predicted)/standard error, where there is a standard error.
    pub z: Option<f64>,
    /// (measured − predicted)/predicted, where the prediction is not 0.
    pub relative_deviation: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// One point with what was measured and what is predicted of it.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Index of the point.
    pub point: usize,
    /// Digest of all that decides its numbers.
    pub identity: Identity,
    /// What its trials do.
    pub case: Arc<dyn Case>,
    /// The moments of each metric over the trials; empty where nothing was measured.
    pub measured: Vec<(Metric, Moments)>,
    /// The batches that these are made of, where differences to other points are asked for.
    pub batches: Vec<BatchResult>,
    /// Everything predicted of the point.
    pub predictions: Vec<Prediction>,
}

impl Subject {
    /// The moments of one metric.
    pub fn moments(&self, metric: Metric) -> Option<&Moments> {
        self.measured.iter().find(|(name, _)| *name == metric).map(|(_, moments)| moments)
    }

    /// The mean of one metric, where it was measured.
    pub fn mean(&self, metric: Metric) -> Option<f64> {
        self.moments(metric)?.mean()
    }

    fn is_judgeable(&self, prediction: &Prediction) -> bool {
        self.moments(prediction.metric).is_some_and(|moments| moments.count() >= LEAST_TRIALS)
    }

    /// What each prediction is about, in their order.
    fn facts(&self) -> Vec<Fact> {
        self.predictions.iter().map(|prediction| self.fact(prediction)).collect()
    }

    fn fact(&self, prediction: &Prediction) -> Fact {
        let metric = self.case.multiple_of(prediction.metric).unwrap_or(prediction.metric);
        let Prediction { kind, source, .. } = prediction;
        let mut digest = Sha256::new();
        digest.update(self.identity);
        digest.update(format!("{metric} {kind}: {source}"));
        let bytes = digest.finalize();
        Fact(bytes.iter().take(8).fold(0, |fact, &byte| (fact << 8) | u64::from(byte)))
    }

    /// What the first prediction of one metric of this kind says.
    pub fn predicted(&self, metric: Metric, kind: Kind) -> Option<f64> {
        let found = self.predictions.iter().find(|own| own.metric == metric && own.kind == kind);
        found.map(|prediction| prediction.value)
    }

    /// The confidence interval of one metric: that of a share stays between 0 and 1, and that of estimates of splitting is
    /// made from their logarithms.
    pub fn interval(&self, metric: Metric) -> Option<Interval> {
        let moments = self.moments(metric)?;
        if let Some(logarithms) = logarithms(metric, &self.measured) {
            return splitting_interval(LEVEL, moments, logarithms);
        }
        if !metric.is_fraction() {
            return confidence_interval(moments);
        }
        share_interval(moments, events(&*self.case, metric, &|metric| self.mean(metric)))
    }

    /// How far the further end of that interval is from the mean.
    pub fn half_width(&self, metric: Metric) -> Option<f64> {
        let (mean, interval) = (self.mean(metric)?, self.interval(metric)?);
        Some(interval.half_width(mean))
    }
}

/// Compares every prediction of every point; the facts of one experiment are judged together.
/// `largest_room` is the share of a prediction above which a room decides nothing.
pub fn compare(subjects: &[Subject], largest_room: f64) -> Vec<Comparison> {
    let facts: Vec<Vec<Fact>> = subjects.par_iter().map(Subject::facts).collect();
    let judge = Judge::new(judgeable(subjects, &facts), largest_room);
    let of_subject = |(subject, facts): (&Subject, &Vec<Fact>)| -> Vec<Comparison> {
        let predictions = subject.predictions.iter().zip(facts);
        predictions.map(|(prediction, &fact)| one(subject, prediction, fact, &judge)).collect()
    };
    subjects.par_iter().zip(&facts).flat_map_iter(of_subject).collect()
}

/// How many different facts can be judged.
fn judgeable(subjects: &[Subject], facts: &[Vec<Fact>]) -> usize {
    let of_subject = |(subject, facts): (&Subject, &Vec<Fact>)| -> Vec<Fact> {
        let predictions = subject.predictions.iter().zip(facts);
        predictions.filter(|(p, _)| subject.is_judgeable(p)).map(|(_, &fact)| fact).collect()
    };
    let mut all: Vec<Fact> = subjects.par_iter().zip(facts).flat_map_iter(of_subject).collect();
    all.par_sort_unstable();
    all.dedup();
    all.len()
}

fn one(subject: &Subject, prediction: &Prediction, fact: Fact, judge: &Judge) -> Comparison {
    let moments = subject.moments(prediction.metric);
    let basis = prediction.rests_on.and_then(|(metric, _)| subject.moments(metric));
    let events = events(&*subject.case, prediction.metric, &|metric| subject.mean(metric));
    let room = moments.and_then(|moments| match logarithms(prediction.metric, &subject.measured) {
        Some(logarithms) => judge.room_of_splitting(moments, logarithms, prediction),
        None => judge.room(moments, prediction, basis, events),
    });
    let above = moments.and_then(Moments::mean).map(|mean| mean - prediction.value);
    let verdict = room.zip(above).map(|(room, above)| room.verdict(prediction.kind, above));
    let z = above.zip(moments.and_then(Moments::std_error)).map(|(above, error)| above / error);
    let relative = above.map(|above| above / prediction.value);
    Comparison {
        point: subject.point,
        prediction: prediction.clone(),
        fact,
        room,
        z: z.filter(|z| z.is_finite()),
        relative_deviation: relative.filter(|r| r.is_finite()),
        verdict: verdict.unwrap_or(Verdict::NoPrediction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Experiment;
    use loadfactor_schemes::tables::metrics;

    fn verdict(workload: &str, table: &str, row: Prediction, measured: Measured) -> Verdict {
        let text = format!(
            "title = \"t\"\ntrials = 10\n[workload]\n{workload}\n[point]\n{table}\n\
             [[series]]\nlabel = \"a\"\nscheme = \"single\"\n"
        );
        let experiment = Experiment::from_text("test", &text).unwrap();
        let case = Arc::clone(&experiment.points[0].case);
        let identity = Identity::default();
        let subject = Subject {
            point: 0,
            identity,
            case,
            measured,
            batches: Vec::new(),
            predictions: vec![row],
        };
        compare(&[subject], f64::INFINITY)[0].verdict
    }

    type Measured = Vec<(Metric, Moments)>;

    /// Ten trials that were half of the time near 0 in the system and saw no overflow there.
    fn without_overflow(slots: u64) -> Verdict {
        let metric = metrics::overflow_fraction_at(0);
        let ten = |value: f64| -> Moments { [value; 10].into_iter().collect() };
        let workload = format!(
            "kind = \"on-off\"\nflows = 10\nrate = 0.09\nburst = 3\nslots = {slots}\nlargest = 100"
        );
        let measured = vec![(metric, ten(0.0)), (metrics::system_share(0), ten(0.5))];
        let row = Prediction::approximate(metric, 1e-6, "test");
        verdict(&workload, "buckets = 500", row, measured)
    }

    #[test]
    fn overflow_too_rare_to_be_seen_contradicts_nothing() {
        assert_eq!(without_overflow(20_000), Verdict::Agrees);
        assert_eq!(without_overflow(2_000_000_000), Verdict::Off);
    }

    /// Ten states of each of a thousand trials saw none of the arrivals overflow that do so once in 20,000
    /// times, half of one in all.
    #[test]
    fn few_arrivals_may_miss_a_rare_overflow() {
        let metric = metrics::ARRIVAL_OVERFLOW_FRACTION;
        let after = |rounds: u64| {
            let workload = format!("kind = \"alternation\"\nrounds = {rounds}");
            let table = "elements = 10_000\nbuckets = 12_500\nbucket_size = 2";
            let measured = vec![(metric, std::iter::repeat_n(0.0, 1000).collect())];
            let row = Prediction::asymptotic(metric, 5e-5, "test", 0.0);
            verdict(&workload, table, row, measured)
        };
        assert_eq!(after(10), Verdict::Agrees);
        assert_eq!(after(1_000_000), Verdict::Differs);
    }
}
