//! Where on the canvas everything is.
//!
//! The plot with its labels is equally wide in all figures; the legend beside it and the lines of
//! text around it add to the size, so that nothing is cut and nothing covers data.

use super::canvas::Place;
use super::legend::{self, Entry};
use super::span::Span;
use super::ticks::{self, Tick};
use super::{Figure, data, text};

/// Type sizes in pixels.
pub(super) const TITLE: f64 = 16.0;
pub(super) const LABEL: f64 = 14.0;
pub(super) const TICK: f64 = 12.0;
pub(super) const FOOTER: f64 = 9.0;

/// From the left of the canvas to the right of the plot.
const BODY: f64 = 620.0;
/// Least height of the plot; a long legend makes it higher.
const PLOT_HEIGHT: f64 = 400.0;
/// Free space around the figure and between its parts.
pub(super) const GAP: f64 = 14.0;
/// Between an axis and the labels of its ticks.
pub(super) const TICK_GAP: f64 = 8.0;

/// The rectangle between the axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Span,
    pub(super) y: Span,
}

impl Plot {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Pixels from the left of the canvas for a share of the x axis.
    pub(super) fn across(&self, share: f64) -> f64 {
        self.left + share * self.width
    }

    /// Pixels from the top of the canvas for a share of the y axis.
    pub(super) fn down(&self, share: f64) -> f64 {
        self.bottom() - share * self.height
    }

    /// Where a point is; `None` if an axis has no place for it.
    ///
    /// Points far outside are moved closer, within what renderers can compute with.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> Option<Place> {
        let near = |share: f64| share.clamp(-1e3, 1e3);
        (self.x.scale.holds(x) && self.y.scale.holds(y))
            .then(|| (self.across(near(self.x.share(x))), self.down(near(self.y.share(y)))))
    }

    /// Whether a point is between the axes.
    pub(super) fn contains(&self, (x, y): (f64, f64)) -> bool {
        self.x.contains(x) && self.y.contains(y)
    }
}

/// The parts of a figure with their places; texts are broken into lines.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) plot: Plot,
    pub(super) title: Vec<String>,
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
        let legend = legend::entries(figure, PLOT_HEIGHT);
        let total = BODY + GAP + legend::width(&legend) + GAP;
        let title = text::wrap(&figure.title, TITLE, total - 2.0 * GAP);
        let height = PLOT_HEIGHT.max(legend::height(&legend));
        let y_label = text::wrap(&figure.y.label, LABEL, height);
        let y_ticks = ticks::ticks(&y, figure.y.percent);
        let left = GAP + block(&y_label, LABEL) + TICK_GAP + widest(&y_ticks) + TICK_GAP;
        let width = BODY - left;
        let plot = Plot { left, top: GAP + block(&title, TITLE) + GAP, width, height, x, y };
        let mut layout = Self {
            width: total,
            height: 0.0,
            plot,
            title,
            x_label: text::wrap(&figure.x.label, LABEL, width),
            y_label,
            x_ticks: ticks::ticks(&x, figure.x.percent),
            y_ticks,
            legend,
            footer: footer(figure, &plot, total - 2.0 * GAP),
        };
        layout.height = layout.footer_top() + block(&layout.footer, FOOTER) + GAP;
        layout
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

/// Height of lines of type of `size`.
pub(super) fn block(lines: &[String], size: f64) -> f64 {
    lines.iter().map(|_| size * text::LEADING).sum()
}

/// Baselines of lines of type of `size` below `top`, with the lines.
pub(super) fn baselines(
    lines: &[String],
    size: f64,
    top: f64,
) -> impl Iterator<Item = (f64, &String)> {
    let step = size * text::LEADING;
    (1u32..).zip(lines).map(move |(n, line)| (top + f64::from(n) * step - 0.3 * size, line))
}

fn widest(ticks: &[Tick]) -> f64 {
    text::widest(ticks.iter().filter_map(|tick| tick.label.as_deref()), TICK)
}

fn footer(figure: &Figure, plot: &Plot, room: f64) -> Vec<String> {
    let mut lines = text::wrap(&data::omitted(figure, plot), FOOTER, room);
    lines.extend(text::wrap(&figure.footer, FOOTER, room));
    lines
}
