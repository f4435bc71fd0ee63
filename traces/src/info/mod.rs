//! What is in a file: its format, and how many packets and keys it holds.

mod display;
mod distinct;
mod flows;
mod quantiles;

use std::path::Path;

use crate::capture::{Format, Interface};
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::headers::Headers;
use crate::input::Input;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::layout::Layout;
use crate::source::Compression;
use crate::unread::UnreadCounts;
use crate::walk::{Kinds, Met, Walk};
use distinct::DistinctKeys;
use flows::OrderCounter;

pub use flows::{FlowStatistics, RepeatStatistics};

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
    /// Files read.
    pub files: usize,
    /// Container, byte order and compression: the different ones of the files.
    pub formats: Vec<Format>,
    /// The different interfaces, at most 64; one in most of pcap.
    pub interfaces: Vec<Interface>,
    /// Whether there are more interfaces in a file than those.
    pub has_more_interfaces: bool,
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
    /// Its flows, where they were asked for and there are any.
    pub flows: Option<FlowStatistics>,
    /// Its repeated packets, where flows were asked for and packets have the numbers.
    pub repeats: Option<RepeatStatistics>,
    /// Packets that no span of times holds, because they have none; 0 where no times are asked for.
    pub untimed: u64,
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
    /// Files read.
    pub files: usize,
    /// Layout of the records, as given.
    pub layout: Layout,
    /// Compressions around the records: the different ones of the files.
    pub compressions: Vec<Compression>,
    /// Whole records, or lines.
    pub records: u64,
    /// Records whose protocol has a number that is not assigned.
    pub unassigned: u64,
    /// Number of distinct keys of each kind that the records of the first file hold, the widest first; of
    /// addresses of one side only where they do not hold both.
    pub distinct: Vec<(KeyKind, usize)>,
    /// Its flows, where they were asked for and the records are of five-tuples.
    pub flows: Option<FlowStatistics>,
    /// Its repeated packets, where flows were asked for and the records have sequence and acknowledgement numbers.
    pub repeats: Option<RepeatStatistics>,
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
/// # Errors
///
/// As [`info_of`].
pub fn info(path: &Path, layout: Option<Layout>) -> Result<Info, TraceError> {
    info_of(&Input::file(path, layout), Detail::Counts)
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Packets and distinct keys.
    Counts,
    /// The sizes and the order of flows and the distances of repeated packets too, which takes longer and, of each
    /// distinct key, more memory.
    Flows,
}

/// Counts what is in a trace.
///
/// The files are streamed, but for each distinct key of the three kinds some 20 to 40 bytes are held, in
/// tables that grow by doubling.
///
/// # Errors
///
/// If nothing of a file can be read: see [`TraceError`].
pub fn info_of(input: &Input, detail: Detail) -> Result<Info, TraceError> {
    match input.layout {
        None => of_captures(input, detail).map(Info::Capture),
        Some(layout) => of_records(input, layout, detail).map(Info::Records),
    }
}

fn of_captures(input: &Input, detail: Detail) -> Result<CaptureInfo, TraceError> {
    let mut counts = Counts { order: OrderCounter::of(detail), ..Counts::default() };
    let mut walk = Walk::open(input.clone(), Kinds::OfFirst)?;
    while walk.step(|met| counts.add(met))?.is_some() {}
    let seen = walk.into_seen();
    let src_dsts = counts.src_dsts.count();
    Ok(CaptureInfo {
        files: seen.files,
        formats: seen.formats,
        interfaces: seen.interfaces,
        has_more_interfaces: seen.has_more_interfaces,
        packets: seen.packets,
        ipv4: counts.ipv4,
        ipv6: counts.ipv6,
        unread: seen.unread,
        tcp: counts.tcp,
        tcp_without_numbers: counts.tcp_without_numbers,
        five_tuples: counts.five_tuples.count(),
        src_dsts,
        tcp_headers: counts.tcp_headers.count(),
        flows: counts.order.as_ref().and_then(|order| order.flows(src_dsts as u64)),
        repeats: counts.order.as_ref().and_then(OrderCounter::repeats),
        untimed: seen.untimed,
        times: counts.times,
        damage: seen.damage,
    })
}

fn of_records(input: &Input, layout: Layout, detail: Detail) -> Result<RecordInfo, TraceError> {
    let mut order = OrderCounter::of(detail);
    let mut walk = Walk::open(input.clone(), Kinds::OfFirst)?;
    let kinds = walk.kinds().iter();
    let mut distinct: Vec<_> = kinds.map(|&kind| (kind, DistinctKeys::default())).collect();
    while walk.step(|met| add_record(met, &mut distinct, &mut order))?.is_some() {}
    let seen = walk.into_seen();
    let distinct: Vec<_> =
        distinct.into_iter().map(|(kind, mut keys)| (kind, keys.count())).collect();
    let pairs = distinct.iter().find(|(kind, _)| *kind == KeyKind::SrcDst);
    let pairs = pairs.map_or(0, |(_, pairs)| *pairs as u64);
    Ok(RecordInfo {
        files: seen.files,
        layout,
        compressions: seen.compressions,
        records: seen.packets,
        unassigned: seen.unassigned,
        distinct,
        flows: order.as_ref().and_then(|order| order.flows(pairs)),
        repeats: order.as_ref().and_then(OrderCounter::repeats),
        damage: seen.damage,
    })
}

/// Adds the keys of a record, which come in the order of the kinds.
fn add_record(
    met: Met<'_>,
    distinct: &mut [(KeyKind, DistinctKeys)],
    order: &mut Option<OrderCounter>,
) {
    let Met::Record(record) = met else { return };
    for ((kind, keys), key) in distinct.iter_mut().zip(record.keys()) {
        let Some(key) = key else { continue };
        keys.insert(key);
        if let Some(order) = order {
            order.add(*kind, key);
        }
    }
}

/// The counts of the packets so far.
#[derive(Default)]
struct Counts {
    ipv4: u64,
    ipv6: u64,
    tcp: u64,
    tcp_without_numbers: u64,
    five_tuples: DistinctKeys,
    src_dsts: DistinctKeys,
    tcp_headers: DistinctKeys,
    order: Option<OrderCounter>,
    times: Option<Times>,
}

impl Counts {
    fn add(&mut self, met: Met<'_>) {
        let Met::Packet(packet, headers) = met else { return };
        if let Some(time) = packet.timestamp {
            self.times = Some(Times::after(self.times, time));
        }
        let Some(headers) = headers else { return };
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
        let distinct = [
            (KeyKind::FiveTuple, &mut self.five_tuples),
            (KeyKind::SrcDst, &mut self.src_dsts),
            (KeyKind::TcpHeader, &mut self.tcp_headers),
        ];
        for (kind, keys) in distinct {
            let Some(key) = kind.of(headers, &mut room) else { continue };
            keys.insert(key);
            if let Some(order) = &mut self.order {
                order.add(kind, key);
            }
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
