//! Draws a figure as SVG, PDF and PNG: measured points with error bars, predictions as lines,
//! published values as crosses, analytic curves as dashed dark lines.
//!
//! Pure drawing. The input is a [`Figure`], which knows nothing of experiments; the output is a
//! string or bytes. The same figure gives the same bytes on every run, and no font or library of
//! the machine is needed: text is measured with, and the PNG is set in, a typeface that is part
//! of the binary.
//!
//! Series differ by colour (the colour-blind-safe palette of Okabe and Ito) and by the shape of
//! their markers, so that a figure printed in grey can be read. One that others cover is drawn larger
//! below them. A value that an axis has no place for, as 0 on a log axis, is drawn as the limit of its
//! interval.

mod axis;
mod canvas;
mod covered;
mod data;
mod error;
mod frame;
mod layout;
mod legend;
mod mark;
mod near;
mod omitted;
mod parsed;
mod pdf;
mod plot;
mod png;
mod span;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod ticks;

pub use error::FigureError;
pub use parsed::parsed;
pub use pdf::pdf;
pub use png::png;

/// A figure: two axes and what is drawn between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Printed above the plot; wrapped when long.
    pub title: String,
    /// What is the same for all that is drawn, below the title; wrapped when long.
    pub subtitle: String,
    /// What the lines of the series are, for the legend.
    pub prediction: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Measured, predicted and published values that belong together, in the order of the legend.
    pub series: Vec<Series>,
    /// Analytic curves, below the series in the legend.
    pub curves: Vec<Curve>,
    /// Provenance in small print under the plot: definition, seed, revision, trace digest.
    pub footer: String,
}

/// One axis of a [`Figure`].
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is on the axis, with its unit.
    pub label: String,
    /// How values are mapped to places.
    pub scale: Scale,
    /// The two ends; chosen from the points when absent.
    pub range: Option<(f64, f64)>,
    /// Whether values are fractions to be shown as percentages (0.25 is printed as 25%).
    pub percent: bool,
    /// Whether values are whole numbers: no tick stands between two of them.
    pub whole: bool,
}

/// How an [`Axis`] maps values to places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long. Values at or below zero have no place on it.
    Log,
    /// Probabilities at their quantiles of the normal law, which is a straight line on it. Values
    /// outside 0 to 1, ends included, have no place on it.
    Probit,
}

/// Values drawn in one colour with one entry in the legend.
///
/// Coordinates that are NaN or infinite are ignored, and break a line in two.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Name in the legend; wrapped when long.
    pub label: String,
    /// Which colour, marker and dashes it has.
    pub style: Style,
    /// Drawn as markers with error bars.
    pub measured: Vec<Measured>,
    /// Drawn as a line, in the order given; a vertex without neighbours as a short dash.
    pub predicted: Vec<(f64, f64)>,
    /// Drawn as crosses.
    pub published: Vec<(f64, f64)>,
}

/// What a series looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The place in the palette, which what belongs together shares.
    pub colour: usize,
    /// What tells series of one colour apart: how their markers are filled, and dashes.
    pub variant: usize,
    /// What tells the lines of one series apart: the middle of their markers, and dashes.
    pub line: usize,
}

/// A measured value with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Place on the horizontal axis.
    pub x: f64,
    /// Estimate.
    pub y: f64,
    /// Lower end of the confidence interval of `y`; no bar is drawn when it is not finite.
    pub low: f64,
    /// Upper end of the confidence interval of `y`; no bar is drawn when it is not finite.
    pub high: f64,
}

/// An analytic curve, such as a lower bound: a dark line with a dash pattern of its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// Name in the legend; wrapped when long.
    pub label: String,
    /// Vertices, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

impl Figure {
    /// Draws the figure as an SVG document.
    ///
    /// Points that an axis has no place for (at or below zero on a log axis, not between 0 and 1 on
    /// a probit axis, outside a given range) are drawn as a limit if their interval has one, else left out
    /// and counted in the footer.
    ///
    /// # Errors
    /// [`FigureError::Empty`] when nothing can be drawn, [`FigureError::Range`] when an axis has
    /// an impossible range.
    pub fn svg(&self) -> Result<String, FigureError> {
        let (x, y) = axis::spans(self)?;
        let layout = layout::Layout::new(self, x, y);
        let mut canvas = canvas::Canvas::new(layout.width, layout.height, &self.title);
        frame::draw(&layout, &mut canvas);
        data::draw(self, &layout.plot, &mut canvas);
        legend::draw(&layout.legend, &layout.plot, &mut canvas);
        Ok(canvas.finish())
    }
}
