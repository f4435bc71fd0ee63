//! A trace to be read: its files and how they are read.

use std::path::{Path, PathBuf};

use crate::capture::open_with;
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::files::find_files;
use crate::layout::Layout;
use crate::source::{Decoding, STANDARD_INPUT};
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
    /// If a word stands for nothing, one of several captures cannot be opened or is a pipe, or the
    /// span holds no time.
    pub fn of_words(self, words: &[PathBuf]) -> Result<Self, TraceError> {
        if self.span.is_void() {
            return Err(TraceError::VoidSpan);
        }
        let mut files = find_files(words)?;
        if files.len() > 1 && files.iter().any(|file| file == Path::new(STANDARD_INPUT)) {
            return Err(TraceError::NotAlone);
        }
        if files.len() > 1 && self.layout.is_none() {
            files = in_order_of_time(files, &self.decoding)?;
        }
        Ok(Input { files, ..self })
    }
}

impl Input {
    /// Refuses a trace of which nothing could be read, though all was met that is asked for.
    pub(crate) fn refuse_nothing(
        &self,
        is_readable: bool,
        damage: &DamageLog,
    ) -> Result<(), TraceError> {
        match (is_readable, self.files.first(), damage.first()) {
            (false, Some(file), [first, ..]) => {
                Err(TraceError::Nothing { path: file.clone(), why: first.flaw.to_string() })
            }
            _ => Ok(()),
        }
    }
}

/// Whether what was read of a file is gone: it is a pipe, a device or a socket.
fn is_read_once(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !(found.is_file() || found.is_dir()))
}

/// Captures by the time of their first packet; those without one come first.
fn in_order_of_time(files: Vec<PathBuf>, decoding: &Decoding) -> Result<Vec<PathBuf>, TraceError> {
    let mut timed = Vec::new();
    for file in files {
        if is_read_once(&file) {
            return Err(TraceError::ReadOnce { path: file });
        }
        let mut reader = open_with(&file, decoding)?;
        let time = reader.next_packet().and_then(|packet| packet.timestamp);
        timed.push((time, file));
    }
    timed.sort_by_key(|&(time, _)| time);
    Ok(timed.into_iter().map(|(_, file)| file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;

    fn of_words(words: &[&str], span: Span) -> Result<Input, TraceError> {
        let words: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
        Input { span, ..Input::file(Path::new(""), None) }.of_words(&words)
    }

    #[test]
    fn standard_input_stands_alone() {
        let all = Span::default();
        assert_eq!(of_words(&["-"], all).unwrap().files, [PathBuf::from("-")]);
        assert!(matches!(of_words(&["-", "a"], all), Err(TraceError::NotAlone)));
    }

    #[test]
    fn a_span_that_ends_before_it_begins_is_an_error() {
        let [from, to] = [5, 3].map(|time| Some(Time(time)));
        for to in [to, from] {
            let span = Span { from, to, packets: None };
            assert!(matches!(of_words(&["a"], span), Err(TraceError::VoidSpan)));
        }
    }

    /// Opened for its order in time, a pipe would hang or give nothing the second time.
    #[cfg(unix)]
    #[test]
    fn what_is_read_once_stands_alone() {
        let error = of_words(&["/dev/null", "/dev/zero"], Span::default()).unwrap_err();
        assert!(error.to_string().contains("/dev/null is a pipe"), "{error}");
        assert!(of_words(&["/dev/null"], Span::default()).is_ok());
    }
}
