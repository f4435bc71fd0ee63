//! Reading a journal, whatever state it is in.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use super::super::error::RunError;
use super::record::Record;
use super::{TITLE, VERSION, frame, header};
use crate::files;

/// A stretch of a journal that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The first line, with whole records behind it.
    Header {
        /// Bytes up to the first record.
        bytes: usize,
    },
    /// The end, as an interrupted write leaves it.
    TornEnd {
        /// Where it begins, in bytes from the start of the file.
        offset: usize,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A stretch with whole records behind it, which an interrupted write does not explain.
    Corrupted {
        /// Where it begins, in bytes from the start of the file.
        offset: usize,
        /// Its length in bytes.
        bytes: usize,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Header { bytes } => write!(
                f,
                "the first line of the journal is damaged ({bytes} bytes); the records behind it were read, but check the disk"
            ),
            Damage::TornEnd { offset, bytes } => write!(
                f,
                "the journal ends in an unfinished record ({bytes} bytes at byte {offset}), as an interrupted write leaves it"
            ),
            Damage::Corrupted { offset, bytes } => write!(
                f,
                "the journal is corrupted at byte {offset} ({bytes} bytes); what was recorded there is lost, and the disk \
                 should be checked"
            ),
        }
    }
}

/// What a journal holds.
#[derive(Debug, Default)]
pub(in super::super) struct Contents {
    /// The records, in the order of the file.
    pub(in super::super) records: Vec<Record>,
    /// Undamaged records that this version cannot make sense of, as they are on disk.
    pub(in super::super) unknown: Vec<Vec<u8>>,
    /// What could not be read.
    pub(in super::super) damage: Vec<Damage>,
    /// Bytes up to the end of the last whole record; 0 where not even the header is whole.
    pub(super) whole: usize,
}

/// The contents of the journal at `path`; empty where there is none.
pub(in super::super) fn read(path: &Path) -> Result<Contents, RunError> {
    match files::read_regular(path) {
        Ok(bytes) => parse(&bytes, path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Contents::default()),
        Err(source) => Err(RunError::Read { path: path.to_owned(), source }),
    }
}

fn parse(bytes: &[u8], path: &Path) -> Result<Contents, RunError> {
    let header = header();
    if bytes.starts_with(&header) {
        return Ok(records(bytes, header.len()));
    }
    if header.starts_with(bytes) {
        let mut contents = Contents::default();
        contents.torn(bytes, 0);
        return Ok(contents);
    }
    if version(bytes).is_none()
        && let Some(first) = frame::find(bytes, 0)
    {
        let mut contents = records(bytes, first);
        contents.damage.insert(0, Damage::Header { bytes: first });
        return Ok(contents);
    }
    Err(foreign(bytes, path))
}

/// Why a file without our header cannot be read.
fn foreign(bytes: &[u8], path: &Path) -> RunError {
    let path = path.to_owned();
    match version(bytes) {
        Some(found) => RunError::Version { path, found, known: VERSION },
        None => RunError::NotAJournal { path },
    }
}

/// The version that the header of another version names.
fn version(bytes: &[u8]) -> Option<String> {
    let line = bytes.strip_prefix(TITLE.as_bytes())?.split(|&byte| byte == b'\n').next()?;
    let digits = std::str::from_utf8(line).ok()?;
    let number: u32 = digits.parse().ok()?;
    Some(number.to_string())
}

fn records(bytes: &[u8], mut at: usize) -> Contents {
    let mut contents = Contents::default();
    while at < bytes.len() {
        if let Some(payload) = frame::decode(&bytes[at..]) {
            contents.take(payload);
            at += frame::size(payload);
        } else if let Some(next) = frame::find(bytes, at + 1) {
            let (offset, bytes) = (at, next - at);
            contents.damage.push(Damage::Corrupted { offset, bytes });
            at = next;
        } else {
            contents.torn(bytes, at);
            break;
        }
    }
    contents.whole = at;
    contents
}

impl Contents {
    /// Whether the file must be written anew before anything is appended: else its damage would be met again
    /// at every start.
    pub(super) fn is_damaged_inside(&self) -> bool {
        self.damage.iter().any(|damage| !matches!(damage, Damage::TornEnd { .. }))
    }

    /// Batches of which there are whole records.
    pub(super) fn saved(&self) -> u64 {
        self.records.len() as u64
    }

    /// The payloads of all records, those that this version cannot read among them.
    pub(super) fn payloads(&self) -> impl Iterator<Item = Vec<u8>> {
        self.records.iter().map(Record::encode).chain(self.unknown.iter().cloned())
    }

    fn take(&mut self, payload: &[u8]) {
        match Record::decode(payload) {
            Some(record) => self.records.push(record),
            None => self.unknown.push(payload.to_owned()),
        }
    }

    fn torn(&mut self, bytes: &[u8], offset: usize) {
        let bytes = bytes.len() - offset;
        if bytes > 0 {
            self.damage.push(Damage::TornEnd { offset, bytes });
        }
    }
}
