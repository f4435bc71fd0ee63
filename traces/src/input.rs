//! A trace to be read: its files and how they are read.

use std::path::{Path, PathBuf};

use crate::capture::open_with;
use crate::error::TraceError;
use crate::files::find_files;
use crate::layout::Layout;
use crate::source::Decoding;
use crate::span::Span;

/// Files that are read one behind the other as one trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The files, in the order in which they are read; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The layout of their records; captures have none.
    pub layout: Option<Layout>,
    /// How their bytes are decompressed.
    pub decoding: Decoding,
    /// Which of their packets are read.
    pub span: Span,
}

impl Input {
    /// All of one file.
    pub fn file(path: &Path, layout: Option<Layout>) -> Self {
        Input {
            files: vec![path.to_owned()],
            layout,
            decoding: Decoding::default(),
            span: Span::default(),
        }
    }

    /// The same of the files that [words stand for](find_files): captures in the order of their
    /// first packets, files of records, which have no times, in the order of the words.
    ///
    /// # Errors
    ///
    /// If a word stands for nothing, or one of several captures cannot be opened.
    pub fn of_words(self, words: &[PathBuf]) -> Result<Self, TraceError> {
        let mut files = find_files(words)?;
        if files.len() > 1 && self.layout.is_none() {
            files = in_order_of_time(files, &self.decoding)?;
        }
        Ok(Input { files, ..self })
    }
}

/// Captures by the time of their first packet; those without one come first.
fn in_order_of_time(files: Vec<PathBuf>, decoding: &Decoding) -> Result<Vec<PathBuf>, TraceError> {
    let mut timed = Vec::new();
    for file in files {
        let mut reader = open_with(&file, decoding)?;
        let time = reader.next_packet().and_then(|packet| packet.timestamp);
        timed.push((time, file));
    }
    timed.sort_by_key(|&(time, _)| time);
    Ok(timed.into_iter().map(|(_, file)| file).collect())
}
