//! The mark of a measured value: its shape is that of the scheme, its inside tells variants and lines apart.

use super::Style;
use super::canvas::{Canvas, PAPER, Pen, Place};

/// Distance from the centre of a mark to its corners, about, in pixels.
pub(super) const RADIUS: f64 = 4.6;

/// Width of the rim of marks that are not filled, in pixels.
const RIM: f64 = 1.3;

/// Corners of the marks, on a circle of radius 1; the first mark is the circle itself. There are more of them
/// than colours: shapes alone tell eleven schemes apart where a figure is printed in black.
const SHAPES: [&[Place]; 11] = [
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
    &[(-1.2, 0.0), (0.75, -1.1), (0.75, 1.1)],
    &[(1.2, 0.0), (-0.75, -1.1), (-0.75, 1.1)],
    &[(0.0, -1.2), (1.14, -0.37), (0.71, 0.97), (-0.71, 0.97), (-1.14, -0.37)],
    &[(-1.3, -1.2), (0.0, -0.4), (1.3, -1.2), (1.3, 1.2), (0.0, 0.4), (-1.3, 1.2)],
];

/// What a mark of a variant is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fill {
    Colour,
    Paper,
    /// The colour, mixed with paper.
    Pale,
    /// Paper above, the colour below.
    Half,
}

/// What tells the lines of one series apart: something in the middle of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Core {
    Nothing,
    Dot,
    /// A line from top to bottom.
    Bar,
    /// A line from left to right.
    Across,
}

const FILLS: [Fill; 4] = [Fill::Colour, Fill::Paper, Fill::Pale, Fill::Half];
const CORES: [Core; 4] = [Core::Nothing, Core::Dot, Core::Bar, Core::Across];

/// What a mark looks like, its colour and its size aside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    shape: &'static [Place],
    fill: Fill,
    core: Core,
}

impl Mark {
    /// The mark of a line; variants beyond the fills have another core.
    pub(super) fn new(Style { colour, variant, line }: Style) -> Self {
        Self {
            shape: SHAPES[colour % SHAPES.len()],
            fill: FILLS[variant % FILLS.len()],
            core: CORES[(line + variant / FILLS.len()) % CORES.len()],
        }
    }

    /// Draws the mark `size` times as large as usual.
    pub(super) fn draw(self, canvas: &mut Canvas, at: Place, colour: &str, size: f64) {
        let radius = RADIUS * size;
        let rim = Pen::solid(colour, RIM);
        match self.fill {
            Fill::Colour => self.outline(canvas, at, radius, colour, Pen::solid(PAPER, 0.7)),
            Fill::Paper => self.outline(canvas, at, radius - RIM / 2.0, PAPER, rim),
            Fill::Pale => self.outline(canvas, at, radius - RIM / 2.0, &pale(colour), rim),
            Fill::Half => {
                self.outline(canvas, at, radius - RIM / 2.0, PAPER, rim);
                let room = 1.5 * radius;
                canvas.clip((at.0 - room, at.1), 2.0 * room, room);
                self.outline(canvas, at, radius - RIM / 2.0, colour, rim);
                canvas.unclip();
            }
        }
        // A large dot would make a filled mark look like an empty one.
        let (inner, dot) = if self.fill == Fill::Colour { (PAPER, 0.3) } else { (colour, 0.42) };
        match self.core {
            Core::Nothing => {}
            Core::Dot => canvas.circle(at, dot * radius, inner, Pen::solid(PAPER, 0.5)),
            Core::Bar => {
                let (top, bottom) = ((at.0, at.1 - radius), (at.0, at.1 + radius));
                canvas.line(top, bottom, Pen::solid(inner, RIM));
            }
            Core::Across => {
                let (left, right) = ((at.0 - radius, at.1), (at.0 + radius, at.1));
                canvas.line(left, right, Pen::solid(inner, RIM));
            }
        }
    }

    fn outline(self, canvas: &mut Canvas, (x, y): Place, radius: f64, fill: &str, pen: Pen<'_>) {
        if self.shape.is_empty() {
            return canvas.circle((x, y), radius, fill, pen);
        }
        let corner = |(dx, dy): &Place| (x + radius * dx, y + radius * dy);
        let corners: Vec<Place> = self.shape.iter().map(corner).collect();
        canvas.polygon(&corners, fill, pen);
    }
}

/// Three parts of paper to two of a colour written as `#rrggbb`.
fn pale(colour: &str) -> String {
    let part = |from: usize| {
        let digits = colour.get(from..from + 2).unwrap_or_default();
        let own = u32::from_str_radix(digits, 16).unwrap_or(0);
        (2 * own + 3 * 255) / 5
    };
    format!("#{:02x}{:02x}{:02x}", part(1), part(3), part(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In black there are only the marks: schemes differ by shape, and what is of one scheme by its inside.
    #[test]
    fn without_colours_eleven_schemes_with_four_variants_of_four_lines_differ() {
        let mut marks: Vec<Mark> = Vec::new();
        for colour in 0..11 {
            for (variant, line) in
                (0..4).flat_map(|variant| (0..4).map(move |line| (variant, line)))
            {
                let mark = Mark::new(Style { colour, variant, line });
                assert!(!marks.contains(&mark), "{colour} {variant} {line}");
                marks.push(mark);
            }
        }
        assert!(marks[..16].iter().all(|mark| mark.shape == marks[0].shape));
    }

    #[test]
    fn a_pale_colour_is_nearer_to_paper() {
        assert_eq!(pale("#000000"), "#999999");
        assert_eq!(pale("#ffffff"), "#ffffff");
        assert_eq!(pale("#0072b2"), "#99c6e0");
    }
}
