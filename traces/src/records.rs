//! Files of flow-key records as a stream of keys.

use std::net::IpAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::buffer::Buffer;
use crate::capture::cut;
use crate::damage::{DamageLog, Flaw};
use crate::error::TraceError;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::layout::{Layout, addresses_of_line};
use crate::source::{Compression, Decoding, Source};

/// Longest line of text accepted, in bytes: two IPv6 addresses take 80.
const LONGEST_LINE: usize = 256;
/// Characters of a bad line that a report shows.
const SHOWN: usize = 40;

/// A stream of the keys in one file of records, in file order.
pub struct RecordReader {
    buffer: Buffer,
    layout: Layout,
    kind: KeyKind,
    compression: Compression,
    key: [u8; LONGEST_KEY],
    records: u64,
    damage: DamageLog,
    done: bool,
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
        if !layout.gives(kind) {
            return Err(TraceError::KeyNotInLayout { path: PathBuf::from(path), kind, layout });
        }
        let Source { compression, reader } = Source::open(path, decoding)?;
        Ok(RecordReader {
            buffer: Buffer::new(reader),
            layout,
            kind,
            compression,
            key: [0; LONGEST_KEY],
            records: 0,
            damage: DamageLog::default(),
            done: false,
        })
    }

    /// The next record's key, or `None` at the end of what can be read.
    pub fn next_key(&mut self) -> Option<&[u8]> {
        let length = match (self.layout.record_length(), self.layout.parts(self.kind)) {
            (Some(length), Some(parts)) => self.next_binary(length, parts),
            _ => self.next_line(),
        }?;
        Some(&self.key[..length])
    }

    fn next_binary(&mut self, record: usize, parts: &[Range<usize>]) -> Option<usize> {
        if self.done || !self.buffer.fill(record) {
            self.end(record as u64);
            return None;
        }
        let bytes = self.buffer.data();
        let mut length = 0;
        for part in parts {
            self.key[length..length + part.len()].copy_from_slice(&bytes[part.clone()]);
            length += part.len();
        }
        self.buffer.consume(record);
        self.records += 1;
        Some(length)
    }

    fn next_line(&mut self) -> Option<usize> {
        while let Some(length) = self.line_length() {
            let line = &self.buffer.data()[..length];
            let addresses = addresses_of_line(line);
            self.records += 1;
            if addresses.is_none() {
                self.damage.add(self.records, self.buffer.offset(), Flaw::Line(shown(line)));
            }
            self.pass_line();
            if let Some(addresses) = addresses {
                return Some(self.put(addresses));
            }
        }
        None
    }

    /// Length of the next line, or of its beginning if it is too long; `None` at the end.
    fn line_length(&mut self) -> Option<usize> {
        let more = self.buffer.fill(LONGEST_LINE);
        let data = self.buffer.data();
        let window = &data[..data.len().min(LONGEST_LINE)];
        let end = window.iter().position(|&byte| byte == b'\n');
        let cut_short = end.is_none() && !more && self.buffer.failure().is_some();
        if window.is_empty() || cut_short {
            self.end(1);
            return None;
        }
        Some(end.unwrap_or(window.len()))
    }

    /// Moves behind the next line feed, or to the end.
    fn pass_line(&mut self) {
        while self.buffer.fill(1) {
            let data = self.buffer.data();
            match data.iter().position(|&byte| byte == b'\n') {
                Some(end) => {
                    self.buffer.consume(end + 1);
                    return;
                }
                None => drop(self.buffer.consume(data.len())),
            }
        }
    }

    fn put(&mut self, (source, destination): (IpAddr, IpAddr)) -> usize {
        let mut length = 0;
        let wanted =
            [(source, self.kind != KeyKind::Dst), (destination, self.kind != KeyKind::Src)];
        for (address, _) in wanted.into_iter().filter(|(_, wanted)| *wanted) {
            match address {
                IpAddr::V4(v4) => length = self.append(length, &v4.octets()),
                IpAddr::V6(v6) => length = self.append(length, &v6.octets()),
            }
        }
        length
    }

    fn append(&mut self, length: usize, bytes: &[u8]) -> usize {
        self.key[length..length + bytes.len()].copy_from_slice(bytes);
        length + bytes.len()
    }

    fn end(&mut self, needed: u64) {
        let found = self.buffer.data().len() as u64;
        if !self.done && (found > 0 || self.buffer.failure().is_some()) {
            let flaw = cut(&self.buffer, needed, found);
            self.damage.add(self.records + 1, self.buffer.offset(), flaw);
        }
        self.done = true;
    }

    /// Whole records, or lines, met so far.
    pub fn records(&self) -> u64 {
        self.records
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

/// The beginning of a bad line, fit for a report.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end().chars().take(SHOWN).flat_map(char::escape_default).collect()
}
