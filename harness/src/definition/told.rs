//! One mistake in the parts that a program shows in its own way.

use super::mistake::Mistake;
use super::source::Source;

/// A mistake, where it is and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<'d> {
    /// The file, or the option of the command line.
    pub file: &'d str,
    /// Its line, from 1; `None` where it is of the file as a whole.
    pub line: Option<usize>,
    /// The character of the line at which it begins, from 1.
    pub column: Option<usize>,
    /// What it is.
    pub title: &'d str,
    /// The words at the place; empty where there are none.
    pub label: &'d str,
    /// What to do.
    pub help: &'d [String],
}

impl<'d> Told<'d> {
    pub(super) fn new(source: &'d Source, mistake: &'d Mistake) -> Self {
        let span = mistake.span.as_ref();
        let before = span.and_then(|span| source.text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let last = before.and_then(|before| before.rsplit('\n').next());
        Self {
            file: &source.path,
            line,
            column: last.map(|last| last.chars().count() + 1),
            title: &mistake.title,
            label: &mistake.label,
            help: &mistake.help,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// As editors count, and not in bytes.
    #[test]
    fn a_place_is_a_line_and_a_character() {
        let source = Source::new(Path::new("x.toml"), "a = 1\nγγ = b\n");
        let place = |start: usize| {
            let mistake = Mistake::at(&(start..start + 1), "wrong");
            let told = Told::new(&source, &mistake);
            (told.line, told.column)
        };
        assert_eq!(place(0), (Some(1), Some(1)));
        assert_eq!(place(13), (Some(2), Some(6)));
        let whole = Mistake::of_file("wrong");
        assert_eq!(Told::new(&source, &whole).line, None);
    }
}
