//! Points in words.

use std::ops::Range;

use loadfactor_schemes::params::Params;

use crate::definition::{Experiment, Point};

/// What tells the points of each series apart.
#[derive(Debug)]
pub struct Varying<'e> {
    experiment: &'e Experiment,
    /// For each series the parameters that vary in it.
    names: Vec<Vec<String>>,
}

impl<'e> Varying<'e> {
    /// Looks at all points of the experiment.
    pub fn new(experiment: &'e Experiment) -> Self {
        let series = 0..experiment.series.len();
        let of_series = |series| &experiment.points[points_of(experiment, series)];
        let names =
            series.map(|series| varying_parameters(of_series(series).iter().map(|p| &p.params)));
        Self { experiment, names: names.collect() }
    }

    /// The parameters of a point that vary within its series.
    pub fn describe(&self, point: usize) -> String {
        let Point { series, params, .. } = &self.experiment.points[point];
        let varying = &self.names[*series];
        if varying.is_empty() {
            return "its only point".into();
        }
        let named = varying.iter().filter_map(|n| Some(format!("{n} = {}", params.get(n)?)));
        named.collect::<Vec<_>>().join(", ")
    }
}

/// The indices of the points of a series, which stand together.
pub fn points_of(experiment: &Experiment, series: usize) -> Range<usize> {
    let points = &experiment.points;
    points.partition_point(|p| p.series < series)..points.partition_point(|p| p.series <= series)
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
