//! Files of flow-key records as a stream of keys.

use std::path::{Path, PathBuf};

use crate::buffer::Buffer;
use crate::capture::cut;
use crate::damage::{DamageLog, Flaw};
use crate::error::TraceError;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::layout::{Columns, Layout, Part, key_of_pair, put_parts};
use crate::source::{Compression, Decoding, Source};

/// Longest line of text accepted, in bytes.
const LONGEST_LINE: usize = 4096;
/// Characters of a bad line that a report shows.
const SHOWN: usize = 40;
/// The protocol numbers that are not assigned, up to two for experiments and the last, reserved.
const UNASSIGNED: std::ops::RangeInclusive<u8> = 149..=252;

/// A stream of the keys in one file of records, in file order.
pub struct RecordReader {
    buffer: Buffer,
    content: Content,
    kind: KeyKind,
    compression: Compression,
    key: [u8; LONGEST_KEY],
    records: u64,
    unassigned: u64,
    damage: DamageLog,
    done: bool,
}

/// What the records are.
enum Content {
    Binary { length: usize, parts: Vec<Part>, protocol: Option<usize> },
    Pairs,
    Rows(Columns),
}

impl RecordReader {
    /// Opens a file of records, which may be compressed.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or its records do not hold the key.
    pub fn open(
        path: &Path,
        layout: Layout,
        kind: KeyKind,
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        Self::open_first(path, layout, &[kind], decoding)
    }

    /// Opens a file of records for the widest key that they hold.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or its records hold no key.
    pub(crate) fn open_widest(
        path: &Path,
        layout: Layout,
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        use KeyKind::{Dst, FiveTuple, Src, SrcDst, TcpHeader};
        Self::open_first(path, layout, &[TcpHeader, FiveTuple, SrcDst, Src, Dst], decoding)
    }

    /// Opens a file of records for the first of these keys that they hold.
    fn open_first(
        path: &Path,
        layout: Layout,
        kinds: &[KeyKind],
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        let lacking = |kind| TraceError::KeyNotInLayout { path: PathBuf::from(path), kind, layout };
        let first = kinds.first().copied().unwrap_or(KeyKind::Src);
        let Some(kind) = kinds.iter().copied().find(|&kind| layout.gives(kind)) else {
            return Err(lacking(first));
        };
        let Source { compression, reader } = Source::open(path, decoding)?;
        let mut buffer = Buffer::new(reader);
        let (content, kind) = match (layout.fields(), layout) {
            (Some(fields), _) => {
                let parts = fields.parts(kind).ok_or_else(|| lacking(kind))?;
                let (length, protocol) = (fields.length(), fields.protocol());
                (Content::Binary { length, parts, protocol }, kind)
            }
            (None, Layout::SrcDst) => (Content::Pairs, kind),
            (None, _) => rows(path, &mut buffer, kinds)?,
        };
        let (key, damage) = ([0; LONGEST_KEY], DamageLog::default());
        let (records, unassigned, done) = (0, 0, false);
        Ok(RecordReader {
            buffer,
            content,
            kind,
            compression,
            key,
            records,
            unassigned,
            damage,
            done,
        })
    }

    /// The next record's key, or `None` at the end of what can be read.
    pub fn next_key(&mut self) -> Option<&[u8]> {
        let length = match &self.content {
            Content::Binary { .. } => self.next_binary(),
            Content::Pairs | Content::Rows(_) => self.next_line(),
        }?;
        Some(&self.key[..length])
    }

    fn next_binary(&mut self) -> Option<usize> {
        let Content::Binary { length: record, parts, protocol } = &self.content else {
            return None;
        };
        let record = *record;
        if self.done || !self.buffer.fill(record) {
            self.end(record as u64);
            return None;
        }
        let bytes = self.buffer.data();
        let length = put_parts(bytes, parts, &mut self.key);
        let odd = protocol.is_some_and(|place| UNASSIGNED.contains(&bytes[place]));
        self.unassigned += u64::from(odd);
        self.buffer.consume(record);
        self.records += 1;
        Some(length)
    }

    fn next_line(&mut self) -> Option<usize> {
        while let Some(length) = line_length(&mut self.buffer) {
            let line = &self.buffer.data()[..length];
            let key = match &self.content {
                Content::Rows(columns) => columns.key(line, &mut self.key),
                _ => key_of_pair(line, self.kind, &mut self.key),
            };
            self.records += 1;
            if key.is_none() {
                let flaw = self.flaw(line);
                self.damage.add(self.records, self.buffer.offset(), flaw);
            }
            pass_line(&mut self.buffer);
            if key.is_some() {
                return key;
            }
        }
        self.end(1);
        None
    }

    fn flaw(&self, line: &[u8]) -> Flaw {
        match self.content {
            Content::Rows(_) => Flaw::Row(shown(line)),
            _ => Flaw::Line(shown(line)),
        }
    }

    fn end(&mut self, needed: u64) {
        let found = self.buffer.data().len() as u64;
        if !self.done && (found > 0 || self.buffer.failure().is_some()) {
            let flaw = cut(&self.buffer, needed, found);
            self.damage.add(self.records + 1, self.buffer.offset(), flaw);
        }
        self.done = true;
    }

    /// Which key is read.
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Whole records, or lines, met so far.
    pub fn records(&self) -> u64 {
        self.records
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

/// Reads the line that names the columns; the first of the keys that it names.
fn rows(
    path: &Path,
    buffer: &mut Buffer,
    kinds: &[KeyKind],
) -> Result<(Content, KeyKind), TraceError> {
    let length = line_length(buffer).unwrap_or(0);
    let header = &buffer.data()[..length];
    let named = |&kind| Some((Content::Rows(Columns::of_header(header, kind)?), kind));
    let found = kinds.iter().find_map(named).ok_or_else(|| TraceError::NoColumns {
        path: PathBuf::from(path),
        columns: kinds.last().map_or(String::new(), |kind| kind.columns().join(",")),
        found: shown(header),
    })?;
    pass_line(buffer);
    Ok(found)
}

/// Length of the next line, or of its beginning if it is too long; `None` at the end.
fn line_length(buffer: &mut Buffer) -> Option<usize> {
    let more = buffer.fill(LONGEST_LINE);
    let data = buffer.data();
    let window = &data[..data.len().min(LONGEST_LINE)];
    let end = window.iter().position(|&byte| byte == b'\n');
    let cut_short = end.is_none() && !more && buffer.failure().is_some();
    if window.is_empty() || cut_short {
        return None;
    }
    Some(end.unwrap_or(window.len()))
}

/// Moves behind the next line feed, or to the end.
fn pass_line(buffer: &mut Buffer) {
    while buffer.fill(1) {
        let data = buffer.data();
        match data.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                buffer.consume(end + 1);
                return;
            }
            None => {
                let all = data.len();
                buffer.consume(all);
            }
        }
    }
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
