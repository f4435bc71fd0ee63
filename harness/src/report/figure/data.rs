//! What is drawn between the axes.

use super::canvas::{Canvas, Pen, Place};
use super::plot::Plot;
use super::style::{self, Look};
use super::{Figure, Measured};

/// Half the length of the dash that stands for a line of one point, in pixels.
const LONE: f64 = 9.0;

/// Draws curves, predictions, measurements and published values, the last on top.
pub(super) fn draw(figure: &Figure, plot: &Plot, canvas: &mut Canvas) {
    let looks: Vec<Look> = (0..figure.series.len()).map(Look::of_series).collect();
    let series = || figure.series.iter().zip(&looks);
    canvas.clip((plot.left, plot.top), plot.width, plot.height);
    for (index, curve) in figure.curves.iter().enumerate() {
        line(plot, canvas, &curve.points, style::curve(index));
    }
    for (series, look) in series() {
        line(plot, canvas, &series.predicted, look.line());
    }
    canvas.unclip();
    for (series, look) in series() {
        measured(plot, canvas, &series.measured, *look);
    }
    for (series, look) in series() {
        for &point in series.published.iter().filter(|&&point| plot.contains(point)) {
            plot.place(point).into_iter().for_each(|at| look.cross(canvas, at));
        }
    }
}

/// A line through `points`, broken where an axis has no place for one.
fn line(plot: &Plot, canvas: &mut Canvas, points: &[(f64, f64)], pen: Pen<'_>) {
    let places: Vec<Option<Place>> = points.iter().map(|&point| plot.place(point)).collect();
    for run in places.split(Option::is_none) {
        let run: Vec<Place> = run.iter().copied().flatten().collect();
        match run[..] {
            [] => {}
            [(x, y)] => canvas.line((x - LONE, y), (x + LONE, y), pen),
            _ => canvas.polyline(&run, pen),
        }
    }
}

/// Error bars of a series, and its markers on top of them.
fn measured(plot: &Plot, canvas: &mut Canvas, points: &[Measured], look: Look) {
    let inside = || points.iter().filter(|m| plot.contains((m.x, m.y)));
    for m in inside() {
        bar(plot, canvas, m, look);
    }
    for place in inside().filter_map(|m| plot.place((m.x, m.y))) {
        look.marker(canvas, place);
    }
}

/// An error bar cut off at the axes, with caps at the ends that are inside.
fn bar(plot: &Plot, canvas: &mut Canvas, m: &Measured, look: Look) {
    if !(m.low.is_finite() && m.high.is_finite() && m.low < m.high) {
        return;
    }
    let Some((x, _)) = plot.place((m.x, m.y)) else {
        return;
    };
    let end = |value: f64| {
        let shown = value.clamp(plot.y.low, plot.y.high);
        (plot.down(plot.y.share(shown)), plot.y.contains(value))
    };
    look.bar(canvas, x, [end(m.low), end(m.high)]);
}
