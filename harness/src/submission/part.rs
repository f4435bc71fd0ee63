//! What a submission knows of an experiment.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::definition::Stopping;
use crate::forecast::Pace;
use crate::plan::Plan;
use crate::run::{BatchResult, Identity, Stretch, Work};
use crate::trace::LoadedTrace;

/// Seconds that no batch takes.
const MOST_SECONDS: f64 = 1e9;

/// Most batches of a point.
const MOST_BATCHES: u64 = 1 << 32;

/// An experiment as it was when the work was cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The trace that it takes keys from.
    pub trace: Option<TraceOfPart>,
    /// Its points, those that are not run among them.
    pub points: Vec<PointPart>,
}

/// A trace, by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceOfPart {
    /// Its files.
    pub label: String,
    /// SHA-256 of the files one behind the other, in hexadecimal.
    pub sha256: String,
}

/// A point as it was when the work was cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointPart {
    /// Its identity, in hexadecimal.
    identity: String,
    /// Trials of a full batch.
    trials_per_batch: u64,
    /// When it has enough trials.
    rule: Rule,
    /// Seconds of a full batch on one thread; 0 where it is not run.
    seconds: f64,
}

/// A stopping rule as it is written into a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// After so many trials.
    Trials(u64),
    /// At a precision.
    Precision {
        /// The quantity, by its name.
        metric: String,
        /// Half-width of the interval divided by the mean.
        relative: f64,
        /// Trials before the rule is first asked.
        min_trials: u64,
        /// Trials after which the point ends in any case.
        max_trials: u64,
    },
}

/// Why what is found on a machine is not what was cut.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// The trace has another content.
    #[error(
        "{found} is not the trace that the work was cut for: its SHA-256 is {found_sha256}, and not {sha256}"
    )]
    Trace {
        /// The files here.
        found: String,
        /// Their digest.
        found_sha256: String,
        /// The digest that was cut.
        sha256: String,
    },
    /// The points are others.
    #[error(
        "the definition of {name} is not the one that the work was cut for: put that back, or submit the work anew"
    )]
    Definition {
        /// The experiment.
        name: String,
    },
}

impl From<Stopping> for Rule {
    fn from(rule: Stopping) -> Self {
        match rule {
            Stopping::Trials(trials) => Rule::Trials(trials),
            Stopping::Precision { metric, relative, min_trials, max_trials } => {
                Rule::Precision { metric: metric.to_string(), relative, min_trials, max_trials }
            }
        }
    }
}

impl Rule {
    /// The rule; `None` where it names a quantity that nothing here measures.
    fn stopping(&self) -> Option<Stopping> {
        Some(match self {
            Rule::Trials(trials) => Stopping::Trials(*trials),
            Rule::Precision { metric, relative, min_trials, max_trials } => Stopping::Precision {
                metric: metric.parse().ok()?,
                relative: *relative,
                min_trials: *min_trials,
                max_trials: *max_trials,
            },
        })
    }
}

impl PointPart {
    fn of(plan: &Plan<'_>, point: usize, seconds: f64) -> Self {
        Self {
            identity: text_of(plan.identity(point)),
            trials_per_batch: plan.trials_per_batch(point),
            rule: plan.stopping(point).into(),
            seconds,
        }
    }

    /// Whether it can be read.
    pub(super) fn is_sound(&self) -> bool {
        let has_sound_time = (0.0..MOST_SECONDS).contains(&self.seconds);
        let has_sound_batches = self.trials_per_batch > 0 && self.stretch().batches <= MOST_BATCHES;
        has_sound_time
            && has_sound_batches
            && self.rule.stopping().is_some()
            && identity_of(&self.identity).is_some()
    }

    fn stopping(&self) -> Stopping {
        // What was read is sound, and what was made came from a rule.
        self.rule.stopping().unwrap_or(Stopping::Trials(0))
    }

    fn stretch(&self) -> Stretch {
        match self.seconds > 0.0 {
            true => Stretch::of(&self.stopping(), self.trials_per_batch, self.seconds),
            false => Stretch::NONE,
        }
    }
}

impl Part {
    /// The experiment of a plan, with the pace of each point; points that are not run take no time.
    pub fn new(plan: &Plan<'_>, paces: &[Pace], runs: impl Fn(usize) -> bool) -> Self {
        let points = plan.points.iter().enumerate().map(|(index, point)| {
            // A clock that stood still would take the point out of the work.
            let seconds = || paces[index].of_batch(point).max(1e-9);
            PointPart::of(plan, index, if runs(index) { seconds() } else { 0.0 })
        });
        Self {
            name: plan.experiment.name.clone(),
            trace: plan.trace.as_ref().map(TraceOfPart::of),
            points: points.collect(),
        }
    }

    /// Refuses a plan of other points, or of another trace.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, plan: &Plan<'_>) -> Result<(), Mismatch> {
        let here = plan.trace.as_ref().map(TraceOfPart::of);
        if let (Some(here), Some(cut)) = (here, &self.trace)
            && here.sha256 != cut.sha256
        {
            let (found, found_sha256) = (here.label, here.sha256);
            return Err(Mismatch::Trace { found, found_sha256, sha256: cut.sha256.clone() });
        }
        let same = |(index, point): (usize, &PointPart)| {
            point.identity == text_of(plan.identity(index))
                && point.trials_per_batch == plan.trials_per_batch(index)
                && point.rule == plan.stopping(index).into()
        };
        let is_same =
            self.points.len() == plan.points.len() && self.points.iter().enumerate().all(same);
        is_same.then_some(()).ok_or_else(|| Mismatch::Definition { name: self.name.clone() })
    }

    /// Whether a point is among those that are run.
    pub fn is_run(&self, point: usize) -> bool {
        self.points.get(point).is_some_and(|point| point.seconds > 0.0)
    }

    pub(super) fn stretch(&self, point: usize) -> Stretch {
        self.points[point].stretch()
    }

    pub(super) fn stretches(&self) -> impl Iterator<Item = Stretch> {
        self.points.iter().map(PointPart::stretch)
    }
}

impl TraceOfPart {
    fn of(trace: &LoadedTrace) -> Self {
        Self { label: trace.label(), sha256: trace.digest.clone() }
    }
}

/// Some points of an experiment, for whoever reads journals without its definition.
#[derive(Debug)]
pub(super) struct Window<'p>(Vec<&'p PointPart>);

impl<'p> Window<'p> {
    pub(super) fn new(part: &'p Part, points: &[usize]) -> Self {
        Self(points.iter().map(|&point| &part.points[point]).collect())
    }
}

impl Work for Window<'_> {
    fn points(&self) -> usize {
        self.0.len()
    }

    fn identity(&self, point: usize) -> Identity {
        // As in `stopping`.
        identity_of(&self.0[point].identity).unwrap_or_default()
    }

    fn label(&self, point: usize) -> String {
        format!("point {}", point + 1)
    }

    fn trials_per_batch(&self, point: usize) -> u64 {
        self.0[point].trials_per_batch
    }

    fn stopping(&self, point: usize) -> Stopping {
        self.0[point].stopping()
    }

    fn cost(&self, point: usize) -> f64 {
        self.0[point].seconds
    }

    fn run(&self, point: usize, _: u64, _: u64) -> Result<BatchResult, String> {
        Err(format!("{}: without its definition it cannot be run", self.label(point)))
    }
}

fn text_of(identity: Identity) -> String {
    format!("{:032x}", u128::from_be_bytes(identity))
}

fn identity_of(text: &str) -> Option<Identity> {
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}
