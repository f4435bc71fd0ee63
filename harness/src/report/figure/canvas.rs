//! A small SVG writer: shapes and text in, a document out.
//!
//! Written here because a plotting crate's backend (plotters) rounds places to whole pixels, draws
//! dashes as separate segments and cannot clip, all of which shows in print.
//!
//! Places are pairs of pixels from the top left corner, written with two decimals.

use std::fmt::{self, Display, Write as _};

use super::text;

/// The paper.
pub(super) const PAPER: &str = "#ffffff";

/// A place on the canvas: pixels to the right and down.
pub(super) type Place = (f64, f64);

/// How a line is stroked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pen<'a> {
    pub(super) colour: &'a str,
    pub(super) width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub(super) dashes: &'a str,
}

impl<'a> Pen<'a> {
    pub(super) fn solid(colour: &'a str, width: f64) -> Self {
        Self { colour, width, dashes: "" }
    }
}

impl Display for Pen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"stroke="{}" stroke-width="{}""#, self.colour, Px(self.width))?;
        if !self.dashes.is_empty() {
            write!(f, r#" stroke-dasharray="{}""#, self.dashes)?;
        }
        Ok(())
    }
}

/// Which point of a text is put at its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type<'a> {
    pub(super) size: f64,
    pub(super) colour: &'a str,
    pub(super) anchor: Anchor,
}

/// A length in pixels, as it is written.
struct Px(f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// An SVG document in the making.
pub(super) struct Canvas(String);

impl Canvas {
    /// A white canvas of the given size; `title` is what a screen reader says.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let (width, height) = (Px(width), Px(height));
        let mut canvas = Self(String::new());
        canvas.put(format_args!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="'{}', Verdana, sans-serif" role="img">
<title>{}</title>
<rect width="{width}" height="{height}" fill="#ffffff"/>"##,
            text::FAMILY,
            escape(title),
        ));
        canvas
    }

    /// The finished document.
    pub(super) fn finish(mut self) -> String {
        self.put(format_args!("</svg>"));
        self.0
    }

    /// Clips everything until [`unclip`](Self::unclip) to a rectangle.
    ///
    /// A nested SVG, because a clip path needs an id, which could clash on a page of figures.
    pub(super) fn clip(&mut self, (x, y): Place, width: f64, height: f64) {
        let (x, y, width, height) = (Px(x), Px(y), Px(width), Px(height));
        self.put(format_args!(
            r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}">"#
        ));
    }

    pub(super) fn unclip(&mut self) {
        self.put(format_args!("</svg>"));
    }

    pub(super) fn line(&mut self, from: Place, to: Place, pen: Pen<'_>) {
        let (x1, y1, x2, y2) = (Px(from.0), Px(from.1), Px(to.0), Px(to.1));
        self.put(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {pen}/>"#));
    }

    /// A line through all places.
    pub(super) fn polyline(&mut self, places: &[Place], pen: Pen<'_>) {
        let points = points(places);
        self.put(format_args!(
            r#"<polyline points="{points}" fill="none" stroke-linejoin="round" {pen}/>"#
        ));
    }

    /// A closed shape.
    pub(super) fn polygon(&mut self, places: &[Place], fill: &str, pen: Pen<'_>) {
        let points = points(places);
        self.put(format_args!(
            r#"<polygon points="{points}" fill="{fill}" stroke-linejoin="round" {pen}/>"#
        ));
    }

    pub(super) fn circle(&mut self, centre: Place, radius: f64, fill: &str, pen: Pen<'_>) {
        let (x, y, r) = (Px(centre.0), Px(centre.1), Px(radius));
        self.put(format_args!(r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" {pen}/>"#));
    }

    /// A line of text with its baseline at `at`.
    pub(super) fn text(&mut self, at: Place, content: &str, style: Type<'_>) {
        let (x, y) = (Px(at.0), Px(at.1));
        self.put_text(format_args!(r#"x="{x}" y="{y}""#), content, style);
    }

    /// A line of text that reads upwards, with its baseline at `at`.
    pub(super) fn text_upwards(&mut self, at: Place, content: &str, style: Type<'_>) {
        let (x, y) = (Px(at.0), Px(at.1));
        let place = format_args!(r#"transform="translate({x} {y}) rotate(-90)""#);
        self.put_text(place, content, style);
    }

    fn put_text(&mut self, place: fmt::Arguments<'_>, content: &str, style: Type<'_>) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (size, colour, content) = (Px(style.size), style.colour, escape(content));
        self.put(format_args!(
            r#"<text {place} font-size="{size}" fill="{colour}" text-anchor="{anchor}">{content}</text>"#
        ));
    }

    fn put(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }
}

fn points(places: &[Place]) -> String {
    let pairs: Vec<String> = places.iter().map(|&(x, y)| format!("{},{}", Px(x), Px(y))).collect();
    pairs.join(" ")
}

/// Text as XML: markup escaped, and characters that XML 1.0 forbids replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a < b & c > d"), "a &lt; b &amp; c &gt; d");
        assert_eq!(escape("a\nb\0c"), "a b\u{fffd}c");
    }

    #[test]
    fn lengths_have_two_decimals_and_no_negative_zero() {
        assert_eq!(Px(-0.001).to_string(), "0");
        assert_eq!(Px(1.0 / 3.0).to_string(), "0.33");
        assert_eq!(Px(12.0).to_string(), "12");
    }
}
