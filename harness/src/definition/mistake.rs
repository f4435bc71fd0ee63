//! One mistake of a user's, with its remedy.

use std::collections::BTreeSet;

use super::source::Span;
use super::suggestion::suggestion;

/// One mistake: what it is, where it is, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Mistake {
    pub(super) span: Option<Span>,
    pub(super) title: String,
    pub(super) label: String,
    pub(super) help: Vec<String>,
}

impl Mistake {
    /// A mistake at a place of the file.
    pub(crate) fn at(span: &Span, title: impl Into<String>) -> Self {
        Self { span: Some(span.clone()), ..Self::of_file(title) }
    }

    /// A mistake of the file as a whole.
    pub(crate) fn of_file(title: impl Into<String>) -> Self {
        Self { span: None, title: title.into(), label: String::new(), help: Vec::new() }
    }

    /// The words beside the caret.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// A line below that says what to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The nearest of the valid names as a question, or all of them where there are few and none is near.
    pub(crate) fn suggest<'n>(self, name: &str, valid: impl IntoIterator<Item = &'n str>) -> Self {
        let mut seen = BTreeSet::new();
        let valid: Vec<&str> = valid.into_iter().filter(|name| seen.insert(*name)).collect();
        match suggestion(name, &valid) {
            Some(suggestion) => self.help(suggestion),
            None => self,
        }
    }
}
