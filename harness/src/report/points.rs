//! Points in words.

use loadfactor_schemes::params::Params;

use crate::definition::{Experiment, Point};

/// The parameters of a point that vary within its series.
pub fn describe(experiment: &Experiment, point: usize) -> String {
    let Point { series, params, .. } = &experiment.points[point];
    let of_series = experiment.points.iter().filter(|p| p.series == *series);
    let varying = varying_parameters(of_series.map(|p| &p.params));
    if varying.is_empty() {
        return "its only point".into();
    }
    let named = varying.iter().filter_map(|n| Some(format!("{n} = {}", params.get(n)?)));
    named.collect::<Vec<_>>().join(", ")
}

/// The parameters that do not have the same value everywhere, in order of their names.
pub fn varying_parameters<'p>(all: impl Iterator<Item = &'p Params> + Clone) -> Vec<String> {
    let Some(first) = all.clone().next() else { return Vec::new() };
    first
        .iter()
        .filter(|(name, value)| all.clone().any(|params| params.get(name) != Some(*value)))
        .map(|(name, _)| name.to_owned())
        .collect()
}
