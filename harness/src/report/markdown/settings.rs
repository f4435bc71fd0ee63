//! What the settings of an experiment are, in words.

use loadfactor_schemes::params::Scalar;

use super::super::names::{meaning, parameter};
use crate::definition::{CHOSEN, Experiment};

/// Whether a parameter has the value that it has where nothing is said of it.
pub(super) fn is_default(experiment: &Experiment, name: &str, value: &Scalar) -> bool {
    let default = parameter(scheme(experiment), name).and_then(|param| param.absent.value());
    default.as_ref() == Some(value)
}

/// What a setting is, in words.
pub(super) fn what(experiment: &Experiment, name: &str) -> String {
    if CHOSEN.contains(&name) {
        return format!("The {name}");
    }
    let param = parameter(scheme(experiment), name);
    param.map_or_else(|| name.replace('_', " "), |param| meaning(param).to_owned())
}

/// The scheme that explains parameters of the same name in several families.
pub(super) fn scheme(experiment: &Experiment) -> &str {
    experiment.points.first().map_or("", |point| &point.scheme)
}
