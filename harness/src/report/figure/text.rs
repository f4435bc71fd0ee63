//! The typeface: how wide a text is, and where to break it.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// DejaVu Sans; origin and licence are in `assets/README.md`.
pub(super) const FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

/// Family name of [`FONT`].
pub(super) const FAMILY: &str = "DejaVu Sans";

/// Distance of two baselines, in units of the type size.
const LEADING: f64 = 1.3;

#[expect(clippy::expect_used, reason = "a constant, which every test of this module reads")]
static FACE: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::new(FONT).expect("the embedded font is well-formed"));

/// Width of `text` in type of `size`; in the unit of `size`.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let glyphs = FACE.charmap();
    let metrics = FACE.glyph_metrics(Size::new(1.0), LocationRef::default());
    let advance = |c| metrics.advance_width(glyphs.map(c).unwrap_or_default()).unwrap_or(0.6);
    size * text.chars().map(|c| f64::from(advance(c))).sum::<f64>()
}

/// The widest of `texts`, or 0.
pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text, size)).fold(0.0, f64::max)
}

/// Breaks `text` into lines of at most `room`: between words, or inside a word that is wider.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(text) {
        match lines.last_mut().filter(|line| width(&format!("{line} {word}"), size) <= room) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.extend(pieces(&word, size, room)),
        }
    }
    lines
}

/// The words of a text; an equals sign is one with what stands on either side of it.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut().filter(|last| word == "=" || last.ends_with(" =")) {
            Some(last) => *last = format!("{last} {word}"),
            None => words.push(word.to_owned()),
        }
    }
    words
}

/// Cuts a word into pieces of at most `room`, of one character at least.
fn pieces(word: &str, size: f64, room: f64) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0.0;
    for c in word.chars() {
        let advance = width(c.encode_utf8(&mut [0; 4]), size);
        if used > 0.0 && used + advance > room {
            pieces.push(String::new());
            used = 0.0;
        }
        used += advance;
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces
}

/// Height of lines of type of `size`.
pub(super) fn block(lines: &[String], size: f64) -> f64 {
    lines.iter().map(|_| size * LEADING).sum()
}

/// Baselines of lines of type of `size` below `top`, with the lines.
pub(super) fn baselines(
    lines: &[String],
    size: f64,
    top: f64,
) -> impl Iterator<Item = (f64, &String)> {
    let step = size * LEADING;
    (1u32..).zip(lines).map(move |(n, line)| (top + f64::from(n) * step - 0.3 * size, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_wide_as_its_characters() {
        assert_eq!(width("", 10.0), 0.0);
        assert!((width("WiW", 10.0) - 2.0 * width("W", 10.0) - width("i", 10.0)).abs() < 1e-9);
        assert!(width("W", 10.0) > 2.0 * width("i", 10.0));
    }

    #[test]
    fn lines_keep_to_the_room_and_lose_no_word() {
        let text = "overflow fraction of a table with two choices per element";
        let lines = wrap(text, 12.0, 120.0);
        assert!(lines.len() > 2);
        assert!(widest(lines.iter().map(String::as_str), 12.0) <= 120.0);
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_value_is_not_cut_off_its_symbol() {
        let lines = wrap("MULTIPLE, static, h = 4, d = 2", 12.0, 120.0);
        assert_eq!(lines, ["MULTIPLE, static,", "h = 4, d = 2"]);
        assert_eq!(words("a = b = c"), ["a = b = c"]);
        assert_eq!(words("= 1"), ["=", "1"]);
    }

    #[test]
    fn a_long_word_is_cut() {
        let lines = wrap(&"0123456789abcdef".repeat(4), 12.0, 100.0);
        assert!(lines.len() > 3);
        assert_eq!(lines.concat().len(), 64);
        assert_eq!(wrap("ab", 12.0, 0.0), ["a", "b"]);
    }
}
