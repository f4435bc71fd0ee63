//! What records are, and how their keys are read.

use crate::buffer::Buffer;
use crate::damage::Flaw;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::layout::{Columns, Fields, KeyCells, Part, Rows, key_of_pair, put_parts};
use crate::lines::{Line, next_line, pass_line};

/// Characters of a bad line that a report shows.
const SHOWN: usize = 40;
/// The protocol number of TCP.
const TCP: u8 = 6;
/// The protocol numbers that are not assigned, up to two for experiments and the last, reserved.
const UNASSIGNED: std::ops::RangeInclusive<u8> = 149..=252;

/// What the records are, and where in them the keys lie that are read.
pub(super) enum Form {
    Binary { length: usize, keys: Vec<Vec<Part>>, protocol: Option<usize> },
    Pairs,
    Rows { columns: Columns, rows: Rows, keys: Vec<KeyCells> },
}

/// A key of the current record, which may have none of its kind.
pub(super) struct Key {
    pub(super) kind: KeyKind,
    room: [u8; LONGEST_KEY],
    length: Option<usize>,
}

impl Key {
    pub(super) fn of_kind(kind: KeyKind) -> Self {
        Key { kind, room: [0; LONGEST_KEY], length: None }
    }

    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.length.map(|length| &self.room[..length])
    }

    pub(super) fn clear(&mut self) {
        self.length = None;
    }
}

impl Form {
    /// Records of these fields, from which keys are read that the fields give.
    pub(super) fn of_fields(fields: &Fields, keys: &[Key]) -> Self {
        let parts = keys.iter().filter_map(|key| fields.parts(key.kind)).collect();
        Form::Binary { length: fields.length(), keys: parts, protocol: fields.protocol() }
    }

    /// Rows of these columns, from which keys are read that the columns give.
    pub(super) fn of_columns(columns: Columns, rows: Rows, keys: &[Key]) -> Self {
        let keys = keys.iter().filter_map(|key| columns.key_cells(key.kind)).collect();
        Form::Rows { columns, rows, keys }
    }

    /// Finds the next record; `None` where there is no whole one.
    pub(super) fn next(&self, buffer: &mut Buffer) -> Option<Line> {
        match *self {
            Form::Binary { length, .. } => {
                buffer.fill(length).then_some(Line { length, is_whole: true })
            }
            Form::Pairs | Form::Rows { .. } => next_line(buffer),
        }
    }

    /// Bytes that a record needs at least.
    pub(super) fn shortest(&self) -> usize {
        match *self {
            Form::Binary { length, .. } => length,
            Form::Pairs | Form::Rows { .. } => 1,
        }
    }

    /// Moves behind the record that begins the data.
    pub(super) fn pass(&self, buffer: &mut Buffer) {
        match *self {
            Form::Binary { length, .. } => {
                buffer.consume(length);
            }
            Form::Pairs | Form::Rows { .. } => pass_line(buffer),
        }
    }

    /// Reads the keys of a record.
    ///
    /// # Errors
    ///
    /// What is wrong with it, if it is none.
    pub(super) fn read(&mut self, record: &[u8], keys: &mut [Key]) -> Result<(), Flaw> {
        match self {
            Form::Binary { keys: parts, protocol, .. } => {
                read_fields(record, parts, *protocol, keys);
                Ok(())
            }
            Form::Pairs => match read_pair(record, keys) {
                true => Ok(()),
                false => Err(Flaw::Line(shown(record))),
            },
            Form::Rows { columns, rows, keys: cells } => {
                match columns.take(rows, record) && read_row(rows, cells, keys) {
                    true => Ok(()),
                    false => Err(Flaw::Row(shown(record))),
                }
            }
        }
    }

    /// Whether the protocol of a binary record has a number that is not assigned.
    pub(super) fn is_unassigned(&self, record: &[u8]) -> bool {
        match *self {
            Form::Binary { protocol: Some(place), .. } => UNASSIGNED.contains(&record[place]),
            _ => false,
        }
    }
}

/// Reads the keys of a binary record; those of TCP only where it is of TCP, if that is known.
fn read_fields(record: &[u8], parts: &[Vec<Part>], protocol: Option<usize>, keys: &mut [Key]) {
    let is_tcp = protocol.is_none_or(|place| record[place] == TCP);
    for (key, parts) in keys.iter_mut().zip(parts) {
        let is_there = is_tcp || key.kind != KeyKind::TcpHeader;
        key.length = is_there.then(|| put_parts(record, parts, &mut key.room));
    }
}

/// Reads the keys of a line of two addresses; false if it is none.
fn read_pair(line: &[u8], keys: &mut [Key]) -> bool {
    keys.iter_mut().all(|key| {
        key.length = key_of_pair(line, key.kind, &mut key.room);
        key.length.is_some()
    })
}

/// Reads the keys of the row that was taken; false if its cells are not their fields.
fn read_row(rows: &Rows, cells: &[KeyCells], keys: &mut [Key]) -> bool {
    keys.iter_mut().zip(cells).all(|(key, cells)| {
        let put = cells.put(rows, &mut key.room);
        put.map(|length| key.length = length).is_ok()
    })
}

/// The beginning of a bad line, fit for a report.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end().chars().take(SHOWN).flat_map(char::escape_default).collect()
}
