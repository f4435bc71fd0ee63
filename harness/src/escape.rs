//! A user's words in files that other programs show: nothing in them is taken for markup or for a formula.

use std::borrow::Cow;

/// The words on a terminal, one line of them: what would do something there is shown as its number.
pub(crate) fn terminal(words: &str) -> Cow<'_, str> {
    if !words.contains(is_control) {
        return Cow::Borrowed(words);
    }
    let shown = |letter: char| match is_control(letter) {
        true => letter.escape_unicode().to_string(),
        false => letter.to_string(),
    };
    Cow::Owned(words.chars().map(shown).collect())
}

/// The words in Markdown: no cell ends at a `|`, no tag begins at a `<`, no link at a `[`, and nothing is set in
/// italics. An underscore inside a word means nothing there, and stays.
pub(crate) fn markdown(words: &str) -> Cow<'_, str> {
    if !words.contains(['|', '<', '\\', '[', ']', '*', '`', '_']) {
        return Cow::Borrowed(words);
    }
    let mut escaped = String::with_capacity(words.len() + 4);
    let mut letters = words.chars().peekable();
    let mut last = ' ';
    while let Some(letter) = letters.next() {
        let begins_a_tag = |next: &char| next.is_alphabetic() || "/!?".contains(*next);
        let is_edge = |own: Option<&char>| !own.is_some_and(|own| own.is_alphanumeric());
        let is_markup = match letter {
            '|' | '\\' | '[' | ']' | '*' | '`' => true,
            '<' => letters.peek().is_some_and(begins_a_tag),
            '_' => is_edge(Some(&last)) || is_edge(letters.peek()),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(letter);
        last = letter;
    }
    Cow::Owned(escaped)
}

/// The words in a cell of a table that a spreadsheet may open, which takes some beginnings for a formula.
pub(crate) fn cell(words: &str) -> Cow<'_, str> {
    match is_formula(words) {
        true => Cow::Owned(format!("'{words}")),
        false => Cow::Borrowed(words),
    }
}

/// The words that [`cell`] made safe.
pub(crate) fn from_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|words| is_formula(words)).unwrap_or(cell)
}

fn is_formula(words: &str) -> bool {
    words.starts_with(['=', '+', '-', '@']) && words.parse::<f64>().is_err()
}

/// Whether a terminal or a page would not show the character, but do something: control characters, and those
/// that turn the direction of writing.
pub(crate) fn is_control(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || ('\u{202a}'..='\u{202e}').contains(&letter)
        || ('\u{2066}'..='\u{2069}').contains(&letter);
    letter.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        assert_eq!(markdown("a | b"), "a \\| b");
        assert_eq!(markdown("<script>x</script>"), "\\<script>x\\</script>");
        assert_eq!(markdown("<=1% and a < b"), "<=1% and a < b");
        assert_eq!(markdown("\\|"), "\\\\\\|");
        assert_eq!(markdown("[x](http://y) *a* _b_"), "\\[x\\](http://y) \\*a\\* \\_b\\_");
        assert_eq!(markdown("overflow_fraction"), "overflow_fraction");
    }

    #[test]
    fn a_formula_is_text_and_a_number_stays_one() {
        for words in ["=1+1", "+x", "-x", "@x", "=HYPERLINK(\"a\")"] {
            assert_eq!(cell(words), format!("'{words}"));
            assert_eq!(from_cell(&cell(words)), words);
        }
        for words in ["-0.5", "+3", "SINGLE", "'quoted'", "'"] {
            assert_eq!(cell(words), words);
            assert_eq!(from_cell(words), words);
        }
    }

    #[test]
    fn a_terminal_shows_what_would_move_its_cursor() {
        assert_eq!(terminal("\u{1b}[2Jγ\r\n"), "\\u{1b}[2Jγ\\u{d}\\u{a}");
        assert!(matches!(terminal("point.load=[0.5]"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_not_shown_is_told_from_what_is() {
        assert!(['\u{1b}', '\u{202e}', '\u{2066}', '\u{7f}', '\n'].into_iter().all(is_control));
        assert!(!['γ', '→', 'é', ' ', '\u{2009}'].into_iter().any(is_control));
    }
}
