//! Classic pcap: a file header of 24 bytes, then records with a header of 16.
//!
//! Files that were put one behind the other are read as one: a file header where a record should
//! begin describes the records that follow.

use super::{ByteOrder, Described, Found, Interface, LONGEST_PACKET, cut};
use crate::buffer::Buffer;
use crate::damage::{DamageLog, Flaw};
use crate::link::LinkType;

const FILE_HEADER: usize = 24;
const RECORD_HEADER: usize = 16;
const NANOSECONDS: u64 = 1_000_000_000;
const MICROSECONDS: u64 = 1_000_000;

/// Byte order and time unit of a file that begins as a pcap.
fn of_magic(start: &[u8]) -> Option<(ByteOrder, u64)> {
    match u32::from_le_bytes(*start.first_chunk()?) {
        0xa1b2_c3d4 => Some((ByteOrder::Little, MICROSECONDS)),
        0xa1b2_3c4d => Some((ByteOrder::Little, NANOSECONDS)),
        0xd4c3_b2a1 => Some((ByteOrder::Big, MICROSECONDS)),
        0x4d3c_b2a1 => Some((ByteOrder::Big, NANOSECONDS)),
        _ => None,
    }
}

/// Whether a file begins as a pcap, of either byte order and time unit.
pub(super) fn is_magic(start: &[u8]) -> bool {
    of_magic(start).is_some()
}

/// Whether these bytes begin a file header: a magic number and a version that there was.
pub(super) fn is_start(start: &[u8]) -> bool {
    let (Some((order, _)), Some(&[_, _, _, _, a, b, c, d])) =
        (of_magic(start), start.first_chunk())
    else {
        return false;
    };
    matches!([order.u16([a, b]), order.u16([c, d])], [2, 2..=4])
}

/// The version of every pcap: that of another one would have other records.
const VERSION: u16 = 2;

/// Which of a record's two lengths stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lengths {
    /// That of what was captured, since version 2.4.
    CapturedFirst,
    /// That on the wire, before version 2.3.
    WireFirst,
    /// Either, in version 2.3: what was captured is the shorter.
    Either,
}

/// What a file header says of the records behind it.
#[derive(Debug, Clone, Copy)]
struct FileHeader {
    order: ByteOrder,
    lengths: Lengths,
    interface: Interface,
}

impl FileHeader {
    /// Reads a file header; `None` if this is none.
    fn read(bytes: &[u8; FILE_HEADER]) -> Option<Result<Self, Flaw>> {
        let (order, ticks_per_second) = of_magic(bytes)?;
        let [major, minor] = [4, 6].map(|at| order.u16([bytes[at], bytes[at + 1]]));
        if major != VERSION {
            return Some(Err(Flaw::Version { major, minor }));
        }
        let lengths = match minor {
            ..3 => Lengths::WireFirst,
            3 => Lengths::Either,
            _ => Lengths::CapturedFirst,
        };
        let interface = Interface {
            // The upper half holds the length of the frame check sequence.
            link_number: word(bytes, order, 20) & 0xffff,
            snaplen: word(bytes, order, 16),
            ticks_per_second,
            offset_seconds: 0,
        };
        Some(Ok(FileHeader { order, lengths, interface }))
    }
}

/// A number of 4 bytes in a header.
#[inline]
fn word<const N: usize>(header: &[u8; N], order: ByteOrder, at: usize) -> u32 {
    order.u32([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

/// A record's header.
#[derive(Debug, Clone, Copy)]
struct Record {
    seconds: u32,
    ticks: u32,
    captured: u32,
    wire: u32,
}

pub(super) struct Parser {
    header: FileHeader,
    link: Option<LinkType>,
    nanoseconds_per_tick: u64,
    /// The different interfaces of all file headers so far.
    pub(super) described: Described,
}

impl Parser {
    /// Reads the file header that begins the file.
    pub(super) fn start(buffer: &mut Buffer, described: Described) -> Result<Self, Flaw> {
        buffer.fill(FILE_HEADER);
        let Some(header) = buffer.data().first_chunk().and_then(FileHeader::read) else {
            return Err(cut(buffer, FILE_HEADER as u64, buffer.data().len() as u64));
        };
        let header = header?;
        buffer.consume(FILE_HEADER);
        let mut parser = Parser { header, link: None, nanoseconds_per_tick: 1, described };
        parser.take_over(header);
        Ok(parser)
    }

    fn take_over(&mut self, header: FileHeader) {
        self.header = header;
        self.link = header.interface.link();
        self.nanoseconds_per_tick = NANOSECONDS / header.interface.ticks_per_second;
        self.described.add(header.interface);
    }

    #[inline]
    pub(super) fn find(
        &mut self,
        buffer: &mut Buffer,
        packets: u64,
        damage: &mut DamageLog,
    ) -> Result<Option<Found>, Flaw> {
        loop {
            let Some(header) = buffer.data().first_chunk::<RECORD_HEADER>() else {
                match self.read_more(buffer, RECORD_HEADER)? {
                    true => continue,
                    false => return Ok(None),
                }
            };
            if of_magic(header).is_some() && self.pass_file_header(buffer, packets, damage)? {
                continue;
            }
            let Some(&header) = buffer.data().first_chunk::<RECORD_HEADER>() else { continue };
            let record = self.record(&header);
            self.check(buffer, &header, record)?;
            let length = RECORD_HEADER + record.captured as usize;
            if buffer.data().len() >= length || self.read_more(buffer, length)? {
                return Ok(Some(self.take(buffer, record)));
            }
        }
    }

    #[inline]
    fn record(&self, header: &[u8; RECORD_HEADER]) -> Record {
        let field = |at| word(header, self.header.order, at);
        let (first, second) = (field(8), field(12));
        let (captured, wire) = match self.header.lengths {
            Lengths::CapturedFirst => (first, second),
            Lengths::WireFirst => (second, first),
            Lengths::Either => (first.min(second), first.max(second)),
        };
        Record { seconds: field(0), ticks: field(4), captured, wire }
    }

    /// Takes over a file header that stands where a record should begin; false if it is none, but a
    /// record of a late moment in 2055.
    #[cold]
    fn pass_file_header(
        &mut self,
        buffer: &mut Buffer,
        packets: u64,
        damage: &mut DamageLog,
    ) -> Result<bool, Flaw> {
        if !is_start(buffer.data()) {
            return Ok(false);
        }
        if !buffer.fill(FILE_HEADER) {
            return Err(cut(buffer, FILE_HEADER as u64, buffer.data().len() as u64));
        }
        let Some(header) = buffer.data().first_chunk().and_then(FileHeader::read) else {
            return Ok(false);
        };
        let header = header?;
        self.take_over(header);
        if self.link.is_none() {
            let flaw = Flaw::LinkType(header.interface.link_number);
            damage.add(packets + 1, buffer.offset(), flaw);
        }
        buffer.consume(FILE_HEADER);
        Ok(true)
    }

    /// Whether the lengths are plausible. A length of 0 is, with a time: a capture filter, or a
    /// tool that strips payload, may leave nothing.
    #[inline]
    fn check(
        &self,
        buffer: &mut Buffer,
        header: &[u8; RECORD_HEADER],
        record: Record,
    ) -> Result<(), Flaw> {
        let Record { captured, wire, .. } = record;
        if captured as usize > LONGEST_PACKET {
            return Err(too_long(captured, LONGEST_PACKET as u64));
        }
        // More bytes than the packet had and than the file may capture come from a damaged length, or from a tool
        // that writes wrong ones beside it.
        let snaplen = self.header.interface.snaplen;
        if snaplen > 0 && captured > snaplen.max(wire) && !self.is_followed(buffer, captured) {
            return Err(too_long(captured, snaplen.max(wire).into()));
        }
        match captured == 0 && *header == [0; RECORD_HEADER] {
            true => Err(Flaw::ZeroFilled),
            false => Ok(()),
        }
    }

    /// Whether the file ends, or another record or file header begins, behind the record that begins the data.
    #[cold]
    fn is_followed(&self, buffer: &mut Buffer, captured: u32) -> bool {
        let end = RECORD_HEADER + captured as usize;
        buffer.fill(end + RECORD_HEADER);
        match buffer.data().get(end..) {
            None => false,
            Some([]) => buffer.failure().is_none(),
            Some(rest) => {
                is_start(rest) || rest.first_chunk().is_some_and(|next| self.is_sound(next))
            }
        }
    }

    /// Whether these bytes are hardly anything else than the header of a record.
    fn is_sound(&self, header: &[u8; RECORD_HEADER]) -> bool {
        let Record { ticks, captured, wire, .. } = self.record(header);
        let lengths = 1..=LONGEST_PACKET as u32;
        u64::from(ticks) < self.header.interface.ticks_per_second
            && lengths.contains(&captured)
            && lengths.contains(&wire)
    }

    #[inline]
    fn take(&self, buffer: &mut Buffer, record: Record) -> Found {
        let place = buffer.consume(RECORD_HEADER + record.captured as usize);
        let ticks = u64::from(record.ticks) * self.nanoseconds_per_tick;
        Found {
            data: place.start + RECORD_HEADER..place.end,
            link: self.link,
            timestamp: Some(u64::from(record.seconds) * NANOSECONDS + ticks),
            wire_length: record.wire,
        }
    }

    /// Reads the rest of what begins the data; false at the end of the file.
    #[cold]
    fn read_more(&self, buffer: &mut Buffer, length: usize) -> Result<bool, Flaw> {
        match buffer.fill(length) {
            true => Ok(true),
            false if buffer.data().is_empty() && buffer.failure().is_none() => Ok(false),
            false => Err(cut(buffer, length as u64, buffer.data().len() as u64)),
        }
    }

    /// Byte order of the last file header.
    pub(super) fn byte_order(&self) -> ByteOrder {
        self.header.order
    }
}

fn too_long(captured: u32, longest: u64) -> Flaw {
    Flaw::Length { stated: captured.into(), longest }
}
