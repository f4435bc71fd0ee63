//! What a family of structures declares: its schemes, workloads, metrics, axes and curves.

use crate::case::{Case, Request};
use crate::info::{SchemeInfo, WorkloadInfo};
use crate::metric::{Metric, MetricInfo};
use crate::params::{Param, ParamError};

/// A kind of structure with its schemes, workloads and metrics.
#[derive(Debug)]
pub struct Family {
    /// Its name, in messages and in the reference.
    pub name: &'static str,
    /// What its structures have in common, in a sentence or two.
    pub summary: &'static str,
    /// Its schemes, in the order of the reference.
    pub schemes: &'static [SchemeEntry],
    /// Its workloads, in the order of the reference.
    pub workloads: &'static [&'static WorkloadInfo],
    /// Parameters that all its workloads have, beside those of the keys.
    pub shared_params: &'static [Param],
    /// What `shared_params` are for, as the reference introduces them.
    pub shared_params_are: &'static str,
    /// The declarations of its metrics, in the order of rows.
    pub metrics: &'static [&'static MetricInfo],
    /// What a report shows of an experiment without a figure.
    pub headline: Metric,
    /// Names along the axes of figures, with labels: parameters, columns and places of its own.
    pub axes: &'static [Axis],
    /// Curves of theory that belong to no series.
    pub curves: &'static [CurveInfo],
    /// Parameters that say the same in other words: one that a series gives replaces those here that all
    /// series share.
    pub alternatives: &'static [(&'static str, &'static [&'static str])],
    /// The parameters that make an experiment long, the first of them the likeliest.
    pub long: &'static [&'static str],
    /// The parameters that make a structure large, likewise.
    pub large: &'static [&'static str],
}

/// Something along the axis of a figure.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// Its name in a definition.
    pub name: &'static str,
    /// What is written at the axis.
    pub label: &'static str,
    /// How a value is introduced in a legend, such as `h =`; `None` where its name does.
    pub symbol: Option<&'static str>,
    /// What it is.
    pub kind: AxisKind,
}

impl Axis {
    /// A parameter that is a number, with what is written at the axis and introduces a value in a legend.
    pub const fn parameter(name: &'static str, label: &'static str, symbol: &'static str) -> Self {
        Self { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
    }
}

/// The [`alternatives`](Family::alternatives) of a family whose `load` stands for a number of `elements`.
pub const ELEMENTS_OR_LOAD: &[(&str, &[&str])] =
    &[("elements", &["load"]), ("load", &["elements"])];

/// What a name along an axis is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// A parameter that is a number, or counts so many things that it is as good as one: predictions are
    /// drawn between its values.
    Parameter,
    /// A parameter that counts few things: there is nothing between its values.
    Discrete,
    /// One of several columns that say the same: [`Case::columns`] has the value.
    Column,
    /// Neither: [`Case::place`] has the value.
    Place,
}

/// A curve of theory.
#[derive(Debug)]
pub struct CurveInfo {
    /// Its name in a definition and in published.csv.
    pub name: &'static str,
    /// Its name in legends.
    pub label: &'static str,
    /// What is along the horizontal axis: a metric, or one of the family's [`axes`](Family::axes).
    pub x: &'static str,
    /// The metric along the vertical axis.
    pub y: Metric,
    /// What it says of the two, in a few words.
    pub says: &'static str,
}

/// A scheme in the list of a family: what is said of it, and how a point of it is made.
#[derive(Debug, Clone, Copy)]
pub struct SchemeEntry {
    /// The name of its family.
    pub family: &'static str,
    /// What is said of it.
    pub info: &'static SchemeInfo,
    /// Reads and checks a point, whatever rare event is asked for. The loops of its trials are compiled where this is written.
    pub case: fn(&Request<'_>) -> Result<Box<dyn Case>, ParamError>,
}

impl Family {
    /// The curve of this name.
    pub fn curve(&self, name: &str) -> Option<&'static CurveInfo> {
        self.curves.iter().find(|curve| curve.name == name)
    }
}
