//! What a figure leaves out, said in its footer.

use super::plot::Plot;
use super::{Figure, Measured, Scale};

/// Says in words how many finite values are not drawn, and why; empty if all are.
pub(super) fn omitted(figure: &Figure, plot: &Plot) -> String {
    let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    let lost = |&point: &(f64, f64)| plot.place(point).is_none();
    let markers: Vec<(f64, f64)> = markers(figure).filter(finite).collect();
    let (no_place, rest): (Vec<_>, Vec<_>) = markers.into_iter().partition(lost);
    let zeros = zeros(figure).min(no_place.len());
    let outside = rest.into_iter().filter(|&point| !plot.contains(point)).count();
    let vertices = vertices(figure).filter(finite).filter(lost).count();
    let reasons = [
        (zeros, "value of 0", "without an interval on a log axis"),
        (no_place.len() - zeros, "value", why_no_place(figure)),
        (vertices, "point of a line", why_no_place(figure)),
        (outside, "value", "beyond the range of the axes"),
    ];
    let said: Vec<String> = reasons
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, what, why)| format!("{} {why}", counted(*count, what)))
        .collect();
    if said.is_empty() { String::new() } else { format!("Not drawn: {}.", said.join("; ")) }
}

/// Why a finite value has no place on one of the axes.
fn why_no_place(figure: &Figure) -> &'static str {
    let has = |scale| [figure.x.scale, figure.y.scale].contains(&scale);
    match (has(Scale::Log), has(Scale::Probit)) {
        (true, true) => "without a place on the log or the probit axis",
        (_, true) => "not between 0 and 1 on a probit axis",
        _ => "at or below zero on a log axis",
    }
}

/// Measurements of 0 on a log axis whose interval has no end above 0: those that were 0 in every trial.
fn zeros(figure: &Figure) -> usize {
    let measured = figure.series.iter().flat_map(|series| &series.measured);
    let is_zero = |m: &&Measured| m.y == 0.0 && m.x.is_finite();
    let is_lost = |m: &&Measured| m.limit(figure.y.scale).is_none();
    match figure.y.scale {
        Scale::Log => measured.filter(is_zero).filter(is_lost).count(),
        Scale::Linear | Scale::Probit => 0,
    }
}

/// The places of all markers, limits and crosses.
fn markers(figure: &Figure) -> impl Iterator<Item = (f64, f64)> {
    figure.series.iter().flat_map(|series| {
        let measured = series.measured.iter();
        let drawn =
            measured.map(|m| m.limit(figure.y.scale).map_or((m.x, m.y), |limit| limit.point));
        drawn.chain(series.published.iter().copied())
    })
}

/// The places of all vertices of lines.
fn vertices(figure: &Figure) -> impl Iterator<Item = (f64, f64)> {
    let predicted = figure.series.iter().flat_map(|series| &series.predicted);
    predicted.chain(figure.curves.iter().flat_map(|curve| &curve.points)).copied()
}

fn counted(count: usize, what: &str) -> String {
    match (count, what.split_once(' ')) {
        (1, _) => format!("1 {what}"),
        (_, Some((noun, rest))) => format!("{count} {noun}s {rest}"),
        (_, None) => format!("{count} {what}s"),
    }
}
