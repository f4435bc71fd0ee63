//! Where on the canvas everything is.
//!
//! The plot with its labels is equally wide in all figures; the legend beside it and the lines of
//! text around it add to the size, so that nothing is cut and nothing covers data.

use super::legend::{self, Entry};
use super::omitted::omitted;
use super::plot::Plot;
use super::span::Span;
use super::style::GAP;
use super::text::block;
use super::ticks::{self, Tick};
use super::{Figure, text};

/// Type sizes in pixels.
pub(super) const TITLE: f64 = 16.0;
pub(super) const SUBTITLE: f64 = 12.0;
pub(super) const LABEL: f64 = 14.0;
pub(super) const TICK: f64 = 12.0;
pub(super) const FOOTER: f64 = 9.0;

/// From the left of the canvas to the right of the plot.
const BODY: f64 = 620.0;
/// Least height of the plot; a long legend makes it higher.
const PLOT_HEIGHT: f64 = 400.0;
/// Between an axis and the labels of its ticks.
pub(super) const TICK_GAP: f64 = 8.0;

/// The parts of a figure with their places; texts are broken into lines.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) plot: Plot,
    pub(super) title: Vec<String>,
    pub(super) subtitle: Vec<String>,
    pub(super) x_label: Vec<String>,
    pub(super) y_label: Vec<String>,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) legend: Vec<Entry>,
    pub(super) footer: Vec<String>,
}

impl Layout {
    /// Lays out `figure` with the given axes.
    pub(super) fn new(figure: &Figure, x: Span, y: Span) -> Self {
        let legend = legend::entries(figure, &y, PLOT_HEIGHT);
        let total = BODY + GAP + legend::width(&legend) + GAP;
        let title = text::wrap(&figure.title, TITLE, total - 2.0 * GAP);
        let subtitle = text::wrap(&figure.subtitle, SUBTITLE, total - 2.0 * GAP);
        let height = PLOT_HEIGHT.max(legend::height(&legend));
        let y_label = text::wrap(&figure.y.label, LABEL, height);
        let y_ticks = ticks::ticks(&y, &figure.y);
        let left = GAP + block(&y_label, LABEL) + TICK_GAP + widest(&y_ticks) + TICK_GAP;
        let width = BODY - left;
        let top = GAP + block(&title, TITLE) + block(&subtitle, SUBTITLE) + GAP;
        let plot = Plot { left, top, width, height, x, y };
        let mut layout = Self {
            width: total,
            height: 0.0,
            plot,
            title,
            subtitle,
            x_label: text::wrap(&figure.x.label, LABEL, width),
            y_label,
            x_ticks: ticks::ticks(&x, &figure.x),
            y_ticks,
            legend,
            footer: footer(figure, &plot, total - 2.0 * GAP),
        };
        layout.height = layout.footer_top() + block(&layout.footer, FOOTER) + GAP;
        layout
    }

    /// Top of what stands below the title.
    pub(super) fn subtitle_top(&self) -> f64 {
        GAP + block(&self.title, TITLE)
    }

    /// Top of the label of the x axis.
    pub(super) fn x_label_top(&self) -> f64 {
        self.plot.bottom() + TICK_GAP + TICK + TICK_GAP
    }

    /// Top of the small print.
    pub(super) fn footer_top(&self) -> f64 {
        self.x_label_top() + block(&self.x_label, LABEL) + GAP
    }
}

fn widest(ticks: &[Tick]) -> f64 {
    text::widest(ticks.iter().filter_map(|tick| tick.label.as_deref()), TICK)
}

fn footer(figure: &Figure, plot: &Plot, room: f64) -> Vec<String> {
    let mut lines = text::wrap(&omitted(figure, plot), FOOTER, room);
    lines.extend(text::wrap(&figure.footer, FOOTER, room));
    lines
}
