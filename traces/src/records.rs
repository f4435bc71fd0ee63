//! Files of flow-key records as a stream of keys.

use std::path::{Path, PathBuf};

use crate::buffer::Buffer;
use crate::capture::{begins_capture, cut};
use crate::damage::{DamageLog, Flaw};
use crate::error::TraceError;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::layout::{Columns, KeyCells, Layout, Part, Rows, key_of_pair, put_parts};
use crate::lines::{LONGEST_LINE, next_line, pass_line, pass_mark};
use crate::source::{Compression, Decoding, Source};

/// Characters of a bad line that a report shows.
const SHOWN: usize = 40;
/// The protocol number of TCP.
const TCP: u8 = 6;
/// The protocol numbers that are not assigned, up to two for experiments and the last, reserved.
const UNASSIGNED: std::ops::RangeInclusive<u8> = 149..=252;

/// A stream of the records in one file, in file order, and of their keys.
pub struct RecordReader {
    buffer: Buffer,
    form: Form,
    keys: Vec<Key>,
    compression: Compression,
    records: u64,
    sound: u64,
    unassigned: u64,
    damage: DamageLog,
    done: bool,
}

/// What the records are, and where in them the keys lie that are read.
enum Form {
    Binary { length: usize, keys: Vec<Vec<Part>>, protocol: Option<usize> },
    Pairs,
    Rows { columns: Columns, rows: Rows, keys: Vec<KeyCells> },
}

/// A key of the current record, which may have none of its kind.
struct Key {
    kind: KeyKind,
    room: [u8; LONGEST_KEY],
    length: Option<usize>,
}

impl RecordReader {
    /// Opens a file of records, which may be compressed, for keys of some kinds.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, is empty or a capture, cannot be decompressed from its very
    /// beginning, or its records do not hold one of the keys.
    pub fn open(
        path: &Path,
        layout: Layout,
        kinds: &[KeyKind],
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        let head = Head::open(path, layout, decoding)?;
        match kinds.iter().find(|&&kind| !head.gives(kind)) {
            None => Ok(head.into_reader(kinds)),
            Some(&kind) => Err(head.lacks(path, kind)),
        }
    }

    /// Opens a file of records for all keys that they hold, the widest first; for addresses of one side
    /// only where they do not hold both.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), if its records hold no key.
    pub(crate) fn open_for_all(
        path: &Path,
        layout: Layout,
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        use KeyKind::{Dst, FiveTuple, Src, SrcDst, TcpHeader};
        let head = Head::open(path, layout, decoding)?;
        let given = |kinds: &[KeyKind]| -> Vec<KeyKind> {
            kinds.iter().copied().filter(|&kind| head.gives(kind)).collect()
        };
        match (given(&[TcpHeader, FiveTuple, SrcDst]), given(&[Src, Dst])) {
            (none, one_side) if none.is_empty() && one_side.is_empty() => {
                Err(head.lacks(path, SrcDst))
            }
            (none, one_side) if none.is_empty() => Ok(head.into_reader(&one_side)),
            (both_sides, _) => Ok(head.into_reader(&both_sides)),
        }
    }

    /// Goes to the next record; false at the end of what can be read.
    pub fn advance(&mut self) -> bool {
        match &self.form {
            Form::Binary { length, .. } => self.advance_binary(*length),
            Form::Pairs | Form::Rows { .. } => self.advance_line(),
        }
    }

    fn advance_binary(&mut self, length: usize) -> bool {
        if self.done || !self.buffer.fill(length) {
            self.end(length as u64);
            return false;
        }
        if let Form::Binary { keys, protocol, .. } = &self.form {
            let record = self.buffer.data();
            let protocol = protocol.map(|place| record[place]);
            self.unassigned += u64::from(protocol.is_some_and(|p| UNASSIGNED.contains(&p)));
            for (key, parts) in self.keys.iter_mut().zip(keys) {
                let is_there = key.kind != KeyKind::TcpHeader || protocol.is_none_or(|p| p == TCP);
                key.length = is_there.then(|| put_parts(record, parts, &mut key.room));
            }
        }
        self.buffer.consume(length);
        self.records += 1;
        self.sound += 1;
        true
    }

    fn advance_line(&mut self) -> bool {
        let Some(line) = next_line(&mut self.buffer).filter(|_| !self.done) else {
            self.end(1);
            return false;
        };
        self.records += 1;
        let text = &self.buffer.data()[..line.length];
        match line.is_whole && read_line(&mut self.form, text, &mut self.keys) {
            true => self.sound += 1,
            false => {
                self.keys.iter_mut().for_each(|key| key.length = None);
                let flaw = match &self.form {
                    _ if !line.is_whole => Flaw::LongLine { longest: LONGEST_LINE as u64 },
                    Form::Rows { .. } => Flaw::Row(shown(text)),
                    Form::Pairs | Form::Binary { .. } => Flaw::Line(shown(text)),
                };
                self.damage.add(self.records, self.buffer.offset(), flaw);
            }
        }
        pass_line(&mut self.buffer);
        true
    }

    fn end(&mut self, needed: u64) {
        let found = self.buffer.data().len() as u64;
        if !self.done && (found > 0 || self.buffer.failure().is_some()) {
            let flaw = cut(&self.buffer, needed, found);
            self.damage.add(self.records + 1, self.buffer.offset(), flaw);
        }
        self.done = true;
    }

    /// Which keys are read.
    pub fn kinds(&self) -> impl Iterator<Item = KeyKind> {
        self.keys.iter().map(|key| key.kind)
    }

    /// The keys of the current record, in the order of [`kinds`](Self::kinds); `None` where it has none,
    /// because it is no record, or not of TCP.
    pub fn keys(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.keys.iter().map(|key| key.length.map(|length| &key.room[..length]))
    }

    /// Whole records, or lines that are not blank, met so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many of them are records of the layout.
    pub fn sound(&self) -> u64 {
        self.sound
    }

    /// Binary records so far whose protocol has a number that is not assigned, as of a layout that
    /// does not fit.
    pub fn unassigned(&self) -> u64 {
        self.unassigned
    }

    /// What could not be read so far.
    pub fn damage_log(&self) -> &DamageLog {
        &self.damage
    }

    /// Compression around the records.
    pub fn compression(&self) -> Compression {
        self.compression
    }
}

/// Reads the keys of a line; false if it is no record.
fn read_line(form: &mut Form, line: &[u8], keys: &mut [Key]) -> bool {
    match form {
        Form::Rows { columns, rows, keys: cells } => {
            columns.take(rows, line)
                && keys.iter_mut().zip(cells).all(|(key, cells)| {
                    let put = cells.put(rows, &mut key.room);
                    put.map(|length| key.length = length).is_ok()
                })
        }
        Form::Pairs | Form::Binary { .. } => keys.iter_mut().all(|key| {
            key.length = key_of_pair(line, key.kind, &mut key.room);
            key.length.is_some()
        }),
    }
}

/// A file of records whose first bytes were looked at.
struct Head {
    buffer: Buffer,
    compression: Compression,
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
    fn open(path: &Path, layout: Layout, decoding: &Decoding) -> Result<Self, TraceError> {
        let Source { compression, reader } = Source::open(path, decoding)?;
        let mut buffer = Buffer::new(reader);
        if begins_capture(&mut buffer) {
            return Err(TraceError::IsACapture { path: path.to_owned() });
        }
        if layout.record_length().is_none() {
            pass_mark(&mut buffer);
        }
        let has_record = match layout.record_length() {
            Some(length) => buffer.fill(length),
            None => next_line(&mut buffer).is_some(),
        };
        match (has_record, buffer.failure()) {
            (false, Some(failure)) => {
                return Err(TraceError::undecodable(path, compression, &failure.why));
            }
            (false, None) if buffer.data().is_empty() => {
                return Err(TraceError::Empty { path: path.to_owned() });
            }
            _ => {}
        }
        let header = if layout == Layout::Csv { Some(header(path, &mut buffer)?) } else { None };
        Ok(Head { buffer, compression, layout, header })
    }

    fn gives(&self, kind: KeyKind) -> bool {
        match &self.header {
            Some(Header { columns, .. }) => columns.key_cells(kind).is_some(),
            None => self.layout.gives(kind),
        }
    }

    fn lacks(&self, path: &Path, kind: KeyKind) -> TraceError {
        let (path, layout) = (path.to_owned(), self.layout);
        match &self.header {
            Some(Header { shown, .. }) => no_columns(path, kind, shown.clone()),
            None => TraceError::KeyNotInLayout { path, kind, layout },
        }
    }

    /// A reader of those of the keys that the records give.
    fn into_reader(self, kinds: &[KeyKind]) -> RecordReader {
        let given = kinds.iter().copied().filter(|&kind| self.gives(kind));
        let key = |kind| Key { kind, room: [0; LONGEST_KEY], length: None };
        let keys: Vec<Key> = given.map(key).collect();
        let form = form(self.layout, self.header, &keys);
        RecordReader {
            buffer: self.buffer,
            form,
            keys,
            compression: self.compression,
            records: 0,
            sound: 0,
            unassigned: 0,
            damage: DamageLog::default(),
            done: false,
        }
    }
}

fn form(layout: Layout, header: Option<Header>, keys: &[Key]) -> Form {
    match (layout.fields(), header) {
        (Some(fields), _) => Form::Binary {
            length: fields.length(),
            keys: keys.iter().filter_map(|key| fields.parts(key.kind)).collect(),
            protocol: fields.protocol(),
        },
        (None, Some(Header { columns, rows, .. })) => {
            let keys = keys.iter().filter_map(|key| columns.key_cells(key.kind)).collect();
            Form::Rows { columns, rows, keys }
        }
        (None, None) => Form::Pairs,
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

/// Whether so many records with protocol numbers that are not assigned speak against the layout: more
/// than one in a hundred, where traffic has next to none and random bytes two in five.
pub(crate) fn misfit(unassigned: u64, records: u64) -> bool {
    unassigned > records / 100
}

/// The beginning of a bad line, fit for a report.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end().chars().take(SHOWN).flat_map(char::escape_default).collect()
}
