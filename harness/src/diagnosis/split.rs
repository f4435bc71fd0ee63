//! The gap and its parts.

use std::fmt;

use loadfactor_schemes::metric::common;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;

use super::definition::SERIES;
use crate::estimate::comparison::Subject;
use crate::plan::Plan;
use crate::report::Results;

/// A cause of the gap, in the order in which they are switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Packets of one key come close together.
    ArrivalOrder,
    /// A key is stored again while it is stored already: its elements have the same choices.
    RepeatedKeys,
    /// The hash function's choices are not independent and uniform.
    HashFunction,
    /// The model is a limit for many buckets.
    FiniteSize,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 4] =
        [Cause::ArrivalOrder, Cause::RepeatedKeys, Cause::HashFunction, Cause::FiniteSize];
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Cause::ArrivalOrder => "arrival order",
            Cause::RepeatedKeys => "repeated keys",
            Cause::HashFunction => "hash function",
            Cause::FiniteSize => "finite size",
        })
    }
}

/// A quantity with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// Its value.
    pub value: f64,
    /// Its standard error.
    pub std_error: f64,
}

impl Part {
    fn minus(self, other: Part) -> Part {
        let std_error = libm::hypot(self.std_error, other.std_error);
        Part { value: self.value - other.value, std_error }
    }
}

/// One step on the way from the trace to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The label of its series, or the source of the prediction.
    pub label: String,
    /// The overflow fraction measured or predicted.
    pub overflow: Part,
    /// Share of arrivals whose key was stored already.
    pub repeated: Option<f64>,
}

/// The overflow fraction step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The measured steps, from the trace to random choices.
    pub measured: Vec<Step>,
    /// What theory says of exactly this table, where it does.
    pub exact: Option<Step>,
    /// The model's limit.
    pub limit: Step,
}

/// An experiment that holds no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSplit {
    /// Theory has no limit to compare with.
    #[error("theory gives no limit of the overflow fraction for this scheme with these parameters{}; `loadfactor schemes` says where it does", .0.as_ref().map_or(String::new(), |reason| format!(": {reason}")))]
    NoLimit(Option<String>),
    /// A step has too few trials for a standard error.
    #[error("`{0}` has no two trials: its error is not known")]
    NoError(&'static str),
}

impl Split {
    /// Whether there is a limit to compare with, before the definition of a question is run.
    ///
    /// # Errors
    /// Where there is none.
    pub fn look_for_limit(plan: &Plan<'_>) -> Result<(), NoSplit> {
        // That of the last series, which has random choices.
        let Some(random) = plan.points.last() else { return Err(NoSplit::NoLimit(None)) };
        let outlook = random.outlook();
        match predicted(&outlook.predictions, Kind::Asymptotic) {
            Some(_) => Ok(()),
            None => Err(NoSplit::NoLimit(outlook.missing)),
        }
    }

    /// The split out of the results of a question's definition.
    ///
    /// # Errors
    /// Where a step was not measured, or theory has no limit.
    pub fn from_results(results: &Results<'_>) -> Result<Self, NoSplit> {
        let subject = |label: &'static str| {
            let of_series = |subject: &&Subject| {
                let point = &results.experiment.points[subject.point];
                results.experiment.series[point.series] == label
            };
            results.subjects.iter().find(of_series).ok_or(NoSplit::NoError(label))
        };
        let measured: Result<Vec<Step>, NoSplit> =
            SERIES.iter().map(|label| measured(label, subject(label)?)).collect();
        let random = subject(SERIES[3])?;
        let missing = results.unpredicted.first().map(|(_, reason)| reason.clone());
        Ok(Self {
            measured: measured?,
            exact: predicted(&random.predictions, Kind::Exact),
            limit: predicted(&random.predictions, Kind::Asymptotic)
                .ok_or(NoSplit::NoLimit(missing))?,
        })
    }

    /// Measured as captured minus the model's limit.
    pub fn gap(&self) -> Part {
        self.measured[0].overflow.minus(self.limit.overflow)
    }

    /// What each cause adds to the overflow fraction; together the gap.
    pub fn parts(&self) -> [(Cause, Part); 4] {
        let at = |step: usize| self.measured.get(step).unwrap_or(&self.limit).overflow;
        let mut step = 0;
        Cause::ALL.map(|cause| {
            step += 1;
            (cause, at(step - 1).minus(at(step)))
        })
    }

    /// The cause of the greatest part, if that is more than three standard errors from 0.
    pub fn dominant(&self) -> Option<Cause> {
        let certain = |part: &Part| part.value.abs() > 3.0 * part.std_error;
        let greatest =
            self.parts().into_iter().max_by(|a, b| a.1.value.abs().total_cmp(&b.1.value.abs()));
        greatest.filter(|(_, part)| certain(part)).map(|(cause, _)| cause)
    }
}

fn measured(label: &'static str, subject: &Subject) -> Result<Step, NoSplit> {
    let moments = subject.moments(metrics::OVERFLOW_FRACTION);
    let part = moments
        .and_then(|moments| Some(Part { value: moments.mean()?, std_error: moments.std_error()? }));
    Ok(Step {
        label: label.to_owned(),
        overflow: part.ok_or(NoSplit::NoError(label))?,
        repeated: subject.moments(common::REPEATED_KEY_FRACTION).and_then(|moments| moments.mean()),
    })
}

fn predicted(predictions: &[Prediction], kind: Kind) -> Option<Step> {
    let metric = metrics::OVERFLOW_FRACTION;
    let found = predictions.iter().find(|p| p.metric == metric && p.kind == kind)?;
    Some(Step {
        label: format!("{kind}: {}", found.source),
        overflow: Part { value: found.value, std_error: 0.0 },
        repeated: None,
    })
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32} overflow fraction std error   repeated", "step")?;
        for step in &self.measured {
            let repeated = step.repeated.map_or(String::new(), percent);
            let Part { value, std_error } = step.overflow;
            writeln!(f, "{:<32} {value:>17.6} {std_error:>9.1e} {repeated:>10}", step.label)?;
        }
        for step in self.exact.iter().chain([&self.limit]) {
            writeln!(f, "{:<32} {:>17.6}", step.label, step.overflow.value)?;
        }
        let gap = self.gap();
        writeln!(f, "\n{:<32} overflow fraction std error     of gap", "cause")?;
        for (cause, part) in self.parts() {
            let share = percent(part.value / gap.value);
            let Part { value, std_error } = part;
            writeln!(f, "{cause:<32} {value:>+17.6} {std_error:>9.1e} {share:>10}")?;
        }
        if let Some(exact) = &self.exact {
            let own = exact.overflow.minus(self.limit.overflow).value;
            writeln!(f, "{:<32} {own:>+17.6}", "  finite size, in theory")?;
        }
        writeln!(f, "{:<32} {:>+17.6} {:>9.1e}", "gap", gap.value, gap.std_error)?;
        match self.dominant() {
            Some(cause) => writeln!(f, "\nmostly owed to: {cause}"),
            None => writeln!(f, "\nno part is more than three standard errors from 0"),
        }
    }
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.1} %", 100.0 * share) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(value: f64, std_error: f64) -> Step {
        let overflow = Part { value, std_error };
        Step { label: String::new(), overflow, repeated: None }
    }

    fn split(steps: [f64; 4], limit: f64) -> Split {
        let measured = steps.map(|value| step(value, 0.003)).to_vec();
        Split { measured, exact: None, limit: step(limit, 0.0) }
    }

    #[test]
    fn the_parts_add_up_to_the_gap() {
        let split = split([0.34, 0.30, 0.25, 0.24], 0.23);
        let sum: f64 = split.parts().iter().map(|(_, part)| part.value).sum();
        assert!((sum - split.gap().value).abs() < 1e-15);
        assert_eq!(split.dominant(), Some(Cause::RepeatedKeys));
        let errors: Vec<f64> = split.parts().iter().map(|(_, part)| part.std_error).collect();
        assert_eq!(
            errors,
            [0.003_f64.hypot(0.003); 3].into_iter().chain([0.003]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn noise_is_no_cause() {
        assert_eq!(split([0.23, 0.231, 0.229, 0.23], 0.232).dominant(), None);
    }
}
