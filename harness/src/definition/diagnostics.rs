//! What a user reads when a definition has mistakes: every one, each at its place in the file.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::edited::Edited;
pub(crate) use super::mistake::Mistake;
pub(crate) use super::source::{Source, Span};
use super::told::Told;

/// The mistake where the user wrote it: in the file, or on the command line.
fn located(
    source: &Arc<Source>,
    edited: Option<&Edited>,
    mistake: Mistake,
) -> (Arc<Source>, Mistake) {
    let (Some(edited), Some(span)) = (edited, &mistake.span) else {
        return (Arc::clone(source), mistake);
    };
    let (source, span) = match edited.on_the_command_line(span) {
        Some((option, span)) => (option, span),
        None => (Arc::clone(source), edited.in_file(span)),
    };
    (source, Mistake { span: Some(span), ..mistake })
}

/// The span cut down to whole characters of the text.
fn clamp(text: &str, span: Span) -> Span {
    let start = text.floor_char_boundary(span.start);
    let end = text.ceil_char_boundary(span.end);
    start..end.max(start)
}

/// The mistakes of one file while it is read.
#[derive(Debug)]
pub(crate) struct Errors {
    source: Arc<Source>,
    /// The text that is read where settings changed it.
    edited: Option<Edited>,
    mistakes: Vec<Mistake>,
    /// The same, to be found quickly.
    known: HashSet<(Option<Span>, String)>,
}

impl Errors {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self { source, edited: None, mistakes: Vec::new(), known: HashSet::new() }
    }

    /// The mistakes of a file that is read with settings in it.
    pub(crate) fn with_settings(source: Arc<Source>, edited: Edited) -> Self {
        Self { edited: Some(edited), ..Self::new(source) }
    }

    /// Notes a mistake. One of the same title at the same place is not noted again: where a scheme is not known, a value
    /// that is none of several domains is one mistake.
    pub(crate) fn push(&mut self, mistake: Mistake) {
        let text = self.edited.as_ref().map_or(&self.source.text, |edited| &edited.text);
        let span = mistake.span.clone().map(|span| clamp(text, span));
        let mistake = Mistake { span, ..mistake };
        if self.known.insert((mistake.span.clone(), mistake.title.clone())) {
            self.mistakes.push(mistake);
        }
    }

    /// Whether the command line gives what stands at this place.
    pub(crate) fn is_set(&self, span: &Span) -> bool {
        self.edited.as_ref().is_some_and(|edited| edited.on_the_command_line(span).is_some())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.mistakes.is_empty()
    }
}

/// Mistakes that are shown: nobody reads more at a time.
const MOST_SHOWN: usize = 50;

/// Every mistake of a definition and of the files beside it.
#[derive(Debug, Default)]
pub struct Diagnostics(Vec<(Arc<Source>, Mistake)>);

impl Diagnostics {
    /// The diagnostics of several files, those of each in the order of its lines.
    pub(crate) fn from_files(files: impl IntoIterator<Item = Errors>) -> Self {
        let mut all = Vec::new();
        for Errors { source, edited, mut mistakes, .. } in files {
            mistakes.sort_by_key(|mistake| mistake.span.as_ref().map(|span| span.start));
            all.extend(
                mistakes.into_iter().map(|mistake| located(&source, edited.as_ref(), mistake)),
            );
        }
        Self(all)
    }

    /// The same with further mistakes in front, each in a text of its own.
    pub(crate) fn after(mut self, mut first: Vec<(Arc<Source>, Mistake)>) -> Self {
        first.append(&mut self.0);
        Self(first)
    }

    /// The number of mistakes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no mistake.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every mistake in its parts.
    pub fn told(&self) -> impl Iterator<Item = Told<'_>> {
        self.0.iter().map(|(source, mistake)| Told::new(source, mistake))
    }

    /// The mistakes as they are shown to the user, with ANSI colours or without: the first ones, and how many
    /// there are beyond.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let shown = self.0.iter().take(MOST_SHOWN);
        let mut reports: Vec<String> =
            shown.map(|(source, mistake)| renderer.render(&[group(source, mistake)])).collect();
        if let beyond @ 1.. = self.len().saturating_sub(MOST_SHOWN) {
            reports.push(format!("{beyond} more mistakes are not shown"));
        }
        reports.join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
impl Diagnostics {
    /// Whether every mistake that has a place has it inside its file, on whole characters.
    pub(crate) fn spans_are_inside(&self) -> bool {
        let inside = |source: &Source, span: &Span| source.text.get(span.clone()).is_some();
        self.0
            .iter()
            .all(|(source, mistake)| mistake.span.as_ref().is_none_or(|span| inside(source, span)))
    }
}

fn group<'a>(source: &'a Source, mistake: &'a Mistake) -> Group<'a> {
    let group = Group::with_title(Level::ERROR.primary_title(&mistake.title));
    let group = match &mistake.span {
        None => group.element(Origin::path(&source.path)),
        Some(span) => {
            let annotation = AnnotationKind::Primary.span(span.clone()).label(&mistake.label);
            group.element(Snippet::source(&source.text).path(&source.path).annotation(annotation))
        }
    };
    group.elements(mistake.help.iter().map(|help| Level::HELP.message(help)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn spans_are_cut_to_whole_characters_of_the_text() {
        assert_eq!(clamp("γ = 1", 1..1), 0..2);
        assert_eq!(clamp("γ = 1", 100..200), 6..6);
    }

    #[test]
    fn the_same_mistake_is_noted_once() {
        let mut errors = Errors::new(Source::new(Path::new("x.toml"), "a = 1"));
        errors.push(Mistake::at(&(0..1), "wrong"));
        errors.push(Mistake::at(&(0..1), "wrong"));
        assert_eq!(Diagnostics::from_files([errors]).len(), 1);
    }
}
