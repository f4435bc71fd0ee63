//! Which series are covered by others, and how close their own marks stand.

use super::canvas::Place;
use super::near::Near;
use super::plot::Plot;
use super::{Figure, Series};

/// The most that a series is enlarged for: with more below each other nothing helps.
const MOST: u32 = 3;

/// The share of the marks of a series that must lie below those of another.
const COVERED: f64 = 0.8;

/// How many series, drawn later, cover one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Covered {
    /// Those that cover its marks.
    pub(super) marks: u32,
    /// Those of another colour, below whose lines its own does not show.
    pub(super) line: u32,
}

/// For each series, how many of those drawn later cover it.
pub(super) fn covered(figure: &Figure, plot: &Plot) -> Vec<Covered> {
    let places: Vec<Vec<Place>> = figure.series.iter().map(|series| marks(series, plot)).collect();
    let near: Vec<Near<'_>> = places.iter().map(|places| Near::new(places)).collect();
    let colour = |i: usize| figure.series[i].style.colour;
    let most = |count: usize| u32::try_from(count).unwrap_or(MOST).min(MOST);
    let of = |i: usize| {
        let above = (i + 1..places.len()).filter(|&above| covers(&near[above], &places[i]));
        let above: Vec<usize> = above.collect();
        let line = above.iter().filter(|&&above| colour(above) != colour(i)).count();
        Covered { marks: most(above.len()), line: most(line) }
    };
    (0..places.len()).map(of).collect()
}

/// The median distance of neighbouring marks along x in pixels; infinite for fewer than two.
pub(super) fn gap(series: &Series, plot: &Plot) -> f64 {
    let mut across: Vec<f64> = marks(series, plot).iter().map(|place| place.0).collect();
    across.sort_by(f64::total_cmp);
    let mut gaps: Vec<f64> = across.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// Where what was measured is drawn; for a series without measurements, its line.
fn marks(series: &Series, plot: &Plot) -> Vec<Place> {
    let measured = series.measured.iter().map(|m| (m.x, m.y));
    let predicted = series.predicted.iter().copied();
    let points: Vec<(f64, f64)> = match series.measured.is_empty() {
        true => predicted.collect(),
        false => measured.collect(),
    };
    points.into_iter().filter(|&point| plot.contains(point)).filter_map(|p| plot.place(p)).collect()
}

/// Whether marks of `above` lie on most of those of `below`.
fn covers(above: &Near<'_>, below: &[Place]) -> bool {
    let hidden = below.iter().filter(|&&place| above.to(place).next().is_some()).count();
    !below.is_empty() && hidden as f64 >= COVERED * below.len() as f64
}
