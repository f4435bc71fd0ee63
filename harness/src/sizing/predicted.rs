//! What a scheme itself predicts of a table that is not cut.

use loadfactor_schemes::params::ParamError;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
use loadfactor_schemes::tables::sizing::SizedFor;
use loadfactor_schemes::tables::{DRandom, Process, Scheme};

use super::observation::params;
use super::{Definition, Error};

/// How far a table may be from the limit for many elements, as a share of its overflow.
const MOST_DEVIATION: f64 = 0.1;

/// The overflow below which a deviation of first order, integrated to 10⁻¹⁰, has too few digits.
const LEAST_REFINED: f64 = 1e-8;

/// The share of the elements that are added to see how the overflow changes.
const STEP: f64 = 0.01;

/// The share of the elements on the overflow list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Predicted {
    pub(super) overflow: f64,
    /// Whether it holds for a table of this size, not for far more elements alone.
    pub(super) is_sure: bool,
}

/// What the scheme predicts of the table; `None` where it predicts nothing.
///
/// A limit holds of the table where its deviation of first order is small; or, where that is not known to so many
/// digits, where `E²/n` is: 1 % more elements make the overflow `E` % more, and the counts of a table fluctuate
/// like the square root of the number of its elements.
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
    let predictions = predictions::<S>(definition)?;
    if let Some(overflow) = of_kind(&predictions, Kind::Exact) {
        return Ok(Some(Predicted { overflow, is_sure: true }));
    }
    let Some(overflow) = of_kind(&predictions, Kind::Asymptotic) else { return Ok(None) };
    let refined = of_kind(&predictions, Kind::Refined);
    let is_near = match refined {
        Some(refined) if overflow > LEAST_REFINED => {
            (refined - overflow).abs() <= MOST_DEVIATION * overflow
        }
        _ => fluctuates_little::<S>(definition, overflow)?,
    };
    Ok(Some(Predicted { overflow, is_sure: is_near }))
}

fn predictions<S: Scheme>(definition: &Definition<'_>) -> Result<Vec<Prediction>, ParamError> {
    let scheme = S::from_params(&params::<S>(definition)?)?;
    let process = match definition.workload {
        SizedFor::StaticFill => Process::StaticFill,
        SizedFor::Alternation => Process::Alternation,
    };
    Ok(scheme.outlook(process).predictions)
}

fn fluctuates_little<S: Scheme>(
    definition: &Definition<'_>,
    overflow: f64,
) -> Result<bool, ParamError> {
    let elements = f64::from(definition.elements);
    let added = (elements * STEP).ceil();
    let more = Definition { elements: (elements + added) as u32, ..*definition };
    let more = of_kind(&predictions::<S>(&more)?, Kind::Asymptotic);
    let elasticity = more.map(|more| (more / overflow).ln() * elements / added);
    Ok(elasticity.is_some_and(|by| by * by / elements <= MOST_DEVIATION))
}

fn of_kind(predictions: &[Prediction], kind: Kind) -> Option<f64> {
    let found = predictions.iter().find(|of| of.metric == OVERFLOW_FRACTION && of.kind == kind);
    found.map(|prediction| prediction.value)
}
