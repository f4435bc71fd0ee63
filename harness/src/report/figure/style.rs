//! Colours, markers, dash patterns and the space between parts.

use super::Style;
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

/// Dashes of predictions, variant by variant.
const VARIANTS: [&str; 4] = ["", "9 3", "3 2.5", "9 3 2.5 3"];

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

/// How much larger a marker is for each series that covers it.
const GROWTH: f64 = 0.55;
/// How much wider a line is, in pixels.
const WIDENING: f64 = 2.2;

/// How one series is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    shape: &'static [Place],
    /// Every second variant has open markers.
    open: bool,
    dashes: &'static str,
    /// Size of markers in units of the usual one.
    size: f64,
    width: f64,
}

impl Look {
    /// The look of a series. A colour beyond the palette is one of it with another shape.
    pub(super) fn new(Style { colour, variant }: Style) -> Self {
        let shape = colour + colour / PALETTE.len() + 3 * (variant / 2);
        Self {
            colour: PALETTE[colour % PALETTE.len()],
            shape: SHAPES[shape % SHAPES.len()],
            open: variant % 2 == 1,
            dashes: VARIANTS[variant % VARIANTS.len()],
            size: 1.0,
            width: 1.6,
        }
    }

    /// The look of legend entries that explain a symbol and belong to no series.
    pub(super) fn neutral() -> Self {
        Self { colour: FAINT_INK, ..Self::new(Style::default()) }
    }

    /// The same for a series that `times` others cover: it shows around them.
    pub(super) fn below(self, times: u32) -> Self {
        let times = f64::from(times);
        Self { size: 1.0 + GROWTH * times, width: self.width + WIDENING * times, ..self }
    }

    /// The same with markers that stand `gap` pixels apart: they hardly touch.
    pub(super) fn crowded(self, gap: f64) -> Self {
        Self { size: self.size * (gap / (2.0 * RADIUS)).clamp(0.45, 1.0), ..self }
    }

    /// The pen of predictions.
    pub(super) fn line(&self) -> Pen<'static> {
        Pen { colour: self.colour, width: self.width, dashes: self.dashes }
    }

    /// A marker of a measured value.
    pub(super) fn marker(&self, canvas: &mut Canvas, (x, y): Place) {
        let (fill, rim) = if self.open { (PAPER, self.colour) } else { (self.colour, PAPER) };
        let pen = Pen::solid(rim, if self.open { 1.5 } else { 0.7 });
        let radius = RADIUS * self.size;
        if self.shape.is_empty() {
            return canvas.circle((x, y), radius, fill, pen);
        }
        let corners: Vec<Place> =
            self.shape.iter().map(|(dx, dy)| (x + radius * dx, y + radius * dy)).collect();
        canvas.polygon(&corners, fill, pen);
    }

    /// The end of an interval whose value is beyond the axis: a cap, and an arrow that points there.
    pub(super) fn limit(&self, canvas: &mut Canvas, (x, y): Place, down: bool) {
        let pen = Pen::solid(self.colour, 1.4);
        let towards = if down { 1.0 } else { -1.0 };
        let (shaft, tip) = (y + 8.0 * towards, y + 14.0 * towards);
        let (cap, head) = (5.0 * self.size.min(1.0), 3.5 * self.size.min(1.0));
        canvas.line((x - cap, y), (x + cap, y), pen);
        canvas.line((x, y), (x, shaft), pen);
        canvas.polygon(&[(x - head, shaft), (x + head, shaft), (x, tip)], PAPER, pen);
    }

    /// An error bar from `top` to `bottom`, with a cap at each end that is asked for.
    pub(super) fn bar(&self, canvas: &mut Canvas, x: f64, ends: [(f64, bool); 2]) {
        let (pen, cap) = (Pen::solid(self.colour, 1.2), 3.5 * self.size.min(1.0));
        canvas.line((x, ends[0].0), (x, ends[1].0), pen);
        for (y, _) in ends.into_iter().filter(|&(_, cap)| cap) {
            canvas.line((x - cap, y), (x + cap, y), pen);
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
    fn the_first_seven_colours_look_different_in_their_first_eight_variants() {
        let styles = (0..7).flat_map(|colour| (0..8).map(move |variant| Style { colour, variant }));
        let looks: Vec<Look> = styles.map(Look::new).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "series {i}");
        }
    }

    #[test]
    fn a_colour_that_is_used_again_has_another_shape() {
        let looks: Vec<Look> =
            (0..49).map(|colour| Look::new(Style { colour, variant: 0 })).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "series {i}");
        }
    }
}
