//! What is in a file: its format, and how many packets and keys it holds.

mod display;

use std::path::Path;

use crate::capture::{Format, Interface, Packet, open};
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::headers::Headers;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::keys::KeySet;
use crate::layout::Layout;
use crate::records::RecordReader;
use crate::source::Compression;
use crate::unread::{Unread, UnreadCounts};

/// What is in a file. Its `Display` is a block of aligned lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Info {
    /// A capture.
    Capture(CaptureInfo),
    /// A file of flow-key records.
    Records(RecordInfo),
}

/// What is in a capture.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureInfo {
    /// Container, byte order and compression.
    pub format: Format,
    /// The different interfaces, at most 64; one in most of pcap.
    pub interfaces: Vec<Interface>,
    /// Whole packets.
    pub packets: u64,
    /// Packets whose outermost IP header is IPv4.
    pub ipv4: u64,
    /// Packets whose outermost IP header is IPv6.
    pub ipv6: u64,
    /// What the other packets carry.
    pub unread: UnreadCounts,
    /// TCP packets whose sequence and acknowledgement number were captured: those that have a
    /// [`KeyKind::TcpHeader`] key.
    pub tcp: u64,
    /// TCP packets cut before that, and fragments other than the first.
    pub tcp_without_numbers: u64,
    /// Distinct [`KeyKind::FiveTuple`] keys.
    pub five_tuples: usize,
    /// Distinct [`KeyKind::SrcDst`] keys.
    pub src_dsts: usize,
    /// Distinct [`KeyKind::TcpHeader`] keys.
    pub tcp_headers: usize,
    /// The packets' timestamps; `None` if there are none.
    pub times: Option<Times>,
    /// What could not be read.
    pub damage: DamageLog,
}

/// A pause in nanoseconds that no busy link makes: one hour.
pub const LONG_GAP: u64 = 3_600_000_000_000;

/// The timestamps of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Earliest timestamp, in nanoseconds since 1970.
    pub earliest: u64,
    /// Latest timestamp, in nanoseconds since 1970.
    pub latest: u64,
    /// Packets whose timestamp is earlier than that of the packet before. If there are any, use
    /// the order of the file.
    pub steps_back: u64,
    /// Packets more than [`LONG_GAP`] later than the packet before, as where captures were joined.
    pub jumps: u64,
    last: u64,
}

/// What is in a file of flow-key records.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordInfo {
    /// Layout of the records, as given.
    pub layout: Layout,
    /// Compression around the records.
    pub compression: Compression,
    /// Whole records, or lines.
    pub records: u64,
    /// Number of distinct keys for the widest key that the layout holds, and for
    /// [`KeyKind::SrcDst`].
    pub distinct: Vec<(KeyKind, usize)>,
    /// What could not be read.
    pub damage: DamageLog,
}

impl Info {
    /// What of the file could not be read.
    pub fn damage(&self) -> &DamageLog {
        match self {
            Info::Capture(capture) => &capture.damage,
            Info::Records(records) => &records.damage,
        }
    }
}

/// Counts what is in a file: in a capture, or with a `layout` in a file of records.
///
/// The file is streamed, but the distinct keys are held: 13, 8 and 16 bytes for each distinct IPv4
/// key of the three kinds, and at most 12 more each.
///
/// # Errors
///
/// If nothing of the file can be read: see [`TraceError`].
pub fn info(path: &Path, layout: Option<Layout>) -> Result<Info, TraceError> {
    match layout {
        None => of_capture(path).map(Info::Capture),
        Some(layout) => of_records(path, layout).map(Info::Records),
    }
}

fn of_capture(path: &Path) -> Result<CaptureInfo, TraceError> {
    let mut reader = open(path)?;
    let mut counts = Counts::default();
    while let Some(packet) = reader.next_packet() {
        counts.add(&packet);
    }
    Ok(CaptureInfo {
        format: reader.format(),
        interfaces: reader.interfaces().to_vec(),
        packets: reader.packets(),
        ipv4: counts.ipv4,
        ipv6: counts.ipv6,
        unread: counts.unread,
        tcp: counts.tcp,
        tcp_without_numbers: counts.tcp_without_numbers,
        five_tuples: counts.five_tuples.len(),
        src_dsts: counts.src_dsts.len(),
        tcp_headers: counts.tcp_headers.len(),
        times: counts.times,
        damage: reader.damage_log().clone(),
    })
}

fn of_records(path: &Path, layout: Layout) -> Result<RecordInfo, TraceError> {
    let widest = layout.widest_key();
    let mut reader = RecordReader::open(path, layout, widest)?;
    let (mut keys, mut pairs) = (KeySet::new(), KeySet::new());
    while let Some(key) = reader.next_key() {
        keys.insert(key);
        pairs.insert(&key[..key.len() - bytes_after_addresses(widest)]);
    }
    let mut distinct = vec![(KeyKind::SrcDst, pairs.len())];
    if widest != KeyKind::SrcDst {
        distinct.insert(0, (widest, keys.len()));
    }
    Ok(RecordInfo {
        layout,
        compression: reader.compression(),
        records: reader.records(),
        distinct,
        damage: reader.damage_log().clone(),
    })
}

fn bytes_after_addresses(kind: KeyKind) -> usize {
    match kind {
        KeyKind::FiveTuple => 5,
        KeyKind::TcpHeader => 8,
        KeyKind::Src | KeyKind::Dst | KeyKind::SrcDst => 0,
    }
}

/// The counts of the packets so far.
#[derive(Default)]
struct Counts {
    ipv4: u64,
    ipv6: u64,
    unread: UnreadCounts,
    tcp: u64,
    tcp_without_numbers: u64,
    five_tuples: KeySet,
    src_dsts: KeySet,
    tcp_headers: KeySet,
    times: Option<Times>,
}

impl Counts {
    fn add(&mut self, packet: &Packet<'_>) {
        if let Some(time) = packet.timestamp {
            self.times = Some(Times::after(self.times, time));
        }
        let Some(headers) = packet.headers() else {
            self.unread.add(packet.unread().unwrap_or(Unread::NotIp));
            return;
        };
        match headers.is_ipv6() {
            true => self.ipv6 += 1,
            false => self.ipv4 += 1,
        }
        match (headers.is_tcp(), headers.seq_ack()) {
            (false, _) => {}
            (true, Some(_)) => self.tcp += 1,
            (true, None) => self.tcp_without_numbers += 1,
        }
        self.add_keys(&headers);
    }

    fn add_keys(&mut self, headers: &Headers<'_>) {
        let mut room = [0; LONGEST_KEY];
        if let Some(key) = KeyKind::FiveTuple.of(headers, &mut room) {
            self.five_tuples.insert(key);
        }
        if let Some(key) = KeyKind::SrcDst.of(headers, &mut room) {
            self.src_dsts.insert(key);
        }
        if let Some(key) = KeyKind::TcpHeader.of(headers, &mut room) {
            self.tcp_headers.insert(key);
        }
    }
}

impl Times {
    fn after(before: Option<Times>, time: u64) -> Times {
        let Some(before) = before else {
            return Times { earliest: time, latest: time, steps_back: 0, jumps: 0, last: time };
        };
        Times {
            earliest: before.earliest.min(time),
            latest: before.latest.max(time),
            steps_back: before.steps_back + u64::from(time < before.last),
            jumps: before.jumps + u64::from(time.saturating_sub(before.last) > LONG_GAP),
            last: time,
        }
    }

    /// Seconds from the earliest to the latest timestamp.
    pub fn span(&self) -> f64 {
        (self.latest - self.earliest) as f64 / 1e9
    }
}
