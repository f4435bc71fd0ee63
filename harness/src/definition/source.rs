//! What a user wrote: a file, or words on the command line.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A place in a file, in bytes.
pub(crate) type Span = Range<usize>;

/// A file that a user wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    pub(crate) fn new(path: &Path, text: &str) -> Arc<Self> {
        Arc::new(Self { path: path.display().to_string(), text: text.to_owned() })
    }

    /// All that the user wrote.
    pub(crate) fn whole(&self) -> &str {
        &self.text
    }

    /// What stands at a place.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.text.get(span).unwrap_or_default()
    }
}
