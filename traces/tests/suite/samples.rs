//! Small captures, built byte by byte.

use std::io::{Cursor, Write};

use loadfactor_traces::{ByteOrder, DamageLog, PacketReader, TraceError};

/// A packet as it went into a sample and should come out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Nanoseconds since 1970.
    pub(crate) time: Option<u64>,
    pub(crate) data: Vec<u8>,
}

pub(crate) fn sample(time: u64, data: &[u8]) -> Sample {
    Sample { time: Some(time), data: data.to_vec() }
}

/// An IPv4 packet with a TCP header.
pub(crate) fn tcp(
    source: [u8; 4],
    destination: [u8; 4],
    ports: (u16, u16),
    seq: u32,
    ack: u32,
) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0];
    packet.extend([source, destination].concat());
    packet.extend([ports.0.to_be_bytes(), ports.1.to_be_bytes()].concat());
    packet.extend([seq.to_be_bytes(), ack.to_be_bytes()].concat());
    packet.extend([0x50, 0x10, 0, 0, 0, 0, 0, 0]);
    packet
}

/// Three packets of two flows.
pub(crate) fn three() -> Vec<Sample> {
    let (here, there) = ([10, 0, 0, 1], [192, 168, 3, 4]);
    vec![
        sample(1_000_000_123_000, &tcp(here, there, (1000, 80), 1, 2)),
        sample(1_000_500_000_000, &tcp(there, here, (80, 1000), 2, 1)),
        sample(1_001_000_000_000, &tcp(here, there, (1000, 80), 1, 2)),
    ]
}

/// A writer of numbers in one byte order.
pub(crate) struct Bytes {
    order: ByteOrder,
    pub(crate) bytes: Vec<u8>,
}

impl Bytes {
    pub(crate) fn new(order: ByteOrder) -> Self {
        Bytes { order, bytes: Vec::new() }
    }

    pub(crate) fn u16(mut self, number: u16) -> Self {
        match self.order {
            ByteOrder::Little => self.bytes.extend(number.to_le_bytes()),
            ByteOrder::Big => self.bytes.extend(number.to_be_bytes()),
        }
        self
    }

    pub(crate) fn u32(mut self, number: u32) -> Self {
        match self.order {
            ByteOrder::Little => self.bytes.extend(number.to_le_bytes()),
            ByteOrder::Big => self.bytes.extend(number.to_be_bytes()),
        }
        self
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    /// Fills up to a multiple of 4.
    pub(crate) fn padded(mut self) -> Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self
    }

    /// Puts a pcapng block's frame around.
    pub(crate) fn block(self, kind: u32) -> Vec<u8> {
        let length = self.bytes.len() as u32 + 12;
        let frame = Bytes::new(self.order).u32(kind).u32(length);
        frame.raw(&self.bytes).u32(length).bytes
    }
}

/// A classic pcap; `per_second` is a million or a billion.
pub(crate) fn pcap(order: ByteOrder, per_second: u64, link: u32, packets: &[Sample]) -> Vec<u8> {
    let magic = if per_second == 1_000_000 { 0xa1b2_c3d4 } else { 0xa1b2_3c4d };
    let header = Bytes::new(order).u32(magic).u16(2).u16(4).u32(0).u32(0).u32(65_535).u32(link);
    let mut file = header.bytes;
    for packet in packets {
        let ticks = packet.time.unwrap() / (1_000_000_000 / per_second);
        let length = packet.data.len() as u32;
        let time =
            Bytes::new(order).u32((ticks / per_second) as u32).u32((ticks % per_second) as u32);
        file.extend(time.u32(length).u32(length).raw(&packet.data).bytes);
    }
    file
}

/// A little-endian pcap of RAW IP with microseconds.
pub(crate) fn plain(packets: &[Sample]) -> Vec<u8> {
    pcap(ByteOrder::Little, 1_000_000, 101, packets)
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn reader(file: &[u8]) -> Result<PacketReader, TraceError> {
    PacketReader::from_stream("sample", Cursor::new(file.to_vec()))
}

/// Everything in a file that can be opened.
pub(crate) fn read(file: &[u8]) -> (Vec<Sample>, DamageLog) {
    let mut reader = reader(file).unwrap();
    let mut packets = Vec::new();
    while let Some(packet) = reader.next_packet() {
        packets.push(Sample { time: packet.timestamp, data: packet.data.to_vec() });
    }
    (packets, reader.damage_log().clone())
}
