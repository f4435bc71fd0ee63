//! The lines into which the points of a series fall in a figure.

use std::collections::BTreeMap;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;

use super::Point;
use super::varying::varying;
use super::vocabulary::is_column;

/// Some points of a series that are drawn as one line.
#[derive(Debug)]
pub(crate) struct Line<'p> {
    /// The first of them.
    pub(crate) first: &'p Point,
    /// What tells the line from the others of the series.
    pub(crate) settings: Vec<(String, Scalar)>,
    /// Their places among the points of the series.
    pub(crate) places: Vec<usize>,
}

/// The lines of a series: one for each combination of the settings that vary in it, the one along the line
/// aside.
pub(crate) fn lines<'p>(points: &[&'p Point], [x, y]: [&str; 2]) -> Vec<Line<'p>> {
    let splitting = splitting(points, x, y);
    let mut lines: BTreeMap<Vec<SortKey>, Line<'p>> = BTreeMap::new();
    for (place, &point) in points.iter().enumerate() {
        let key = splitting.iter().map(|name| SortKey::of(point, name)).collect();
        let begun = || Line { first: point, settings: settings(point, &splitting), places: vec![] };
        lines.entry(key).or_insert_with(begun).places.push(place);
    }
    lines.into_values().collect()
}

fn settings(point: &Point, names: &[String]) -> Vec<(String, Scalar)> {
    names.iter().filter_map(|name| Some((name.clone(), point.value(name)?))).collect()
}

/// Where a point stands along the axis of this name, unless the name is that of a metric.
pub(crate) fn place_along(point: &Point, name: &str) -> Option<f64> {
    let column = point.case.columns().into_iter().find(|(own, _)| *own == name);
    let place = match column {
        Some((_, value)) => value?.as_number(),
        None => point.case.place(name),
    };
    place.or_else(|| point.params.number(name).ok())
}

/// The settings that split a series into lines: those that vary, but for the one along the line and whatever is
/// swept together with it.
fn splitting(points: &[&Point], x: &str, y: &str) -> Vec<String> {
    let Some(scheme) = points.first().map(|point| point.scheme.as_str()) else {
        return Vec::new();
    };
    let mut varying = varying(points.iter().copied());
    if Metric::family(y).is_some() {
        return varying;
    }
    let along = match is_column(scheme, x) {
        true => varying.iter().find(|name| is_column(scheme, name)).cloned(),
        false => varying.iter().find(|name| *name == x).cloned(),
    };
    let moving = || moving(&varying, points, x);
    if let Some(along) = along.or_else(moving).or_else(|| fastest(&varying, points)) {
        varying.retain(|name| !follows(name, &along, points));
    }
    varying
}

/// The parameter that moves points furthest along x while all others are fixed; `None` where none does alone, or x
/// is a metric.
fn moving(varying: &[String], points: &[&Point], x: &str) -> Option<String> {
    if x.parse::<Metric>().is_ok() {
        return None;
    }
    let spread = |name: &String| {
        let mut groups: BTreeMap<Vec<SortKey>, (f64, f64)> = BTreeMap::new();
        for point in points {
            let Some(place) = place_along(point, x) else { continue };
            let others = varying.iter().filter(|other| *other != name);
            let key = others.map(|other| SortKey::of(point, other)).collect();
            let (low, high) = groups.entry(key).or_insert((place, place));
            (*low, *high) = (low.min(place), high.max(place));
        }
        groups.values().map(|(low, high)| high - low).fold(0.0, f64::max)
    };
    let furthest = varying.iter().max_by(|a, b| spread(a).total_cmp(&spread(b)))?;
    (spread(furthest) > 0.0).then(|| furthest.clone())
}

/// The setting that changes from the first point to the second: the one swept fastest.
fn fastest(varying: &[String], all: &[&Point]) -> Option<String> {
    let [first, second, ..] = all else { return None };
    varying.iter().find(|name| first.value(name) != second.value(name)).cloned()
}

/// Whether each value of `along` comes with one value of `name` only: it is `along` itself, or
/// swept together with it.
fn follows(name: &str, along: &str, all: &[&Point]) -> bool {
    let both = all.iter().map(|point| (SortKey::of(point, along), SortKey::of(point, name)));
    let mut values: Vec<(SortKey, SortKey)> = both.collect();
    values.sort_unstable();
    values.dedup();
    values.windows(2).all(|pair| pair[0].0 != pair[1].0)
}

/// A setting's value in an order: numbers by size, words by alphabet.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Absent,
    Number(u64),
    Text(String),
}

impl SortKey {
    fn of(point: &Point, name: &str) -> Self {
        match point.value(name) {
            None => SortKey::Absent,
            Some(Scalar::Integer(value)) => SortKey::number(value as f64),
            Some(Scalar::Number(value)) => SortKey::number(value),
            Some(other) => SortKey::Text(other.to_string()),
        }
    }

    /// The bits of a number in an order that is its own.
    fn number(value: f64) -> Self {
        let bits = value.to_bits();
        SortKey::Number(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
    }
}
