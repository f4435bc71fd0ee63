//! The keys of a trace one after the other, whatever its length.

use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::input::Input;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::records::{RecordReader, misfit};
use crate::unread::UnreadCounts;
use crate::walk::{Kinds, Met, Walk};

/// A stream of the keys of all files of a trace. Memory does not grow with it.
pub struct KeyReader {
    walk: Walk,
    kind: KeyKind,
    key: [u8; LONGEST_KEY],
    keys: u64,
    wire_length: Option<u32>,
    timestamp: Option<u64>,
}

impl KeyReader {
    /// Opens the first file; the others are opened when their turn comes.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, does not hold the key, or has no times to select by.
    pub fn open(input: Input, kind: KeyKind) -> Result<Self, TraceError> {
        let walk = Walk::open(input, Kinds::Only(vec![kind]))?;
        let key = [0; LONGEST_KEY];
        Ok(KeyReader { walk, kind, key, keys: 0, wire_length: None, timestamp: None })
    }

    /// The next packet's key, or `None` at the end of what can be read.
    ///
    /// # Errors
    ///
    /// If the next file cannot be opened, or nothing of all of them can be read.
    #[inline]
    pub fn next_key(&mut self) -> Result<Option<&[u8]>, TraceError> {
        let length = self.advance()?;
        Ok(length.map(|length| &self.key[..length]))
    }

    #[inline]
    fn advance(&mut self) -> Result<Option<usize>, TraceError> {
        let KeyReader { walk, kind, key, keys, wire_length, timestamp } = self;
        loop {
            let step = walk.step(|met| {
                (*wire_length, *timestamp) = length_and_time(&met);
                put_key(met, *kind, key)
            });
            match step? {
                Some(Some(length)) => {
                    *keys += 1;
                    return Ok(Some(length));
                }
                Some(None) => {}
                None => return Ok(None),
            }
        }
    }

    /// Length on the wire of the packet that gave the last key, in bytes and with its link-layer header; `None` of a
    /// record, which has none.
    #[inline]
    pub fn wire_length(&self) -> Option<u32> {
        self.wire_length
    }

    /// When that packet was captured, in nanoseconds since 1970; `None` where its file does not tell.
    #[inline]
    pub fn timestamp(&self) -> Option<u64> {
        self.timestamp
    }

    /// Packets, or records, read so far.
    pub fn packets(&self) -> u64 {
        self.walk.seen().packets
    }

    /// Packets without a key so far.
    pub fn without_key(&self) -> u64 {
        self.packets() - self.keys
    }

    /// What the packets without IP headers carry.
    pub fn unread(&self) -> &UnreadCounts {
        &self.walk.seen().unread
    }

    /// Packets so far that the span of times does not hold because they have none.
    pub fn untimed(&self) -> u64 {
        self.walk.seen().untimed
    }

    /// Whether the layout hardly fits, because many records have protocols that do not exist; complete
    /// as the damage is.
    pub fn layout_is_doubtful(&self) -> bool {
        misfit(self.walk.seen().unassigned, self.packets())
    }

    /// What could not be read of the files so far; complete once [`next_key`](Self::next_key) gave
    /// `None`.
    pub fn damage_log(&self) -> &DamageLog {
        &self.walk.seen().damage
    }
}

#[inline(always)]
fn length_and_time(met: &Met<'_>) -> (Option<u32>, Option<u64>) {
    match met {
        Met::Packet(packet, _) => (Some(packet.wire_length), packet.timestamp),
        Met::Record(_) => (None, None),
    }
}

/// Puts the key of what was met; its length, if there is one.
#[inline(always)]
fn put_key(met: Met<'_>, kind: KeyKind, room: &mut [u8; LONGEST_KEY]) -> Option<usize> {
    match met {
        Met::Packet(_, headers) => kind.of(&headers?, room).map(<[u8]>::len),
        Met::Record(record) => put_key_of_record(record, room),
    }
}

fn put_key_of_record(record: &RecordReader, room: &mut [u8; LONGEST_KEY]) -> Option<usize> {
    let key = record.keys().next()??;
    room[..key.len()].copy_from_slice(key);
    Some(key.len())
}
