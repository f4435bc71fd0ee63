//! What is drawn between the axes.

use std::collections::BTreeSet;

use super::canvas::{Canvas, Pen, Place};
use super::covered::{covered, gap};
use super::near::Near;
use super::plot::Plot;
use super::style::{self, Look};
use super::{Figure, Measured, Scale, Series};

/// Half the length of the dash that stands for a line of one point, in pixels; shorter between neighbours.
const LONE: f64 = 9.0;

/// Half the length of the strokes that end the dash of a curve, in pixels.
const STROKE: f64 = 3.5;

/// Distance in pixels of two limits that would lie on each other.
const BESIDE: f64 = 6.0;

/// Draws predictions, then curves, whose gaps let a line below them through; then published values, and
/// measurements on top.
pub(super) fn draw(figure: &Figure, plot: &Plot, canvas: &mut Canvas) {
    let looks: Vec<Look> = figure
        .series
        .iter()
        .zip(covered(figure, plot))
        .map(|(series, by)| Look::new(series.style).below(by).crowded(gap(series, plot)))
        .collect();
    let series = || figure.series.iter().zip(&looks);
    canvas.clip((plot.left, plot.top), plot.width, plot.height);
    for (series, look) in series() {
        line(plot, canvas, &series.predicted, look.line(), dash);
    }
    for (index, curve) in figure.curves.iter().enumerate() {
        line(plot, canvas, &curve.points, style::curve(index), ended_dash);
    }
    canvas.unclip();
    for (series, look) in series() {
        for &point in series.published.iter().filter(|&&point| plot.contains(point)) {
            plot.place(point).into_iter().for_each(|at| look.cross(canvas, at));
        }
    }
    for (series, look) in series() {
        measured(plot, canvas, &series.measured, *look);
    }
    limits(figure, plot, canvas, &looks);
}

/// Draws a line from `left` to `right` at this height for a vertex without neighbours.
type DrawLone = fn(&mut Canvas, left: f64, right: f64, y: f64, pen: Pen<'_>);

/// A line through `points`, broken where an axis has no place for one.
fn line(
    plot: &Plot,
    canvas: &mut Canvas,
    points: &[(f64, f64)],
    pen: Pen<'_>,
    draw_lone: DrawLone,
) {
    let places: Vec<Option<Place>> = points.iter().map(|&point| plot.place(point)).collect();
    let mut across: Vec<f64> = places.iter().flatten().map(|place| place.0).collect();
    across.sort_by(f64::total_cmp);
    for run in places.split(Option::is_none) {
        let run: Vec<Place> = run.iter().copied().flatten().collect();
        match run[..] {
            [] => {}
            [(x, y)] => {
                let half = half_of_lone(x, &across);
                draw_lone(canvas, x - half, x + half, y, pen);
            }
            _ => canvas.polyline(&run, pen),
        }
    }
}

/// Half the length of what is drawn of a lone vertex, which does not reach into its neighbours; `across` is where all of
/// the line are along x, in order.
fn half_of_lone(x: f64, across: &[f64]) -> f64 {
    let left = across[..across.partition_point(|&other| other < x)].last();
    let right = across[across.partition_point(|&other| other <= x)..].first();
    let distances = left.into_iter().chain(right).map(|other| (other - x).abs());
    distances.fold(2.0 * LONE, f64::min) / 2.0
}

/// The dash of a prediction.
fn dash(canvas: &mut Canvas, left: f64, right: f64, y: f64, pen: Pen<'_>) {
    canvas.line((left, y), (right, y), Pen { dashes: "", ..pen });
}

/// The dash of a curve, such as a bound: with a stroke at each end, so that it is not taken for a prediction, and dashed as
/// in the legend.
fn ended_dash(canvas: &mut Canvas, left: f64, right: f64, y: f64, pen: Pen<'_>) {
    canvas.line((left, y), (right, y), pen);
    for x in [left, right] {
        canvas.line((x, y - STROKE), (x, y + STROKE), Pen { dashes: "", ..pen });
    }
}

/// Error bars of a series, and its markers on top of them.
fn measured(plot: &Plot, canvas: &mut Canvas, points: &[Measured], look: Look) {
    let inside = points.iter().filter(|m| plot.contains((m.x, m.y)));
    let mut placed: Vec<(&Measured, Place)> =
        inside.filter_map(|m| Some((m, plot.place((m.x, m.y))?))).collect();
    if placed.len() > CROWD {
        thin(&mut placed);
    }
    for (m, _) in &placed {
        bar(plot, canvas, m, look);
    }
    for (_, place) in placed {
        look.marker(canvas, place);
    }
}

/// Markers of a series above which those are left out that another one hides.
const CROWD: usize = 2000;

/// Keeps one marker for each half of a pixel: of a hundred thousand along a line nobody sees more.
fn thin(placed: &mut Vec<(&Measured, Place)>) {
    let mut taken = BTreeSet::new();
    placed.retain(|(_, (x, y))| taken.insert([x, y].map(|side| (2.0 * side).round() as i64)));
}

/// The limits of all series: as many trials without an event have the same one, so that those at one place
/// stand side by side.
fn limits(figure: &Figure, plot: &Plot, canvas: &mut Canvas, looks: &[Look]) {
    let of_series = |(series, look): (&Series, &Look)| -> Vec<(Place, bool, Look)> {
        let limits = series.measured.iter().filter_map(|m| m.limit(plot.y.scale));
        let inside = limits.filter(|limit| plot.contains(limit.point));
        inside.filter_map(|limit| Some((plot.place(limit.point)?, limit.down, *look))).collect()
    };
    let all: Vec<(Place, bool, Look)> =
        figure.series.iter().zip(looks).flat_map(of_series).collect();
    let places: Vec<Place> = all.iter().map(|&(at, ..)| at).collect();
    let near = Near::new(&places);
    for (own, &(at, down, look)) in all.iter().enumerate() {
        let (before, count) =
            near.to(at).fold((0, 0), |(n, all), other| (n + usize::from(other < own), all + 1));
        let shift = before as f64 - (count - 1) as f64 / 2.0;
        look.limit(canvas, (at.0 + shift * BESIDE * look.size.min(1.0), at.1), down);
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

/// What is drawn of a value that the axis has no place for.
pub(super) struct Limit {
    /// The end of its interval.
    pub(super) point: (f64, f64),
    /// Whether the value is below it.
    pub(super) down: bool,
}

impl Measured {
    /// The end of the interval that has a place, where the value itself has none.
    pub(super) fn limit(&self, scale: Scale) -> Option<Limit> {
        if scale.holds(self.y) || !self.x.is_finite() {
            return None;
        }
        let (end, down) = if self.y <= 0.0 { (self.high, true) } else { (self.low, false) };
        scale.holds(end).then_some(Limit { point: (self.x, end), down })
    }
}
