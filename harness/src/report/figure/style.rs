//! Colours, dash patterns and the space between parts.

use super::Style;
use super::canvas::{Canvas, PAPER, Pen, Place};
use super::covered::Covered;
use super::mark::{self, Mark};

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
/// The palette of Okabe and Ito ("Color Universal Design"), less yellow, which is too pale for
/// lines on white.
const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Dashes and gaps of analytic curves, in pixels.
const DASHES: [&str; 5] = ["7 4", "2 3", "9 3 2 3", "14 4", "7 3 2 3 2 3"];

/// Dashes of predictions: each line of a series takes the next two, one for either of its two variants.
const LINES: [&str; 8] =
    ["", "9 3", "3 2.5", "9 3 2.5 3", "15 4", "9 3 2.5 3 2.5 3", "6 6", "15 3 2.5 3"];

/// How much larger a marker is for each series that covers it.
const GROWTH: f64 = 0.55;
/// How much wider a line is, in pixels.
const WIDENING: f64 = 2.2;

/// Half the length of the arms of a cross, along either axis, in pixels.
const ARM: f64 = 6.6;

/// How one series is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    mark: Mark,
    dashes: &'static str,
    /// Size of markers in units of the usual one.
    pub(super) size: f64,
    width: f64,
}

impl Look {
    /// The look of a line. A colour beyond the palette is one of it with another shape.
    pub(super) fn new(style: Style) -> Self {
        Self {
            colour: PALETTE[style.colour % PALETTE.len()],
            mark: Mark::new(style),
            dashes: LINES[(style.variant + 2 * style.line) % LINES.len()],
            size: 1.0,
            width: 1.6,
        }
    }

    /// The look of legend entries that explain a symbol and belong to no series.
    pub(super) fn neutral() -> Self {
        Self { colour: FAINT_INK, ..Self::new(Style::default()) }
    }

    /// The same for a series that others cover: it shows around them.
    pub(super) fn below(self, Covered { marks, line }: Covered) -> Self {
        let size = 1.0 + GROWTH * f64::from(marks);
        Self { size, width: self.width + WIDENING * f64::from(line), ..self }
    }

    /// The same with markers that stand `gap` pixels apart: they hardly touch.
    pub(super) fn crowded(self, gap: f64) -> Self {
        Self { size: self.size * (gap / (2.0 * mark::RADIUS)).clamp(0.45, 1.0), ..self }
    }

    /// The pen of predictions.
    pub(super) fn line(&self) -> Pen<'static> {
        Pen { colour: self.colour, width: self.width, dashes: self.dashes }
    }

    /// A marker of a measured value.
    pub(super) fn marker(&self, canvas: &mut Canvas, at: Place) {
        self.mark.draw(canvas, at, self.colour, self.size);
    }

    /// The end of an interval whose value is beyond the axis: a small marker, and an arrow that points there.
    pub(super) fn limit(&self, canvas: &mut Canvas, (x, y): Place, down: bool) {
        let pen = Pen::solid(self.colour, 1.4);
        let towards = if down { 1.0 } else { -1.0 };
        let (shaft, tip) = (y + 8.0 * towards, y + 14.0 * towards);
        let head = 3.5 * self.size.min(1.0);
        canvas.line((x, y), (x, shaft), pen);
        canvas.polygon(&[(x - head, shaft), (x + head, shaft), (x, tip)], PAPER, pen);
        self.mark.draw(canvas, (x, y), self.colour, 0.75 * self.size.min(1.0));
    }

    /// An error bar from `top` to `bottom`, with a cap at each end that is asked for.
    pub(super) fn bar(&self, canvas: &mut Canvas, x: f64, ends: [(f64, bool); 2]) {
        let (pen, cap) = (Pen::solid(self.colour, 1.2), 3.5 * self.size.min(1.0));
        canvas.line((x, ends[0].0), (x, ends[1].0), pen);
        for (y, _) in ends.into_iter().filter(|&(_, cap)| cap) {
            canvas.line((x - cap, y), (x + cap, y), pen);
        }
    }

    /// The cross of a published value, whose arms show around a marker that lies on it.
    pub(super) fn cross(&self, canvas: &mut Canvas, (x, y): Place) {
        let long = ARM * self.size.max(1.0);
        for (arm, pen) in
            [(long + 0.6, Pen::solid(PAPER, 4.0)), (long, Pen::solid(self.colour, 1.7))]
        {
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
        let styles =
            (0..7).flat_map(|colour| (0..8).map(move |variant| Style { colour, variant, line: 0 }));
        let looks: Vec<Look> = styles.map(Look::new).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "series {i}");
        }
    }

    #[test]
    fn a_colour_that_is_used_again_has_another_shape() {
        let looks: Vec<Look> =
            (0..49).map(|colour| Look::new(Style { colour, ..Style::default() })).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "series {i}");
        }
    }
}
