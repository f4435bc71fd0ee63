//! Which values of a figure matter to its two axes.

use super::span::{self, Choice, Span, Values};
use super::{Axis, Figure, FigureError, Measured, Scale};

/// An x axis starts at zero only when that costs little room: its values are settings, often
/// from 1 up.
const X_ZERO_SHARE: f64 = 0.1;

/// A y axis starts at zero unless that would cost half of the plot.
const Y_ZERO_SHARE: f64 = 0.5;

/// The spans of the x and the y axis.
pub(super) fn spans(figure: &Figure) -> Result<(Span, Span), FigureError> {
    let (x, y) = values(figure);
    let empty = || FigureError::Empty { title: figure.title.clone() };
    if x.core.is_empty() && x.lines.iter().all(Vec::is_empty) {
        return Err(empty());
    }
    let x = choose(&figure.x, &x, X_ZERO_SHARE).ok_or_else(empty)??;
    let y = choose(&figure.y, &y, Y_ZERO_SHARE).ok_or_else(empty)??;
    Ok((x, y))
}

fn choose(axis: &Axis, values: &Values, zero_share: f64) -> Option<Result<Span, FigureError>> {
    let choice = Choice { scale: axis.scale, percent: axis.percent, zero_share };
    let (low, high) = axis.range.or_else(|| span::ends(values, choice))?;
    let error = FigureError::Range { axis: axis.label.clone(), low, high };
    Some(Span::new(low, high, axis.scale).ok_or(error))
}

/// Sorts the coordinates of everything drawable by how much they matter to an axis.
///
/// A prediction is set against measurements, so all of it shows on a linear axis; on another
/// it may fall for decades after trials stop seeing anything, as may the end of an error bar.
fn values(figure: &Figure) -> (Values, Values) {
    let (mut x, mut y) = (Values::default(), Values::default());
    for series in &figure.series {
        let measured = drawable(figure, series.measured.iter().map(|m| (m.x, m.y)));
        let published = drawable(figure, series.published.iter().copied());
        let predicted = drawable(figure, series.predicted.iter().copied());
        let bars = series.measured.iter().flat_map(|m| ends(figure, m).map(|end| (m.x, end)));
        let limits = series.measured.iter().filter_map(|m| Some(m.limit(figure.y.scale)?.point));
        let limits = drawable(figure, limits);
        for points in [&measured, &published, &limits] {
            y.core.extend(points.iter().map(|p| p.1));
        }
        for points in [&predicted, &drawable(figure, bars)] {
            follow(&mut y, figure.y.scale, points.iter().map(|p| p.1));
        }
        x.core.extend([measured, published, predicted, limits].iter().flatten().map(|p| p.0));
    }
    for curve in &figure.curves {
        let points = drawable(figure, curve.points.iter().copied());
        x.lines.push(points.iter().map(|p| p.0).collect());
        y.lines.push(points.iter().map(|p| p.1).collect());
    }
    (x, y)
}

/// The ends of an error bar; that of a fraction does not draw an axis below zero.
fn ends(figure: &Figure, m: &Measured) -> [f64; 2] {
    let impossible = figure.y.percent && m.y >= 0.0 && m.low < 0.0;
    [if impossible { 0.0 } else { m.low }, m.high]
}

fn follow(values: &mut Values, scale: Scale, points: impl Iterator<Item = f64>) {
    match scale {
        Scale::Linear => values.core.extend(points),
        Scale::Log | Scale::Probit => values.lines.push(points.collect()),
    }
}

fn drawable(figure: &Figure, points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    points.filter(|&(x, y)| figure.x.scale.holds(x) && figure.y.scale.holds(y)).collect()
}
