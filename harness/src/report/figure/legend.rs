//! The legend, to the right of the plot.
//!
//! One entry per series and per curve, then one for each kind of symbol in the figure that says
//! what it stands for.

use super::canvas::{Anchor, Canvas, Pen, Type};
use super::mark::RADIUS;
use super::plot::Plot;
use super::span::Span;
use super::style::{self, GAP, INK, Look};
use super::text;
use super::{Figure, Measured, Scale};

/// Type size in pixels.
const SIZE: f64 = 12.0;
/// Widths at which the text of entries is broken: the least that keeps the legend as low as the
/// plot, or the last.
const ROOMS: [f64; 3] = [225.0, 270.0, 330.0];
/// Width of the symbols, with the space after them.
const SYMBOL: f64 = 40.0;
/// Space between two entries.
const BETWEEN: f64 = 6.0;
/// Space between the series and curves, and the kinds of symbols.
const BEFORE_KINDS: f64 = 14.0;
/// Half the length of the error bar of a symbol.
const BAR: f64 = 8.0;

/// An entry of the legend.
pub(super) struct Entry {
    lines: Vec<String>,
    symbols: Symbols,
    /// Space above the entry.
    above: f64,
}

/// What is drawn at an entry.
#[derive(Debug, Clone, Copy)]
struct Symbols {
    look: Look,
    line: Option<Pen<'static>>,
    marker: bool,
    bar: bool,
    cross: bool,
    limit: bool,
}

impl Symbols {
    fn with_look(look: Look) -> Self {
        Self { look, line: None, marker: false, bar: false, cross: false, limit: false }
    }
}

/// The entries for a figure with this y axis, no higher than `room` if that can be had, as the plot is at least.
pub(super) fn entries(figure: &Figure, y: &Span, room: f64) -> Vec<Entry> {
    let labels = labels(figure, bars_show(figure, y, room));
    let broken = |width: f64| -> Vec<Entry> {
        labels.iter().map(|(label, symbols, above)| entry(label, *symbols, *above, width)).collect()
    };
    let [narrow, medium, wide] = ROOMS;
    let fitting = [narrow, medium].into_iter().map(broken).find(|entries| height(entries) <= room);
    fitting.unwrap_or_else(|| broken(wide))
}

/// What an entry says, its symbols, and the space above it.
type Label<'a> = (&'a str, Symbols, f64);

fn labels(figure: &Figure, bars: bool) -> Vec<Label<'_>> {
    let series = figure.series.iter().map(|series| {
        let look = Look::new(series.style);
        let marker = !series.measured.is_empty();
        let line = (!series.predicted.is_empty()).then(|| look.line());
        let cross = !marker && line.is_none() && !series.published.is_empty();
        (
            series.label.as_str(),
            Symbols { line, marker, cross, ..Symbols::with_look(look) },
            BETWEEN,
        )
    });
    let curves = figure.curves.iter().enumerate().map(|(index, curve)| {
        let line = Some(style::curve(index));
        (curve.label.as_str(), Symbols { line, ..Symbols::with_look(Look::neutral()) }, BETWEEN)
    });
    series.chain(curves).chain(kinds(figure, bars)).collect()
}

/// Whether any error bar is longer than a marker, on an axis of this height.
fn bars_show(figure: &Figure, y: &Span, height: f64) -> bool {
    let mut measured = figure.series.iter().flat_map(|series| &series.measured);
    let length = |low: f64, high: f64| {
        let [low, high] = [low, high].map(|end| y.share(end.clamp(y.low, y.high)));
        (high - low) * height
    };
    let has_bar = |m: &&Measured| figure.y.scale.holds(m.y) && m.low < m.high;
    measured.any(|m| has_bar(&m) && length(m.low, m.high) > 2.0 * RADIUS)
}

/// What markers, lines and crosses stand for, as far as the figure has them, and error bars as far as they show.
fn kinds(figure: &Figure, bars: bool) -> Vec<Label<'_>> {
    let neutral = Symbols::with_look(Look::neutral());
    let any = |has: fn(&super::Series) -> bool| figure.series.iter().any(has);
    let mut measured = figure.series.iter().flat_map(|series| &series.measured);
    let limits = measured.any(|m| m.limit(figure.y.scale).is_some());
    let intervals = any(|s| s.measured.iter().any(|m| m.low.is_finite() && m.high.is_finite()));
    let limit = match figure.y.scale {
        Scale::Probit => "measured 0 or all: end of the interval",
        Scale::Linear | Scale::Log => "measured 0: end of the interval",
    };
    let kinds = [
        (
            any(|s| !s.measured.is_empty()),
            match (bars, intervals) {
                (true, _) => "measured, with confidence interval",
                (false, true) => "measured, interval within the mark",
                (false, false) => "measured",
            },
            Symbols { marker: true, bar: bars, ..neutral },
        ),
        (limits, limit, Symbols { limit: true, ..neutral }),
        (
            any(|s| !s.predicted.is_empty()),
            figure.prediction.as_str(),
            Symbols { line: Some(neutral.look.line()), ..neutral },
        ),
        (any(|s| !s.published.is_empty()), "published", Symbols { cross: true, ..neutral }),
    ];
    let present = kinds.into_iter().filter(|(present, ..)| *present);
    let gaps = std::iter::once(BEFORE_KINDS).chain(std::iter::repeat(BETWEEN));
    present.zip(gaps).map(|((_, label, symbols), above)| (label, symbols, above)).collect()
}

fn entry(label: &str, symbols: Symbols, above: f64, room: f64) -> Entry {
    let mut lines = text::wrap(label, SIZE, room);
    if lines.is_empty() {
        lines.push(String::new());
    }
    Entry { lines, symbols, above }
}

/// Width of the legend.
pub(super) fn width(entries: &[Entry]) -> f64 {
    let lines = entries.iter().flat_map(|entry| &entry.lines).map(String::as_str);
    SYMBOL + text::widest(lines, SIZE)
}

/// Height of the legend.
pub(super) fn height(entries: &[Entry]) -> f64 {
    entries.iter().map(|entry| entry.above + text::block(&entry.lines, SIZE)).sum()
}

/// Draws the legend to the right of the plot.
pub(super) fn draw(entries: &[Entry], plot: &Plot, canvas: &mut Canvas) {
    let left = plot.right() + GAP;
    let mut top = plot.top - BETWEEN;
    for entry in entries {
        top += entry.above;
        draw_symbols(entry.symbols, canvas, (left, top + 0.64 * SIZE));
        for (y, line) in text::baselines(&entry.lines, SIZE, top) {
            let style = Type { size: SIZE, colour: INK, anchor: Anchor::Start };
            canvas.text((left + SYMBOL, y), line, style);
        }
        top += text::block(&entry.lines, SIZE);
    }
}

fn draw_symbols(symbols: Symbols, canvas: &mut Canvas, (left, y): (f64, f64)) {
    let right = left + SYMBOL - 8.0;
    let centre = (f64::midpoint(left, right), y);
    let look = symbols.look;
    if let Some(pen) = symbols.line {
        canvas.line((left, y), (right, y), pen);
    }
    if symbols.bar {
        look.bar(canvas, centre.0, [(y - BAR, true), (y + BAR, true)]);
    }
    if symbols.marker {
        look.marker(canvas, centre);
    }
    if symbols.limit {
        look.limit(canvas, (centre.0, y - RADIUS), true);
    }
    if symbols.cross {
        look.cross(canvas, centre);
    }
}
