//! What is the same for all points that are looked at.

use loadfactor_schemes::params::Scalar;

use super::names::axes_of;
use super::number::short;
use crate::definition::Point;

/// Values of one quantity that a subtitle lists.
const FEW: usize = 3;

/// A quantity that all of the points share.
#[derive(Debug, PartialEq)]
pub(super) struct Fixed {
    /// Its name in a definition.
    pub(super) name: String,
    pub(super) value: Scalar,
}

/// The parameters and columns that all points have with one value: those with a symbol first, in the order
/// in which families declare them.
pub(super) fn fixed(points: &[&Point]) -> Vec<Fixed> {
    let Some(first) = points.first() else { return Vec::new() };
    let mut names: Vec<String> = axes_of(points)
        .filter(|axis| axis.symbol.is_some())
        .map(|axis| axis.name.to_owned())
        .collect();
    names.extend(first.params.iter().map(|(name, _)| name.to_owned()));
    let mut found: Vec<Fixed> = Vec::new();
    for name in names {
        let same = |value: &Scalar| {
            points.iter().all(|point| value_of(point, &name).as_ref() == Some(value))
        };
        if let Some(value) = value_of(first, &name).filter(same)
            && found.iter().all(|known| known.name != name)
        {
            found.push(Fixed { name, value });
        }
    }
    found
}

/// The value of a column, else of a parameter, else what the point itself says of the name.
fn value_of(point: &Point, name: &str) -> Option<Scalar> {
    let columns = point.case.columns();
    if let Some((_, value)) = columns.into_iter().find(|(column, _)| *column == name) {
        return value;
    }
    let own = || point.case.place(name).map(Scalar::Number);
    point.params.get(name).cloned().or_else(own)
}

/// What has a symbol and few values, such as `n = 10000, h = 1 or 2`, without what is along the axis `x`; then
/// the workloads.
pub(super) fn in_short(points: &[&Point], x: &str) -> String {
    let axes = axes_of(points).filter(|axis| axis.name != x);
    let symbols = axes.filter_map(|axis| {
        let values = points.iter().map(|point| value_of(point, axis.name).map(|v| short(&v)));
        Some(format!("{} {}", axis.symbol?, few(values.collect::<Option<Vec<_>>>()?)?))
    });
    let workloads = few(points.iter().map(|point| point.workload.clone()).collect());
    let mut all: Vec<String> = symbols.collect();
    all.dedup();
    all.extend(workloads);
    all.join(", ")
}

/// The different values, in the order in which they are met; `None` where they are none or more than
/// [`FEW`].
fn few(values: Vec<String>) -> Option<String> {
    let mut different: Vec<String> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    (1..=FEW).contains(&different.len()).then(|| different.join(" or "))
}
