//! The difference between a trace and the model, and its parts.

use loadfactor_schemes::metric::common;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;

use super::cause::{Cause, SETTINGS, Setting};
use super::contrast::Contrast;
use super::estimate::{Estimate, Trials};
use crate::estimate::comparison::Subject;
use crate::run::BatchResult;

/// What was measured in a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The causes that were switched off.
    pub setting: Setting,
    /// The overflow fraction.
    pub overflow: Estimate,
    /// Share of arrivals whose key another stored element had.
    pub repeated: Option<f64>,
}

/// What theory says where every cause is switched off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// The overflow fraction in the limit of infinitely many buckets.
    pub limit: f64,
    /// Where that comes from.
    pub source: &'static str,
    /// The overflow fraction of exactly this table, where theory has it.
    pub exact: Option<f64>,
    /// How much higher the limit is with the bits that the hash function gives for a choice.
    pub narrow: Option<f64>,
}

/// What one cause adds to the overflow fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The cause.
    pub cause: Cause,
    /// What it adds, averaged over all orders in which the causes can be switched off.
    pub added: Estimate,
    /// Its share of the difference, where there is one.
    pub share: Option<Estimate>,
    /// What it adds where all others are there.
    pub cured_alone: Estimate,
    /// What it adds where no other is there.
    pub on_its_own: Estimate,
}

/// What the finite size of the table adds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizePart {
    /// What was measured.
    pub added: Estimate,
    /// Its share of the difference, where there is one.
    pub share: Option<Estimate>,
    /// What theory says that it is.
    pub in_theory: Option<f64>,
}

/// The overflow fraction on a trace, what it is held against, and what the difference is owed to.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// What was measured, in the order of [`Setting::all`].
    pub measured: Vec<Measured>,
    /// The model, where theory has a limit.
    pub model: Option<Model>,
    /// The overflow fraction as captured, less that of the model; where there is no model, less what is
    /// measured with every cause switched off.
    pub difference: Estimate,
    /// The parts of the causes, the largest first.
    pub parts: Vec<Part>,
    /// The part of the table's size, where there is a model.
    pub size: Option<SizePart>,
}

/// An experiment that holds no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` was not measured in each trial: the answer is not known")]
pub struct NotMeasured(pub String);

impl Split {
    /// The split out of the points of a question's definition, one for each setting.
    ///
    /// # Errors
    /// Where a setting was not measured in each trial.
    pub fn of(subjects: &[Subject]) -> Result<Self, NotMeasured> {
        let trials = &trials(subjects)?[..];
        let model = Model::of(subjects);
        let whole = Whole::of(trials, model);
        let mut parts = Cause::ALL.map(|cause| whole.part(cause));
        parts.sort_by(|a, b| b.added.value.abs().total_cmp(&a.added.value.abs()));
        let measured = Setting::all().zip(subjects);
        let measured = measured.map(|(setting, subject)| Measured {
            setting,
            overflow: Contrast::of(setting).estimate(trials),
            repeated: subject.mean(common::REPEATED_KEY_FRACTION),
        });
        Ok(Self {
            measured: measured.collect(),
            model,
            difference: whole.difference,
            parts: parts.into(),
            size: model.map(|model| whole.size_part(model)),
        })
    }

    /// What was measured in a setting.
    pub fn at(&self, setting: Setting) -> &Measured {
        &self.measured[setting.index()]
    }

    /// The cause of the largest part, if that is more than chance.
    pub fn dominant(&self) -> Option<Cause> {
        let largest = self.parts.first().filter(|part| part.added.is_certain())?;
        let of_size = self.size.map_or(0.0, |size| size.added.value.abs());
        (largest.added.value.abs() > of_size).then_some(largest.cause)
    }
}

/// What is split.
struct Whole<'t> {
    trials: &'t Trials,
    contrast: Contrast,
    difference: Estimate,
}

impl<'t> Whole<'t> {
    fn of(trials: &'t Trials, model: Option<Model>) -> Self {
        let captured = Contrast::of(Setting::AS_CAPTURED);
        let contrast = match model {
            Some(model) => captured.less(model.limit),
            None => captured.less_measured(Setting::IDEAL),
        };
        Self { trials, contrast, difference: contrast.estimate(trials) }
    }

    fn part(&self, cause: Cause) -> Part {
        let averaged = Contrast::averaged(cause);
        Part {
            cause,
            added: averaged.estimate(self.trials),
            share: self.share(&averaged),
            cured_alone: Contrast::cured_alone(cause).estimate(self.trials),
            on_its_own: Contrast::on_its_own(cause).estimate(self.trials),
        }
    }

    /// What is left without any cause.
    fn size_part(&self, model: Model) -> SizePart {
        let left = Contrast::of(Setting::IDEAL).less(model.limit);
        SizePart {
            added: left.estimate(self.trials),
            share: self.share(&left),
            in_theory: model.exact.map(|exact| exact - model.limit),
        }
    }

    /// The share of a difference that is more than chance.
    fn share(&self, part: &Contrast) -> Option<Estimate> {
        let is_certain = self.difference.is_certain();
        is_certain.then(|| part.share_of(&self.contrast, self.trials))
    }
}

impl Model {
    fn of(subjects: &[Subject]) -> Option<Self> {
        let predicted =
            |setting: Setting, kind| predicted(&subjects.get(setting.index())?.predictions, kind);
        let limit = predicted(Setting::IDEAL, Kind::Asymptotic)?;
        let own = predicted(Setting::AS_CAPTURED, Kind::Asymptotic);
        Some(Self {
            limit: limit.value,
            source: limit.source,
            exact: predicted(Setting::IDEAL, Kind::Exact).map(|exact| exact.value),
            narrow: own.map(|own| own.value - limit.value).filter(|&more| more != 0.0),
        })
    }
}

fn predicted(predictions: &[Prediction], kind: Kind) -> Option<&Prediction> {
    predictions.iter().find(|p| p.metric == metrics::OVERFLOW_FRACTION && p.kind == kind)
}

/// The overflow fraction in each trial that every setting has.
fn trials(subjects: &[Subject]) -> Result<Vec<[f64; SETTINGS]>, NotMeasured> {
    let missing = |setting: Setting| NotMeasured(setting.to_string());
    let mut by_setting = Vec::new();
    for setting in Setting::all() {
        let subject = subjects.get(setting.index()).ok_or_else(|| missing(setting))?;
        let values: Option<Vec<f64>> = subject.batches.iter().map(in_trial).collect();
        by_setting.push(values.filter(|values| values.len() > 1).ok_or_else(|| missing(setting))?);
    }
    let [first, others @ ..] = &by_setting[..] else { return Ok(Vec::new()) };
    for (setting, other) in Setting::all().skip(1).zip(others) {
        if other.len() != first.len() {
            return Err(missing(setting));
        }
    }
    let trial = |k: usize| {
        let mut trial = [0.0; SETTINGS];
        trial.iter_mut().zip(&by_setting).for_each(|(value, of_setting)| *value = of_setting[k]);
        trial
    };
    Ok((0..first.len()).map(trial).collect())
}

/// The overflow fraction of a batch that is one trial.
fn in_trial(batch: &BatchResult) -> Option<f64> {
    let (_, moments) = batch.metrics.iter().find(|(own, _)| *own == metrics::OVERFLOW_FRACTION)?;
    moments.mean()
}
