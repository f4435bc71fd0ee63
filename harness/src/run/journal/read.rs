//! Reading a journal, whatever state it is in.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::super::error::RunError;
use super::record::Record;
use super::window::Window;
use super::{TITLE, VERSION, frame, header};

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

/// What a journal holds, without its records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Scan {
    /// Whole records of batches.
    pub(in super::super) records: u64,
    /// Whole records that this version cannot make sense of.
    pub(in super::super) unknown: u64,
    /// What could not be read.
    pub(in super::super) damage: Vec<Damage>,
    /// Bytes up to the end of the last whole record; 0 where not even the header is whole.
    pub(super) whole: u64,
}

/// A whole record on its way out of a journal.
#[derive(Debug)]
pub(in super::super) struct Found<'p> {
    /// Where its frame begins, in bytes from the start of the file.
    pub(in super::super) offset: u64,
    /// The record as it is on disk.
    pub(in super::super) payload: &'p [u8],
    /// The record; `None` where this version cannot make sense of it.
    pub(in super::super) record: Option<Record>,
}

/// Opens the journal at `path` for reading; `None` where there is none.
pub(in super::super) fn open(path: &Path) -> Result<Option<Window>, RunError> {
    match Window::open(path) {
        Ok(window) => Ok(Some(window)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(RunError::Read { path: path.to_owned(), source }),
    }
}

/// Hands each whole record of the journal at `path` to `take`, in the order of the file; none where there is no
/// journal. The memory that it takes is that of the longest record.
pub(in super::super) fn scan<E: From<RunError>>(
    path: &Path,
    take: impl FnMut(Found<'_>) -> Result<(), E>,
) -> Result<Scan, E> {
    match open(path)? {
        Some(mut journal) => scan_opened(&mut journal, path, take),
        None => Ok(Scan::default()),
    }
}

/// As [`scan`], of an open journal.
pub(in super::super) fn scan_opened<E: From<RunError>>(
    journal: &mut Window,
    path: &Path,
    mut take: impl FnMut(Found<'_>) -> Result<(), E>,
) -> Result<Scan, E> {
    let failed = |source| RunError::Read { path: path.to_owned(), source };
    let mut scan = Scan::default();
    let mut at = match beginning(journal, path)? {
        Beginning::Torn => {
            scan.tear(0, journal);
            return Ok(scan);
        }
        Beginning::Damaged { first } => {
            scan.damage.push(Damage::Header { bytes: first as usize });
            first
        }
        Beginning::Whole { first } => first,
    };
    while at < journal.length() {
        if let Some(length) = frame::at(journal, at).map_err(failed)? {
            let payload = frame::payload(journal, at, length).map_err(failed)?;
            take(scan.count(at, payload))?;
            at += frame::size(length);
        } else if let Some(next) = frame::find(journal, at + 1).map_err(failed)? {
            let (offset, bytes) = (at as usize, (next - at) as usize);
            scan.damage.push(Damage::Corrupted { offset, bytes });
            at = next;
        } else {
            scan.tear(at, journal);
            break;
        }
    }
    scan.whole = at;
    Ok(scan)
}

/// Whether the file at `path` is a journal, of this version or another one.
///
/// # Errors
/// Where there is none or it cannot be read, so that nobody knows.
pub(super) fn is_journal(path: &Path) -> Result<bool, RunError> {
    let failed = |source| RunError::Read { path: path.to_owned(), source };
    match beginning(&mut Window::open(path).map_err(failed)?, path) {
        Ok(_) | Err(RunError::Version { .. }) => Ok(true),
        Err(RunError::NotAJournal { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// How a journal begins.
enum Beginning {
    /// With its first line, and the first record is behind it.
    Whole { first: u64 },
    /// With a damaged first line.
    Damaged { first: u64 },
    /// With a part of the first line, as an interrupted write leaves it.
    Torn,
}

/// Bytes within which the first line ends.
const LONGEST_LINE: usize = 64;

fn beginning(journal: &mut Window, path: &Path) -> Result<Beginning, RunError> {
    let failed = |source: io::Error| RunError::Read { path: path.to_owned(), source };
    let header = header();
    let start = journal.bytes(0, LONGEST_LINE).map_err(failed)?;
    if start.starts_with(&header) {
        return Ok(Beginning::Whole { first: header.len() as u64 });
    }
    if header.starts_with(start) {
        return Ok(Beginning::Torn);
    }
    if let Some(found) = version(start) {
        return Err(RunError::Version { path: path.to_owned(), found, known: VERSION });
    }
    match frame::find(journal, 0).map_err(failed)? {
        Some(first) => Ok(Beginning::Damaged { first }),
        None => Err(RunError::NotAJournal { path: path.to_owned() }),
    }
}

/// The version that the header of another version names.
fn version(bytes: &[u8]) -> Option<String> {
    let line = bytes.strip_prefix(TITLE.as_bytes())?.split(|&byte| byte == b'\n').next()?;
    let digits = std::str::from_utf8(line).ok()?;
    let number: u32 = digits.parse().ok()?;
    Some(number.to_string())
}

impl Scan {
    /// Whether the file must be written anew before anything is appended: else its damage would be met again
    /// at every start.
    pub(super) fn is_damaged_inside(&self) -> bool {
        self.damage.iter().any(|damage| !matches!(damage, Damage::TornEnd { .. }))
    }

    /// The record at `offset`, counted.
    fn count<'p>(&mut self, offset: u64, payload: &'p [u8]) -> Found<'p> {
        let record = Record::decode(payload);
        match record {
            Some(_) => self.records += 1,
            None => self.unknown += 1,
        }
        Found { offset, payload, record }
    }

    fn tear(&mut self, offset: u64, journal: &Window) {
        let (offset, bytes) = (offset as usize, journal.length().saturating_sub(offset) as usize);
        if bytes > 0 {
            self.damage.push(Damage::TornEnd { offset, bytes });
        }
    }
}

/// All that a journal holds, for tests.
#[cfg(test)]
#[derive(Debug, Default)]
pub(in super::super) struct Contents {
    /// The records, in the order of the file.
    pub(in super::super) records: Vec<Record>,
    /// Undamaged records that this version cannot make sense of, as they are on disk.
    pub(in super::super) unknown: Vec<Vec<u8>>,
    /// What could not be read.
    pub(in super::super) damage: Vec<Damage>,
}

/// The contents of the journal at `path`; empty where there is none.
#[cfg(test)]
pub(in super::super) fn read(path: &Path) -> Result<Contents, RunError> {
    let mut contents = Contents::default();
    let scan = scan::<RunError>(path, |found| {
        match found.record {
            Some(record) => contents.records.push(record),
            None => contents.unknown.push(found.payload.to_owned()),
        }
        Ok(())
    })?;
    Ok(Contents { damage: scan.damage, ..contents })
}
