//! What is read of a capture for one kind of key.

use std::sync::Arc;

use loadfactor_schemes::keys::{Attributes, Places, TraceKeys};
use loadfactor_traces::{self as traces, Input, KeyKind, TraceError, read_packets_of};

use super::KeysOfKind;

/// What the packets of a trace give for one kind of key, as it is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parsed {
    /// The keys one behind the other, in the order of the packets.
    pub(super) bytes: Vec<u8>,
    /// Where each key lies.
    pub(super) places: Places,
    /// Which of the distinct keys each packet carries, numbered in the order of first occurrence.
    pub(super) ids: Vec<u32>,
    /// The length of each packet that has a key, in bytes.
    pub(super) lengths: Option<Vec<u32>>,
    /// The time of each packet that has a key, in nanoseconds since 1970.
    pub(super) times: Option<Vec<u64>>,
    /// Packets read.
    pub(super) packets: u64,
    /// Packets without such a key.
    pub(super) without_key: u64,
    /// Packets that no span of times holds, because they have none.
    pub(super) untimed: u64,
    /// What of the files could not be read.
    pub(super) damages: Vec<String>,
    /// What the packets without IP headers carry, and how many they are.
    pub(super) unread: Vec<(String, u64)>,
    /// Whether the layout hardly fits.
    pub(super) layout_is_doubtful: bool,
}

impl Parsed {
    /// Reads the files.
    ///
    /// # Errors
    /// As [`read_packets_of`], and where there are more different keys than numbers.
    pub(super) fn read(
        input: &Input,
        kind: KeyKind,
        Attributes { lengths, times }: Attributes,
    ) -> Result<Self, TraceError> {
        let trace = read_packets_of(input.clone(), kind, traces::Attributes { lengths, times })?;
        let unread = trace.unread.by_number().into_iter();
        let ids = trace.keys.ids()?;
        let (bytes, places) = trace.keys.into_parts();
        Ok(Self {
            bytes,
            places: match places {
                traces::Places::Width(width) => Places::Width(width),
                traces::Places::Ends(ends) => Places::Ends(ends),
            },
            ids,
            lengths: trace.lengths,
            times: trace.times,
            packets: trace.packets,
            without_key: trace.without_key,
            untimed: trace.untimed,
            damages: trace.damage.first().iter().map(ToString::to_string).collect(),
            unread: unread.map(|(kind, packets)| (kind.to_string(), packets)).collect(),
            layout_is_doubtful: trace.layout_is_doubtful,
        })
    }

    /// The keys as trials use them; `None` where there are none.
    pub(super) fn in_memory(self) -> Option<KeysOfKind> {
        let Self { bytes, places, ids, lengths, times, .. } = self;
        let with_lengths = |keys: TraceKeys| match lengths {
            Some(lengths) => keys.with_lengths(lengths),
            None => Some(keys),
        };
        let with_times = |keys: TraceKeys| match times {
            Some(times) => keys.with_times(times),
            None => Some(keys),
        };
        let all = TraceKeys::new(bytes, places, ids).and_then(with_lengths).and_then(with_times)?;
        Some(KeysOfKind {
            distinct: Arc::new(all.without_repeats()),
            all: Arc::new(all),
            packets: self.packets,
            without_key: self.without_key,
            untimed: self.untimed,
            damages: self.damages,
            unread: self.unread,
            layout_is_doubtful: self.layout_is_doubtful,
        })
    }
}
