//! What a report is made of: everything that is known of an experiment after its run.

use std::collections::HashMap;
use std::ops::Range;

use loadfactor_schemes::metric::Metric;

use super::drawn_counts;
use super::points::{Varying, points_of};
use crate::count::{counted, with_verb};
use crate::definition::Experiment;
use crate::derived::DerivedRow;
use crate::estimate::comparison::{Comparison, Fact, Subject};
use crate::estimate::moments::Moments;
use crate::estimate::verdict::{LEAST_TRIALS, Verdict};
use crate::trace::LoadedTrace;

/// An experiment after its run.
#[derive(Debug)]
pub struct Results<'e> {
    /// The experiment.
    pub experiment: &'e Experiment,
    /// The trace, where a point used one.
    pub trace: Option<&'e LoadedTrace>,
    /// One per point, in their order: what was measured and what is predicted.
    pub subjects: Vec<Subject>,
    /// One per prediction, point by point.
    pub comparisons: Vec<Comparison>,
    /// The rows of every derived quantity, in the order of the definition.
    pub derived: Vec<DerivedRow>,
    /// Derived quantities that were not computed, each with the reason.
    pub underived: Vec<String>,
    /// Points that failed, with what they said.
    pub failures: Vec<(usize, String)>,
    /// Points of which a limit that theory knows was not computed, with the reason.
    pub unpredicted: Vec<(usize, String)>,
    /// Points whose trials are not all there: after an interruption, or in a shard.
    pub unfinished: usize,
    /// How often a trial goes through its trace, at most; 0 without a trace.
    pub passes: f64,
    /// Trials of the point that has fewest.
    pub least_trials: u64,
    /// Trials that the results rest on.
    pub trials: u64,
}

/// Why nothing was measured of a predicted quantity, after one trial …
const NO_PAIR: &str = "a variance takes two trials";

/// … and after more.
const UNSEEN: &str = "no trial saw any, or the journal is older than the quantity and `--fresh` runs its points again";

/// How many facts have each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Predictions that agree.
    pub agrees: usize,
    /// Predictions that differ.
    pub differs: usize,
    /// Bounds that hold.
    pub bound_holds: usize,
    /// Bounds that are violated.
    pub bound_violated: usize,
    /// Approximate models that are off.
    pub off: usize,
    /// What too wide a room leaves open.
    pub undecided: usize,
}

/// The verdict on each fact, whichever rows are about it.
#[derive(Debug, Clone, Default)]
pub struct Verdicts(HashMap<Fact, Verdict>);

impl Verdicts {
    /// The verdicts of these comparisons.
    pub fn of<'c>(comparisons: impl Iterator<Item = &'c Comparison>) -> Self {
        let mut verdicts = Self::default();
        comparisons.for_each(|comparison| verdicts.add(comparison.fact, comparison.verdict));
        verdicts
    }

    /// Adds those of another experiment.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(fact, verdict)| self.add(*fact, *verdict));
    }

    /// Of several verdicts on a fact, such as after more and after fewer trials, a contradiction counts
    /// first, and what decides it before what does not.
    fn add(&mut self, fact: Fact, verdict: Verdict) {
        let rank = |verdict: Verdict| match verdict {
            Verdict::NoPrediction => 0,
            Verdict::Undecided => 1,
            Verdict::Agrees | Verdict::BoundHolds => 2,
            Verdict::Off => 3,
            Verdict::Differs | Verdict::BoundViolated => 4,
        };
        let of_fact = self.0.entry(fact).or_insert(verdict);
        if rank(verdict) > rank(*of_fact) {
            *of_fact = verdict;
        }
    }

    /// How many facts have each verdict.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for verdict in self.0.values() {
            match verdict {
                Verdict::Agrees => tally.agrees += 1,
                Verdict::Differs => tally.differs += 1,
                Verdict::BoundHolds => tally.bound_holds += 1,
                Verdict::BoundViolated => tally.bound_violated += 1,
                Verdict::Off => tally.off += 1,
                Verdict::Undecided => tally.undecided += 1,
                Verdict::NoPrediction => {}
            }
        }
        tally
    }
}

impl Tally {
    /// Facts that were judged.
    pub fn judged(&self) -> usize {
        let of_predictions = self.agrees + self.differs + self.off + self.undecided;
        of_predictions + self.bound_holds + self.bound_violated
    }

    /// Facts that contradict a prediction.
    pub fn contradictions(&self) -> usize {
        self.differs + self.bound_violated
    }
}

impl Results<'_> {
    /// The points of a series with what was measured and predicted.
    pub fn subjects_of(&self, series: usize) -> &[Subject] {
        &self.subjects[points_of(self.experiment, series)]
    }

    /// The comparisons of consecutive points.
    pub fn comparisons_of(&self, points: Range<usize>) -> &[Comparison] {
        let before = |end: usize| self.comparisons.partition_point(|c| c.point < end);
        &self.comparisons[before(points.start)..before(points.end)]
    }

    /// The comparisons of all points of a series.
    pub fn comparisons_of_series(&self, series: usize) -> &[Comparison] {
        self.comparisons_of(points_of(self.experiment, series))
    }

    /// What must be known before the verdicts are believed.
    pub fn reservations(&self) -> Vec<String> {
        let mut reservations = Vec::new();
        if self.experiment.altered {
            reservations.push(
                "--set makes it another experiment than the definition's: its own findings are left out, and nothing is \
                 held against printed values"
                    .to_owned(),
            );
        }
        if self.experiment.on_other_packets && !self.experiment.analysis.is_empty() {
            reservations.push(
                "the packets are other ones than the definition's: its own findings are left out"
                    .to_owned(),
            );
        }
        if self.unfinished > 0 {
            let (unfinished, all) = (self.unfinished, self.experiment.points.len());
            let all = counted(all, "point");
            let lack = match unfinished {
                1 => "does not have all its trials",
                _ => "do not have all their trials",
            };
            reservations
                .push(format!("{unfinished} of {all} {lack} yet; `loadfactor run` goes on"));
        }
        if (1..LEAST_TRIALS).contains(&self.least_trials) {
            reservations.push(format!(
                "points of fewer than {LEAST_TRIALS} trials are not judged: give them more `trials`, or take a larger --scale where it has more"
            ));
        }
        if let Some((point, metric)) = self.unmeasured().next() {
            let is_of_pairs = self.subjects[point].case.in_pairs() && self.least_trials == 1;
            reservations.push(format!(
                "{} not measured, the first {metric} at {}: {}",
                with_verb(
                    self.unmeasured().count(),
                    ["predicted quantity was", "predicted quantities were"]
                ),
                Varying::new(self.experiment).describe(point),
                if is_of_pairs { NO_PAIR } else { UNSEEN }
            ));
        }
        if let Some((point, metric)) = self.of_few_values().next() {
            reservations.push(format!(
                "{} fewer than {LEAST_TRIALS} values, too few for a verdict, the first {metric} at {}: a variance takes two trials for each",
                with_verb(
                    self.of_few_values().count(),
                    ["predicted quantity has", "predicted quantities have"]
                ),
                Varying::new(self.experiment).describe(point)
            ));
        }
        if let Some((point, reason)) = self.unpredicted.first() {
            reservations.push(format!(
                "{} a prediction, the first at {}: {reason}",
                with_verb(self.unpredicted.len(), ["point lacks", "points lack"]),
                Varying::new(self.experiment).describe(*point)
            ));
        }
        reservations.extend(drawn_counts::hints(&self.experiment.points, &self.subjects));
        reservations.extend(self.underived.iter().cloned());
        if self.trials > 0 && self.unfinished == 0 {
            let empty = self.derived.iter().filter(|row| row.is_empty());
            reservations.extend(empty.map(|row| self.without_value(row)));
        }
        if self.passes > 1.0 {
            reservations.push(format!(
                "the trace is short: a trial goes through it up to {:.1} times",
                self.passes
            ));
        }
        reservations
    }

    /// Why a derived quantity has no value: the coordinate that no point has, where there is one.
    fn without_value(&self, row: &DerivedRow) -> String {
        let Experiment { derived, points, series, .. } = self.experiment;
        let own = derived.iter().find(|own| own.name == row.name);
        match own.and_then(|own| own.derivation.unmet(points)) {
            Some((of, unmet)) => {
                format!("{}: no point of `{}` is there: {unmet}", row.name, series[of])
            }
            None => format!("{}: `{}` has no value at these points", row.name, row.quantity),
        }
    }

    /// Predicted quantities of points whose trials measured others, but not these.
    fn unmeasured(&self) -> impl Iterator<Item = (usize, Metric)> + '_ {
        self.predicted_with(|values, trials| values == 0 && trials > 0)
    }

    /// Predicted quantities of points with enough trials that have too few values to be judged.
    fn of_few_values(&self) -> impl Iterator<Item = (usize, Metric)> + '_ {
        self.predicted_with(|values, trials| {
            (1..LEAST_TRIALS).contains(&values) && trials >= LEAST_TRIALS
        })
    }

    /// Predicted quantities of which the number of values and of the point's trials are such.
    fn predicted_with(
        &self,
        are: impl Fn(u64, u64) -> bool,
    ) -> impl Iterator<Item = (usize, Metric)> {
        let meant = self.comparisons.iter().filter(move |c| {
            let subject = &self.subjects[c.point];
            let trials = subject.measured.iter().map(|(_, moments)| moments.count()).max();
            let values = subject.moments(c.prediction.metric).map_or(0, Moments::count);
            are(values, trials.unwrap_or(0))
        });
        meant.map(|c| (c.point, c.prediction.metric))
    }

    /// The verdicts on all facts.
    pub fn verdicts(&self) -> Verdicts {
        Verdicts::of(self.comparisons.iter())
    }

    /// The facts that contradict a prediction, in words: for each series their number and the row
    /// that is furthest from its prediction.
    pub fn contradictions(&self) -> Vec<String> {
        let varying = Varying::new(self.experiment);
        let all = 0..self.experiment.series.len();
        all.filter_map(|series| self.contradictions_of(series, &varying)).collect()
    }

    fn contradictions_of(&self, series: usize, varying: &Varying<'_>) -> Option<String> {
        let contradicts = |c: &&Comparison| c.verdict.contradicts();
        let rows: Vec<&Comparison> =
            self.comparisons_of_series(series).iter().filter(contradicts).collect();
        let distance = |c: &Comparison| c.relative_deviation.map_or(0.0, f64::abs);
        let furthest = rows.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let Comparison { point, prediction, relative_deviation, .. } = furthest;
        let deviation = relative_deviation.map_or(String::new(), in_words);
        let tally = Verdicts::of(self.comparisons_of_series(series).iter()).tally();
        let facts = tally.contradictions();
        // A bound that is violated is not counted among those that differ.
        let differ = match (tally.bound_violated, facts) {
            (0, 1) => "fact differs",
            (0, _) => "facts differ",
            (_, 1) => "fact contradicts a bound",
            _ => "facts contradict a prediction or a bound",
        };
        Some(format!(
            "{}: {facts} {differ}, most at {}: {}{deviation} against {}: {}",
            self.experiment.series[series],
            varying.describe(*point),
            prediction.metric,
            prediction.kind,
            prediction.source,
        ))
    }
}

/// A deviation as a part of what is predicted, or beyond ten times that as a factor.
fn in_words(relative: f64) -> String {
    match relative.abs() {
        part if part <= 10.0 => format!(" {:+.2} %", relative * 100.0),
        _ => format!(" {:.1e} times the prediction", 1.0 + relative),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    /// What is measured where next to nothing is predicted does not take a line of digits.
    #[test]
    fn a_great_deviation_is_a_factor() {
        assert_eq!(in_words(-0.123_456), " -12.35 %");
        assert_eq!(in_words(10.0), " +1000.00 %");
        assert_eq!(in_words(1.7e66), " 1.7e66 times the prediction");
    }
}
