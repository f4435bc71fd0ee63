//! What a scheme itself predicts of a table that is not cut.

use loadfactor_schemes::params::ParamError;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
use loadfactor_schemes::tables::sizing::SizedFor;
use loadfactor_schemes::tables::{DRandom, Process, Scheme};

use super::observation::params;
use super::{Definition, Error};

/// How far a table may be from the limit for many elements, as a share of its overflow, for the deviation of first
/// order to say the most of it.
const MOST_DEVIATION: f64 = 0.1;

/// The share of the elements on the overflow list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Predicted {
    pub(super) overflow: f64,
    /// Whether it holds for a table of this size, not for far more elements alone.
    pub(super) is_sure: bool,
}

/// What the scheme predicts of the table: with the deviation of first order in the reciprocal of the buckets, where
/// that is small; `None` where it predicts nothing.
///
/// # Errors
/// [`Error::Definition`] where there is no such table.
pub(super) fn predicted(definition: &Definition<'_>) -> Result<Option<Predicted>, Error> {
    match definition.kind.scheme {
        "d-random" => {
            of_scheme::<DRandom>(definition).map_err(|error| Error::Definition(error.to_string()))
        }
        _ => Ok(None),
    }
}

fn of_scheme<S: Scheme>(definition: &Definition<'_>) -> Result<Option<Predicted>, ParamError> {
    let scheme = S::from_params(&params::<S>(definition)?)?;
    let process = match definition.workload {
        SizedFor::StaticFill => Process::StaticFill,
        SizedFor::Alternation => Process::Alternation,
    };
    let predictions = scheme.outlook(process).predictions;
    let exact = of_kind(&predictions, Kind::Exact);
    let exact = exact.map(|overflow| Predicted { overflow, is_sure: true });
    Ok(exact.or_else(|| from_limit(&predictions)))
}

fn of_kind(predictions: &[Prediction], kind: Kind) -> Option<f64> {
    let found = predictions.iter().find(|of| of.metric == OVERFLOW_FRACTION && of.kind == kind);
    found.map(|prediction| prediction.value)
}

fn from_limit(predictions: &[Prediction]) -> Option<Predicted> {
    let limit = of_kind(predictions, Kind::Asymptotic)?;
    let refined = of_kind(predictions, Kind::Refined);
    let near = refined.filter(|refined| (refined - limit).abs() <= MOST_DEVIATION * limit);
    Some(Predicted { overflow: near.unwrap_or(limit), is_sure: near.is_some() })
}
