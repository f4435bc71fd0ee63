//! What the settings of an experiment are, in words.

use loadfactor_schemes::params::{Param, Scalar};

use super::super::names::{meaning, parameter};
use crate::definition::{CHOSEN, Experiment};

/// Whether a parameter has the value that it has where nothing is said of it.
pub(super) fn is_default(experiment: &Experiment, name: &str, value: &Scalar) -> bool {
    let default = declared(experiment, name).and_then(|param| param.absent.value());
    default.as_ref() == Some(value)
}

/// What a setting is, in words.
pub(super) fn what(experiment: &Experiment, name: &str) -> String {
    if CHOSEN.contains(&name) {
        return format!("The {name}");
    }
    declared(experiment, name)
        .map_or_else(|| name.replace('_', " "), |param| meaning(param).to_owned())
}

/// A parameter as the first point declares it, where several families have one of the name.
fn declared(experiment: &Experiment, name: &str) -> Option<&'static Param> {
    let workload = experiment.points.first().map_or("", |point| &point.workload);
    parameter(scheme(experiment), workload, name)
}

/// The scheme that explains parameters of the same name in several families.
pub(super) fn scheme(experiment: &Experiment) -> &str {
    experiment.points.first().map_or("", |point| &point.scheme)
}
