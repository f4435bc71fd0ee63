//! A whole trace's keys in memory, which is what experiments take.

use std::path::Path;

use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::input::Input;
use crate::key::KeyKind;
use crate::keys::Keys;
use crate::layout::Layout;
use crate::stream::KeyReader;
use crate::unread::UnreadCounts;

/// What of each packet is kept beside its key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Its length on the wire, four bytes each in memory.
    pub lengths: bool,
    /// Its time, eight bytes each.
    pub times: bool,
}

/// The keys of a trace, in its order.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Which fields the keys are made of.
    pub kind: KeyKind,
    /// The keys, one for each packet that has one.
    pub keys: Keys,
    /// The length on the wire of each packet that has a key, in bytes and with its link-layer header; `None` where
    /// they were not asked for or the files do not have that of every packet.
    pub lengths: Option<Vec<u32>>,
    /// The time of each packet that has a key, in nanoseconds since 1970; `None` likewise.
    pub times: Option<Vec<u64>>,
    /// Packets, or records, read.
    pub packets: u64,
    /// Packets without such a key: not IP, or not TCP where the key needs it, or cut too early; in
    /// a text file lines that are no record.
    pub without_key: u64,
    /// Packets that no span of times holds, because they have none; 0 where no times are asked for.
    pub untimed: u64,
    /// What the packets without IP headers carry.
    pub unread: UnreadCounts,
    /// Whether the layout hardly fits, because many records have protocols that do not exist.
    pub layout_is_doubtful: bool,
    /// What of the files could not be read.
    pub damage: DamageLog,
}

/// Reads all keys of a file: of a capture, or with a `layout` of a file of records.
///
/// # Errors
///
/// As [`read_keys_of`].
pub fn read_keys(path: &Path, kind: KeyKind, layout: Option<Layout>) -> Result<Trace, TraceError> {
    read_keys_of(Input::file(path, layout), kind)
}

/// Reads all keys of a trace, and nothing else of its packets.
///
/// # Errors
///
/// If nothing of a file can be read, or the layout does not hold the key: see [`TraceError`]. Damage
/// inside a file is no error but part of the result.
pub fn read_keys_of(input: Input, kind: KeyKind) -> Result<Trace, TraceError> {
    read_packets_of(input, kind, Attributes::default())
}

/// Reads all keys of a trace, and these attributes of the packets that have one.
///
/// # Errors
///
/// As [`read_keys_of`]. Attributes that the files lack are no error but `None`.
pub fn read_packets_of(
    input: Input,
    kind: KeyKind,
    attributes: Attributes,
) -> Result<Trace, TraceError> {
    let mut reader = KeyReader::open(input, kind)?;
    let mut keys = Keys::new();
    let mut lengths = attributes.lengths.then(Vec::new);
    let mut times = attributes.times.then(Vec::new);
    while let Some(key) = reader.next_key()? {
        keys.push(key);
        add(&mut lengths, reader.wire_length());
        add(&mut times, reader.timestamp());
    }
    Ok(Trace {
        kind,
        keys,
        lengths,
        times,
        packets: reader.packets(),
        without_key: reader.without_key(),
        untimed: reader.untimed(),
        unread: reader.unread().clone(),
        layout_is_doubtful: reader.layout_is_doubtful(),
        damage: reader.damage_log().clone(),
    })
}

/// Adds the attribute of one more packet; from the first packet on that lacks it there are none.
fn add<T>(all: &mut Option<Vec<T>>, one: Option<T>) {
    match (all.as_mut(), one) {
        (Some(values), Some(value)) => values.push(value),
        (Some(_), None) => *all = None,
        (None, _) => {}
    }
}
