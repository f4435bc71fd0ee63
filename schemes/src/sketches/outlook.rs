//! What theory says of the errors of sketches.

use super::Sketch;
use super::asked::Asked;
use super::metrics::{
    AAE, AAE_DEVIATION_GIVEN_COUNTS, AAE_GIVEN_COUNTS, ABSENT_ERROR, ABSENT_ERROR_EXCEEDS, ARE,
    ARE_DEVIATION_GIVEN_COUNTS, ARE_GIVEN_COUNTS, ERROR_EXCEEDS, NORM, RECALL, REPORTED_FLOWS,
};
use super::rows::Rows;
use super::theory::{Collisions, Expected, Rule, median_exceeds, of_flows};
use super::updates::Updates;
use crate::case::Means;
use crate::math::elementary::pow;
use crate::metric::Metric;
use crate::prediction::{Outlook, Prediction};

/// The greatest ‖a‖₁ for which the law of an error is computed.
pub(super) const MOST_NORM: u32 = 1 << 20;

/// Where exact errors come from.
const LAW: &str = "law of what other flows add to a counter, rows independent";

/// What theory knows of the streams of a point.
#[derive(Debug, Clone, Copy)]
pub struct Known<'k> {
    /// Where the packets come from.
    pub updates: &'k Updates,
    /// What is asked.
    pub asked: &'k Asked,
    /// ‖a‖₁: that of every trial, or where a trace decides it the measured mean, if there is one.
    pub norm: Option<f64>,
}

/// Everything that is predicted of a sketch whose choices are independent.
pub(super) fn of<S: Sketch>(sketch: &S, known: &Known<'_>, measured: Means<'_>) -> Outlook {
    let mut outlook = sketch.outlook(known);
    outlook.predictions.extend(sketch.outlook_given(known, measured));
    outlook.predictions.extend(given_measured(sketch, measured));
    if let (Some(rows), Some(counts)) = (sketch.rows(), known.updates.same_counts()) {
        match expected(rows, &counts, known.asked) {
            Some(expected) => outlook.predictions.extend(exact(&expected, known.asked)),
            None => outlook.missing = Some(TOO_LARGE.to_owned()),
        }
    }
    if lacks_given_counts(sketch, known, measured) {
        outlook.missing = Some(TOO_LARGE.to_owned());
    }
    outlook
}

/// Whether the law of errors was asked for, of counts of which it is not computed: before a run this is known where their
/// sum is.
fn lacks_given_counts<S: Sketch>(sketch: &S, known: &Known<'_>, measured: Means<'_>) -> bool {
    let is_too_large = known.norm.is_some_and(|norm| norm > f64::from(MOST_NORM));
    let was_left_out = measured(AAE).is_some() && measured(AAE_GIVEN_COUNTS).is_none();
    let is_asked = known.asked.given_counts && sketch.rows().is_some();
    is_asked && (is_too_large || was_left_out)
}

/// Collisions in a row, the rule, and the number of rows.
pub(super) type InRows = (Collisions, Rule, u32);

/// Why exact errors are not computed.
const TOO_LARGE: &str = "the law of what other flows add to a counter is computed for ‖a‖₁ up to 2²⁰, and where a counter of one flow is likelier than not free of each other one";

/// The means of errors over hash functions, given these counts.
fn expected((collisions, rule, rows): InRows, counts: &[i64], asked: &Asked) -> Option<Expected> {
    let norm: u64 = counts.iter().map(|count| count.unsigned_abs()).sum();
    let norm = u32::try_from(norm).ok().filter(|norm| *norm <= MOST_NORM)?;
    let counted = counts.iter().copied().filter(|count| *count != 0);
    of_flows(counted, &collisions, (rule, rows), asked.bound(norm.into()))
}

/// Likewise for a batch of trials of a trace, where it is wanted.
pub(super) fn given_counts<S: Sketch>(
    sketch: &S,
    asked: &Asked,
    counts: &[i64],
) -> Option<Expected> {
    let rows = sketch.rows().filter(|_| asked.given_counts)?;
    expected(rows, counts, asked)
}

/// Predictions with exact counts.
fn exact(expected: &Expected, asked: &Asked) -> Vec<Prediction> {
    let [of_aae, of_are] = expected.deviations;
    let mut all = vec![(AAE, expected.aae, of_aae), (ARE, expected.are, of_are)];
    let with_bound = asked.epsilon.is_some();
    if with_bound {
        all.push((ERROR_EXCEEDS, expected.exceeds, 0.0));
    }
    if asked.queries > 0 {
        let deviation = expected.absent_deviation / f64::from(asked.queries).sqrt();
        all.push((ABSENT_ERROR, expected.absent, deviation));
        if with_bound {
            all.push((ABSENT_ERROR_EXCEEDS, expected.absent_exceeds, 0.0));
        }
    }
    let exact =
        |(metric, value, scatter)| Prediction { scatter, ..Prediction::exact(metric, value, LAW) };
    all.into_iter().map(exact).collect()
}

/// Predictions that rest on means computed from the counts of a trace.
fn given_measured<S: Sketch>(sketch: &S, measured: Means<'_>) -> Vec<Prediction> {
    let of = |[metric, given, deviation]: [Metric; 3]| {
        let (value, scatter) = (measured(given)?, measured(deviation).unwrap_or(0.0));
        let rests_on = Some((given, 1.0));
        Some(Prediction { rests_on, scatter, ..Prediction::exact(metric, value, LAW) })
    };
    let all = [
        [AAE, AAE_GIVEN_COUNTS, AAE_DEVIATION_GIVEN_COUNTS],
        [ARE, ARE_GIVEN_COUNTS, ARE_DEVIATION_GIVEN_COUNTS],
    ];
    all.into_iter().filter(|_| sketch.rows().is_some()).filter_map(of).collect()
}

/// A quantity that is not above this.
pub(super) fn at_most(metric: Metric, value: f64, source: &'static str) -> Prediction {
    Prediction::upper_bound(metric, value, source)
}

impl Known<'_> {
    /// Of the least of d counters in rows of w: by Markov's inequality in each row.
    pub(super) fn bounds_of_minimum(&self, rows: &Rows) -> Vec<Prediction> {
        let (w, d) = (f64::from(rows.columns), f64::from(rows.rows));
        let exceeds = |epsilon: f64| pow((1.0 / (epsilon * w)).min(1.0), d);
        let mut bounds = self.of_exceeding(&exceeds, "Lemma 7.6.1");
        bounds.extend(self.of_mean_errors(w, "E[X] ≤ ‖a‖₁/w"));
        bounds.extend(self.of_heap(&exceeds));
        bounds
    }

    /// Of the median of d counters in rows of w.
    pub(super) fn bounds_of_median(&self, rows: &Rows) -> Vec<Prediction> {
        let columns = f64::from(rows.columns);
        let exceeds = |epsilon: f64| median_exceeds(1.0 / (epsilon * columns), rows.rows);
        self.of_exceeding(&exceeds, "Lemma 7.6.2 before Chernoff's bound")
    }

    /// Bounds of the probability that an error is above ε‖a‖₁.
    pub(super) fn of_exceeding(
        &self,
        exceeds: &dyn Fn(f64) -> f64,
        source: &'static str,
    ) -> Vec<Prediction> {
        let Some(epsilon) = self.asked.epsilon else { return Vec::new() };
        let bound = |metric| at_most(metric, exceeds(epsilon), source);
        let of_absent = (self.asked.queries > 0).then(|| bound(ABSENT_ERROR_EXCEEDS));
        [Some(bound(ERROR_EXCEEDS)), of_absent].into_iter().flatten().collect()
    }

    /// The bound ‖a‖₁/`divisor` of mean errors, of flows and of absent keys.
    fn of_mean_errors(&self, divisor: f64, source: &'static str) -> Vec<Prediction> {
        let metrics = [Some(AAE), (self.asked.queries > 0).then_some(ABSENT_ERROR)];
        let bound = |metric| self.at_most_of_norm(metric, divisor, source);
        metrics.into_iter().flatten().filter_map(bound).collect()
    }

    /// That a quantity is not above ‖a‖₁/`divisor`; nothing where ‖a‖₁ is not known.
    pub(super) fn at_most_of_norm(
        &self,
        metric: Metric,
        divisor: f64,
        source: &'static str,
    ) -> Option<Prediction> {
        let is_measured = self.updates.norm().is_none();
        let rests_on = is_measured.then_some((NORM, 1.0 / divisor));
        let of = |norm: f64| Prediction { rests_on, ..at_most(metric, norm / divisor, source) };
        self.norm.map(of)
    }

    /// Errors that are not above those of rows of counters.
    pub(super) fn not_above(&self, rows: InRows, source: &'static str) -> Vec<Prediction> {
        let counts = self.updates.same_counts();
        let expected = counts.and_then(|counts| expected(rows, &counts, self.asked));
        let exact = expected.map(|expected| exact(&expected, self.asked));
        exact.into_iter().flatten().map(|own| at_most(own.metric, own.value, source)).collect()
    }

    /// Mean errors that are not above those of rows of counters, where beside that each other flow is met in all rows
    /// with this probability.
    pub(super) fn mean_not_above(
        &self,
        rows: InRows,
        in_all: f64,
        source: &'static str,
    ) -> Vec<Prediction> {
        let Some(norm) = self.updates.norm() else { return Vec::new() };
        let mean = |own: &Prediction| [AAE, ABSENT_ERROR].contains(&own.metric);
        let of_rows = self.not_above(rows, source).into_iter().filter(mean);
        of_rows.map(|own| Prediction { value: own.value + in_all * norm, ..own }).collect()
    }

    /// Bounds of a median of d counters to which other flows add with random signs.
    pub(super) fn bounds_of_signed(&self, rows: &Rows) -> Vec<Prediction> {
        let w = f64::from(rows.columns);
        // ‖a‖₂² is at most the square of ‖a‖₁.
        let squares = self.updates.same_counts().zip(self.updates.norm());
        let squares = squares.map_or(1.0, |(counts, norm)| {
            counts.iter().map(|&count| (count as f64 / norm) * (count as f64 / norm)).sum()
        });
        let in_row = |epsilon: f64| (squares / (epsilon * epsilon * w)).min(1.0 / (epsilon * w));
        let exceeds = |epsilon: f64| median_exceeds(in_row(epsilon), rows.rows);
        self.of_exceeding(&exceeds, "Chebyshev's or Markov's inequality in each row")
    }

    /// That all heavy hitters are found, where φ is above this share.
    pub(super) fn recall_if(&self, share: f64, source: &'static str) -> Option<Prediction> {
        let is_above = self.asked.phi.is_some_and(|phi| phi > share);
        is_above.then(|| Prediction::exact(RECALL, 1.0, source))
    }

    /// That a heap finds all heavy hitters by estimates that are never too small.
    pub(super) fn recall_of_overestimates(&self) -> Vec<Prediction> {
        let of_phi = |_: f64| Prediction::exact(RECALL, 1.0, "section 7.6.6.3");
        self.asked.phi.map(of_phi).into_iter().collect()
    }

    /// Of heavy hitters kept in a heap by estimates that are never too small and exceed by ε‖a‖₁ with at most this
    /// probability. A flow that is reported has (φ − ε)‖a‖₁ packets or an error above ε‖a‖₁, for every ε.
    pub(super) fn of_heap(&self, exceeds: &dyn Fn(f64) -> f64) -> Vec<Prediction> {
        let Some(phi) = self.asked.phi else { return Vec::new() };
        let flows = f64::from(self.updates.wanted().min(self.updates.arrivals()));
        let reported = |epsilon: f64| 1.0 / (phi - epsilon) + flows * exceeds(epsilon);
        let shares = (1..100).map(|i| f64::from(i) / 100.0);
        let least = shares.map(|share| reported(share * phi)).fold(flows, f64::min);
        let mut all = self.recall_of_overestimates();
        // A trace does not tell how many flows it has.
        if !self.updates.is_of_trace() {
            all.push(at_most(REPORTED_FLOWS, least, "1/(φ − ε) and false ones, section 7.6.6.3"));
        }
        all
    }
}
