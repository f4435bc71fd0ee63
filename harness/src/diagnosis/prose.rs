//! Prose in lines.

use std::fmt;

/// Columns of a line.
const WIDTH: usize = 96;

/// Between two words that stay on one line.
pub(super) const NO_BREAK: char = '\u{a0}';

/// The words in lines; behind a mark, such as a dash, further lines are indented.
pub(super) fn paragraph(f: &mut fmt::Formatter<'_>, mark: &str, text: &str) -> fmt::Result {
    let indent = if mark.is_empty() { "" } else { "  " };
    let mut line = mark.to_owned();
    let mut is_begun = false;
    for word in text.split(' ') {
        if is_begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(f, "{}", plain(&line))?;
            line = indent.to_owned();
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    writeln!(f, "{}", plain(&line))
}

/// The text with blanks in place of [`NO_BREAK`].
pub(super) fn plain(text: &str) -> String {
    text.replace(NO_BREAK, " ")
}
