//! A whole file's keys in memory, which is what experiments take.

use std::path::Path;

use crate::capture::open;
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::keys::Keys;
use crate::layout::Layout;
use crate::records::RecordReader;

/// The keys of a capture or a file of records, in file order.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Which fields the keys are made of.
    pub kind: KeyKind,
    /// The keys, one for each packet that has one.
    pub keys: Keys,
    /// Packets, or records, read.
    pub packets: u64,
    /// Packets without such a key: not IP, or not TCP where the key needs it, or cut too early; in
    /// a text file lines that are no record.
    pub without_key: u64,
    /// What of the file could not be read.
    pub damage: DamageLog,
}

/// Reads all keys of a file: of a capture, or with a `layout` of a file of records.
///
/// # Errors
///
/// If nothing can be read, or the layout does not hold the key: see [`TraceError`]. Damage inside
/// the file is no error but part of the result.
pub fn read_keys(path: &Path, kind: KeyKind, layout: Option<Layout>) -> Result<Trace, TraceError> {
    match layout {
        None => of_capture(path, kind),
        Some(layout) => of_records(path, kind, layout),
    }
}

fn of_capture(path: &Path, kind: KeyKind) -> Result<Trace, TraceError> {
    let mut reader = open(path)?;
    let mut keys = Keys::new();
    let mut room = [0; LONGEST_KEY];
    while let Some(packet) = reader.next_packet() {
        if let Some(key) = packet.headers().and_then(|headers| kind.of(&headers, &mut room)) {
            keys.push(key);
        }
    }
    let packets = reader.packets();
    Ok(Trace::new(kind, keys, packets, reader.damage_log().clone()))
}

fn of_records(path: &Path, kind: KeyKind, layout: Layout) -> Result<Trace, TraceError> {
    let mut reader = RecordReader::open(path, layout, kind)?;
    let mut keys = Keys::new();
    while let Some(key) = reader.next_key() {
        keys.push(key);
    }
    let packets = reader.records();
    Ok(Trace::new(kind, keys, packets, reader.damage_log().clone()))
}

impl Trace {
    fn new(kind: KeyKind, keys: Keys, packets: u64, damage: DamageLog) -> Self {
        let without_key = packets - keys.len() as u64;
        Trace { kind, keys, packets, without_key, damage }
    }
}
