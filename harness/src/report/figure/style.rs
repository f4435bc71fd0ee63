//! Colours, markers, dash patterns and the space between parts.

use super::canvas::{Canvas, Pen, Place};

/// Free space around the figure and between its parts, in pixels.
pub(super) const GAP: f64 = 14.0;

/// Text, axes and analytic curves.
pub(super) const INK: &str = "#222222";
/// Small print.
pub(super) const FAINT_INK: &str = "#666666";
/// Lines of the grid through labelled ticks.
pub(super) const GRID: &str = "#dddddd";
/// Lines of the grid through minor ticks.
pub(super) const FAINT_GRID: &str = "#f0f0f0";
/// The paper.
pub(super) const PAPER: &str = "#ffffff";

/// The palette of Okabe and Ito ("Color Universal Design"), less yellow, which is too pale for
/// lines on white.
const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Dashes and gaps of analytic curves, in pixels.
const DASHES: [&str; 5] = ["7 4", "2 3", "9 3 2 3", "14 4", "7 3 2 3 2 3"];

/// Dashes of predictions after the palette has been used once.
const SECOND_ROUND: &str = "12 3";

/// Distance from the centre of a marker to its corners, about, in pixels.
const RADIUS: f64 = 4.2;

/// Corners of the markers, on a circle of radius 1; the first marker is the circle itself.
const SHAPES: [&[Place]; 7] = [
    &[],
    &[(-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)],
    &[(0.0, -1.2), (1.1, 0.75), (-1.1, 0.75)],
    &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    &[(0.0, 1.2), (1.1, -0.75), (-1.1, -0.75)],
    &[
        (0.0, -1.4),
        (0.36, -0.5),
        (1.33, -0.43),
        (0.59, 0.19),
        (0.82, 1.13),
        (0.0, 0.62),
        (-0.82, 1.13),
        (-0.59, 0.19),
        (-1.33, -0.43),
        (-0.36, -0.5),
    ],
    &[(-1.15, -1.2), (1.15, -1.2), (0.3, 0.0), (1.15, 1.2), (-1.15, 1.2), (-0.3, 0.0)],
];

/// How one series is drawn; unlike for each of the first 98.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    shape: &'static [Place],
    /// Open markers and dashed lines tell the second use of a colour from the first.
    open: bool,
}

impl Look {
    /// The look of the series at `index`.
    pub(super) fn of_series(index: usize) -> Self {
        let rounds = index / PALETTE.len();
        Self {
            colour: PALETTE[index % PALETTE.len()],
            shape: SHAPES[(index + rounds / 2) % SHAPES.len()],
            open: rounds % 2 == 1,
        }
    }

    /// The look of legend entries that explain a symbol and belong to no series.
    pub(super) fn neutral() -> Self {
        Self { colour: FAINT_INK, shape: SHAPES[0], open: false }
    }

    /// The pen of predictions.
    pub(super) fn line(&self) -> Pen<'static> {
        let dashes = if self.open { SECOND_ROUND } else { "" };
        Pen { colour: self.colour, width: 1.6, dashes }
    }

    /// A marker of a measured value.
    pub(super) fn marker(&self, canvas: &mut Canvas, (x, y): Place) {
        let (fill, rim) = if self.open { (PAPER, self.colour) } else { (self.colour, PAPER) };
        let pen = Pen::solid(rim, if self.open { 1.5 } else { 0.7 });
        if self.shape.is_empty() {
            return canvas.circle((x, y), RADIUS, fill, pen);
        }
        let corners: Vec<Place> =
            self.shape.iter().map(|(dx, dy)| (x + RADIUS * dx, y + RADIUS * dy)).collect();
        canvas.polygon(&corners, fill, pen);
    }

    /// An error bar from `top` to `bottom`, with a cap at each end that is asked for.
    pub(super) fn bar(&self, canvas: &mut Canvas, x: f64, ends: [(f64, bool); 2]) {
        let pen = Pen::solid(self.colour, 1.2);
        canvas.line((x, ends[0].0), (x, ends[1].0), pen);
        for (y, _) in ends.into_iter().filter(|&(_, cap)| cap) {
            canvas.line((x - 3.5, y), (x + 3.5, y), pen);
        }
    }

    /// The cross of a published value, with a rim so that it shows on a marker too.
    pub(super) fn cross(&self, canvas: &mut Canvas, (x, y): Place) {
        for (arm, pen) in [(6.0, Pen::solid(PAPER, 4.0)), (5.4, Pen::solid(self.colour, 1.9))] {
            canvas.line((x - arm, y - arm), (x + arm, y + arm), pen);
            canvas.line((x - arm, y + arm), (x + arm, y - arm), pen);
        }
    }
}

/// The pen of the analytic curve at `index`.
pub(super) fn curve(index: usize) -> Pen<'static> {
    let colour = if (index / DASHES.len()).is_multiple_of(2) { INK } else { "#888888" };
    Pen { colour, width: 1.5, dashes: DASHES[index % DASHES.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_98_series_look_different() {
        let looks: Vec<Look> = (0..98).map(Look::of_series).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "series {i}");
        }
    }
}
