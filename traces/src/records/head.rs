//! The beginning of a file of records, which tells whether it can be read.

use std::path::{Path, PathBuf};

use super::form::{Form, Key, shown};
use crate::buffer::Buffer;
use crate::capture::begins_capture;
use crate::error::TraceError;
use crate::key::KeyKind;
use crate::layout::{Columns, Layout, Rows};
use crate::lines::{LONGEST_LINE, next_line, pass_line, pass_mark};
use crate::source::{Compression, Decoding, Source};

/// A file of records whose first bytes were looked at.
pub(super) struct Head {
    buffer: Buffer,
    pub(super) compression: Compression,
    layout: Layout,
    /// The line that names the columns, where there is one.
    header: Option<Header>,
}

struct Header {
    columns: Columns,
    rows: Rows,
    /// As a report shows it.
    shown: String,
}

impl Head {
    pub(super) fn open(
        path: &Path,
        layout: Layout,
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        let Source { compression, reader } = Source::open(path, decoding)?;
        let mut buffer = Buffer::new(reader);
        if begins_capture(&mut buffer) {
            return Err(TraceError::IsACapture { path: path.to_owned() });
        }
        let has_record = match layout.record_length() {
            Some(length) => buffer.fill(length),
            None => {
                pass_mark(&mut buffer);
                next_line(&mut buffer).is_some()
            }
        };
        match buffer.failure() {
            Some(failure) if !has_record => {
                return Err(TraceError::undecodable(path, compression, &failure.why));
            }
            None if buffer.data().is_empty() => {
                return Err(TraceError::Empty { path: path.to_owned() });
            }
            _ => {}
        }
        let header = if layout == Layout::Csv { Some(header(path, &mut buffer)?) } else { None };
        Ok(Head { buffer, compression, layout, header })
    }

    pub(super) fn gives(&self, kind: KeyKind) -> bool {
        match &self.header {
            Some(Header { columns, .. }) => columns.key_cells(kind).is_some(),
            None => self.layout.gives(kind),
        }
    }

    pub(super) fn lacks(&self, path: &Path, kind: KeyKind) -> TraceError {
        let (path, layout) = (path.to_owned(), self.layout);
        match &self.header {
            Some(Header { shown, .. }) => no_columns(path, kind, shown.clone()),
            None => TraceError::KeyNotInLayout { path, kind, layout },
        }
    }

    /// What follows, and how keys are read behind it that it gives.
    pub(super) fn into_form(self, keys: &[Key]) -> (Buffer, Form) {
        let form = match (self.layout.fields(), self.header) {
            (Some(fields), _) => Form::of_fields(&fields, keys),
            (None, Some(Header { columns, rows, .. })) => Form::of_columns(columns, rows, keys),
            (None, None) => Form::Pairs,
        };
        (self.buffer, form)
    }
}

/// Reads the line that names the columns, which is there.
fn header(path: &Path, buffer: &mut Buffer) -> Result<Header, TraceError> {
    let line = next_line(buffer);
    let text = &buffer.data()[..line.map_or(0, |line| line.length)];
    let mut rows = Rows::new(LONGEST_LINE);
    let columns = Columns::of_header(&mut rows, text).filter(|_| line.is_some_and(|l| l.is_whole));
    let shown = shown(text);
    pass_line(buffer);
    match columns {
        Some(columns) => Ok(Header { columns, rows, shown }),
        None => Err(no_columns(path.to_owned(), KeyKind::SrcDst, shown)),
    }
}

fn no_columns(path: PathBuf, kind: KeyKind, found: String) -> TraceError {
    TraceError::NoColumns { path, columns: kind.columns().join(","), found }
}
